"""jaxprs as records: `record_of_jaxpr(jax.make_jaxpr(f)(x))`. No state.

Each equation is a node; arguments are placeholders, constants and literals are constants, a Ref is a variable. What `jax.jit` and
the like call once is a scope with the equations inside; the bodies of `scan`, `while` and `cond` are scopes beside the equation.
`jax.named_scope` makes scopes. Control edges join equations with an ordered effect, and writes of a Ref with its other uses: jax
keeps them in the order of the equations.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ..labels import shorten
from ..make.graph_records import value_text
from ..records import GraphRecord, Role, SiteRecord
from .record_parts import DEEPEST, GraphReadError, Parts, Typed, Value

# Primitives whose equations run their jaxpr once, with their own inputs.
_CALLS: Final = frozenset(
    [
        "jit",
        "pjit",
        "closed_call",
        "core_call",
        "remat",
        "remat2",
        "checkpoint",
        "custom_jvp_call",
        "custom_vjp_call",
        "custom_vjp_call_jaxpr",
    ]
)
_SMALL: Final = 1000  # elements of a constant whose values are read from the device


def record_of_jaxpr(jaxpr: Any) -> GraphRecord:
    """The record of a ClosedJaxpr, or of a Jaxpr without the values of its constants.

    Raises: GraphReadError for jaxprs that are nested too deep; ResourceExhaustedError for one beyond the budget (tf.io.Budget).
    """
    reader = _Reader()
    reader.whole(*_opened(jaxpr))
    return reader.parts.record(listing=True)


def record_of_traced(traced: Any) -> GraphRecord:
    """The record of `jax.jit(f).trace(x)`. Raises: as record_of_jaxpr."""
    return record_of_jaxpr(traced.jaxpr)


def _opened(jaxpr: Any) -> tuple[Any, Sequence[Any]]:
    """A jaxpr, and the values of its constants where they are known."""
    return (jaxpr.jaxpr, jaxpr.consts) if hasattr(jaxpr, "consts") else (jaxpr, ())


class _Inner(NamedTuple):
    """A jaxpr in an equation's parameters. name: of the parameter, with the number in a tuple."""

    name: str
    jaxpr: Any


class _Body(NamedTuple):
    """A body that was added: the nodes of its arguments, -1 for a Ref, and its results."""

    arguments: list[int]
    results: list[Value]


class _Reader:
    """Adds jaxprs to `parts`."""

    def __init__(self) -> None:
        self.parts = Parts("The jaxpr")

    def whole(self, jaxpr: Any, consts: Sequence[Any]) -> None:
        """Adds the jaxpr that is shown, with its arguments and results."""
        debug = jaxpr.debug_info
        names = debug.arg_names or ()
        values: dict[Any, Value] = {}
        self._constants(jaxpr, consts, "", values)
        for number, var in enumerate(jaxpr.invars):
            name = names[number] if number < len(names) and names[number] else f"argument {number}"
            values[var] = self._input(name.replace("/", "∕"), var, "")
        results = self.equations(jaxpr, "", "", values, 0)
        output = self.parts.node("output", "output", role="noop", attrs=_paths(debug))
        for place, result in enumerate(results):
            self.parts.edge(result, output, place)

    def equations(
        self, jaxpr: Any, scope: str, stack: str, values: dict[Any, Value], depth: int
    ) -> list[Value]:
        """Adds the equations of a jaxpr, and answers its results. stack: the named scopes that `scope` stands for already."""
        if depth > DEEPEST:
            raise GraphReadError(f"jaxprs are nested more than {DEEPEST} deep")
        for equation in jaxpr.eqns:
            own = str(equation.source_info.name_stack)
            named = own.removeprefix(stack).strip("/")
            inside = f"{scope}/{named}" if named else scope
            inner = list(_inner(equation.params))
            if equation.primitive.name in _CALLS and inner and _fits(equation, inner[0].jaxpr):
                self._call(equation, inner[0].jaxpr, inside, values, depth)
            else:
                self._equation(equation, inner, inside, values, depth)
        return [self._value(var, scope, values) for var in jaxpr.outvars]

    # -- equations -------------------------------------------------------------------------------------------------------

    def _call(self, equation: Any, called: Any, scope: str, values: dict[Any, Value], depth: int) -> None:
        """The equations of a jaxpr that runs once, in a scope."""
        name = str(equation.params.get("name") or equation.primitive.name)
        inside = self.parts.place(name, scope)
        jaxpr, consts = _opened(called)
        known = {var: self._value(given, scope, values) for var, given in zip(jaxpr.invars, equation.invars)}
        self._constants(jaxpr, consts, inside, known)
        results = self.equations(jaxpr, inside, "", known, depth + 1)
        values.update({var: result for var, result in zip(equation.outvars, results) if not _is_dropped(var)})

    def _equation(
        self, equation: Any, inner: Sequence[_Inner], scope: str, values: dict[Any, Value], depth: int
    ) -> None:
        operands = [self._value(var, scope, values) for var in equation.invars]
        refs = {place: values[var] for place, var in enumerate(equation.invars) if _is_ref(var)}
        role = _role(equation, bool(inner))
        number = self.parts.node(
            equation.primitive.name,
            "",
            scope,
            role=role,
            outputs=[_typed(var.aval) for var in equation.outvars],
            attrs=[
                (name, _text(value))
                for name, value in equation.params.items()
                if not list(_inner({name: value}))
            ],
            site=self._site(equation),
            stateful=bool(equation.effects),
        )
        entering = self._bodies(equation, inner, number, operands, depth)
        for place, operand in enumerate(operands):
            if place not in entering:
                self.parts.edge(operand, number, place, "reference" if place in refs else "data")
        for place, var in enumerate(equation.outvars):
            if not _is_dropped(var):
                values[var] = Value(number, place)
        ordered = [
            type(effect).__name__
            for effect in equation.effects
            if type(effect).__name__.startswith("Ordered")
        ]
        for effect in sorted(ordered):
            self.parts.use(effect, number, writes=True)
        for ref in refs.values():
            self.parts.use(ref.node, number, writes=role != "read")

    def _bodies(
        self, equation: Any, inner: Sequence[_Inner], number: int, operands: Sequence[Value], depth: int
    ) -> set[int]:
        """Adds the bodies of an equation beside it; answers which operands enter them."""
        entering: set[int] = set()
        taken = len(operands)
        added: dict[str, _Body] = {}
        for name, body in inner:
            jaxpr, consts = _opened(body)
            inside = self.parts.place(name, self.parts.name(number))
            known: dict[Any, Value] = {}
            self._constants(jaxpr, consts, inside, known)
            places = _places(equation, name, len(jaxpr.invars))
            params: list[int] = []
            for place, var in zip(places, jaxpr.invars):
                if place is not None and _is_ref(var):
                    known[var] = operands[place]
                    params.append(-1)
                    continue
                known[var] = self._input(f"argument {len(params)}", var, inside)
                params.append(known[var].node)
                if place is not None:
                    self.parts.edge(operands[place], known[var].node, 0)
                    entering.add(place)
            added[name] = _Body(params, self.equations(jaxpr, inside, "", known, depth + 1))
            for result in added[name].results:
                self.parts.edge(result, number, taken)
                taken += 1
        for result, param in _carried(equation, added):
            if param >= 0 and result.node != param:
                self.parts.edge(result, param, 1)
        return entering

    # -- values ----------------------------------------------------------------------------------------------------------

    def _input(self, name: str, var: Any, scope: str) -> Value:
        is_ref = _is_ref(var)
        role: Role = "variable" if is_ref else "placeholder"
        outputs = [_typed(var.aval)]
        return Value(
            self.parts.node(
                "Ref" if is_ref else "argument",
                name,
                scope,
                role=role,
                outputs=outputs,
                stateful=is_ref,
                variable=is_ref,
            )
        )

    def _constants(self, jaxpr: Any, consts: Sequence[Any], scope: str, values: dict[Any, Value]) -> None:
        for number, var in enumerate(jaxpr.constvars):
            if _is_ref(var):
                values[var] = self._input(f"ref {number}", var, scope)
                continue
            attrs = (
                [("value", text) for text in _constant_text(consts[number])] if number < len(consts) else []
            )
            node = self.parts.node(
                "constant", "constant", scope, role="constant", outputs=[_typed(var.aval)], attrs=attrs
            )
            values[var] = Value(node)

    def _value(self, var: Any, scope: str, values: Mapping[Any, Value]) -> Value:
        """What makes a variable; a literal is a node of its own."""
        if not hasattr(var, "val"):
            return values[var]
        text = value_text(np.asarray(var.val))
        node = self.parts.node(
            "literal", text, scope, role="constant", outputs=[_typed(var.aval)], attrs=[("value", text)]
        )
        return Value(node)

    def _site(self, equation: Any) -> SiteRecord | None:
        """The innermost line that is in no file of jax."""
        import jax

        traceback = equation.source_info.traceback
        library = os.path.dirname(jax.__file__) + os.sep
        for frame in () if traceback is None else traceback.frames:
            if not frame.file_name.startswith(library):
                return self.parts.site(frame.file_name, frame.line_num)
        return None


# -- what an equation says of its bodies -----------------------------------------------------------------------------------


def _inner(params: Mapping[str, Any]) -> Iterator[_Inner]:
    """The jaxprs among parameters."""
    for name, value in params.items():
        if hasattr(value, "eqns"):
            yield _Inner(name, value)
        elif isinstance(value, (list, tuple)):
            for number, item in enumerate(value):
                if hasattr(item, "eqns"):
                    yield _Inner(f"{name} {number}", item)


def _fits(equation: Any, jaxpr: Any) -> bool:
    inner, _ = _opened(jaxpr)
    return len(inner.invars) == len(equation.invars) and len(inner.outvars) == len(equation.outvars)


def _places(equation: Any, name: str, count: int) -> Sequence[int | None]:
    """For each argument of a body the operand that enters it."""
    params, operands = equation.params, len(equation.invars)
    if (
        "cond_nconsts" in params
    ):  # a while: the constants of the condition, those of the body, and what is carried
        condition, body = params["cond_nconsts"], params["body_nconsts"]
        own = range(condition) if name == "cond_jaxpr" else range(condition, condition + body)
        return [*own, *range(condition + body, operands)]
    if count == operands:
        return range(operands)
    if count == operands - 1:  # the branches of a cond, whose number is the first operand
        return range(1, operands)
    return [None] * count


def _carried(equation: Any, bodies: Mapping[str, _Body]) -> Iterator[tuple[Value, int]]:
    """The results of a loop's body, each with an argument that it is in the next pass."""
    params = equation.params
    if "num_carry" in params and "jaxpr" in bodies:
        body = bodies["jaxpr"]
        yield from zip(body.results[: params["num_carry"]], body.arguments[params["num_consts"] :])
    if "body_nconsts" in params:
        results = bodies["body_jaxpr"].results
        yield from zip(results, bodies["cond_jaxpr"].arguments[params["cond_nconsts"] :])
        yield from zip(results, bodies["body_jaxpr"].arguments[params["body_nconsts"] :])


def _role(equation: Any, has_bodies: bool) -> Role:
    if has_bodies:
        return "control"
    effects = {type(effect).__name__ for effect in equation.effects}
    if effects & {"WriteEffect", "AccumEffect"}:
        return "update"
    return "read" if "ReadEffect" in effects else "op"


def _is_ref(var: Any) -> bool:
    return hasattr(var.aval, "inner_aval")


def _is_dropped(var: Any) -> bool:
    return type(var).__name__ == "DropVar"


# -- texts -----------------------------------------------------------------------------------------------------------------


def _typed(aval: Any) -> Typed:
    held = getattr(aval, "inner_aval", aval)
    if hasattr(held, "dtype") and hasattr(held, "shape"):
        sizes = [size if type(size) is int else str(size)[:40] for size in held.shape]
        return Typed(("ref " if held is not aval else "") + str(held.dtype), sizes)
    return Typed(shorten(str(aval), 60), (), shorten(str(aval), 60))


def _constant_text(value: Any) -> Iterator[str]:
    """The value of a small constant; a tracer has none."""
    if getattr(value, "size", _SMALL + 1) <= _SMALL and not hasattr(value, "_trace"):
        yield value_text(np.asarray(value))


def _text(value: Any) -> str:
    return (
        value_text(value)
        if not callable(value)
        else shorten(getattr(value, "__name__", type(value).__name__))
    )


def _paths(debug: Any) -> Iterator[tuple[str, str]]:
    for number, path in enumerate(debug.result_paths or ()):
        yield str(number), str(path)


__all__ = ["record_of_jaxpr", "record_of_traced"]
