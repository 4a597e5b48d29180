"""PNG and PDF of pictures: their size, their fonts, and what is refused."""

import io
import re
import sys
import warnings
import zlib

import drawn_graphs as graphs
import hostile_names as hostile
import numpy as np
import pytest
import traced_programs as programs
from PIL import Image
from test_svg import hostile_graph

from tfedu.view.draw import raster
from tfedu.view.draw.raster import FontWarning, pdf, png, size_of
from tfedu.view.picture_files import PictureError
from tfedu.view.show import show


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


@pytest.fixture
def picture():
    return show(graphs.counter(True), title="The counter", lang="en")


@pytest.mark.parametrize("scale", [0.5, 1, 2, 3.0])
def test_a_png_has_the_pictures_size_times_the_scale(picture, scale):
    width, height = size_of(picture.svg)
    h, w, _ = pixels(png(picture.svg, scale)).shape
    assert abs(h - height * scale) <= 1
    assert abs(w - width * scale) <= 1


def test_a_png_is_drawn_in_light_colours_on_its_paper(picture):
    drawn = pixels(png(picture.svg, 1.0))
    assert tuple(drawn[drawn.shape[0] // 2, 3]) == (0xFA, 0xFB, 0xFC, 255)
    assert drawn[0, 0, 3] == 0  # outside the round corner
    assert pixels(png(picture.svg, 1.0, paper=True))[0, 0, 3] == 255


def test_the_same_picture_is_the_same_bytes(picture):
    assert png(picture.svg) == png(picture.svg)
    assert pdf([picture.svg]) == pdf([picture.svg])


@pytest.mark.parametrize(("lang", "title"), [("ko", "계수기 변수"), ("zh", "计数器变量")])
def test_korean_and_chinese_are_drawn_without_boxes_and_without_serifs(lang, title):
    svg = show(programs.traced(True), title=title, lang=lang).svg
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        png(svg)
    texts = [text for text in re.findall(r"<text [^>]*>[^<]*</text>", raster._with_fonts(svg)) if raster._WIDE.search(text)]
    first = "'Noto Sans CJK KR'" if lang == "ko" else "'Noto Sans CJK SC'"
    assert len(texts) > 5
    assert all(f'font-family="{first}' in text and text.count("font-family") == 1 for text in texts)


def test_a_character_that_no_font_has_is_named():
    svg = show(hostile_graph(["a\u0378b"])).svg
    with pytest.warns(FontWarning, match=r"no font of this machine has \u0378: .*\n  fix: install a font"):
        png(svg)
    with pytest.warns(FontWarning, match="\u0378"):
        pdf([svg])


def test_a_machine_without_fonts_is_warned_of(picture, monkeypatch):
    blank = Image.new("RGBA", (32, 32 * 400), "white")
    data = io.BytesIO()
    blank.save(data, "PNG")
    monkeypatch.setattr(raster, "_drawn", lambda *args: data.getvalue())
    with pytest.warns(FontWarning, match="no font of this machine has A:"):
        png(picture.svg)


@pytest.mark.filterwarnings("ignore::tfedu.view.draw.raster.FontWarning")
def test_no_name_acts():
    svg = show(hostile_graph(hostile.NAMES)).svg
    assert pixels(png(svg, 1.0)).shape[2] == 4
    assert pdf([svg]).startswith(b"%PDF")


def test_a_pdf_has_a_page_a_picture_and_vectors_with_fonts(picture):
    data = pdf([picture.svg, picture.svg])
    streams = [unpacked(part) for part in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.S)]
    everything = data + b"".join(streams)
    assert len(re.findall(rb"/Type\s*/Page\b", everything)) == 2
    assert b"/FontFile" in everything
    assert b"/Subtype/Image" not in everything
    assert b"CreationDate" not in everything


def unpacked(stream):
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


@pytest.mark.parametrize("scale", [0, -1, float("nan"), "2", True, 1e9, None])
def test_a_wrong_scale_is_refused(picture, scale):
    with pytest.raises(ValueError, match="scale must be a number above 0"):
        png(picture.svg, scale)


def test_a_picture_of_too_many_pixels_is_refused_with_a_scale_that_fits(picture):
    with pytest.raises(ValueError, match=r"too many pixels at scale 100\n  fix: scale=[\d.]+, or \.svg"):
        png(picture.svg, 100)


def test_files_take_the_scale_by_their_ending(picture, tmp_path):
    one = pixels(picture.save(tmp_path / "a.png", scale=1).read_bytes())
    two = pixels(picture.save(tmp_path / "b.PNG").read_bytes())
    assert two.shape[0] == pytest.approx(2 * one.shape[0], abs=2)
    assert picture.save(tmp_path / "a.pdf").read_bytes() == pdf([picture.svg])
    with pytest.raises(PictureError, match=r"scale is for \.png, \.gif, not for \.svg"):
        picture.save(tmp_path / "a.svg", scale=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "a.png", "b.PNG"]


@pytest.mark.parametrize(("package", "ending", "extra"), [("resvg_py", "png", "export"), ("typst", "pdf", "pdf")])
def test_a_missing_package_names_its_extra_and_no_file_is_made(picture, tmp_path, monkeypatch, package, ending, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"tfedu\[{extra}\]"):
        picture.save(tmp_path / f"a.{ending}")
    assert list(tmp_path.iterdir()) == []
