"""`tf.strings`: joining, cutting, patterns, numbers as text, hashes, Unicode."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.ragged.ragged_strings import (
    bytes_split, ngrams, split, unicode_decode, unicode_decode_with_offsets, unicode_encode, unicode_split,
    unicode_split_with_offsets,
)  # fmt: skip
from .engine.lib.strings.strings import (
    as_string, format, join, length, lower, reduce_join, regex_full_match, regex_replace, strip, substr,
    to_hash_bucket, to_hash_bucket_fast, to_hash_bucket_strong, to_number, unicode_script,
    unicode_transcode, unsorted_segment_join, upper,
)  # fmt: skip

__all__ = [
    "as_string", "bytes_split", "format", "join", "length", "lower", "ngrams", "reduce_join",
    "regex_full_match", "regex_replace", "split", "strip", "substr", "to_hash_bucket",
    "to_hash_bucket_fast", "to_hash_bucket_strong", "to_number", "unicode_decode",
    "unicode_decode_with_offsets", "unicode_encode", "unicode_script", "unicode_split",
    "unicode_split_with_offsets", "unicode_transcode", "unsorted_segment_join", "upper",
]  # fmt: skip
