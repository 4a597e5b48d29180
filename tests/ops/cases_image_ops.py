"""Rows of the op table: the ops of images by themselves: sizes, colours, boxes, patches; asked of TF 1.15.0 itself."""

import numpy as np
from cases import case, form, inf, nan
from convolution_rows import gradients, unknown, wave
from harness import raw


def kernel(type, *names, **attrs):
    """The call of the op of that type on inputs of these names."""
    return lambda tf, *inputs: raw(tf, type, **dict(zip(names, inputs)), **attrs)


def bad(type, names, label, *inputs, **attrs):
    """A refusal when the graph is built, and one at run time."""
    symbol = f"raw_ops.{type}"
    case(symbol, f"refused: {label}", kernel(type, *names, **attrs), *inputs)
    case(symbol, f"at run time: {label}", unknown(kernel(type, *names, **attrs)), *inputs)


IMAGE = (wave(2, 5, 4, 2) + 1) / 2
INT = np.int32

# -- sizes -------------------------------------------------------------------------------------------------------------

SMOOTH = ("ResizeBilinear", "ResizeBicubic")
KINDS = (*SMOOTH, "ResizeNearestNeighbor", "ResizeArea")
HOW = {
    "plain": {}, "corners": {"align_corners": True}, "half pixels": {"half_pixel_centers": True},
}
SIZES = {"larger": [9, 7], "smaller": [2, 3], "same": [5, 4], "one pixel": [1, 1], "mixed": [3, 8]}


def resized(type, **how):
    return kernel(type, "images", "size", **how)


for type in KINDS:
    symbol = f"raw_ops.{type}"
    for how, attrs in HOW.items():
        if type == "ResizeArea" and how == "half pixels":
            continue
        for label, size in SIZES.items():
            case(symbol, f"{label}, {how}", resized(type, **attrs), IMAGE, INT(size))
            if type != "ResizeArea":
                case(
                    symbol, f"gradients: {label}, {how}",
                    lambda tf, x, t=type, s=size, a=attrs: gradients(lambda tf, x: resized(t, **a)(tf, x, s))(tf, x), IMAGE,
                )  # fmt: skip
    form(symbol, "form", resized(type), IMAGE, INT([6, 3]))
    for kind in ("uint8", "int8", "uint16", "int16", "int32", "int64", "float16", "float64"):
        case(symbol, kind, resized(type), (IMAGE * 100).astype(kind), INT([3, 5]))
    case(symbol, "one pixel to many", resized(type), IMAGE[:, :1, :1], INT([2, 3]))
    case(symbol, "no images", resized(type), IMAGE[:0], INT([2, 3]))
    case(symbol, "no channels", resized(type), IMAGE[..., :0], INT([2, 3]))
    case(symbol, "nan and inf", resized(type), np.float32([nan, inf, -inf, 1]).reshape(1, 2, 2, 1), INT([3, 3]))
    for label, image, size in (
        ("rank", IMAGE[0], [2, 2]), ("a number", IMAGE, 2), ("three numbers", IMAGE, [2, 2, 2]), ("size 0", IMAGE, [0, 2]),
        ("a negative size", IMAGE, [2, -1]), ("no pixels", IMAGE[:, :0], [2, 2]),
    ):  # fmt: skip
        bad(type, ("images", "size"), label, image, INT(size))
case("raw_ops.ResizeBilinear", "both ways", resized("ResizeBilinear", align_corners=True, half_pixel_centers=True), IMAGE, INT([3, 3]))
for type in ("ResizeBilinear", "ResizeNearestNeighbor"):
    case(
        f"raw_ops.{type}", "gradients of an unknown shape",
        unknown(lambda tf, x, t=type: gradients(lambda tf, x: resized(t)(tf, x, [3, 6]))(tf, x)), IMAGE,
    )  # fmt: skip

FILTERS = ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
MOVED = ("images", "size", "scale", "translation")
for name in FILTERS:
    for antialias in (True, False):
        attrs = {"kernel_type": name, "antialias": antialias}
        for label, scale, shift in (("larger", [1.7, 1.2], [0, 0]), ("smaller", [0.4, 0.7], [0.7, -1.2]), ("outside", [1, 1], [2, -9])):
            case(
                "raw_ops.ScaleAndTranslate", f"{name}, {label}, {'smooth' if antialias else 'plain'}",
                kernel("ScaleAndTranslate", *MOVED, **attrs), IMAGE, INT([4, 6]), np.float32(scale), np.float32(shift),
            )  # fmt: skip
form("raw_ops.ScaleAndTranslate", "form", kernel("ScaleAndTranslate", *MOVED), IMAGE, INT([4, 6]), np.float32([1, 1]), np.float32([0, 0]))
case(
    "raw_ops.ScaleAndTranslate", "gradients",
    lambda tf, x: gradients(lambda tf, x: kernel("ScaleAndTranslate", *MOVED)(tf, x, [4, 6], [0.7, 1.4], [1.0, 0.5]))(tf, x), IMAGE,
)  # fmt: skip
case("raw_ops.ScaleAndTranslate", "refused: kernel", kernel("ScaleAndTranslate", *MOVED, kernel_type="sharp"), IMAGE, INT([4, 6]), np.float32([1, 1]), np.float32([0, 0]))

# -- colours -----------------------------------------------------------------------------------------------------------

RGB = np.abs(wave(2, 3, 4, 3))
RGB[0, 0] = [[0, 0, 0], [0.5, 0.5, 0.5], [1, 1, 1], [1, 0, 0]]
RGB[0, 1] = [[0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]]
for type in ("RGBToHSV", "HSVToRGB"):
    for kind in ("float16", "float32", "float64"):
        case(f"raw_ops.{type}", kind, kernel(type, "images"), RGB.astype(kind))
    form(f"raw_ops.{type}", "form", kernel(type, "images"), RGB[0, 0])
    case(f"raw_ops.{type}", "no pixels", kernel(type, "images"), RGB[:0])
    bad(type, ["images"], "two channels", RGB[..., :2])
    bad(type, ["images"], "a number", np.float32(1))
case("raw_ops.RGBToHSV", "gradients", lambda tf, x: gradients(lambda tf, x: kernel("RGBToHSV", "images")(tf, x))(tf, x), RGB)
case("raw_ops.HSVToRGB", "no gradient", lambda tf, x: tf.constant(tf.gradients(kernel("HSVToRGB", "images")(tf, x), x) == [None]), RGB)
for type, name, values in (
    ("AdjustHue", "delta", (-0.9, 0, 0.1, 0.5, 1.7, -2.2)),
    ("AdjustSaturation", "scale", (-0.5, 0, 0.3, 1, 30)),
    ("AdjustContrastv2", "contrast_factor", (-0.5, 0, 0.3, 1, 30)),
):
    names = ("images", name)
    for value in values:
        case(f"raw_ops.{type}", f"by {value}", kernel(type, *names), RGB, np.float32(value))
    form(f"raw_ops.{type}", "form", kernel(type, *names), RGB, np.float32(0.2))
    case(f"raw_ops.{type}", "float16", kernel(type, *names), RGB.astype(np.float16), np.float32(0.2))
    case(f"raw_ops.{type}", "no images", kernel(type, *names), RGB[:0], np.float32(0.2))
    bad(type, names, "rank", RGB[0, 0], np.float32(0.2))
    bad(type, names, "a vector", RGB, np.float32([0.2]))
    if type != "AdjustContrastv2":
        case(f"raw_ops.{type}", "refused: two channels", kernel(type, *names), RGB[..., :2], np.float32(0.2))

# -- boxes -------------------------------------------------------------------------------------------------------------

BOXES = np.float32([[[0.1, 0.2, 0.7, 0.9], [-0.5, -0.5, 0.5, 0.5], [0.2, 0.2, 1.5, 1.5]], [[0.9, 0.9, 0.1, 0.1], [2, 2, 3, 3], [0, 0, 1, 1]]])
DRAW = ("images", "boxes")
for channels in (1, 3, 4):
    image = wave(2, 6, 7, channels)
    case("raw_ops.DrawBoundingBoxes", f"{channels} channels", kernel("DrawBoundingBoxes", *DRAW), image, BOXES)
    colours = np.arange(2 * channels, dtype=np.float32).reshape(2, channels)
    case("raw_ops.DrawBoundingBoxesV2", f"{channels} channels", kernel("DrawBoundingBoxesV2", *DRAW, "colors"), image, BOXES, colours)
form("raw_ops.DrawBoundingBoxes", "form", kernel("DrawBoundingBoxes", *DRAW), wave(2, 6, 7, 3), BOXES)
case("raw_ops.DrawBoundingBoxes", "no boxes", kernel("DrawBoundingBoxes", *DRAW), wave(2, 6, 7, 3), BOXES[:, :0])
bad("DrawBoundingBoxes", DRAW, "two channels", wave(2, 6, 7, 2), BOXES)
case("raw_ops.DrawBoundingBoxes", "refused: rank", kernel("DrawBoundingBoxes", *DRAW), wave(6, 7, 3), BOXES)
case("raw_ops.DrawBoundingBoxes", "refused: rank of the boxes", kernel("DrawBoundingBoxes", *DRAW), wave(2, 6, 7, 3), BOXES[0])
case("raw_ops.DrawBoundingBoxes", "at run time: another batch", unknown(kernel("DrawBoundingBoxes", *DRAW)), wave(2, 6, 7, 3), BOXES[:1])

PARTS = np.float32([[0, 0, 1, 1], [0.1, 0.2, 0.7, 0.9], [-0.2, 0, 1.3, 0.8], [0.9, 0.8, 0.1, 0.2]])
OF = INT([0, 1, 1, 0])
CROP = ("image", "boxes", "box_ind", "crop_size")
for method in ("bilinear", "nearest"):
    for size in ([3, 4], [1, 1], [6, 2]):
        attrs = {"method": method, "extrapolation_value": 0.5}
        case("raw_ops.CropAndResize", f"{method} {size}", kernel("CropAndResize", *CROP, **attrs), IMAGE, PARTS, OF, INT(size))
        case(
            "raw_ops.CropAndResize", f"gradients: {method} {size}",
            lambda tf, x, b, s=size, a=attrs: gradients(lambda tf, x, b: kernel("CropAndResize", *CROP, **a)(tf, x, b, OF, s))(tf, x, b),
            IMAGE, PARTS,
        )  # fmt: skip
for kind in ("uint8", "uint16", "int8", "int16", "int32", "int64", "float16", "float64"):
    case("raw_ops.CropAndResize", kind, kernel("CropAndResize", *CROP), (IMAGE * 100).astype(kind), PARTS, OF, INT([2, 3]))
form("raw_ops.CropAndResize", "form", kernel("CropAndResize", *CROP), IMAGE, PARTS, OF, INT([2, 3]))
case("raw_ops.CropAndResize", "no boxes", kernel("CropAndResize", *CROP), IMAGE, PARTS[:0], OF[:0], INT([2, 3]))
for label, values in (
    ("image 2", (IMAGE, PARTS, INT([0, 2, 1, 0]), INT([2, 2]))), ("image -1", (IMAGE, PARTS, INT([0, -1, 1, 0]), INT([2, 2]))),
    ("one index", (IMAGE, PARTS, INT([0]), INT([2, 2]))), ("size 0", (IMAGE, PARTS, OF, INT([0, 2]))),
    ("three sizes", (IMAGE, PARTS, OF, INT([1, 2, 3]))), ("three corners", (IMAGE, PARTS[:, :3], OF, INT([2, 2]))),
    ("one box", (IMAGE, PARTS[0], OF, INT([2, 2]))), ("rank", (IMAGE[0], PARTS, OF, INT([2, 2]))),
    ("no pixels", (IMAGE[:, :0], PARTS, OF, INT([2, 2]))),
):  # fmt: skip
    bad("CropAndResize", CROP, label, *values)

AREA = np.float32([[[0.2, 0.3, 0.6, 0.8]]])
TWO = np.float32([[[0, 0, 0.1, 0.1], [0.4, 0.4, 0.9, 1]]])
SAMPLE = ("image_size", "bounding_boxes", "min_object_covered")
for seed in (1, 2, 3):
    for size in ([100, 150, 3], [7, 3, 1], [300, 10, 3]):
        for label, boxes, least, attrs in (
            ("one box", AREA, 0.1, {}),
            ("two boxes", TWO, 0.5, {"aspect_ratio_range": [0.5, 2.0], "area_range": [0.3, 0.6]}),
            ("small areas", TWO, 1.0, {"aspect_ratio_range": [0.9, 1.1], "area_range": [0.05, 0.2], "max_attempts": 20}),
            ("no boxes", AREA[:, :0], 0.1, {"use_image_if_no_bounding_boxes": True}),
        ):
            op = "SampleDistortedBoundingBoxV2"
            values = INT(size), boxes, np.float32(least)
            case(f"raw_ops.{op}", f"{label} {size} seed {seed}", kernel(op, *SAMPLE, seed=seed, seed2=seed * 7, **attrs), *values)
form("raw_ops.SampleDistortedBoundingBoxV2", "form", kernel("SampleDistortedBoundingBoxV2", *SAMPLE, seed=3), INT([9, 9, 3]), AREA, np.float32(0.1))
case(
    "raw_ops.SampleDistortedBoundingBox", "older op",
    kernel("SampleDistortedBoundingBox", *SAMPLE[:2], seed=3, seed2=4, min_object_covered=0.3), np.int64([90, 60, 3]), AREA,
)  # fmt: skip
for label, size, boxes, attrs in (
    ("two sizes", [2, 2], AREA, {}), ("rank of the boxes", [9, 9, 3], AREA[0], {}), ("outside", [9, 9, 3], -AREA, {}),
    ("no boxes", [9, 9, 3], AREA[:, :0], {}), ("ratio 0", [9, 9, 3], AREA, {"aspect_ratio_range": [0.0, 1.0]}),
    ("one ratio", [9, 9, 3], AREA, {"aspect_ratio_range": [1.0]}), ("area 0", [9, 9, 3], AREA, {"area_range": [0.0, 1.0]}),
    ("area 2", [9, 9, 3], AREA, {"area_range": [0.5, 2.0]}), ("no attempts", [9, 9, 3], AREA, {"max_attempts": 0}),
):  # fmt: skip
    bad("SampleDistortedBoundingBoxV2", SAMPLE, label, INT(size), boxes, np.float32(0.1), seed=3, **attrs)

# -- suppression -------------------------------------------------------------------------------------------------------


def scattered(count, seed):
    draws = np.random.RandomState(seed)
    corner = draws.rand(count, 2) * 10
    return np.concatenate([corner, corner + draws.rand(count, 2) * 4], 1).astype(np.float32)


SUPPRESS = ("boxes", "scores", "max_output_size", "iou_threshold", "score_threshold")
for count in (1, 5, 30):
    boxes, scores = scattered(count, count), np.random.RandomState(count + 1).rand(count).astype(np.float32)
    for threshold in (0.0, 0.3, 1.0):
        for most in (0, 3, 100):
            label = f"{count} boxes, {threshold}, {most}"
            values = boxes, scores, INT(most), np.float32(threshold), np.float32(0.4)
            case("raw_ops.NonMaxSuppression", label, kernel("NonMaxSuppression", *SUPPRESS[:3], iou_threshold=threshold), *values[:3])
            case("raw_ops.NonMaxSuppressionV2", label, kernel("NonMaxSuppressionV2", *SUPPRESS[:4]), *values[:4])
            case("raw_ops.NonMaxSuppressionV3", label, kernel("NonMaxSuppressionV3", *SUPPRESS), *values)
            for padded in (False, True):
                case("raw_ops.NonMaxSuppressionV4", f"{label}, padded {padded}", kernel("NonMaxSuppressionV4", *SUPPRESS, pad_to_max_output_size=padded), *values)
            for sigma in (0.0, 0.5):
                case("raw_ops.NonMaxSuppressionV5", f"{label}, sigma {sigma}", kernel("NonMaxSuppressionV5", *SUPPRESS, "soft_nms_sigma"), *values, np.float32(sigma))
    like = np.random.RandomState(7).rand(count, count).astype(np.float32)
    case(
        "raw_ops.NonMaxSuppressionWithOverlaps", f"{count} boxes",
        kernel("NonMaxSuppressionWithOverlaps", "overlaps", "scores", "max_output_size", "overlap_threshold", "score_threshold"),
        like, scores, INT(4), np.float32(0.5), np.float32(0.2),
    )  # fmt: skip
    for q in (1, 3):
        of_class = np.stack([scattered(count, count + i) / 12 for i in range(2 * q)]).reshape(2, q, count, 4).transpose(0, 2, 1, 3)
        chances = np.random.RandomState(count).rand(2, count, 3).astype(np.float32)
        for padded in (False, True):
            # TF's shape rule needs to know the sizes when the graph is built
            case(
                "raw_ops.CombinedNonMaxSuppression", f"{count} boxes, {q} for each class, padded {padded}",
                lambda tf, b, s, p=padded: list(tf.image.combined_non_max_suppression(b, s, 2, 8, 0.3, 0.2, pad_per_class=p, clip_boxes=p)),
                of_class, chances,
            )  # fmt: skip
EVEN = np.random.RandomState(31).rand(30).astype(np.float32)
EVEN[::3] = 0.5  # which of equal scores comes first depends on the heap
for threshold in (0.3, 1.0):
    values = scattered(30, 30), EVEN, INT(100), np.float32(threshold), np.float32(0.4)
    case("raw_ops.NonMaxSuppressionV3", f"equal scores, {threshold}", kernel("NonMaxSuppressionV3", *SUPPRESS), *values)
    case("raw_ops.NonMaxSuppressionV5", f"equal scores, {threshold}", kernel("NonMaxSuppressionV5", *SUPPRESS, "soft_nms_sigma"), *values, np.float32(0))
PLAIN = scattered(5, 1), np.arange(5, dtype=np.float32), INT(3), np.float32(0.5), np.float32(0.1)
form("raw_ops.NonMaxSuppressionV3", "form", kernel("NonMaxSuppressionV3", *SUPPRESS), *PLAIN)
case("raw_ops.NonMaxSuppressionV4", "form", kernel("NonMaxSuppressionV4", *SUPPRESS, pad_to_max_output_size=True), *PLAIN, nodes=True)
for label, place, value in (
    ("three corners", 0, PLAIN[0][:, :3]), ("one box", 0, PLAIN[0][0]), ("rank of the scores", 1, PLAIN[1][:, None]),
    ("three scores", 1, PLAIN[1][:3]), ("a vector", 2, INT([1])), ("threshold 1.5", 3, np.float32(1.5)),
    ("a negative count", 2, INT(-1)), ("nan", 1, PLAIN[1] * np.float32(nan)),
):  # fmt: skip
    bad("NonMaxSuppressionV3", SUPPRESS, label, *[value if i == place else each for i, each in enumerate(PLAIN)])

# -- patches and glimpses ----------------------------------------------------------------------------------------------


def patches(ksizes, strides=(1, 1), rates=(1, 1), padding="SAME"):
    attrs = {"ksizes": [1, *ksizes, 1], "strides": [1, *strides, 1], "rates": [1, *rates, 1], "padding": padding}
    return kernel("ExtractImagePatches", "images", **attrs)


for padding in ("SAME", "VALID"):
    for ksizes, strides, rates in (((2, 2), (1, 1), (1, 1)), ((3, 2), (2, 1), (1, 2)), ((1, 1), (3, 3), (1, 1)), ((5, 4), (1, 1), (1, 1))):
        label = f"{padding} {ksizes} {strides} {rates}"
        call = patches(ksizes, strides, rates, padding)
        case("raw_ops.ExtractImagePatches", label, call, IMAGE)
        case("raw_ops.ExtractImagePatches", f"gradients: {label}", lambda tf, x, c=call: gradients(c)(tf, x), IMAGE)
    volume = kernel("ExtractVolumePatches", "input", ksizes=[1, 2, 2, 3, 1], strides=[1, 1, 2, 1, 1], padding=padding)
    case("raw_ops.ExtractVolumePatches", padding, volume, wave(1, 3, 4, 5, 2))
    case("raw_ops.ExtractVolumePatches", f"gradients: {padding}", lambda tf, x, c=volume: gradients(c)(tf, x), wave(1, 3, 4, 5, 2))
form("raw_ops.ExtractImagePatches", "form", patches((2, 3)), IMAGE)
for label, attrs in (
    ("ksizes of the batch", {"ksizes": [2, 1, 1, 1]}), ("stride 0", {"strides": [1, 0, 1, 1]}), ("rate of the channels", {"rates": [1, 1, 1, 2]}),
    ("rate 0", {"rates": [1, 0, 1, 1]}), ("too large", {"ksizes": [1, 9, 9, 1], "padding": "VALID"}),
):  # fmt: skip
    bad("ExtractImagePatches", ["images"], label, IMAGE, **{"ksizes": [1, 2, 2, 1], "strides": [1] * 4, "rates": [1] * 4, "padding": "SAME", **attrs})
case("raw_ops.ExtractImagePatches", "refused: five ksizes", kernel("ExtractImagePatches", "images", ksizes=[1] * 5, strides=[1] * 4, rates=[1] * 4, padding="SAME"), IMAGE)
bad("ExtractImagePatches", ["images"], "rank", IMAGE[0], ksizes=[1, 2, 2, 1], strides=[1] * 4, rates=[1] * 4, padding="SAME")
for centered in (False, True):
    for normalized in (False, True):
        for size in ([2, 3], [6, 5]):
            case(
                "raw_ops.ExtractGlimpse", f"{size} centered {centered} normalized {normalized}",
                kernel("ExtractGlimpse", "input", "size", "offsets", centered=centered, normalized=normalized, uniform_noise=False, noise="zero"),
                IMAGE, INT(size), np.float32([[0.1, -0.2], [0.9, 0.8]]) * np.float32(1 if normalized else 3),
            )  # fmt: skip
