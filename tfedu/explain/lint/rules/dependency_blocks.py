"""Rules about `with control_dependencies` blocks. No state."""

from __future__ import annotations

from collections.abc import Iterator

from ....engine.graph.scopes import ControlBlock
from ....view.labels import shorten
from ..relabelled_tensors import is_conditional, labels, relabels
from .graph_facts import Facts
from .rule import Hit, rule


@rule("empty_block", "mistake", "y = tf.identity(x)")
def empty_block(facts: Facts) -> Iterator[Hit]:
    for block in facts.graph.blocks:
        if _waits(block) and not block.created and not (is_conditional(block) and not labels(block)):
            yield Hit(block.control_inputs, {"inputs": _inputs(block)}, _identities(block), block.site)


@rule("implied_block", "advice")
def implied_block(facts: Facts) -> Iterator[Hit]:
    for block in facts.graph.blocks:
        if not _waits(block) or not block.created:
            continue
        if not any(waited in op.control_inputs for op in block.created for waited in block.control_inputs):
            yield Hit(tuple(block.created), {"inputs": _inputs(block)}, (), block.site)


@rule("renamed_in_block", "mistake", "{name} = tf.identity({value})")
def renamed_in_block(facts: Facts) -> Iterator[Hit]:
    """Of a block that makes nodes one line makes none: it gives an older tensor a name, and that does not wait."""
    for found in relabels(facts.graph):
        block, label = found.block, found.label
        if block.created and label.name is not None and label.name != label.value:
            made = tuple(dict.fromkeys(tensor.op for tensor in found.tensors))
            params = {"inputs": _inputs(block), "name": label.name, "value": label.value}
            fixes = ((label.line, f"{label.name} = tf.identity({label.value})"),) if label.alone else ()
            yield Hit(made, params, fixes, block.site)


def _waits(block: ControlBlock) -> bool:
    return not block.cleared and bool(block.control_inputs)


def _inputs(block: ControlBlock) -> str:
    names = [shorten(op.name, 60) for op in block.control_inputs[:6]]
    return ", ".join([*names, "…"] if len(block.control_inputs) > 6 else names)


def _identities(block: ControlBlock) -> tuple[tuple[int, str], ...]:
    """For each line that only gives another name, the line that makes a node."""
    return tuple(
        (label.line, f"{'return' if label.name is None else f'{label.name} ='} tf.identity({label.value})")
        for label in labels(block)
        if label.made_at is not None and label.alone
    )
