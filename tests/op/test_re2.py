"""RE2 patterns, translated to Python's re: what RE2 refuses is refused, and no syntax gets Python's meaning."""

import pytest

from tfedu import errors
from tfedu.engine.op.re2 import compiled, full_match, replaced


def sub(pattern, rewrite, text, everywhere=True):
    return replaced(compiled(pattern), rewrite, text, everywhere)


REFUSED = [
    (rb"a**", "bad repetition operator: **"),
    (rb"a{1001}", "invalid repetition size: {1001}"),
    (rb"(a{3}){334}", "invalid repetition size: {334}"), (rb"(b|(a{2,}){5}c){50,101}", "invalid repetition size: {50,101}"),
    (rb"a{2,1}", "invalid repetition size: {2,1}"),
    (rb"(?P<a", "invalid named capture group: (?P<a"),
    (rb"(?<=a)b", "invalid perl operator: (?<"),
    (rb"[b-a]", "invalid character class range: b-a"),
    (rb"[[:nope:]]", "invalid character class range: [:nope:]"),
    (rb"a)", "unexpected ): a)"),
    (rb"\8", r"invalid escape sequence: \8"),
    (b"\xff", "invalid UTF-8"),
    (rb"(?x)a", "invalid perl operator: (?x"),
    (rb"|*", "no argument for repetition operator: *"),
    (rb"\Z", r"invalid escape sequence: \Z"),
    (b"(" * 1000 + b")" * 1000, "nests too deeply"),
]


@pytest.mark.parametrize(("pattern", "why"), REFUSED)
def test_what_re2_refuses_is_refused(pattern, why):
    with pytest.raises(errors.InvalidArgumentError) as caught:
        compiled(pattern)
    assert caught.value.message.startswith("Invalid pattern: ")
    assert why in caught.value.message


def test_classes_of_scripts_are_unimplemented_and_named():
    with pytest.raises(errors.UnimplementedError, match="Greek"):
        compiled(rb"\p{Greek}")


def test_a_count_without_a_lower_bound_is_text():
    assert full_match(compiled(rb"a{,2}"), b"a{,2}")


def test_the_end_of_the_text_is_not_the_end_of_its_last_line():
    assert not full_match(compiled(rb"a$\n"), b"a\n")
    assert sub(rb"(?m)$", b"!", b"a\nb") == b"a!\nb!"


def test_digits_and_words_are_ascii():
    assert sub(rb"\d", b"#", "1٣".encode()) == "#٣".encode()
    assert sub(rb"\w+\b", b"w", "aä b".encode()) == "wä w".encode()


def test_python_s_own_operators_in_a_class_are_plain_characters():
    assert sub(rb"[a&&b]", b"x", b"a&b-") == b"xxx-"
    assert sub(rb"[[a]", b"x", b"[a") == b"xx"
    assert sub(rb"[]a]", b"x", b"]a[") == b"xx["


def test_flags_hold_to_the_end_of_their_group():
    assert sub(rb"(a(?i)b)c", b"<\\1>", b"aBc aBC") == b"<aB> aBC"
    assert sub(rb"(?i:b)c|(?-i)D", b"x", b"Bc bC D d") == b"x bC x d"
    assert sub(rb"(?U)a+?b", b"x", b"aaab") == b"x"


def test_bytes_that_are_not_utf_8_stay_unchanged():
    assert sub(rb"a", b"b", b"\xffa\x80") == b"\xffb\x80"


def test_negated_categories_and_classes():
    assert sub(rb"\PL", b"", "a1ß-".encode()) == "aß".encode()
    assert sub(rb"[^\pL\s]", b"", "a1 ß-".encode()) == "a ß".encode()
    assert sub(rb"[\D]", b"", b"a1") == b"1"
    assert sub(rb"[[:^alpha:]]", b"", b"a1") == b"a"


def test_a_lazy_optional_matches_nothing_if_it_can():
    assert sub(rb"ab??", b"x", b"ab") == b"xb"
    assert sub(rb"a{1,2}?", b"x", b"aa") == b"xx"


def test_anchors_may_be_repeated():
    assert sub(rb"^*a$?", b"x", b"aa") == b"xx"
    assert full_match(compiled(rb"\A+a\z{2}"), b"a")


def test_an_empty_text_has_no_word_boundary():
    assert full_match(compiled(rb"\B"), b"")
    assert not full_match(compiled(rb"\b"), b"")


def test_single_bytes_are_unimplemented_and_named():
    with pytest.raises(errors.UnimplementedError, match="single byte"):
        compiled(rb"a\C")
