"""The linear engine finds what `re` finds, and no pattern makes a text take more than linear time."""

import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st

import tfedu as tf
from tfedu.engine.op import linear_re, re2

PIECES = st.recursive(
    st.sampled_from(["a", "b", "c", ".", "[ab]", "[^a]", "\\b", "^", "$", "(?i:A)", "\\B"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        inner.map(lambda one: f"({one})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "*?", "+?", "{2}", "{1,3}"])).map(lambda two: f"(?:{two[0]}){two[1]}"),
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(PIECES, st.text("abcA \n", max_size=7))
def test_the_linear_engine_finds_what_re_finds(pattern, text):
    ready = re2.compiled(pattern.encode())
    expected, found = ready.search(text), linear_re.Linear(ready).search(text)
    assert (expected is None) == (found is None)
    if expected is not None:
        assert expected.start() == found.start()
        # A repetition of what may be empty ends elsewhere in `re` than in RE2.
        if not re.search(r"[*+?}]\??\)*[*+?{]|(\\[bB]|[\^$])[^*+?{]*\)[*+?{]", pattern):
            assert expected.end() == found.end()
    assert (ready.fullmatch(text) is None) == (linear_re.Linear(ready).fullmatch(text) is None)


def test_a_pattern_that_backtracks_ends():
    start = time.monotonic()
    with tf.Graph().as_default(), tf.Session() as session:
        text = tf.constant("a" * 400 + "!")
        for pattern in ("(a+)+$", "(a|aa)+$", "(?:a*)*b", "(.*)(.*)(.*)(.*)x"):
            assert not session.run(tf.strings.regex_full_match(text, pattern))
            assert session.run(tf.strings.regex_replace(text, pattern, "-")) == b"a" * 400 + b"!"
    assert time.monotonic() - start < 60


def test_groups_are_rewritten_alike():
    with tf.Graph().as_default(), tf.Session() as session:
        text = tf.constant("key=" + "v" * 300 + ";k2=w")
        replaced = tf.strings.regex_replace(text, r"((?:[a-z0-9])+)+=((?:v|w)+)", r"\2:\1")
        assert session.run(replaced) == b"v" * 300 + b":key;w:k2"


def test_ordinary_patterns_stay_with_re():
    for pattern in (rb"\d+", rb"[a-z]+@[a-z]+", rb"<[^>]*>", rb"^\s+|\s+$", rb"(foo|bar)baz"):
        ready = re2.compiled(pattern)
        assert re2._engine(ready, 1000) is ready


def test_the_bound_of_steps_is_a_number_for_any_counts():
    assert linear_re.steps(re.compile("(?:" + "a?b?" * 10 + "){299}"), 1 << 20) == float("inf")
