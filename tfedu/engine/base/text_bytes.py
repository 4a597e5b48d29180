"""Texts of attributes whose bytes may be no UTF-8: such a byte stands in the text as a surrogate (PEP 383). No state."""

from __future__ import annotations


def as_text(data: bytes) -> str:
    """The text of these bytes, from which `as_bytes` gives them back."""
    return data.decode("utf-8", "surrogateescape")


def as_bytes(text: str) -> bytes:
    """The bytes of an attribute's text. Raises: UnicodeEncodeError for surrogates that stand for no byte."""
    return text.encode("utf-8", "surrogateescape")


__all__ = ["as_bytes", "as_text"]
