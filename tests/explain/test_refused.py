"""What cannot be done is said by code: the catalogue has each refusal, word for word in English, and in other languages."""

import re

import pytest

import tfedu as tf
import tfedu.widgets  # which refuse, too
from tfedu.engine.base.coded_errors import Refusal
from tfedu.explain import ForkError, timelines
from tfedu.explain.orders.breakpoints import breakpoint_of
from tfedu.view import messages
from tfedu.view.make.run_passes import passes_record
from tfedu.view.words.film_text import pass_sentence


def kinds(kind=Refusal):
    return [each for under in kind.__subclasses__() for each in (under, *kinds(under))]


def test_the_catalogue_has_just_the_refusals_that_there_are():
    told = {f"refused.{kind.group}.{code}": text for kind in kinds() for code, text in kind.texts.items()}
    assert told == {code: text for code, text in messages.catalogue("en").items() if code.startswith("refused.")}
    assert len(kinds()) >= 3


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_each_can_be_said(kind):
    for code, text in kind.texts.items():
        params = {name: f"<{name}>" for name in re.findall(r"\{(\w+)\}", text)}
        refusal = kind(code, **params)
        assert str(refusal) == messages.message(f"refused.{kind.group}.{code}", "en", **refusal.params)
        assert "{" not in messages.message(f"refused.{kind.group}.{code}", "ko", **refusal.params)


def test_a_fork_and_a_breakpoint_that_are_refused_have_their_names_apart():
    with tf.Graph().as_default():
        x = tf.Variable(1.0, name="x")
        y = tf.add(x, 1.0, name="y")
    tree = timelines(y)
    with pytest.raises(ForkError) as refused:
        tree.fork(0, len(tree[0].order[0]), choose="y")
    assert (refused.value.code, refused.value.params) == ("has_run", {"node": "y", "ready": "–"})
    with pytest.raises(ForkError) as refused:
        tree.named("nobody")
    assert (refused.value.code, refused.value.params) == ("unknown", {"name": "'nobody'"})
    with pytest.raises(ValueError, match="Did you mean 'x/read'") as unknown:
        breakpoint_of(y.graph, "x/reed")
    assert unknown.value.params["near"] == "'x/read'"


def test_why_there_is_no_plan_is_told_in_the_readers_language():
    with tf.Graph().as_default():
        y = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
        record = passes_record(y, schedule="random(1)")
    said = pass_sentence(record.passes[-1], "en")
    assert said.endswith("There is no plan: the order of the turns is found out in the run. "
                         "Each run goes through the interpreter, node by node.")  # fmt: skip
    assert "차례의 순서를 실행 중에야 알 수 있음" in pass_sentence(record.passes[-1], "ko")
