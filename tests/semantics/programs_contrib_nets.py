"""tf.contrib.slim's nets: variables, endpoints, regularizers, and the batch norm's collections. Graphs alone; no net runs."""

import importlib

from harness import attempt, program, signature_text

NETS = "tensorflow.contrib.slim.python.slim.nets."
SHAPES = {"overfeat": 231, "inception_v3": 299}
KEPT = {
    "alexnet": ("alexnet_v2",),
    "overfeat": ("overfeat",),
    "vgg": ("vgg_a", "vgg_16"),
    "inception_v1": ("inception_v1",),
    "inception_v2": ("inception_v2",),
    "inception_v3": ("inception_v3",),
    "resnet_v1": ("resnet_v1_50",),
    "resnet_v2": ("resnet_v2_50",),
}


def module(tf, name):
    if getattr(tf, "__name__", "") != "tfedu":
        return importlib.import_module(NETS + name)
    return importlib.import_module(f"tfedu.engine.models.contrib_nets.{name}")


def described(tf, net, points):
    """Of each variable the name, the shape and how often it stands in which collection; of each endpoint name and shape."""
    collections = sorted(
        key for key in tf.get_default_graph().get_all_collection_keys() if isinstance(key, str)
    )
    return [
        [net.name, net.shape],
        [[v.name, v.shape] for v in tf.global_variables()],
        [[name, point.name, point.shape] for name, point in points.items()],
        [[key, len(tf.get_collection(key))] for key in collections],
    ]


def arguments(nets, name):
    if name.startswith("resnet"):
        return nets.resnet_arg_scope()
    return getattr(nets, {"vgg": "vgg_arg_scope"}.get(name.split("_")[0], f"{name}_arg_scope"))()


def built(tf, module_name, name, side, **options):
    nets = module(tf, module_name)
    with tf.Graph().as_default():
        pictures = tf.placeholder(tf.float32, [2, side, side, 3])
        with tf.contrib.slim.arg_scope(arguments(nets, name)):
            net, points = getattr(nets, name)(pictures, num_classes=10, **options)
        return described(tf, net, points)


@program
def signatures(tf, np):
    return [
        [name, signature_text(getattr(module(tf, place), name))]
        for place, names in sorted(KEPT.items())
        for name in names
    ]


@program
def nets_for_training(tf, np):
    return [
        [name, built(tf, place, name, SHAPES.get(name, 224))]
        for place, names in sorted(KEPT.items())
        for name in names
    ]


@program
def nets_for_use(tf, np):
    return [
        built(tf, "vgg", "vgg_a", 256, is_training=False, spatial_squeeze=False),
        built(tf, "alexnet", "alexnet_v2", 300, is_training=False, spatial_squeeze=False, scope="mine"),
        built(tf, "inception_v1", "inception_v1", 224, is_training=False),
        built(tf, "inception_v2", "inception_v2", 128, is_training=False, depth_multiplier=0.5),
        built(tf, "inception_v3", "inception_v3", 150, is_training=False, depth_multiplier=0.25, min_depth=8),
        built(tf, "resnet_v1", "resnet_v1_50", 65, is_training=False, output_stride=8),
        built(tf, "resnet_v2", "resnet_v2_50", 65, is_training=False, global_pool=False, output_stride=16),
    ]


@program
def parts_of_nets(tf, np):
    found = []
    for place, last in (
        ("inception_v1", "Mixed_4b"),
        ("inception_v2", "Mixed_4a"),
        ("inception_v3", "Mixed_6a"),
    ):
        nets = module(tf, place)
        with tf.Graph().as_default():
            net, points = getattr(nets, f"{place}_base")(
                tf.placeholder(tf.float32, [1, 224, 224, 3]), final_endpoint=last
            )
            found.append(described(tf, net, points))
    for place in ("resnet_v1", "resnet_v2"):
        nets = module(tf, place)
        with tf.Graph().as_default():
            blocks = [getattr(nets, f"{place}_block")("one", base_depth=2, num_units=2, stride=2)]
            net, points = getattr(nets, place)(
                tf.placeholder(tf.float32, [1, 32, 32, 3]), blocks, 4, include_root_block=False, scope="small"
            )
            found.append(described(tf, net, points))
    return found


@program
def refusals(tf, np):
    pictures = tf.placeholder(tf.float32, [1, 224, 224, 3])
    v1, v3, residual = module(tf, "inception_v1"), module(tf, "inception_v3"), module(tf, "resnet_v1")
    return [attempt(call) for call in (
        lambda: v1.inception_v1_base(pictures, final_endpoint="Mixed_9z"),
        lambda: v3.inception_v3(pictures, depth_multiplier=0),
        lambda: residual.resnet_v1_50(pictures, output_stride=6),
        lambda: residual.resnet_v1_50(pictures, output_stride=64),
    )]  # fmt: skip
