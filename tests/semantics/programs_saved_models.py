"""tf.saved_model and freeze_graph: signatures, files, messages, loading, assets, refusals."""

import importlib
import os

from harness import attempt, fresh, graph_of, in_folder, program, signature_text

FUNCTIONS = """builder.SavedModelBuilder builder.SavedModelBuilder.add_meta_graph_and_variables builder.SavedModelBuilder.add_meta_graph
builder.SavedModelBuilder.save loader.load loader.maybe_saved_model_directory simple_save main_op.main_op main_op.main_op_with_restore
utils.build_tensor_info utils.get_tensor_from_tensor_info signature_def_utils.build_signature_def
signature_def_utils.regression_signature_def signature_def_utils.classification_signature_def
signature_def_utils.predict_signature_def signature_def_utils.is_valid_signature load contains_saved_model Builder"""

FREEZER = "tensorflow.python.tools.freeze_graph"


def found(tf, path):
    place = tf.saved_model
    for part in path.split("."):
        place = getattr(place, part)
    return place


@program
def signatures(tf, np):
    return [[name, signature_text(found(tf, name))] for name in FUNCTIONS.split()]


@program
def constants(tf, np):
    spaces = [tf.saved_model, tf.saved_model.constants, tf.saved_model.signature_constants, tf.saved_model.tag_constants]
    return [{name: getattr(space, name) for name in sorted(dir(space)) if name.isupper() and name[0] != "_"} for space in spaces]


def tensors(tf):
    f, s = tf.placeholder(tf.float32, [None], name="f"), tf.placeholder(tf.string, [None], name="s")
    return f, s, tf.placeholder(tf.int64, [3], name="i"), tf.sparse_placeholder(tf.float32, name="sp")


def texts(value):
    """A signature as text, sorted: the maps of messages have no order."""
    if hasattr(value, "method_name"):
        maps = [sorted((key, str(info)) for key, info in infos.items()) for infos in (value.inputs, value.outputs)]
        return [maps, value.method_name]
    return str(value) if hasattr(value, "tensor_shape") else value


@program
def definitions(tf, np):
    f, s, i, sparse = tensors(tf)
    U = tf.saved_model.signature_def_utils
    calls = [
        lambda: U.regression_signature_def(s, f),
        lambda: U.regression_signature_def(None, f),
        lambda: U.regression_signature_def(s, None),
        lambda: U.regression_signature_def(f, f),
        lambda: U.regression_signature_def(s, i),
        lambda: U.classification_signature_def(None, s, f),
        lambda: U.classification_signature_def(s, None, None),
        lambda: U.classification_signature_def(f, s, f),
        lambda: U.classification_signature_def(s, i, f),
        lambda: U.classification_signature_def(s, s, i),
        lambda: U.classification_signature_def(s, s, None),
        lambda: U.classification_signature_def(s, None, f),
        lambda: U.classification_signature_def(s, s, f),
        lambda: U.predict_signature_def(None, {"a": f}),
        lambda: U.predict_signature_def({"a": f}, {}),
        lambda: U.predict_signature_def({"a": sparse}, {"b": f}),
        lambda: U.build_signature_def(),
        lambda: U.build_signature_def({"a": 3}),
        lambda: tf.saved_model.utils.build_tensor_info(3),
        lambda: tf.saved_model.utils.build_tensor_info(tf.constant([1, 2])),
        lambda: tf.saved_model.utils.build_tensor_info(tf.placeholder(tf.bool)),
    ]
    return [texts(attempt(call)) for call in calls]


@program
def tensors_by_their_info(tf, np):
    f, s, _, sparse = tensors(tf)
    U = tf.saved_model.utils
    info = U.build_tensor_info(sparse)
    again = U.get_tensor_from_tensor_info(info)
    missing = U.build_tensor_info(f)
    missing.name = "zz:0"
    return [
        [again.indices, again.values, again.dense_shape], U.get_tensor_from_tensor_info(U.build_tensor_info(s), tf.get_default_graph()),
        attempt(lambda: U.get_tensor_from_tensor_info(missing)), attempt(lambda: U.get_tensor_from_tensor_info(type(info)())),
        attempt(lambda: U.get_tensor_from_tensor_info(U.build_tensor_info(f), import_scope="imp")),
    ]  # fmt: skip


@program
def which_signatures_are_valid(tf, np):
    f, s, _, _ = tensors(tf)
    U = tf.saved_model.signature_def_utils
    info = tf.saved_model.utils.build_tensor_info
    names = ["tensorflow/serving/classify", "tensorflow/serving/regress", "tensorflow/serving/predict", "other", None]
    found = [U.is_valid_signature(None)]
    for method in names:
        for inputs in ({}, {"inputs": info(s)}, {"inputs": info(f)}, {"x": info(s)}, {"inputs": info(s), "x": info(f)}):
            for outputs in ({}, {"outputs": info(f)}, {"outputs": info(s)}, {"classes": info(s)}, {"scores": info(f)}, {"scores": info(s)},
                            {"classes": info(s), "scores": info(f)}, {"classes": info(s), "x": info(f)}, {"outputs": info(f), "x": info(f)}):
                found.append(U.is_valid_signature(U.build_signature_def(inputs, outputs, method)))
    return found


def model(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    v = tf.Variable([[1.0], [2.0]], name="v")
    y = tf.matmul(x, v, name="y")
    return x, v, y, tf.global_variables_initializer()


def session_of(tf, init):
    session = tf.Session()
    session.run(init)
    return session


def files(folder):
    return sorted(os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names)


def written(tf, builder):
    """What the builder's message has, but for the graphs and their ops, which differ by release."""
    return [
        [list(m.meta_info_def.tags), m.meta_info_def.stripped_default_attrs, sorted(m.collection_def), str(m.saver_def).replace("10000.0", "10000"),
         sorted((key, texts(value)) for key, value in m.signature_def.items()), len(m.asset_file_def),
         [node.name + "@" + node.device for node in m.graph_def.node],
         [[a.type_url, a.value] for a in m.collection_def["saved_model_assets"].any_list.value],
         list(m.collection_def["saved_model_main_op"].node_list.value)]
        for m in builder._saved_model.meta_graphs
    ]  # fmt: skip


def with_asset(tf, folder, name, text="a\nb\n"):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    tensor = tf.constant(path)
    tf.add_to_collection(tf.GraphKeys.ASSET_FILEPATHS, tensor)
    return tensor


@program
def a_model_in_a_folder(tf, np):
    def run(folder):
        with tf.device("/cpu:0"):
            x, v, y, init = model(tf)
        for name, text in (("a/w.txt", "1"), ("b/w.txt", "2"), ("a/w.txt", "1")):
            with_asset(tf, folder, name, text)
        session = session_of(tf, init)
        since = len(tf.get_default_graph().get_operations())
        builder = tf.saved_model.builder.SavedModelBuilder(folder + "/m")
        signature = tf.saved_model.signature_def_utils.predict_signature_def({"x": x}, {"y": y})
        assets = tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS)
        none = builder.add_meta_graph_and_variables(
            session, ["serve", "t"], {"serving_default": signature}, assets_collection=assets, main_op=v.initializer, clear_devices=True
        )
        found = [none, files(folder + "/m"), graph_of(tf, since=since)]
        tf.get_collection_ref("saved_model_main_op")[:] = []
        builder.add_meta_graph(["train"], {"p": signature}, legacy_init_op=init, strip_default_attrs=True, saver=tf.train.Saver(name="own"))
        found += [builder.save(), files(folder + "/m"), written(tf, builder)]
        with open(folder + "/m/assets/w.txt") as one, open(folder + "/m/assets/w.txt_1") as two:
            found += [one.read(), two.read()]
        found += [builder.save(as_text=True), files(folder + "/m")]
        return found

    return in_folder(run)


@program
def a_loaded_model(tf, np):
    def run(folder):
        x, _, y, init = model(tf)
        asset = with_asset(tf, folder, "vocab.txt")
        local = tf.get_local_variable("seen", initializer=tf.constant("none"))
        read = tf.assign(local, tf.read_file(asset), name="read")
        session = session_of(tf, init)
        for as_text in (False, True):
            place = folder + ("/text" if as_text else "/binary")
            builder = tf.saved_model.Builder(place)
            signature = tf.saved_model.predict_signature_def({"x": x}, {"y": y})
            tf.get_collection_ref("saved_model_main_op")[:] = []
            tf.get_collection_ref("saved_model_assets")[:] = []
            builder.add_meta_graph_and_variables(
                session, ["serve"], {"s": signature}, tf.get_collection("asset_filepaths"), main_op=read.op
            )
            builder.save(as_text)
        os.remove(folder + "/vocab.txt")
        found = []
        for place, scope in (("binary", None), ("text", "imp"), ("binary", "")):
            with tf.Graph().as_default(), tf.Session() as session:
                message = tf.saved_model.loader.load(session, ["serve"], os.path.join(folder, place), import_scope=scope)
                prefix = scope + "/" if scope else ""
                found += [
                    graph_of(tf), sorted(message.signature_def), type(message).__name__,
                    session.run(prefix + "y:0", {prefix + "x:0": [[1.0, 1.0]]}), session.run(prefix + "seen:0"),
                    tf.saved_model.get_tensor_from_tensor_info(message.signature_def["s"].inputs["x"], import_scope=scope),
                ]  # fmt: skip
        return found

    return in_folder(run)


@program
def refusals(tf, np):
    def run(folder):
        x, v, y, init = model(tf)
        session = session_of(tf, init)
        signature = tf.saved_model.predict_signature_def({"x": x}, {"y": y})
        build = tf.saved_model.build_signature_def
        info = tf.saved_model.build_tensor_info(x)
        unnamed, untyped = type(info)(dtype=1), type(info)(name="q")
        first = tf.saved_model.Builder(folder + "/m")
        found = [attempt(lambda: first.add_meta_graph(["a"]))]

        def add(**options):
            builder = tf.saved_model.Builder(folder + "/m" + str(len(found)))
            return attempt(lambda: builder.add_meta_graph_and_variables(session, ["a"], **options))

        found += [
            add(signature_def_map={"s": 1}), add(signature_def_map={"s": build({"a": unnamed})}),
            add(signature_def_map={"s": build({"a": untyped})}), add(signature_def_map={"__saved_model_init_op": signature}),
            add(signature_def_map={"__saved_model_train_op": signature}),
        ]  # fmt: skip
        for assets in ([3], [x], [tf.constant(3)], [tf.constant("")], [tf.constant("none.txt")]):
            found.append(add(assets_collection=assets))
        found += [add(main_op=3), add(legacy_init_op=3)]
        first.add_meta_graph_and_variables(session, ["a"], main_op=v.initializer, legacy_init_op=init)
        found.append([op.name for op in tf.get_collection("saved_model_main_op")])
        found.append(attempt(lambda: first.add_meta_graph_and_variables(session, ["a"])))
        found.append(attempt(lambda: first.add_meta_graph(["b"], main_op=init)))
        first.save()
        found.append(attempt(lambda: tf.saved_model.Builder(folder + "/m")))
        found.append([tf.saved_model.maybe_saved_model_directory(folder + name) for name in ("", "/m", "/none")])
        load = tf.saved_model.loader.load
        found += [fresh(tf, lambda tags=tags: load(tf.Session(), tags, folder + "/m")) for tags in (["b"], ["a", "b"], [], "b")]
        found += [fresh(tf, lambda: load(tf.Session(), ["a"], folder + "/none"))]
        return found

    return in_folder(run)


@program
def a_simple_model(tf, np):
    def run(folder):
        x = tf.placeholder(tf.float32, [2], name="x")
        with tf.Session() as session:
            tf.saved_model.simple_save(session, folder + "/empty", {"x": x}, {"y": x * 2})
            found = [files(folder + "/empty"), sorted(os.listdir(folder + "/empty"))]
            v = tf.Variable(3.0, name="v")
            session.run(v.initializer)
            found.append(tf.saved_model.simple_save(session, folder + "/m", {"x": x}, {"y": x * v}, legacy_init_op=tf.no_op(name="nothing")))
            found += [files(folder + "/m"), attempt(lambda: tf.saved_model.simple_save(session, folder + "/m", {"x": x}, {"y": x}))]
        for name in ("empty", "m"):
            with tf.Graph().as_default(), tf.Session() as session:
                message = tf.saved_model.load(session, {"serve"}, folder + "/" + name)
                found.append(session.run(message.signature_def["serving_default"].outputs["y"].name, {"x:0": [1, 2]}))
        return found

    return in_folder(run)


@program
def main_ops(tf, np):
    init = model(tf)[3]
    since = len(tf.get_default_graph().get_operations())
    op = tf.saved_model.main_op.main_op()
    return [op, tf.saved_model.main_op.main_op_with_restore(init), graph_of(tf, since=since)]


@program
def frozen_graphs(tf, np):
    freeze_graph = importlib.import_module(FREEZER if "tensorflow" in tf.__name__ else "tfedu.legacy.modules.graph_freezing").freeze_graph

    def run(folder):
        session = session_of(tf, model(tf)[3])
        graph_def = tf.get_default_graph().as_graph_def()
        tf.train.write_graph(graph_def, folder, "g.pb", as_text=False)
        tf.train.write_graph(graph_def, folder, "g.pbtxt")
        tf.train.Saver().save(session, folder + "/c.ckpt")
        builder = tf.saved_model.Builder(folder + "/m")
        builder.add_meta_graph_and_variables(session, ["serve", "t"])
        builder.save()

        def frozen(**changed):
            options = {
                "input_graph": "g.pb", "input_saver": "", "input_binary": True, "input_checkpoint": "./c.ckpt",
                "output_node_names": "y", "restore_op_name": "", "filename_tensor_name": "", "output_graph": "o.pb",
                "clear_devices": True, "initializer_nodes": "",
            }  # fmt: skip
            options.update(changed)
            with tf.Graph().as_default():
                return attempt(lambda: [n.name + "=" + n.op for n in freeze_graph(**options).node])

        return [
            frozen(), os.path.exists("o.pb"), frozen(input_graph="g.pbtxt", input_binary=False), frozen(output_node_names=""),
            frozen(input_checkpoint="./zz"), frozen(input_graph="zz"), frozen(output_node_names="zz"), frozen(output_graph=""),
            frozen(variable_names_blacklist="v"), frozen(variable_names_whitelist="q"), frozen(initializer_nodes="init"),
            frozen(input_graph="", input_meta_graph="c.ckpt.meta"), frozen(input_graph=""), frozen(input_saver="zz"),
            frozen(input_meta_graph="zz"), frozen(output_node_names="x"), frozen(output_node_names="x,y"),
            frozen(input_graph="", input_checkpoint="", input_saved_model_dir="m", saved_model_tags="serve,t"),
            frozen(input_graph="", input_checkpoint="", input_saved_model_dir="m"),
        ]  # fmt: skip

    return in_folder(run)
