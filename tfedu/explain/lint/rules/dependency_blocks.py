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
    """A block that makes no node, so that nothing waits."""
    for block in facts.graph.blocks:
        if _waits(block) and not block.created and not (is_conditional(block) and not labels(block)):
            yield Hit(block.control_inputs, {"inputs": _inputs(block)}, _identities(block), block.site)


@rule("implied_block", "advice")
def implied_block(facts: Facts) -> Iterator[Hit]:
    """A block whose nodes need its control inputs anyway."""
    for block in facts.graph.blocks:
        if not _waits(block) or not block.created:
            continue
        if not any(waited in op.control_inputs for op in block.created for waited in block.control_inputs):
            yield Hit(tuple(block.created), {"inputs": _inputs(block)}, (), block.site)


@rule("renamed_in_block", "mistake", "{name} = tf.identity({value})")
def renamed_in_block(facts: Facts) -> Iterator[Hit]:
    """A line of a block only names an older tensor, which does not wait; other lines of the block make nodes."""
    for relabel in relabels(facts.graph):
        block, label = relabel.block, relabel.label
        if block.created and label.name is not None and label.name != label.value:
            renamed = tuple(dict.fromkeys(tensor.op for tensor in relabel.tensors))
            params = {"inputs": _inputs(block), "name": label.name, "value": label.value}
            fixes = ((label.line, f"{label.name} = tf.identity({label.value})"),) if label.alone else ()
            yield Hit(renamed, params, fixes, block.site)


def _waits(block: ControlBlock) -> bool:
    return not block.cleared and bool(block.control_inputs)


def _inputs(block: ControlBlock) -> str:
    names = [shorten(op.name, 60) for op in block.control_inputs[:6]]
    return ", ".join([*names, "…"] if len(block.control_inputs) > 6 else names)


def _identities(block: ControlBlock) -> tuple[tuple[int, str], ...]:
    """For each line that only names a tensor, a line that makes a node."""
    return tuple(
        (label.line, f"{'return' if label.name is None else f'{label.name} ='} tf.identity({label.value})")
        for label in labels(block)
        if label.made_at is not None and label.alone
    )
