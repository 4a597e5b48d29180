"""Pictures for programs that draw no SVG: `png(svg)` and `gif(svgs)` by the package resvg-py, `pdf(svgs)` with vectors by typst.

They draw with the machine's fonts, in the light colours, and load nothing: what they read is the text that tfedu wrote. No state.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .marks import LIGHT

MOST_PIXELS: Final = 1 << 26  # 256 MiB while the picture is drawn
MOST_FILMED: Final = 1 << 28  # in all frames of a film, 3 bytes each
SHARP: Final = 2.0  # pixels of a PNG for each of the picture's: sharp on a projector and on today's screens

_SIZE: Final = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')
_TEXT: Final = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_FAMILY: Final = re.compile(r' ?font-family="[^"]*"')
_HANGUL: Final = re.compile("[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]")
_WIDE: Final = re.compile(
    "[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)
# Fonts without serifs, by system: Noto on Linux, then those of macOS and Windows. The first one that the machine has is taken.
_KOREAN: Final = "'Noto Sans CJK KR','Noto Sans KR','Apple SD Gothic Neo','Malgun Gothic',"
_CHINESE: Final = "'Noto Sans CJK SC','Noto Sans SC','PingFang SC','Microsoft YaHei',"
# A character that no font has, since Unicode gives it to nobody: it is drawn as what is missing is drawn.
_NOBODYS: Final = "\u0378"


class FontWarning(UserWarning):
    """No font of this machine has some characters of a picture, which are boxes in the file."""


def png(svg: str, scale: float = SHARP, paper: bool = False) -> bytes:
    """The picture as PNG. scale: pixels for each pixel of the picture. paper: whether the corners are filled, too.

    Raises: ValueError for a scale that is not above 0, or makes more than MOST_PIXELS; ImportError where the package is missing.
    Warns: FontWarning.
    """
    return pngs([svg], scale, paper)[0]


def pngs(svgs: Sequence[str], scale: float = SHARP, paper: bool = False) -> list[bytes]:
    """Pictures, each as PNG; otherwise as png."""
    for svg in svgs:
        _check_scale(svg, scale)
    _warn_of_boxes(svgs)
    return [_drawn(_with_fonts(svg), scale, LIGHT["paper"] if paper else None) for svg in svgs]


def gif(svgs: Sequence[str], seconds: float, scale: float = 1.0) -> bytes:
    """The pictures, all of one size, one after the other as an animated GIF that begins again after the last one.

    seconds: for each picture; the last one stays twice as long. scale: pixels for each pixel of the pictures.
    Raises: as png, and ValueError for too many pixels in all. Warns: FontWarning.
    """
    _check_scale(svgs[0], scale, len(svgs), MOST_FILMED)
    Image = _pillow()
    _warn_of_boxes(svgs)
    images = [_image(_drawn(_with_fonts(svg), scale, LIGHT["paper"])).convert("RGB") for svg in svgs]
    palette = _palette(images)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    pace = round(1000 * seconds)
    times = [pace] * (len(frames) - 1) + [2 * pace]
    file = io.BytesIO()
    # Without optimize each frame keeps its time, and Pillow its palette.
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, disposal=1, optimize=False)
    return file.getvalue()


def _palette(images: Sequence[Any]) -> Any:
    """The 256 colours of some of the pictures, for all of them: else colours would flicker."""
    Image = _pillow()
    some = [images[at] for at in sorted({0, len(images) // 2, len(images) - 1})]
    width, height = some[0].size
    strip = Image.new("RGB", (width * len(some), height))
    for at, image in enumerate(some):
        strip.paste(image, (width * at, 0))
    return strip.quantize(colors=256, dither=Image.Dither.NONE)


def _check_scale(svg: str, scale: float, count: int = 1, limit: int = MOST_PIXELS) -> None:
    """Raises: ValueError for a scale that is not above 0, and for more pixels in so many pictures than the limit."""
    width, height = size_of(svg)
    if isinstance(scale, bool) or not isinstance(scale, int | float) or not 0 < scale < 1000:
        raise ValueError(f"scale must be a number above 0, not {scale!r:.60}")
    if count * width * scale * height * scale > limit:
        most = int(100 * (limit / (count * width * height)) ** 0.5) / 100
        size = f"{width:.0f} × {height:.0f}"
        what = f"a picture of {size} has" if count == 1 else f"{count} pictures of {size} have"
        raise ValueError(
            f"{what} too many pixels at scale {scale:g}\n  fix: scale={most:g}, or .svg, which has no pixels"
        )


def pdf(svgs: Sequence[str]) -> bytes:
    """The pictures as the pages of a PDF, each as large as its picture, with vectors and text that can be searched.

    Raises: ImportError where a package is missing. Warns: FontWarning.
    """
    try:
        import typst  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise ImportError('PDF needs the typst package. This installs it:  pip install "tfedu[pdf]"') from error
    _warn_of_boxes(svgs)
    # The pictures are inputs, so that nothing in them is read as a program; without a date the same pictures are the same bytes.
    pages = [f'#page(image(bytes(sys.inputs.at("{number}")), format: "svg"))' for number in range(len(svgs))]
    program = "\n".join(["#set document(date: none)", "#set page(width: auto, height: auto, margin: 0pt)", *pages])
    inputs = {str(number): _with_fonts(svg) for number, svg in enumerate(svgs)}
    made: bytes = typst.compile(program.encode(), format="pdf", sys_inputs=inputs)
    return made


def is_own(svg: str) -> bool:
    """Whether a text from a file is a picture that tfedu wrote, by its first letters."""
    return _SIZE.match(svg) is not None and 'class="tfedu-svg"' in svg[:200]


def size_of(svg: str) -> tuple[float, float]:
    """Width and height of a picture of tfedu, in its pixels."""
    found = _SIZE.match(svg)
    assert found is not None
    return float(found[1]), float(found[2])


def _drawn(svg: str, scale: float, background: str | None) -> bytes:
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError('PNG needs the resvg-py package. This installs it:  pip install "tfedu[export]"') from error
    # zoom alone: with a width and a height resvg would fit the picture into both.
    return resvg_py.svg_to_bytes(svg_string=svg, zoom=scale, background=background)


def _with_fonts(svg: str) -> str:
    """Texts with Korean and Chinese in a font that has them: else resvg takes the first one that it finds, often with serifs.

    The whole text gets the font, since resvg draws a text with a missing character in one other font.
    """
    # A Korean picture writes its Chinese characters as Korea does.
    fonts = f"{_KOREAN}{_CHINESE}sans-serif" if _HANGUL.search(svg) else f"{_CHINESE}{_KOREAN}sans-serif"

    def named(match: re.Match[str]) -> str:
        if not _WIDE.search(match[2]):
            return match[0]
        return f'<text {_FAMILY.sub("", match[1])} font-family="{fonts}">{match[2]}</text>'

    return _TEXT.sub(named, svg)


def _warn_of_boxes(svgs: Sequence[str]) -> None:
    """Warns of characters in the texts of the pictures that no font has."""
    # A machine without any font has no "A" either.
    marks = {mark for svg in svgs for _, text in _TEXT.findall(svg) for mark in text if not mark.isascii()}
    missing = _without_font(sorted({"A", *marks}))
    if missing:
        warnings.warn(
            f"no font of this machine has {' '.join(missing[:12])}{' …' if len(missing) > 12 else ''}: "
            "the picture shows boxes there\n  fix: install a font with them, such as fonts-noto-cjk on Debian and Ubuntu",
            FontWarning,
            stacklevel=4,
        )


def _without_font(marks: Sequence[str]) -> list[str]:
    """The characters that are drawn as one that no font has."""
    cell = 32
    texts = [f'<text x="4" y="{cell * row + 24}" font-size="20">{mark}</text>' for row, mark in enumerate([_NOBODYS, *marks])]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{cell}" height="{cell * len(texts)}" font-family="sans-serif">'
    rows = np.asarray(_image(_drawn(_with_fonts(f"{head}{''.join(texts)}</svg>"), 1.0, "#ffffff")))
    drawn = [rows[cell * row : cell * (row + 1)].tobytes() for row in range(len(texts))]
    return [mark for mark, pixels in zip(marks, drawn[1:], strict=True) if pixels == drawn[0]]


def _image(data: bytes) -> Any:
    """A PNG as an image of Pillow."""
    with _pillow().open(io.BytesIO(data)) as image:
        return image.convert("RGBA")


def _pillow() -> Any:
    """The module of images. Raises: ImportError where the package is missing."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError('PNG needs the Pillow package. This installs it:  pip install "tfedu[export]"') from error
    return Image


__all__ = ["MOST_PIXELS", "SHARP", "FontWarning", "gif", "pdf", "png", "pngs", "size_of"]
