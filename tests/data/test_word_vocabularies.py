"""A vocabulary survives its file, which is no pickle; a damaged file is refused."""

import json
import pickle

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.data.tables.word_vocabularies import VocabularyProcessor

TEXTS = ["a b c a", "b a é", "d"]


def fitted(**options):
    processor = VocabularyProcessor(4, **options)
    processor.fit(TEXTS)
    return processor


@pytest.mark.parametrize("frequency", [0, 1])
def test_a_restored_processor_gives_the_same_numbers(tmp_path, frequency):
    processor = fitted(min_frequency=frequency)
    processor.save(tmp_path / "v")
    again = VocabularyProcessor.restore(tmp_path / "v")
    texts = [*TEXTS, "new é c"]
    np.testing.assert_array_equal(list(processor.transform(texts)), list(again.transform(texts)))
    assert list(again.reverse(again.transform(texts))) == list(processor.reverse(processor.transform(texts)))
    assert (again.max_document_length, again.min_frequency) == (4, frequency)
    assert again.vocabulary_._freq == processor.vocabulary_._freq
    assert again.vocabulary_.get("still frozen") == 0


def test_a_pickle_is_refused_and_not_run(tmp_path):
    class Hostile:
        def __reduce__(self):
            return (pathlib_touch, (str(tmp_path / "ran"),))

    (tmp_path / "v").write_bytes(pickle.dumps(Hostile(), protocol=2))
    with pytest.raises(tf.errors.UnimplementedError, match="is a pickle"):
        VocabularyProcessor.restore(tmp_path / "v")
    assert not (tmp_path / "ran").exists()


def pathlib_touch(path):
    open(path, "w").close()


def test_a_damaged_file_is_refused(tmp_path):
    fitted().save(tmp_path / "v")
    whole = (tmp_path / "v").read_bytes()
    for data in [whole[:length] for length in range(0, len(whole), 7)] + [b"[]", b"3", b"[" * 100000, b"\xff\xfe"]:
        (tmp_path / "v").write_bytes(data)
        with pytest.raises(tf.errors.DataLossError, match="no vocabulary"):
            VocabularyProcessor.restore(tmp_path / "v")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "other"), ("words", []), ("words", [1, 2]), ("words", "ab"), ("counts", [-1]), ("max_document_length", "4"),
        ("min_frequency", 1.5),
    ],
)
def test_a_file_with_a_wrong_field_is_refused(tmp_path, field, value):
    fitted().save(tmp_path / "v")
    content = json.loads((tmp_path / "v").read_text())
    (tmp_path / "v").write_text(json.dumps({**content, field: value}))
    with pytest.raises(tf.errors.DataLossError, match="no vocabulary"):
        VocabularyProcessor.restore(tmp_path / "v")


def test_what_json_cannot_keep_is_refused(tmp_path):
    with pytest.raises(ValueError, match="tokenizer_fn cannot be saved"):
        fitted(tokenizer_fn=lambda texts: [list(text) for text in texts]).save(tmp_path / "v")
    processor = fitted()
    processor.vocabulary_.freeze(False)
    processor.vocabulary_.add(3)
    with pytest.raises(ValueError, match="vocabulary of strings"):
        processor.save(tmp_path / "v")
    with pytest.raises(tf.errors.NotFoundError):
        VocabularyProcessor.restore(tmp_path / "none")
