"""Rows of the op table: max pooling and average pooling in one to three dimensions, and their gradients, asked of TF 1.15.0 itself.

Not asked, because 1.15's kernels for the processor refuse it, crash or answer what memory holds: NCHW, windows without elements,
gradients of another shape. tests/ops/test_pooling.py has those.
"""

import numpy as np
from cases import FLOATS, case, form, named, nan
from harness import raw


def numbers(*shape):
    """Numbers without order, each several times, so that windows have equal maxima."""
    return (np.arange(np.prod(shape)) * 7919 % 23).reshape(shape).astype(np.float32) / 4 - 2


IMAGE = numbers(2, 5, 6, 3)
VOLUME = numbers(1, 3, 4, 5, 2)
ROWS = numbers(2, 7, 3)
WINDOWS = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
VOLUME_WINDOWS = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 1, 2, 2, 1], "padding": "SAME"}
# (label, ksize, strides)
SHAPES = (("2x2", 2, 2), ("3x3 that overlap", 3, 2), ("3x2 side by side", [3, 2], 1), ("gaps", [1, 2], [2, 3]), ("whole", [5, 6], 1))


def gradients(tf, pool, x, order=1):
    """The gradient of the sum of pool(x) times rising weights, and of the second order."""
    y = pool(x)
    weights = tf.reshape(tf.range(0.0, tf.to_float(tf.size(y))), tf.shape(y)) / 8
    first = tf.gradients(y * tf.cast(weights, y.dtype), x)[0]
    return first if order == 1 else tf.gradients(first * first, x)[0]


for op in ("max_pool", "avg_pool"):
    pool = named(f"nn.{op}")
    for label, ksize, strides in SHAPES:
        for padding in ("SAME", "VALID"):
            given = {"ksize": ksize, "strides": strides, "padding": padding}
            form(f"nn.{op}", f"{label}, {padding}", lambda tf, x, p=pool, g=given: p(tf, x, **g), IMAGE)
            case(f"nn.{op}", f"{label}, {padding}, gradient", lambda tf, x, p=pool, g=given: gradients(tf, lambda x: p(tf, x, **g), x), IMAGE)
    for kind in FLOATS:
        case(f"nn.{op}", kind, lambda tf, x, p=pool: p(tf, x, 3, 2, "SAME"), IMAGE.astype(kind))
        case(f"nn.{op}", f"{kind}, gradient", lambda tf, x, p=pool: gradients(tf, lambda x: p(tf, x, 3, 2, "SAME"), x), IMAGE.astype(kind))
    form(f"nn.{op}", "gradient, nodes", lambda tf, x, p=pool: tf.gradients(p(tf, x, 2, 2, "SAME"), x)[0], IMAGE)
    form(f"nn.{op}", "list", lambda tf, p=pool: p(tf, [[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID"))
    form(f"nn.{op}", "name and no format", lambda tf, x, p=pool: p(tf, x, [1, 2, 2, 1], 1, "SAME", data_format=None, name="pooled"), IMAGE)
    case(f"nn.{op}", "no image", lambda tf, x, p=pool: p(tf, x, 2, 2, "SAME"), IMAGE[:0])
    case(f"nn.{op}", "no image, gradient", lambda tf, x, p=pool: tf.gradients(p(tf, x, 2, 2, "SAME"), x)[0], IMAGE[:0])
    case(f"nn.{op}", "no pixel", lambda tf, x, p=pool: p(tf, x, 2, 2, "SAME"), IMAGE[:, :0])
    case(f"nn.{op}", "padding larger than the image", lambda tf, x, p=pool: p(tf, x, 5, 1, "SAME"), IMAGE[:, :2, :1])
    for label, arguments in (
        ("three sizes", {"ksize": [2, 2, 2], "strides": 2, "padding": "SAME"}), ("five sizes", {"ksize": [1, 2, 2, 1, 1], "strides": 2, "padding": "SAME"}),
        ("text", {"ksize": "a", "strides": 2, "padding": "SAME"}), ("unknown padding", {"ksize": 2, "strides": 2, "padding": "same"}),
        ("unknown format", {"ksize": 2, "strides": 2, "padding": "SAME", "data_format": "FOO"}), ("stride 0", {"ksize": 2, "strides": [1, 0, 1, 1], "padding": "SAME"}),
        ("large window", {"ksize": 7, "strides": 2, "padding": "VALID"}),
        ("batch", {"ksize": [2, 2, 2, 1], "strides": 2, "padding": "SAME"}), ("batch stride", {"ksize": 2, "strides": [2, 2, 2, 1], "padding": "SAME"}),
        ("both names", {"ksize": 2, "strides": 2, "padding": "SAME", "input": 1.0}),
        ("channels of 2", {"ksize": [1, 1, 1, 2], "strides": [1, 1, 1, 2], "padding": "VALID"}),
        ("channels overlap", {"ksize": [1, 1, 1, 3], "strides": [1, 1, 1, 1], "padding": "VALID"}),
        ("channels and rows", {"ksize": [1, 2, 1, 3], "strides": [1, 2, 1, 3], "padding": "VALID"}),
    ):  # fmt: skip
        case(f"nn.{op}", label, lambda tf, x, p=pool, a=arguments: p(tf, x, **a), IMAGE)
    case(f"nn.{op}", "matrix", lambda tf, x, p=pool: p(tf, x, 2, 2, "SAME"), IMAGE[0, 0])
    case(f"nn.{op}", "rank at run time", lambda tf, x, p=pool: p(tf, tf.placeholder_with_default(x, None), 2, 2, "SAME"), IMAGE[0])
    case(f"nn.{op}", "large window at run time", lambda tf, x, p=pool: p(tf, tf.placeholder_with_default(x, None), 9, 2, "VALID"), IMAGE)
    case(f"nn.{op}", "not quite a window at run time", lambda tf, x, p=pool: p(tf, tf.placeholder_with_default(x, None), 6, 2, "VALID"), IMAGE)
    case(f"nn.{op}", "text input", lambda tf, x, p=pool: p(tf, x, 2, 2, "SAME"), np.array(["a"]))
    case(f"nn.{op}", "None", lambda tf, p=pool: p(tf, None, 2, 2, "SAME"))

for kind in ("int32", "int64", "uint8", "int16", "int8", "uint16"):
    x = (np.arange(16) * 7 % 16).reshape(1, 4, 4, 1).astype(kind)
    case("nn.max_pool", kind, lambda tf, x: tf.nn.max_pool(x, 2, 2, "SAME"), x)
    case("raw_ops.MaxPoolGrad", kind, lambda tf, x, y, g: raw(tf, "MaxPoolGrad", orig_input=x, orig_output=y, grad=g, **WINDOWS), x, x[:, :2, :2], x[:, 2:, 2:])
case("nn.max_pool", "window 0", lambda tf, x: tf.nn.max_pool(x, [0, 2], 2, "VALID"), IMAGE)
form("nn.max_pool", "channels", lambda tf, x: tf.nn.max_pool(x, [1, 1, 1, 3], [1, 1, 1, 3], "VALID"), IMAGE)
form("nn.max_pool2d", "form", lambda tf, x: tf.nn.max_pool2d(x, 2, 2, "SAME"), IMAGE)
form("nn.avg_pool2d", "form", lambda tf, x: tf.nn.avg_pool2d(x, 2, 2, "SAME"), IMAGE)

# -- NaN and infinity: at each place of a window, alone, and for all -----------------------------------------------------------
for at in range(4):
    x = np.float32([1, 2, 3, 4]).reshape(1, 2, 2, 1)
    x.reshape(-1)[at] = nan
    case("nn.max_pool", f"NaN at {at}", lambda tf, x: tf.nn.max_pool(x, 2, 2, "VALID"), x)
    case("nn.max_pool", f"NaN at {at}, gradient", lambda tf, x: tf.gradients(tf.nn.max_pool(x, 2, 2, "VALID"), x)[0], x)
    case("nn.max_pool", f"NaN at {at}, second gradient", lambda tf, x: raw(tf, "MaxPoolGradGrad", orig_input=x, orig_output=tf.nn.max_pool(x, 2, 2, "VALID"), grad=x, **WINDOWS), x)
    case("nn.max_pool3d", f"NaN at {at}, gradient", lambda tf, x: tf.gradients(tf.nn.max_pool3d(x, 2, 2, "SAME"), x)[0], x[None])
for label, x in (("minus infinity", np.full((1, 3, 3, 2), -np.inf, np.float32)), ("NaN alone", np.full((1, 3, 3, 2), nan, np.float32))):
    case("nn.max_pool", label, lambda tf, x: tf.nn.max_pool(x, 2, 2, "SAME"), x)
    case("nn.max_pool", f"{label}, gradient", lambda tf, x: tf.gradients(tf.nn.max_pool(x, 2, 1, "SAME"), x)[0], x)
    case("nn.avg_pool", label, lambda tf, x: tf.nn.avg_pool(x, 2, 2, "SAME"), x)
case("nn.max_pool3d", "minus infinity", lambda tf, x: tf.nn.max_pool3d(x, 2, 2, "SAME"), np.full((1, 3, 3, 2, 1), -np.inf, np.float32))
case("nn.max_pool", "endless gradient", lambda tf, x, g: tf.gradients(tf.nn.max_pool(x, 2, 2, "VALID"), x, g)[0], IMAGE[:1, :4, :4, :1], np.float32([[[[np.inf], [nan]], [[-np.inf], [1]]]]))

# -- second order ------------------------------------------------------------------------------------------------------------
for label, ksize, strides in SHAPES:
    case("nn.max_pool", f"{label}, second order", lambda tf, x, k=ksize, s=strides: gradients(tf, lambda x: tf.nn.max_pool(x, k, s, "SAME"), x, order=2), IMAGE)
form("nn.max_pool", "second order, nodes", lambda tf, x: tf.gradients(tf.gradients(tf.nn.max_pool(x, 2, 2, "SAME") ** 2, x)[0], x)[0], IMAGE)
form("nn.avg_pool", "second order, nodes", lambda tf, x: tf.gradients(tf.gradients(tf.nn.avg_pool(x, 2, 2, "SAME") ** 2, x)[0], x)[0], IMAGE)
form("nn.max_pool3d", "second order, nodes", lambda tf, x: tf.gradients(tf.gradients(tf.nn.max_pool3d(x, 2, 2, "SAME") ** 2, x)[0], x)[0], VOLUME)
form("nn.avg_pool3d", "second order, nodes", lambda tf, x: tf.gradients(tf.gradients(tf.nn.avg_pool3d(x, 2, 2, "SAME") ** 2, x)[0], x)[0], VOLUME)
form("raw_ops.MaxPoolGradGrad", "gradient", lambda tf, x, y, g: tf.gradients(raw(tf, "MaxPoolGradGrad", orig_input=x, orig_output=y, grad=g, **WINDOWS), g)[0], IMAGE, IMAGE[:, :2, :3], IMAGE)
form("raw_ops.MaxPool3DGradGrad", "gradient", lambda tf, x, y, g: tf.gradients(raw(tf, "MaxPool3DGradGrad", orig_input=x, orig_output=y, grad=g, **VOLUME_WINDOWS), g)[0], VOLUME, VOLUME[:, :, :2, :3], VOLUME)

# -- one and three dimensions ------------------------------------------------------------------------------------------------
for op in ("max_pool1d", "avg_pool1d"):
    pool = named(f"nn.{op}")
    for padding in ("SAME", "VALID"):
        form(f"nn.{op}", padding, lambda tf, x, p=pool, a=padding: p(tf, x, 3, 2, a), ROWS)
        case(f"nn.{op}", f"{padding}, gradient", lambda tf, x, p=pool, a=padding: gradients(tf, lambda x: p(tf, x, [2], [1, 2, 1], a), x), ROWS)
    form(f"nn.{op}", "named", lambda tf, x, p=pool: p(tf, x, 2, 1, "SAME", name="pooled"), ROWS)
    case(f"nn.{op}", "two sizes", lambda tf, x, p=pool: p(tf, x, [2, 2], 1, "SAME"), ROWS)
    case(f"nn.{op}", "image", lambda tf, x, p=pool: p(tf, x, 2, 1, "SAME"), IMAGE)
for op in ("max_pool3d", "avg_pool3d"):
    pool = named(f"nn.{op}")
    for label, ksize, strides in (("2x2x2", 2, 2), ("3x2x1 that overlap", [3, 2, 1], 1), ("gaps", [1, 2, 1], [2, 3, 2])):
        for padding in ("SAME", "VALID"):
            form(f"nn.{op}", f"{label}, {padding}", lambda tf, x, p=pool, k=ksize, s=strides, a=padding: p(tf, x, k, s, a), VOLUME)
            case(f"nn.{op}", f"{label}, {padding}, gradient", lambda tf, x, p=pool, k=ksize, s=strides, a=padding: gradients(tf, lambda x: p(tf, x, k, s, a), x), VOLUME)
            if padding == "VALID" or strides != 1:  # where the shape stays, TF's MaxPool3DGradGrad overwrites what it reads
                case(f"nn.{op}", f"{label}, {padding}, second order", lambda tf, x, p=pool, k=ksize, s=strides, a=padding: gradients(tf, lambda x: p(tf, x, k, s, a) ** 2, x, order=2), VOLUME)
    form(f"nn.{op}", "gradient, nodes", lambda tf, x, p=pool: tf.gradients(p(tf, x, 2, 2, "SAME"), x)[0], VOLUME)
    form(f"nn.{op}", "no format", lambda tf, x, p=pool: p(tf, x, [1, 2, 2, 2, 1], 1, "SAME", data_format=None, name="pooled"), VOLUME)
    case(f"nn.{op}", "no volume", lambda tf, x, p=pool: p(tf, x, 2, 2, "SAME"), VOLUME[:0])
    for label, arguments in (
        ("image", None), ("two sizes", {"ksize": [2, 2], "strides": 2, "padding": "SAME"}), ("six sizes", {"ksize": [1, 2, 2, 2, 1, 1], "strides": 2, "padding": "SAME"}),
        ("stride 0", {"ksize": 2, "strides": [1, 0, 1, 1, 1], "padding": "SAME"}), ("large window", {"ksize": 7, "strides": 2, "padding": "VALID"}),
        ("batch", {"ksize": [2, 2, 2, 2, 1], "strides": 2, "padding": "SAME"}),
        ("channels", {"ksize": [1, 2, 2, 2, 2], "strides": 2, "padding": "SAME"}),
    ):  # fmt: skip
        x, a = (IMAGE, {"ksize": 2, "strides": 2, "padding": "SAME"}) if arguments is None else (VOLUME, arguments)
        case(f"nn.{op}", label, lambda tf, x, p=pool, a=a: p(tf, x, **a), x)
    case(f"nn.{op}", "rank at run time", lambda tf, x, p=pool: p(tf, tf.placeholder_with_default(x, None), 2, 2, "SAME"), IMAGE)
for op in ("max_pool_v2", "avg_pool_v2"):
    pool = named(f"nn.{op}")
    for label, x in (("rows", ROWS), ("images", IMAGE), ("volumes", VOLUME)):
        case(f"nn.{op}", label, lambda tf, x, p=pool: p(tf, x, 2, 2, "SAME"), x, nodes=True, shapes=True)
    case(f"nn.{op}", "matrix", lambda tf, x, p=pool: p(tf, x, 2, 2, "SAME"), ROWS[0])

# -- the ops themselves ------------------------------------------------------------------------------------------------------
POOLED = np.float32([[[[3.0], [1.0]], [[2.0], [5.0]]]])
SMALL = numbers(1, 4, 4, 1)
SMALL_VOLUME = numbers(1, 2, 4, 4, 1)
for op, x, g in (("MaxPoolGrad", SMALL, POOLED), ("MaxPoolGradGrad", SMALL, SMALL)):
    call = lambda tf, x, y, g, o=op, **more: raw(tf, o, orig_input=x, orig_output=y, grad=g, **{**WINDOWS, **more})
    late = lambda tf, *t, c=call, **more: c(tf, *[tf.placeholder_with_default(v, None) for v in t], **more)
    form(f"raw_ops.{op}", "form", call, x, POOLED, g)
    case(f"raw_ops.{op}", "another output", call, x, SMALL[:, :2, 2:], g)
    for place in range(3):
        arguments = [x, POOLED, g]
        arguments[place] = arguments[place][0]
        case(f"raw_ops.{op}", f"rank of input {place}", call, *arguments)
        case(f"raw_ops.{op}", f"rank of input {place} at run time", late, *arguments)
    case(f"raw_ops.{op}", "batch", lambda tf, *t, c=call: c(tf, *t, ksize=[2, 2, 2, 1]), x, POOLED, g)
    case(f"raw_ops.{op}", "channels", lambda tf, *t, c=late: c(tf, *t, ksize=[1, 2, 2, 2]), x, POOLED, g)
    given = lambda tf, x, y, g, o=op: raw(tf, f"{o}V2", orig_input=x, orig_output=y, grad=g, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
    form(f"raw_ops.{op}V2", "form", given, x, POOLED, g)
    if op == "MaxPoolGrad":
        form(f"raw_ops.{op}V2", "gradient", lambda tf, x, y, g, c=given: tf.gradients(c(tf, x, y, g), g)[0], x, POOLED, g)
for op, x, g in (("MaxPool3DGrad", SMALL_VOLUME, SMALL_VOLUME[:, :, ::2, ::2]), ("MaxPool3DGradGrad", SMALL_VOLUME, SMALL_VOLUME)):
    call = lambda tf, x, y, g, o=op: raw(tf, o, orig_input=x, orig_output=y, grad=g, **VOLUME_WINDOWS)
    late = lambda tf, *t, c=call: c(tf, *[tf.placeholder_with_default(v, None) for v in t])
    y = SMALL_VOLUME[:, :, ::2, ::2]
    form(f"raw_ops.{op}", "form", call, x, y, g)
    for place in range(3):
        arguments = [x, y, g]
        arguments[place] = arguments[place][0]
        case(f"raw_ops.{op}", f"rank of input {place}", call, *arguments)
        case(f"raw_ops.{op}", f"rank of input {place} at run time", late, *arguments)
for op, sizes, g, windows in (("AvgPoolGrad", [1, 4, 4, 1], POOLED, WINDOWS), ("AvgPool3DGrad", [1, 2, 4, 4, 1], SMALL_VOLUME[:, :, ::2, ::2], VOLUME_WINDOWS)):
    call = lambda tf, s, g, o=op, w=windows: raw(tf, o, orig_input_shape=s, grad=g, **w)
    late = lambda tf, *t, c=call: c(tf, *[tf.placeholder_with_default(v, None) for v in t])
    sizes = np.int32(sizes)
    form(f"raw_ops.{op}", "form", call, sizes, g)
    for label, arguments in (("rank of the shape", (sizes[None], g)), ("length of the shape", (sizes[1:], g)), ("rank of grad", (sizes, g[0]))):
        case(f"raw_ops.{op}", label, call, *arguments)
        case(f"raw_ops.{op}", f"{label} at run time", late, *arguments)
POOL_V2 = lambda tf, x, k, s: raw(tf, "MaxPoolV2", input=x, ksize=k, strides=s, padding="SAME")
K, S = np.int32([1, 2, 2, 1]), np.int32([1, 2, 1, 1])
form("raw_ops.MaxPoolV2", "form", POOL_V2, IMAGE, K, S)
form("raw_ops.MaxPoolV2", "constant windows", lambda tf, x: POOL_V2(tf, x, [1, 3, 2, 1], [1, 2, 2, 1]), IMAGE)
form("raw_ops.MaxPoolV2", "gradient", lambda tf, x: tf.gradients(POOL_V2(tf, x, [1, 3, 2, 1], [1, 2, 2, 1]), x)[0], IMAGE)
form("raw_ops.MaxPoolV2", "second order", lambda tf, x: tf.gradients(tf.gradients(POOL_V2(tf, x, [1, 3, 2, 1], [1, 2, 2, 1]) ** 2, x)[0], x)[0], IMAGE)
for label, k, s in (("three sizes", K[1:], S), ("three strides", K, S[1:]), ("matrix of sizes", K[None], S), ("batch", np.int32([2, 2, 2, 1]), S)):
    case("raw_ops.MaxPoolV2", label, POOL_V2, IMAGE, k, s)
    case("raw_ops.MaxPoolV2", f"{label} at run time", lambda tf, *t: POOL_V2(tf, *[tf.placeholder_with_default(v, None) for v in t]), IMAGE, k, s)

# -- the positions of maxima -------------------------------------------------------------------------------------------------
ARGMAX = lambda tf, x, **more: list(tf.nn.max_pool_with_argmax(x, **{"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME", **more}))
for label, options in (
    ("2x2", {}), ("overlap", {"ksize": [1, 3, 2, 1], "strides": [1, 1, 2, 1]}), ("VALID", {"ksize": [1, 3, 3, 1], "padding": "VALID"}),
    ("gaps", {"ksize": [1, 1, 2, 1], "strides": [1, 2, 3, 1]}), ("batch counted", {"include_batch_in_index": True}), ("named", {"name": "pooled"}),
    ("named dtype", {"output_dtype": "int64"}),
):  # fmt: skip
    form("nn.max_pool_with_argmax", label, lambda tf, x, o=options: ARGMAX(tf, x, **o), IMAGE)
    form("nn.max_pool_with_argmax", f"{label}, gradient", lambda tf, x, o=options: tf.gradients(ARGMAX(tf, x, **o)[0], x)[0], IMAGE)
for at in range(4):
    x = np.float32([1, 2, 3, 4]).reshape(1, 2, 2, 1)
    x.reshape(-1)[at] = nan
    case("nn.max_pool_with_argmax", f"NaN at {at}", ARGMAX, x)
case("nn.max_pool_with_argmax", "minus infinity", ARGMAX, np.full((1, 3, 3, 2), -np.inf, np.float32))
for kind in ("float16", "float64", "int32", "uint8"):
    case("nn.max_pool_with_argmax", kind, ARGMAX, IMAGE.astype(kind))
case("nn.max_pool_with_argmax", "one number as ksize", lambda tf, x: ARGMAX(tf, x, ksize=2), IMAGE)
case("nn.max_pool_with_argmax", "channels first", lambda tf, x: ARGMAX(tf, x, data_format="NCHW"), IMAGE)
case("nn.max_pool_with_argmax", "both names", lambda tf, x: ARGMAX(tf, x, Targmax=tf.int64, output_dtype=tf.int64), IMAGE)
case("nn.max_pool_with_argmax", "batch", lambda tf, x: ARGMAX(tf, x, ksize=[2, 2, 2, 1]), IMAGE)
case("nn.max_pool_with_argmax", "matrix", ARGMAX, IMAGE[0, 0])
case("nn.max_pool_with_argmax", "rank at run time", lambda tf, x: ARGMAX(tf, tf.placeholder_with_default(x, None)), IMAGE[0])

# -- any number of axes ------------------------------------------------------------------------------------------------------
for label, x, arguments in (
    ("images", IMAGE, ([2, 2], "MAX", "SAME")), ("images, mean", IMAGE, ([3, 2], "AVG", "VALID", None, [2, 1], "pooled")),
    ("rows", ROWS, ([2], "MAX", "SAME")), ("volumes", VOLUME, ([2, 2, 2], "AVG", "SAME")), ("holes", IMAGE, ([2, 2], "MAX", "VALID", [2, 3])),
    ("holes in rows", ROWS, ([3], "AVG", "VALID", [2])), ("other type", IMAGE, ([2, 2], "MIN", "SAME")), ("no axis", IMAGE, ([], "MAX", "SAME")),
    ("four axes", IMAGE, ([1] * 4, "MAX", "SAME")), ("rank", IMAGE, ([2, 2, 2], "MAX", "SAME")), ("other padding", IMAGE, ([2, 2], "MAX", "same")),
    ("stride 0", IMAGE, ([2, 2], "MAX", "SAME", None, [0, 1])), ("hole 0", IMAGE, ([2, 2], "MAX", "SAME", [0, 1])),
    ("one stride", IMAGE, ([2, 2], "MAX", "SAME", None, [1])), ("one hole", IMAGE, ([2, 2], "MAX", "SAME", [1])),
    ("holes and strides", IMAGE, ([2, 2], "MAX", "VALID", [2, 2], [2, 2])), ("holes and padding", IMAGE, ([2, 2], "MAX", "SAME", [2, 2])),
    ("wide strides", IMAGE, ([2, 2], "MAX", "SAME", None, [3, 3])), ("window 0", IMAGE, ([0, 2], "MAX", "SAME")),
    ("other format", IMAGE, ([2, 2], "MAX", "SAME", None, None, None, "foo")),
):  # fmt: skip
    form("nn.pool", label, lambda tf, x, a=arguments: tf.nn.pool(x, *a), x)
case("nn.pool", "dilations", lambda tf, x: tf.nn.pool(x, [2, 2], "MAX", "VALID", dilations=[2, 2]), IMAGE, nodes=True)

# -- cells of two sizes ------------------------------------------------------------------------------------------------------
LARGE = numbers(2, 10, 13, 2)
for op in ("max", "avg"):
    pool = named(f"nn.fractional_{op}_pool")
    for seeds in ((1, 2), (5, 0), (0, 7)):
        for pseudo in (False, True):
            for overlapping in (False, True):
                options = {"pseudo_random": pseudo, "overlapping": overlapping, "deterministic": True, "seed": seeds[0], "seed2": seeds[1]}
                label = f"{'pseudo' if pseudo else 'random'}{', overlapping' if overlapping else ''}, {seeds}"
                call = lambda tf, x, p=pool, o=options: list(p(tf, x, [1.0, 1.44, 1.73, 1.0], **o))
                form(f"nn.fractional_{op}_pool", label, call, LARGE)
                case(f"nn.fractional_{op}_pool", f"{label}, gradient", lambda tf, x, c=call: gradients(tf, lambda x: c(tf, x)[0], x), LARGE)
    given = {"deterministic": True, "seed": 3, "seed2": 4}
    call = lambda tf, x, ratios=(1, 2, 1.3, 1), p=pool, o=given: list(p(tf, x, list(ratios), **o))
    case(f"nn.fractional_{op}_pool", "whole ratio", call, LARGE)
    case(f"nn.fractional_{op}_pool", "ratio 1", lambda tf, x, c=call: c(tf, x, (1, 1, 1, 1)), LARGE)
    for kind in ("float64", "int32", "int64"):
        case(f"nn.fractional_{op}_pool", kind, call, (LARGE * 4).astype(kind))
    form(f"nn.fractional_{op}_pool", "gradient, nodes", lambda tf, x, c=call: tf.gradients(c(tf, x)[0], x)[0], LARGE) if op == "max" else None
    case(f"nn.fractional_{op}_pool", "gradient, known shape", lambda tf, x, c=call: tf.gradients(c(tf, x)[0], x)[0], LARGE, nodes=True)
    case(f"nn.fractional_{op}_pool", "no image", call, LARGE[:0])
    case(f"nn.fractional_{op}_pool", "no channel", call, LARGE[..., :0])
    case(f"nn.fractional_{op}_pool", "seeds without deterministic", lambda tf, x, p=pool: p(tf, x, [1, 1.5, 1.5, 1], seed=3)[0], LARGE)
    case(f"nn.fractional_{op}_pool", "five ratios", lambda tf, x, c=call: c(tf, x, (1, 1, 1, 1, 1)), LARGE)
    case(f"nn.fractional_{op}_pool", "three ratios", lambda tf, x, c=call: c(tf, x, (1, 1, 1)), LARGE)
    case(f"nn.fractional_{op}_pool", "rank", call, LARGE[0])
    case(f"nn.fractional_{op}_pool", "rank at run time", lambda tf, x, c=call: c(tf, tf.placeholder_with_default(x, None)), LARGE[0])
    case(f"nn.fractional_{op}_pool", "half", call, LARGE.astype(np.float16))
case("nn.fractional_max_pool", "NaN", lambda tf, x: list(tf.nn.fractional_max_pool(x, [1, 1.5, 1.5, 1], deterministic=True, seed=1)), np.where(LARGE < -1, nan, LARGE).astype(np.float32))
case("nn.fractional_max_pool", "minus infinity", lambda tf, x: tf.nn.fractional_max_pool(x, [1, 1.5, 1.5, 1])[0], np.full((1, 3, 3, 1), -np.inf, np.float32))
CUT = {"row_pooling_sequence": np.int64([0, 1, 3]), "col_pooling_sequence": np.int64([0, 2, 4])}
for overlapping in (False, True):
    cut = {**CUT, "overlapping": overlapping}
    for kind in ("float32", "float64", "int32"):
        case("raw_ops.FractionalAvgPoolGrad", f"{kind}, {overlapping}", lambda tf, g, c=cut: raw(tf, "FractionalAvgPoolGrad", orig_input_tensor_shape=np.int64([1, 3, 4, 1]), out_backprop=g, **c), (POOLED * 7 - 20).reshape(1, 2, 2, 1).astype(kind))
case("raw_ops.FractionalAvgPoolGrad", "length of the shape", lambda tf, g: raw(tf, "FractionalAvgPoolGrad", orig_input_tensor_shape=np.int64([1, 3]), out_backprop=g, **CUT), POOLED)
