"""What adjoint, inverse, Cholesky factor, product and quotient of linear operators are, by their kinds.

A rule is registered for one class or a pair of classes; the nearest classes of the operators count. State: the tables of rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ..framework.scope_blocks import name_scope

Rule = Callable[..., Any]


class Rules:
    """The rules of one function of operators. label: the function's name in scopes and texts."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._rules: dict[tuple[type, ...], Rule] = {}

    def register(self, *classes: type) -> Callable[[Rule], Rule]:
        """A decorator: the rule holds for operators of these classes. Raises: ValueError for a second rule of theirs."""

        def keep(rule: Rule) -> Rule:
            if classes in self._rules:
                names = ", ".join(kind.__name__ for kind in classes)
                raise ValueError(
                    error_text(
                        f"{self._label}({names}) has already been registered to: {self._rules[classes]}"
                    )
                )
            self._rules[classes] = rule
            return rule

        return keep

    def __call__(self, *operators: Any, name: str | None = None) -> Any:
        """Applies the rule of the operators' classes or nearest base classes. Raises: NotImplementedError without a rule."""
        rule = self._nearest(tuple(type(operator) for operator in operators))
        if rule is None:
            names = ", ".join(type(operator).__name__ for operator in operators)
            raise NotImplementedError(error_text(f"No {self._label} registered for {names}"))
        with name_scope(name, self._label):
            return rule(*operators)

    def _nearest(self, classes: tuple[type, ...]) -> Rule | None:
        """The rule whose classes are together the fewest steps above the given ones; the first of equals."""
        best, fewest = None, None
        for kinds, rule in self._rules.items():
            if all(issubclass(given, kind) for given, kind in zip(classes, kinds)):
                steps = sum(given.__mro__.index(kind) for given, kind in zip(classes, kinds))
                if fewest is None or steps < fewest:
                    best, fewest = rule, steps
        return best


adjoint = Rules("Adjoint")
cholesky = Rules("Cholesky")
inverse = Rules("Inverse")
matmul = Rules("Matmul")
solve = Rules("Solve")
