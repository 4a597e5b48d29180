"""The gradient rule of a node: that of its op type, or one that the program registered in its place.

A rule is a function (op, *gradients of its outputs) -> gradients of its inputs, each a tensor, IndexedSlices or None. It hangs
from its op in the op tables (`@relu6.grad`); a program adds its own by `RegisterGradient`. `NotDifferentiable` is a rule's
place taken by a reason. State: `_named`, the rules and reasons that are registered by name.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..base.errors import error_text
from ..base.suggest import nearest
from ..graph.nodes import Operation
from ..op.definition import REGISTRY
from ..op.gradient_rules import DECLARED
from .types_without_table import REASON_OF

Rule = Callable[..., Any]


class Undifferentiable:
    """In place of a rule: the op passes no gradient on, for a reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


_named: dict[str, Rule | Undifferentiable] = {name: Undifferentiable(reason) for name, reason in REASON_OF.items()}


def rule_named(name: str) -> Rule | Undifferentiable | None:
    """The rule, or the reason for none, that is registered under that name or declared by the op type of that name."""
    rule = _named.get(name)
    if rule is None:
        definition = REGISTRY.get(name)
        if definition is not None:
            reason = definition.not_differentiable
            rule = definition.grad_rule if reason is None else Undifferentiable(reason)
    return rule


def _register(name: str, rule: Rule | Undifferentiable) -> None:
    if rule_named(name) is not None:
        raise KeyError(f"Registering two gradient with name '{name}'!")
    _named[name] = rule


class RegisterGradient:
    """`@RegisterGradient("MyRelu")` above a rule: nodes of that type, or those that `gradient_override_map` names, use it.

    Raises: TypeError for a name that is no text, KeyError for one that has a rule already.
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, rule: Rule) -> Rule:
        _register(self._op_type, _with_own_lines(rule))
        return rule


def _with_own_lines(rule: Rule) -> Rule:
    """The rule; its nodes name the rule's own lines instead of the line that called `gradients`."""

    @functools.wraps(rule)
    def apply(op: Operation, *gradients: Any) -> Any:
        with op.graph.attributed_to(None):
            return rule(op, *gradients)

    return apply


def not_differentiable(op_type: str) -> None:
    """Declares that nodes of that type pass no gradient on.

    Raises: TypeError for a name that is no text, KeyError for one that has a rule already.
    """
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _register(op_type, Undifferentiable(DECLARED))


def rule_of(op: Operation) -> Rule | None:
    """The rule for a node; None for one that passes no gradient on.

    Raises: LookupError when there is none.
    """
    name = op.attrs.get("_gradient_op_type", op.type)
    if isinstance(name, bytes):
        name = name.decode("utf-8", "replace")
    rule = rule_named(name)
    if rule is None:
        fix = "tf.stop_gradient keeps the gradient away from it, tf.RegisterGradient gives it a rule"
        if name != op.type:
            near = nearest(name, _named)
            fix = f"gradient_override_map names '{name}', which nobody registered" + (f": is it '{near}'?" if near else "")
        raise LookupError(
            error_text(f"No gradient defined for operation '{op.name}' (op type: {op.type})", fix=fix)
        )
    return None if isinstance(rule, Undifferentiable) else rule


def reason_of(op: Operation) -> str | None:
    """The code of the declared reason why the node passes no gradient on (message `flow.why.<code>`)."""
    rule = rule_named(op.type)
    return rule.reason if isinstance(rule, Undifferentiable) else None


__all__ = [
    "RegisterGradient", "Undifferentiable", "not_differentiable", "reason_of", "rule_named", "rule_of",
]  # fmt: skip
