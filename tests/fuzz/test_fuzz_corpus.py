"""The laws of the fuzz targets hold for sound inputs, for every input that fuzzing kept, and for some that are made of these."""

import random

import pytest

from tests.fuzz import corpora
from tests.fuzz.targets import TARGETS, BytesRandom, joined
from tests.interop.fuzz import mutated

SLOW = {"regular_expression", "schedule"}


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_the_law_holds_for_sound_inputs_and_for_the_corpus(name):
    target = TARGETS[name]
    inputs = [*target.seeds(), *corpora.kept(name)]
    outcomes = {target.law(data) for data in inputs}
    assert corpora.kept(name)
    # The corpus is worth its time: it has more than one outcome.
    assert len(outcomes) > 1, outcomes


@pytest.mark.parametrize("name", sorted(set(TARGETS) - SLOW))
def test_the_law_holds_for_mutations(name):
    target, draw = TARGETS[name], random.Random(7)
    inputs = [*target.seeds(), *corpora.kept(name)]
    for _ in range(60):
        data = draw.choice(inputs)
        target.law(mutated(draw, bytearray(data)))
        if target.mutate is not None:
            target.law(target.mutate(data, draw))


def test_every_corpus_belongs_to_a_target_and_is_small():
    files = list(corpora.CORPUS.iterdir())
    assert {path.stem for path in files} <= set(TARGETS)
    assert sum(path.stat().st_size for path in files) < 400 << 10


def test_a_kept_input_comes_back_and_what_broke_a_law_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(corpora, "CORPUS", tmp_path)
    monkeypatch.setattr(corpora, "MOST_BYTES", 72)
    assert corpora.kept("x") == []
    corpora.remember("x", b"\xff\0once", "IndexError\nin a test")
    assert corpora.keep("x", [b"long" * 9, b"b", b"a", b"b"]) == 3
    assert corpora.kept("x") == [b"a", b"b", b"\xff\0once"]
    assert corpora.keep("x", [b"c"]) == 2
    assert corpora.kept("x") == [b"c", b"\xff\0once"]
    assert (tmp_path / "x.txt").read_text().splitlines()[1] == "# IndexError in a test"


def test_bytes_choose_and_are_followed_by_zeros():
    source = BytesRandom(b"\x05\x01")
    assert [source.randrange(8) for _ in range(4)] == [5, 1, 0, 0]
    assert list(BytesRandom(joined(b"ab", b"")).bytes.parts()) == [b"ab", b""]
