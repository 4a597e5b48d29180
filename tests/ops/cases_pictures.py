"""Rows of the op table: pictures in files, decoded and encoded; asked of TF 1.15.0 itself.

JPEG is decoded by the accurate method: TF's default is a faster one, whose pixels differ by a few of 255.
"""

import numpy as np
from cases import case, form
from convolution_rows import unknown
from harness import raw
from picture_bytes import PICTURES, photo


def decoded(type, name, **attrs):
    if type in ("DecodeJpeg", "DecodeAndCropJpeg"):
        attrs["dct_method"] = "INTEGER_ACCURATE"
    return lambda tf, *inputs: raw(tf, type, contents=PICTURES[name], **dict(zip(["crop_window"], inputs)), **attrs)


def text(name):
    return np.array(PICTURES[name], object)


JPEGS = [name for name in PICTURES if name.startswith("jpeg")]
PNGS = [name for name in PICTURES if name.startswith("png")]
BMPS = [name for name in PICTURES if name.startswith("bmp")]
OTHERS = ["gif", "gif film", "nothing", "words"]
for name in JPEGS + PNGS + OTHERS:
    for channels in (0, 1, 3, 4):
        case("image.decode_jpeg", f"{name}, {channels} channels", decoded("DecodeJpeg", name, channels=channels))
        if name not in JPEGS:
            case("image.decode_png", f"{name}, {channels} channels", decoded("DecodePng", name, channels=channels))
            case("image.decode_png", f"{name}, {channels} channels, 16 bits", lambda tf, n=name, c=channels: tf.image.decode_png(PICTURES[n], c, tf.uint16))
    if name not in JPEGS and name != "gif film":
        case("image.decode_gif", name, decoded("DecodeGif", name))
    case("image.extract_jpeg_shape", name, decoded("ExtractJpegShape", name))
case("image.decode_png", "jpeg, 16 bits", lambda tf: tf.image.decode_png(PICTURES["jpeg"], dtype=tf.uint16))
case("image.decode_png", "two channels", decoded("DecodePng", "png", channels=2))
case("image.decode_png", "-1 channels", decoded("DecodePng", "png", channels=-1))
case("image.decode_gif", "gif film", decoded("DecodeGif", "gif film"))
for name in [*BMPS, "nothing"]:
    for channels in (0, 1, 3, 4, 2):
        case("image.decode_bmp", f"{name}, {channels} channels", decoded("DecodeBmp", name, channels=channels))
for name in ("jpeg fine", "jpeg grey"):
    for ratio in (2, 4, 3):
        case("image.decode_jpeg", f"{name}, {ratio} times smaller", decoded("DecodeJpeg", name, ratio=ratio))
case("image.decode_jpeg", "another method", lambda tf: tf.image.decode_jpeg(PICTURES["jpeg"], dct_method="FLOAT"))
for label, window in (
    ("corner", [0, 0, 3, 4]), ("inside", [1, 2, 3, 4]), ("end", [3, 5, 4, 4]), ("one pixel", [0, 0, 1, 1]), ("outside", [4, 5, 4, 4]), ("negative", [-1, 0, 2, 2]),
    ("three numbers", [0, 0, 1]),
):  # fmt: skip
    case("image.decode_and_crop_jpeg", label, decoded("DecodeAndCropJpeg", "jpeg fine"), np.int32(window))
    case("image.decode_and_crop_jpeg", f"{label}, unknown shape", unknown(decoded("DecodeAndCropJpeg", "jpeg fine")), np.int32(window))
for symbol, name in (("decode_jpeg", "jpeg fine"), ("decode_png", "png"), ("decode_gif", "gif"), ("decode_bmp", "bmp")):
    form(f"image.{symbol}", "form", lambda tf, x, s=symbol: tf.shape(getattr(tf.image, s)(x)), text(name))
    case(f"image.{symbol}", "a vector", lambda tf, s=symbol, n=name: getattr(tf.image, s)([PICTURES[n]]))
    case(f"image.{symbol}", "a vector at run time", unknown(lambda tf, x, s=symbol: getattr(tf.image, s)(x)), np.array([PICTURES[name]], object))
form("image.decode_png", "channels", lambda tf, x: tf.image.decode_png(x, channels=3, name="picture"), text("png"))

PIXELS = photo(7, 9, 4)
for quality in (0, 1, 30, 75, 95, 100):
    for channels in (1, 3):
        case("image.encode_jpeg", f"{channels} channels, quality {quality}", lambda tf, x, q=quality: tf.image.encode_jpeg(x, quality=q), PIXELS[..., :channels])
        case("raw_ops.EncodeJpegVariableQuality", f"{channels} channels, quality {quality}", lambda tf, x, q: raw(tf, "EncodeJpegVariableQuality", images=x, quality=q), PIXELS[..., :channels], np.int32(quality))
for name, value in {
    "progressive": True, "optimize_size": True, "chroma_downsampling": False, "density_unit": "cm", "x_density": 72, "xmp_metadata": "<x>hello</x>",
    "format": "rgb",
}.items():  # fmt: skip
    case("image.encode_jpeg", f"{name} {value}", lambda tf, x, n=name, v=value: tf.image.encode_jpeg(x, **{n: v}), PIXELS[..., :3])
form("image.encode_jpeg", "form", lambda tf, x: tf.image.encode_jpeg(x, name="stored"), PIXELS[..., :3])
for label, call, pixels in (
    ("grey format", lambda tf, x: tf.image.encode_jpeg(x, format="grayscale"), PIXELS[..., :3]),
    ("quality 101", lambda tf, x: tf.image.encode_jpeg(x, quality=101), PIXELS[..., :3]),
    ("two channels", lambda tf, x: tf.image.encode_jpeg(x), PIXELS[..., :2]), ("rank", lambda tf, x: tf.image.encode_jpeg(x), PIXELS[0]),
    ("no pixels", lambda tf, x: tf.image.encode_jpeg(x), PIXELS[:0, :, :3]),
):  # fmt: skip
    case("image.encode_jpeg", f"refused: {label}", call, pixels)
    case("image.encode_jpeg", f"at run time: {label}", unknown(call), pixels)
for channels in (1, 2, 3, 4):
    for level in (-1, 0, 9):
        call = lambda tf, x, v=level: tf.image.decode_png(tf.image.encode_png(x, compression=v))
        case("image.encode_png", f"{channels} channels, level {level}", call, PIXELS[..., :channels])
    deep = lambda tf, x: tf.image.decode_png(tf.image.encode_png(x), dtype=tf.uint16)
    case("image.encode_png", f"{channels} channels, 16 bits", deep, PIXELS[..., :channels].astype(np.uint16) * np.uint16(77))
case("image.encode_png", "refused: level 11", lambda tf, x: tf.image.encode_png(x, compression=11), PIXELS)
case("image.encode_png", "refused: rank", lambda tf, x: tf.image.encode_png(x), PIXELS[0])
case("image.encode_png", "at run time: five channels", unknown(lambda tf, x: tf.image.encode_png(x)), np.concatenate([PIXELS, PIXELS[..., :1]], -1))
