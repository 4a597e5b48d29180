"""Rows of the op table: tf.image's functions, their nodes and numbers; asked of TF 1.15.0 itself."""

import numpy as np
from cases import case, form, named
from convolution_rows import wave
from picture_bytes import PICTURES

BATCH = (wave(2, 6, 5, 3) + 1) / 2
ONE = BATCH[0]
KINDS = {"float32": ONE, "batch": BATCH, "uint8": (ONE * 255).astype(np.uint8), "uint8 batch": (BATCH * 255).astype(np.uint8)}


def partly(tf, x):
    return tf.placeholder_with_default(x, [None] * len(x.shape))


def unknown(tf, x):
    return tf.placeholder_with_default(x, None)


NEED_A_RANK = {"central_crop", "resize", "resize_images", "total_variation"}


def row(symbol, label, *args, kinds=tuple(KINDS), ranks=True, **kwargs):
    """Rows for images of known, partly known and unknown shapes."""

    def call(tf, x, change=lambda tf, x: x):
        values = [v(tf) if callable(v) else v for v in args]
        return named(f"image.{symbol}")(tf, change(tf, x), *values, **kwargs)

    for kind in kinds:
        case(f"image.{symbol}", f"{label}, {kind}", call, KINDS[kind], nodes=kind != "uint8 batch")
        case(f"image.{symbol}", f"{label}, {kind}, partly known", lambda tf, x: call(tf, x, partly), KINDS[kind])
        if ranks and symbol not in NEED_A_RANK:
            case(f"image.{symbol}", f"{label}, {kind}, unknown shape", lambda tf, x: call(tf, x, unknown), KINDS[kind])


# what an argument says, whatever the image
NOT_AT_RUN_TIME = {"below 0", "order", "0.6", "row", "column", "no rows", "no columns", "0", "1.5"}


def refused(symbol, label, image, *args, **kwargs):
    """Rows of what is refused when the graph is built and of the same at run time."""
    call = lambda tf, x: named(f"image.{symbol}")(tf, x, *args, **kwargs)
    case(f"image.{symbol}", f"refused: {label}", call, image)
    if symbol not in NEED_A_RANK and label not in NOT_AT_RUN_TIME:
        case(f"image.{symbol}", f"at run time: {label}", lambda tf, x: call(tf, unknown(tf, x)), image)


# -- flips, crops, sizes -----------------------------------------------------------------------------------------------

row("flip_left_right", "form")
row("flip_up_down", "form")
for symbol in ("random_flip_left_right", "random_flip_up_down"):
    for seed in (1, 2):
        row(symbol, f"seed {seed}", seed, kinds=("float32", "batch", "uint8"))
for k in (0, 1, 2, 3, 5, -1):
    case("image.rot90", f"k {k}", lambda tf, x, k=k: tf.image.rot90(x, k), ONE)
    case("image.rot90", f"k {k}, batch", lambda tf, x, k=k: tf.image.rot90(unknown(tf, x[0]), k), BATCH)
row("rot90", "k is a tensor", lambda tf: tf.constant(3), kinds=("batch",))
row("transpose_image", "form", kinds=("float32", "batch"))
row("transpose", "form", kinds=("float32",), name="swapped")
for fraction in (1.0, 0.5, 0.3):
    row("central_crop", f"{fraction}", fraction, kinds=("uint8", "batch"))
row("pad_to_bounding_box", "form", 1, 2, 9, 10)
row("pad_to_bounding_box", "tensors", lambda tf: tf.constant(1), 2, lambda tf: tf.constant(9), 10, kinds=("float32", "batch"))
row("crop_to_bounding_box", "form", 1, 2, 4, 3)
row("crop_to_bounding_box", "tensors", lambda tf: tf.constant(1), 2, lambda tf: tf.constant(4), 3, kinds=("float32", "batch"))
for height, width in ((4, 9), (9, 2), (6, 5)):
    row("resize_image_with_crop_or_pad", f"{height} by {width}", height, width, kinds=("uint8",))
    row("resize_image_with_crop_or_pad", f"{height} by {width}", height, width, kinds=("batch",), ranks=False)
row("resize_image_with_crop_or_pad", "a tensor", lambda tf: tf.constant(4), 9, kinds=("float32",))
for method in range(4):
    row("resize_images", f"method {method}", [4, 7], method=method)
row("resize_images", "corners", [4, 7], align_corners=True, kinds=("float32",))
row("resize_images", "same size", [6, 5], kinds=("uint8", "batch"))
row("resize_images", "ratio", [4, 9], preserve_aspect_ratio=True, kinds=("uint8", "batch"))
row("resize_images", "a tensor", lambda tf: tf.constant([4, 7]), kinds=("float32", "batch"), name="scaled")
row("resize", "other name", [4, 7], kinds=("float32",))
for height, width in ((12, 20), (4, 4)):
    call = lambda tf, x, h=height, w=width: tf.image.resize_image_with_pad(x, h, w)
    for kind in ("float32", "batch"):
        case("image.resize_image_with_pad", f"{height} by {width}, {kind}", call, KINDS[kind], nodes=kind == "float32" and height == 12)
case("image.resize_image_with_pad", "nearest", lambda tf, x: tf.image.resize_image_with_pad(x, 4, 9, method=1), KINDS["uint8"])
case("image.random_crop", "seed 1", lambda tf, x: tf.image.random_crop(x, [3, 2, 3], seed=1), ONE, nodes=True)

# -- colours -----------------------------------------------------------------------------------------------------------

row("per_image_standardization", "form")
case("image.per_image_standardization", "one colour", lambda tf, x: tf.image.per_image_standardization(x), np.full((3, 3, 3), 7, np.float32))
for symbol, args in (
    ("random_brightness", (0.2,)), ("random_contrast", (0.2, 0.5)), ("random_hue", (0.2,)), ("random_saturation", (0.2, 0.5)),
    ("adjust_brightness", (0.3,)), ("adjust_brightness", (-0.3,)), ("adjust_contrast", (0.3,)), ("adjust_contrast", (3.0,)),
    ("adjust_gamma", (2, 0.5)), ("adjust_hue", (0.2,)), ("adjust_hue", (-0.7,)), ("adjust_saturation", (0.5,)), ("adjust_saturation", (2.0,)),
    ("rgb_to_grayscale", ()), ("total_variation", ()),
):  # fmt: skip
    for kind in KINDS:
        if symbol == "total_variation" and kind.startswith("uint8"):
            continue
        options = {"seed": 5} if symbol.startswith("random") else {}
        call = lambda tf, x, s=symbol, a=args, o=options: named(f"image.{s}")(tf, x, *a, **o)
        case(f"image.{symbol}", f"{args}, {kind}", call, KINDS[kind], nodes=True)
        case(f"image.{symbol}", f"{args}, {kind}, partly known", lambda tf, x, c=call: c(tf, partly(tf, x)), KINDS[kind])
case("image.adjust_gamma", "a tensor", lambda tf, x: tf.image.adjust_gamma(x, tf.constant(2.0), 3), ONE, nodes=True)
case("image.grayscale_to_rgb", "form", lambda tf, x: tf.image.grayscale_to_rgb(x[..., :1]), ONE, nodes=True)
case("image.grayscale_to_rgb", "partly known", lambda tf, x: tf.image.grayscale_to_rgb(partly(tf, x[..., :1])), BATCH)
for symbol in ("rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb", "rgb_to_hsv", "hsv_to_rgb"):
    case(f"image.{symbol}", "form", lambda tf, x, s=symbol: getattr(tf.image, s)(x), BATCH, nodes=True)
for old in ("uint8", "int16", "int32", "float16", "float32", "float64"):
    values = np.array([0, 1, 77, 200, 255]).astype(old) if "int" in old else np.array([0, 0.25, 1, 1.5, -0.2]).astype(old)
    for new in ("uint8", "uint16", "int16", "int32", "float16", "float32", "float64"):
        for saturate in (False, True):
            if (saturate and old == "int16") or (old == "float16" and new in ("int16", "uint16", "int32")):
                continue
            if not saturate and old.startswith("float") and "int" in new:
                continue  # what a number that does not fit becomes differs from machine to machine
            call = lambda tf, x, n=new, s=saturate: tf.image.convert_image_dtype(x, getattr(tf, n), s)
            case("image.convert_image_dtype", f"{old} to {new}, saturate {saturate}", call, values, nodes=True)

# -- pictures ----------------------------------------------------------------------------------------------------------

for name in ("png", "png grey", "png palette alpha", "png deep 3", "gif", "gif film", "bmp", "words", "nothing"):
    for label, options in (
        ("plain", {}), ("grey", {"channels": 1}), ("rgb", {"channels": 3}), ("rgba", {"channels": 4}), ("float32", {"dtype": "float32"}),
        ("16 bits", {"dtype": "uint16"}), ("first frame", {"expand_animations": False}),
    ):  # fmt: skip
        if name in ("words", "nothing") and label == "grey":
            continue  # two checks fail at once
        call = lambda tf, n=name, o=options: tf.image.decode_image(PICTURES[n], **{k: getattr(tf, v) if k == "dtype" else v for k, v in o.items()})
        case("image.decode_image", f"{name}, {label}", call)
case("image.decode_image", "two channels", lambda tf: tf.image.decode_image(PICTURES["png"], channels=2))
for name in ("jpeg", "png", "nothing"):
    case("image.is_jpeg", name, lambda tf, n=name: tf.image.is_jpeg(PICTURES[n]), nodes=True)

# -- boxes -------------------------------------------------------------------------------------------------------------

BOXES = np.float32([[0, 0, 4, 4], [0, 1, 4, 5], [6, 6, 9, 9], [0, 0, 4, 4.5]])
SCORES = np.float32([0.9, 0.75, 0.6, 0.95])
form("image.non_max_suppression", "form", lambda tf, b, s: tf.image.non_max_suppression(b, s, 3), BOXES, SCORES)
form("image.non_max_suppression_with_scores", "form", lambda tf, b, s: tf.image.non_max_suppression_with_scores(b, s, 3, soft_nms_sigma=0.5), BOXES, SCORES)
form("image.non_max_suppression_padded", "form", lambda tf, b, s: list(tf.image.non_max_suppression_padded(b, s, 3)), BOXES, SCORES)
form("image.non_max_suppression_padded", "padded", lambda tf, b, s: list(tf.image.non_max_suppression_padded(b, s, 7, pad_to_max_output_size=True)), BOXES, SCORES)
form("image.non_max_suppression_overlaps", "form", lambda tf, o, s: tf.image.non_max_suppression_overlaps(o, s, 3), np.eye(4, dtype=np.float32), SCORES)
form(
    "image.combined_non_max_suppression", "form", lambda tf, b, s: list(tf.image.combined_non_max_suppression(b, s, 2, 5)),
    BOXES[None, :, None] / 9, np.stack([SCORES, 1 - SCORES], -1)[None],
)  # fmt: skip
form("image.draw_bounding_boxes", "form", lambda tf, x, b: tf.image.draw_bounding_boxes(x, b), BATCH, np.float32([[[0, 0, 0.5, 0.5]]] * 2))
form("image.draw_bounding_boxes", "colours", lambda tf, x, b: tf.image.draw_bounding_boxes(x, b, colors=[[0.5, 1, 0]]), BATCH, np.float32([[[0, 0, 0.5, 0.5]]] * 2))
form("image.crop_and_resize", "form", lambda tf, x, b: tf.image.crop_and_resize(x, b, [0, 1], [3, 2]), BATCH, np.float32([[0, 0, 0.5, 0.5]] * 2))
case("image.crop_and_resize", "newer name", lambda tf, x: tf.image.crop_and_resize(x, [[0, 0, 1, 1]], box_indices=[1], crop_size=[2, 2], method="nearest"), BATCH)
case("image.crop_and_resize", "both names", lambda tf, x: tf.image.crop_and_resize(x, [[0, 0, 1, 1]], [1], [2, 2], box_indices=[1]), BATCH)
form("image.sample_distorted_bounding_box", "form", lambda tf, b: list(tf.image.sample_distorted_bounding_box([40, 50, 3], b, seed=1)), np.float32([[[0.2, 0.2, 0.6, 0.7]]]))
case(
    "image.sample_distorted_bounding_box", "all arguments",
    lambda tf, b: list(tf.image.sample_distorted_bounding_box([40, 50, 3], b, 1, 2, 0.7, [0.5, 2.0], [0.3, 0.9], 50, True, "part")),
    np.float32([[[0.2, 0.2, 0.6, 0.7]]]), nodes=True,
)  # fmt: skip
form("image.extract_image_patches", "form", lambda tf, x: tf.image.extract_image_patches(x, [1, 2, 2, 1], [1] * 4, [1] * 4, "VALID"), BATCH)
form("image.extract_patches", "form", lambda tf, x: tf.image.extract_patches(x, [1, 3, 2, 1], [1, 2, 1, 1], [1] * 4, "SAME", name="parts"), BATCH)
form("image.extract_glimpse", "form", lambda tf, x: tf.image.extract_glimpse(x, [2, 2], [[0.0, 0.0], [0.1, 0.2]]), BATCH)
case("extract_image_patches", "top level", lambda tf, x: tf.extract_image_patches(x, [1, 2, 2, 1], [1] * 4, [1] * 4, "VALID"), BATCH)
case("extract_volume_patches", "top level", lambda tf, x: tf.extract_volume_patches(x[None], [1, 1, 2, 2, 1], [1] * 5, "VALID"), BATCH)

# -- measures ----------------------------------------------------------------------------------------------------------

FIRST = (wave(2, 30, 26, 2) + 1) / 2
SECOND = np.clip(FIRST + wave(2, 30, 26, 2)[..., ::-1] / 9, 0, 1)
LIKE = {"ulps": 64}
for symbol in ("psnr", "ssim"):
    case(f"image.{symbol}", "form", lambda tf, x, y, s=symbol: getattr(tf.image, s)(x, y, 1.0), FIRST, SECOND, nodes=True, **LIKE)
    case(f"image.{symbol}", "uint8", lambda tf, x, y, s=symbol: getattr(tf.image, s)(x, y, 255), (FIRST * 255).astype(np.uint8), (SECOND * 255).astype(np.uint8), **LIKE)
    case(f"image.{symbol}", "one and two", lambda tf, x, y, s=symbol: getattr(tf.image, s)(x[0], y, 1.0), FIRST, SECOND, **LIKE)
    case(f"image.{symbol}", "unknown shape", lambda tf, x, y, s=symbol: getattr(tf.image, s)(unknown(tf, x), unknown(tf, y), 1.0), FIRST, SECOND, **LIKE)
    case(f"image.{symbol}", "refused: channels", lambda tf, x, y, s=symbol: getattr(tf.image, s)(x, y, 1.0), FIRST, SECOND[..., :1])
    case(f"image.{symbol}", "refused: rank", lambda tf, x, y, s=symbol: getattr(tf.image, s)(x, y, 1.0), FIRST[0, 0], SECOND[0, 0])
    case(f"image.{symbol}", "at run time: channels", lambda tf, x, y, s=symbol: getattr(tf.image, s)(unknown(tf, x), unknown(tf, y), 1.0), FIRST, SECOND[..., :1])
case("image.ssim", "window", lambda tf, x, y: tf.image.ssim(x, y, 1.0, filter_size=7, filter_sigma=1.0, k1=0.02, k2=0.05), FIRST, SECOND, **LIKE)
case("image.ssim_multiscale", "two scales", lambda tf, x, y: tf.image.ssim_multiscale(x, y, 1.0, (0.5, 0.3), filter_size=5), FIRST, SECOND, **LIKE)
case("image.ssim_multiscale", "odd sides", lambda tf, x, y: tf.image.ssim_multiscale(x[:, :29], y[:, :29], 1.0, (0.5, 0.3), filter_size=5), FIRST, SECOND, **LIKE)
case("image.image_gradients", "form", lambda tf, x: list(tf.image.image_gradients(x)), BATCH, nodes=True)
form("image.sobel_edges", "form", lambda tf, x: tf.image.sobel_edges(x), BATCH)

# -- refusals ----------------------------------------------------------------------------------------------------------

U = KINDS["uint8"]
for symbol, label, args in (
    ("random_jpeg_quality", "below 0", (-1, 20)), ("random_jpeg_quality", "order", (50, 20)), ("random_hue", "0.6", (0.6,)), ("random_hue", "below 0", (-0.1,)),
    ("random_contrast", "order", (0.5, 0.2)), ("random_contrast", "below 0", (-0.5, 0.2)), ("random_saturation", "order", (0.5, 0.2)),
    ("random_brightness", "below 0", (-1,)), ("adjust_gamma", "below 0", (-1,)), ("central_crop", "0", (0,)), ("central_crop", "1.5", (1.5,)),
    ("pad_to_bounding_box", "row", (-1, 0, 20, 20)), ("pad_to_bounding_box", "column", (0, -1, 20, 20)), ("pad_to_bounding_box", "height", (0, 0, 3, 20)),
    ("pad_to_bounding_box", "width", (0, 0, 20, 3)), ("crop_to_bounding_box", "row", (-1, 0, 2, 2)), ("crop_to_bounding_box", "column", (0, -1, 2, 2)),
    ("crop_to_bounding_box", "no rows", (0, 0, 0, 2)), ("crop_to_bounding_box", "no columns", (0, 0, 2, 0)), ("crop_to_bounding_box", "height", (0, 0, 20, 2)),
    ("crop_to_bounding_box", "width", (0, 0, 2, 20)), ("resize_image_with_crop_or_pad", "no rows", (0, 2)), ("resize_image_with_crop_or_pad", "no columns", (2, -1)),
    ("resize_images", "one size", ([2],)), ("resize_images", "method", ([2, 3], 7)), ("resize_images", "fraction", ([2.5, 3],)),
    ("resize_image_with_pad", "no rows", (0, 3)), ("grayscale_to_rgb", "channels", ()),
):  # fmt: skip
    refused(symbol, label, U, *args)
for symbol, args in (
    ("flip_left_right", ()), ("random_flip_up_down", ()), ("rot90", ()), ("transpose_image", ()), ("central_crop", (0.5,)), ("pad_to_bounding_box", (0, 0, 9, 9)),
    ("crop_to_bounding_box", (0, 0, 1, 1)), ("resize_images", ([2, 3],)), ("per_image_standardization", ()), ("total_variation", ()),
):  # fmt: skip
    refused(symbol, "rank 2", U[0], *args)
