"""Cuts keep their node from running, and brute force finds no smaller one.

In programs with branches and loops each change, of either kind, flips what it says, and the run that it makes comes to its end.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

import tfedu as tf
from tests.property.loops import looping
from tests.property.programs import programs
from tests.property.test_plan import session_of
from tests.property.test_random_reasons import LONG, SAMPLE, graphs, targets_of
from tfedu import explain
from tfedu.engine.runtime.prune import prune


def stopping(graph, fetches, fed):
    """Every single edit that can keep a node from running."""
    for element in fetches:
        yield "unfetch", element
    for op in graph.operations:
        yield from (("feed", tensor) for tensor in op.outputs if tensor not in fed)
        yield from (("unwait", (op, waited)) for waited in op.control_inputs)


def is_needed(graph, fetches, fed, node, chosen):
    """Whether some fetch still needs the node after these edits."""
    elements = [e for e in fetches if ("unfetch", e) not in chosen]
    given = [*fed, *(what for kind, what in chosen if kind == "feed")]
    cut = [what for kind, what in chosen if kind == "unwait"]
    for waiting, waited in cut:
        graph.remove_control_input(waiting, waited)
    try:
        return node in prune(graph, targets_of(elements, given), given).needed_by
    finally:
        for waiting, waited in cut:
            graph.add_control_input(waiting, waited)


def check_cuts(graph, fetches, fed, ops):
    edits = list(stopping(graph, fetches, fed))
    for node in ops if fetches else ():
        reason = explain.why_not(node, fetches, fed)
        if not reason.runs:
            continue
        for change in reason.changes:
            copy = explain.copied(graph)
            elements, feeds = change.apply(copy)
            then = prune(copy.graph, targets_of(elements, feeds), list(feeds)).needed_by
            assert copy.of(node) not in then
            before = prune(graph, targets_of(fetches, fed), list(fed)).operations
            assert {op.id for op in change.also} == {op.id for op in before} - {op.id for op in then}
            tf.Session(graph=copy.graph).run(elements, feeds)
        least = reason.smallest.size
        if least <= 3:
            for fewer in range(1, least):
                for chosen in itertools.combinations(edits, fewer):
                    assert is_needed(graph, fetches, fed, node, chosen), (node, chosen)


@SAMPLE
@given(graphs())
def test_no_cut_is_smaller_than_the_one_that_why_not_names(made):
    check_cuts(*made)


@pytest.mark.long
@LONG
@given(graphs())
def test_no_cut_is_smaller_than_the_one_that_why_not_names_in_many_more_graphs(made):
    check_cuts(*made)


def check_flips(program):
    program.initialized = True
    session = session_of(program, None)
    # A needed placeholder without a feed would end the run with an error before any change.
    fed = {p: np.zeros(p.shape.as_list(), p.dtype.as_numpy_dtype) for p in program.placeholders}
    asked = program.fetches, {**fed, **program.feed_dict}
    ops = program.graph.operations
    for op in ops[:: 1 + len(ops) // 8]:
        reason = explain.why_not(op, *asked, session=session)
        for change in reason.changes:
            copy = explain.copied(program.graph)
            elements, feeds = change.apply(copy)
            for needed in change.needs:
                feeds[copy.of(needed)] = np.zeros(needed.shape.as_list(), needed.dtype.as_numpy_dtype)
            then = tf.Session(graph=copy.graph)
            then.store = session.store.copy()
            found = explain.why(copy.of(op), elements, feeds, session=then)
            assert found.runs == (reason.flips != "stop"), (op, str(change))
            assert reason.flips != "compute" or found.death is None, (op, str(change))
            then.run(elements, feeds)


PROGRAMS = pytest.mark.parametrize("strategy", [programs(), looping(most=1)], ids=["branches", "loops"])


@PROGRAMS
def test_each_change_flips_what_it_says(strategy):
    settings(SAMPLE, max_examples=10)(given(strategy)(check_flips))()


@pytest.mark.long
@PROGRAMS
def test_each_change_flips_what_it_says_in_many_more_programs(strategy):
    settings(LONG, max_examples=300)(given(strategy)(check_flips))()
