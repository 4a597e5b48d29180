"""Small pictures in files: `PICTURES` by name. Pillow made them; `python tests/ops/picture_bytes.py` makes them anew."""

import base64
import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parents[1] / "golden" / "pictures.json"


def load():
    return {name: base64.b64decode(text) for name, text in json.loads(FILE.read_text(encoding="utf-8")).items()}


PICTURES = load() if FILE.exists() else {}


def photo(height, width, channels):
    """Smooth colours with an edge: [h, w, channels] uint8."""
    import numpy as np

    y, x = np.mgrid[:height, :width]
    planes = [128 + 90 * np.sin(x / 3 + k) + 30 * np.cos(y / 2 - k) + 20 * (x > width / 2) for k in range(channels)]
    return np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8)


def make():
    """Writes the file. It needs Pillow; the pictures of one release may differ from those of another in a few bytes."""
    import io

    from PIL import Image

    pixels = photo(7, 9, 4)
    rgb, rgba, grey = Image.fromarray(pixels[..., :3]), Image.fromarray(pixels), Image.fromarray(pixels[..., 0])
    with_alpha = Image.merge("LA", [grey, Image.fromarray(pixels[..., 1])])
    palette = rgb.quantize(8)
    plans = {
        "jpeg": (rgb, "JPEG", {"quality": 90}), "jpeg fine": (rgb, "JPEG", {"quality": 75, "subsampling": 0}),
        "jpeg grey": (grey, "JPEG", {}), "jpeg progressive": (rgb, "JPEG", {"progressive": True}),
        "png": (rgb, "PNG", {}), "png grey": (grey, "PNG", {}), "png alpha": (rgba, "PNG", {}),
        "png grey alpha": (with_alpha, "PNG", {}), "png palette": (palette, "PNG", {}),
        "png palette alpha": (palette, "PNG", {"transparency": 3}), "png bits": (grey.convert("1"), "PNG", {}),
        "png grey transparent": (grey, "PNG", {"transparency": 100}),
        "png transparent": (rgb, "PNG", {"transparency": rgb.getpixel((0, 0))}),
        "png deep grey": (Image.fromarray(pixels[..., 0].astype("uint16") * 250 + 7), "PNG", {}),
        "gif": (palette, "GIF", {}), "bmp": (rgb, "BMP", {}), "bmp grey": (grey, "BMP", {}), "bmp alpha": (rgba, "BMP", {}),
    }  # fmt: skip
    made = {}
    for name, (image, kind, options) in plans.items():
        out = io.BytesIO()
        image.save(out, kind, **options)
        made[name] = out.getvalue()
    # 16 bits a sample in each filter of PNG, which Pillow cannot write
    from tfedu.engine.files.media import png

    for channels in (2, 3, 4):
        made[f"png deep {channels}"] = png(pixels[..., :channels].astype("uint16") * 251 + 3)
    # a film whose frames share their colours: TF 1.15 knows no colours of single frames
    out = io.BytesIO()
    palette.rotate(180).save(out, "GIF")
    head = 13 + 3 * 8  # the header and the palette of eight colours
    made["gif film"] = made["gif"][:-1] + out.getvalue()[head:]
    upside_down = bytearray(made["bmp"])
    upside_down[22:26] = (-7).to_bytes(4, "little", signed=True)
    made["bmp from the top"] = bytes(upside_down)
    for name, size in (("jpeg torn", 400), ("png torn", 100), ("png header", 20), ("bmp torn", 150), ("bmp header", 20)):
        made[name] = made[name.split()[0]][:size]
    made["nothing"], made["words"] = b"", b"these words are no picture at all"
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(base64.b64encode(data).decode())}" for name, data in made.items())
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    make()
