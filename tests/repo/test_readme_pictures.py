"""The README's pictures are those of the current widgets (`tools/pictures.py` makes them)."""

import importlib.util
import re

import sources

spec = importlib.util.spec_from_file_location("pictures", sources.ROOT / "tools" / "pictures.py")
assert spec is not None
assert spec.loader is not None
pictures = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pictures)


def test_the_pictures_are_of_the_current_widgets():
    assert pictures.stale() == [], "make pictures, look at them, and commit docs/pictures and README.md"


def test_pictures_are_small():
    files = list(pictures.PICTURES.glob("*.webp"))
    assert sum(file.stat().st_size for file in files) < 1_500_000
    assert [file.name for file in files if file.stat().st_size > 60_000] in ([], ["playing.webp"])


def test_every_widget_of_the_table_has_a_picture():
    text = pictures.README.read_text("utf-8")
    table = [line for line in text.split("\n") if line.startswith("| `")]
    named = {name for line in table for name in re.findall(r"`(\w+)\(", line) if name[0].isupper()}
    assert named == set(pictures.PROGRAMS)
    for name in named:
        assert f"docs/pictures/{pictures.file_of(name)}" in pictures.in_readme(text)


def test_a_second_call_changes_nothing_in_the_readme():
    once = pictures.in_readme(pictures.README.read_text("utf-8"))
    assert pictures.in_readme(once) == once
    assert once.count("docs/pictures/stage-dark.webp") == 1


def test_frames_become_one_picture():
    # 2 x 1 pixels, coded without loss.
    image = bytes.fromhex("524946461a000000574542505650384c0d0000002f01000000070710111188888808")
    data = pictures.animated([(image, 0, 0, 2, 1, 100), (image, 2, 0, 2, 1, 300)], 980, 654)
    assert data[:4] == b"RIFF"
    assert int.from_bytes(data[4:8], "little") == len(data) - 8
    assert data[12:16] == b"VP8X"
    assert int.from_bytes(data[24:27], "little") + 1 == 980
    assert [len(part) for part in data.split(b"ANMF")[1:]] == [42, 42]
