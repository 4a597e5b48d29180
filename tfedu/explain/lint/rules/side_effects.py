"""Rules about nodes that do something, and that nothing makes run: checks, prints, updates. No state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....engine.graph.nodes import Operation
from ....engine.op.infer import constant_value
from ....view.make.graph_records import role_of
from .graph_facts import Facts, ancestors, listed_names, operation_of, successors
from .rule import Hit, rule
from .source_statement import dropped_call

# By the function of a statement that drops its result: the types of nodes that stand for that result.
_RESULTS: Final = (
    (re.compile(r"assign(_add|_sub)?|scatter_\w+|count_up_to|Print|print|py_func"), None),
    (re.compile(r"minimize|apply_gradients|apply|group"), ("NoOp", "AssignAdd", "AssignAddVariableOp")),
)
_CHECK: Final = re.compile(r"assert_\w+|Assert")
_GUARD: Final = ("Identity", "Merge", "NoOp")


@rule("unused_assert", "mistake", "with tf.control_dependencies([check]):\n    y = tf.identity(y)")
def unused_assert(facts: Facts) -> Iterator[Hit]:
    for op in facts.of("Assert"):
        top = _top(op)
        if top is None or {op, top} & facts.executed or top in facts.kept or _holds(op):
            continue
        site = op.site
        dropped = site is not None and _CHECK.fullmatch(dropped_call(site) or "") is not None
        if dropped or _in_body(top) or _passed_over(facts, op):
            yield Hit((op,), {"node": top.name})


def _holds(check: Operation) -> bool:
    """Whether it is known that the check passes, whatever runs."""
    test = check.inputs[0]
    return bool(constant_value(test.op.inputs[0] if test.op.type == "Switch" else test))


def _top(check: Operation) -> Operation | None:
    """The last node of a check; None where something else waits for it."""
    top = check
    while True:
        after = list(dict.fromkeys(successors(top)))
        if not after:
            return top
        (following, *others) = after
        guard = following.type in _GUARD and following._site == check._site
        if others or not guard or (following.type == "Identity" and following._context is None):
            return None
        top = following


def _passed_over(facts: Facts, check: Operation) -> bool:
    """Whether a run that was asked for later computed with what is checked, and left the check out."""
    later = [run for run in facts.runs if run.position > check.id][:50]
    checked = ancestors([t.op for t in check.inputs], control=False) if later else {}
    roots = [op for op in checked if op.type in ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault")]
    return any(root.outputs[0] in run.feeds or root in facts.taken_by(run) for run in later for root in roots)


@rule("unused_effect", "mistake", "with tf.control_dependencies([update]):\n    y = tf.identity(x)")
def unused_effect(facts: Facts) -> Iterator[Hit]:
    by_line: dict[object, list[Operation]] = {}
    for op in facts.operations:
        if successors(op) or op in facts.executed or op in facts.kept or op in facts.initializers:
            continue
        if (_in_body(op) and _acts(op)) or _is_dropped(op):
            by_line.setdefault(op._site or op, []).append(op)
    for ops in by_line.values():
        yield Hit(tuple(ops), {"node": listed_names(ops)})


def _is_dropped(op: Operation) -> bool:
    site = op.site
    called = None if site is None else dropped_call(site)
    for pattern, types in _RESULTS:
        if called is not None and pattern.fullmatch(called):
            return op.type in types if types else _acts(op) or any(map(_acts, op.waits))
    return False


def _acts(op: Operation) -> bool:
    return role_of(op) == "update" or op.type.startswith(("Print", "PyFunc", "PyFuncStateless"))


def _in_body(op: Operation) -> bool:
    """Whether the node is in a branch or a loop's body: from there nobody can fetch it."""
    return op._context is not None and getattr(op._context, "grad_state", None) is None


@rule(
    "update_ops",
    "mistake",
    "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n    train = optimizer.minimize(loss)",
)
def update_ops(facts: Facts) -> Iterator[Hit]:
    """Update ops that never ran, though the training did: before its first run it may still be asked for both."""
    if facts.executed.isdisjoint(facts.applied):
        return
    left = [op for op in map(operation_of, facts.collected("update_ops")) if op is not None and not successors(op)]
    left = [op for op in left if op not in facts.executed]
    if left:
        yield Hit(tuple(left), {"nodes": listed_names(left)})


@rule("unused_regularizer", "mistake", "loss += tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))")
def unused_regularizer(facts: Facts) -> Iterator[Hit]:
    losses = [op for op in map(operation_of, facts.collected("regularization_losses")) if op is not None]
    if not losses or not facts.applied or not facts.calls:
        return
    followed = ancestors([y.op for call in facts.calls for y in call.ys if hasattr(y, "op")])
    left = [op for op in losses if op not in followed]
    if left:
        yield Hit(tuple(left), {"nodes": listed_names(left)})


@rule("late_summary", "mistake", "merged = tf.summary.merge_all()")
def late_summary(facts: Facts) -> Iterator[Hit]:
    """Summaries that were made after the node that merges all there were before, and that a run of that left out."""
    summaries = [op for op in map(operation_of, facts.collected("summaries")) if op is not None]
    merges = list(facts.of("MergeSummary"))
    for merge in merges:
        merged = {tensor.op for tensor in merge.inputs}
        before = [op for op in summaries if op.id < merge.id]
        if not before or not set(before) <= merged:
            continue
        read = max((run.position for run in facts.runs if merge in facts.taken_by(run)), default=0)
        late = [op for op in summaries if merge.id < op.id < read and not successors(op) and op not in facts.executed]
        if late:
            yield Hit((*late, merge), {"nodes": listed_names(late), "merge": merge.name})
        return


@rule("unread_summary", "mistake", "merged = tf.summary.merge_all()\nwriter.add_summary(session.run(merged), step)")
def unread_summary(facts: Facts) -> Iterator[Hit]:
    """Summaries that nothing merges, of which none ever ran, though there were runs that trained."""
    summaries = [op for op in map(operation_of, facts.collected("summaries")) if op is not None]
    if not summaries or any(successors(op) or op in facts.executed for op in summaries):
        return
    last = max(op.id for op in summaries)
    trained = [run for run in facts.runs[:50] if run.position > last and not facts.taken_by(run).isdisjoint(facts.applied)]
    if trained:
        yield Hit(tuple(summaries), {"nodes": listed_names(summaries)})
