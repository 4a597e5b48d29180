"""Rows of the op table: max pooling and average pooling in one to three dimensions, and their gradients."""

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
        ("large window", {"ksize": 7, "strides": 2, "padding": "VALID"}), ("window 0", {"ksize": [0, 2], "strides": 2, "padding": "VALID"}),
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
    if at < 3:  # for the last place 2.15 gives NaN
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
case("nn.max_pool", "second order of a square", lambda tf, x: tf.gradients(tf.gradients(tf.nn.max_pool(x, 2, 2, "SAME") ** 2, x)[0], x)[0], IMAGE)
case("nn.avg_pool", "second order of a square", lambda tf, x: tf.gradients(tf.gradients(tf.nn.avg_pool(x, 2, 2, "SAME") ** 2, x)[0], x)[0], IMAGE)
case("nn.max_pool3d", "second order of a square", lambda tf, x: tf.gradients(tf.gradients(tf.nn.max_pool3d(x, 2, 2, "SAME") ** 2, x)[0], x)[0], VOLUME)
case("nn.avg_pool3d", "second order of a square", lambda tf, x: tf.gradients(tf.gradients(tf.nn.avg_pool3d(x, 2, 2, "SAME") ** 2, x)[0], x)[0], VOLUME)
case("raw_ops.MaxPoolGradGrad", "gradient", lambda tf, x, y, g: tf.gradients(raw(tf, "MaxPoolGradGrad", orig_input=x, orig_output=y, grad=g, **WINDOWS), g)[0], IMAGE, IMAGE[:, :2, :3], IMAGE)
case("raw_ops.MaxPool3DGradGrad", "gradient", lambda tf, x, y, g: tf.gradients(raw(tf, "MaxPool3DGradGrad", orig_input=x, orig_output=y, grad=g, **VOLUME_WINDOWS), g)[0], VOLUME, VOLUME[:, :, :2, :3], VOLUME)

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
        ("window 0", {"ksize": [0, 2, 2], "strides": 2, "padding": "VALID"}), ("batch", {"ksize": [2, 2, 2, 2, 1], "strides": 2, "padding": "SAME"}),
        ("channels", {"ksize": [1, 2, 2, 2, 2], "strides": 2, "padding": "SAME"}),
    ):  # fmt: skip
        x, a = (IMAGE, {"ksize": 2, "strides": 2, "padding": "SAME"}) if arguments is None else (VOLUME, arguments)
        case(f"nn.{op}", label, lambda tf, x, p=pool, a=a: p(tf, x, **a), x)
    case(f"nn.{op}", "rank at run time", lambda tf, x, p=pool: p(tf, tf.placeholder_with_default(x, None), 2, 2, "SAME"), IMAGE)
for op in ("max_pool_v2", "avg_pool_v2"):
    pool = named(f"nn.{op}")
    for label, x in (("rows", ROWS), ("images", IMAGE), ("volumes", VOLUME)):
        case(f"nn.{op}", label, lambda tf, x, p=pool: p(tf, x, 2, 2, "SAME"), x, nodes=label != "images", shapes=True)  # 2.15 says MaxPool2d
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
        arguments[place] = (x, POOLED, g)[place][:, :1]
        if place:
            case(f"raw_ops.{op}", f"shape of input {place}", call, *arguments)
            case(f"raw_ops.{op}", f"shape of input {place} at run time", late, *arguments)
    case(f"raw_ops.{op}", "batch", lambda tf, *t, c=call: c(tf, *t, ksize=[2, 2, 2, 1]), x, POOLED, g)
    case(f"raw_ops.{op}", "channels", lambda tf, *t, c=late: c(tf, *t, ksize=[1, 2, 2, 2]), x, POOLED, g)
    given = lambda tf, x, y, g, o=op: raw(tf, f"{o}V2", orig_input=x, orig_output=y, grad=g, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
    form(f"raw_ops.{op}V2", "form", given, x, POOLED, g)
    if op == "MaxPoolGrad":
        case(f"raw_ops.{op}V2", "gradient", lambda tf, x, y, g, c=given: tf.gradients(c(tf, x, y, g), g)[0], x, POOLED, g)
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
case("raw_ops.MaxPoolV2", "form", lambda tf, *t: tf.identity(POOL_V2(tf, *t)), IMAGE, K, S)
form("raw_ops.MaxPoolV2", "constant windows", lambda tf, x: POOL_V2(tf, x, [1, 3, 2, 1], [1, 2, 2, 1]), IMAGE)
form("raw_ops.MaxPoolV2", "gradient", lambda tf, x: tf.gradients(POOL_V2(tf, x, [1, 3, 2, 1], [1, 2, 2, 1]), x)[0], IMAGE)
case("raw_ops.MaxPoolV2", "second order", lambda tf, x: tf.gradients(tf.gradients(POOL_V2(tf, x, [1, 3, 2, 1], [1, 2, 2, 1]) ** 2, x)[0], x)[0], IMAGE)
for label, k, s in (("three sizes", K[1:], S), ("three strides", K, S[1:]), ("matrix of sizes", K[None], S), ("batch", np.int32([2, 2, 2, 1]), S)):
    case("raw_ops.MaxPoolV2", label, POOL_V2, IMAGE, k, s)
    case("raw_ops.MaxPoolV2", f"{label} at run time", lambda tf, *t: POOL_V2(tf, *[tf.placeholder_with_default(v, None) for v in t]), IMAGE, k, s)
