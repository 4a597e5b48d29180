"""What a rule computes, in one line of mathematics: `formula(op)`, the same in every language. The ops declare it.

x is the input and y the output, a and b are two inputs; g is the gradient that arrived, dx, da, db are what is passed on.
[x > 0] is 1 where that holds and 0 elsewhere. a ⋆ b slides b over a, a ∗ b slides b turned round. Sums over repeated axes are
left out: the nodes show them. No state.
"""

from __future__ import annotations

from ..graph.nodes import Operation


def formula(op: Operation) -> str:
    """The formula of the node's own rule; "" where one line does not say it, or the program put another rule in its place."""
    if "_gradient_op_type" in op.attrs or op.attrs.get("transpose_a") or op.attrs.get("transpose_b"):
        return ""
    return (op.definition and op.definition.gradient) or ""


__all__ = ["formula"]
