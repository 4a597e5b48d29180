"""StableHLO and other MLIR of JAX as records: `record_of_lowered(jax.jit(f).lower(x))`, `record_of_stablehlo(text)`. No state.

Each operation is a node. A call of a function of the module is the function's operations in a scope; the regions of a `while`,
`case`, … are scopes beside the operation. A token makes control edges. JAX reads the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, Final, NamedTuple

from ..labels import shorten
from ..records import GraphRecord, SiteRecord
from .hlo_text import dtype_name, named_scope
from .record_parts import DEEPEST, TOKEN, GraphReadError, Parts, Typed, Value, library

_ELEMENTS: Final = 16  # elements of a constant that are told
_DEEPEST_TEXT: Final = 500  # brackets in brackets, since jaxlib's parser calls itself for each
_TENSOR: Final = re.compile(r"tensor<(?P<sizes>(?:[\d?]+x)*)(?P<dtype>[^,<>]+(?:<[^<>]*>)?)")
_LINE: Final = re.compile(r'"(?P<file>[^"\n]+)":(?P<line>\d{1,9}):\d')
_LOCATION: Final = 4000  # characters of a location that are searched
_NAMED: Final = re.compile(r'loc\("(?P<name>[^"]*)"')


def record_of_lowered(lowered: Any) -> GraphRecord:
    """The record of `jax.jit(f).lower(x)`. Raises: as record_of_stablehlo."""
    return _record(lowered.compiler_ir("stablehlo"), reads_lines=True)


def record_of_stablehlo(text: str) -> GraphRecord:
    """The record of the text of a StableHLO module.

    Raises: ImportError without jax; GraphReadError for text that cannot be read; ResourceExhaustedError for a graph beyond the
    budget (tf.io.Budget).
    """
    mlir = library("jax.interpreters.mlir", "StableHLO text")
    ir = library("jax.extend.mlir.ir", "StableHLO text")
    _check_depth(text)
    with mlir.make_ir_context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        try:
            module = ir.Module.parse(text)
        except (ir.MLIRError, ValueError) as error:
            raise GraphReadError(f"the StableHLO text is damaged: {shorten(str(error), 400)}") from None
        return _record(module, reads_lines=False)


def _check_depth(text: str) -> None:
    depth = deepest = 0
    for mark in re.finditer(r"[({<\[]|[)}>\]]", text):
        depth += 1 if mark[0] in "({<[" else -1
        deepest = max(deepest, depth)
    if deepest > _DEEPEST_TEXT:
        raise GraphReadError(f"the StableHLO text has brackets nested more than {_DEEPEST_TEXT} deep")


def _record(module: Any, reads_lines: bool) -> GraphRecord:
    """reads_lines: whether the program's lines are read from its files; those that a text names are not."""
    reader = _Reader(module, reads_lines)
    reader.whole()
    return reader.parts.record(listing=reads_lines)


class _Region(NamedTuple):
    """A region that was added: its arguments, and what it gives."""

    arguments: list[Value]
    results: list[Value]


class _Reader:
    """Adds functions to `parts`."""

    def __init__(self, module: Any, reads_lines: bool) -> None:
        self.parts = Parts("The StableHLO module")
        self._reads_lines = reads_lines
        self._functions: dict[str, Any] = {}
        for operation in module.body.operations:
            if operation.operation.name == "func.func":
                self._functions[operation.name.value] = operation

    def whole(self) -> None:
        """Adds the function that runs: the one called main, or the first public one."""
        visible = [function for function in self._functions.values() if _is_public(function)]
        main = self._functions.get("main") or next(iter(visible or self._functions.values()), None)
        if main is None:
            raise GraphReadError("the StableHLO module has no function")
        if not main.regions[0].blocks:
            raise GraphReadError("the function that the StableHLO module runs has no body")
        block = main.regions[0].blocks[0]
        values = {value: self._argument(value, "", number) for number, value in enumerate(block.arguments)}
        results = self._block(block, "", values, 0, has_scopes=True)
        output = self.parts.node("return", "output", role="noop")
        for place, result in enumerate(results):
            self.parts.join(result, output, place)

    def _argument(self, value: Any, scope: str, number: int) -> Value:
        return Value(
            self.parts.node(
                "argument", f"argument {number}", scope, role="placeholder", outputs=[_typed(value.type)]
            )
        )

    def _block(
        self, block: Any, scope: str, values: dict[Any, Value], depth: int, has_scopes: bool = False
    ) -> list[Value]:
        """Adds the operations of a block; answers what its last one, a return, gives."""
        if depth > DEEPEST:
            raise GraphReadError(
                f"regions and calls are nested more than {DEEPEST} deep, or a function calls itself"
            )
        results: list[Value] = []
        for view in block.operations:
            operation = view.operation
            operands = [values[value] for value in operation.operands]
            if operation.name.rpartition(".")[2] == "return" and not operation.results:
                results = operands
                continue
            location = str(operation.location)[:_LOCATION]
            inside = f"{scope}/{_named_scope(location)}" if has_scopes else scope
            called = self._called(operation)
            if called is not None:
                results_of_call = self._call(called, operands, inside, depth)
            else:
                number = self._operation(operation, operands, values, inside, location, depth)
                results_of_call = [Value(number, place) for place in range(len(operation.results))]
            values.update(zip(operation.results, results_of_call))
        return results

    def _called(self, operation: Any) -> Any:
        """The function that an operation calls, where it has a body."""
        if operation.name not in ("func.call", "call"):
            return None
        function = self._functions.get(operation.attributes["callee"].value)
        return function if function is not None and function.regions[0].blocks else None

    def _call(self, function: Any, operands: Sequence[Value], scope: str, depth: int) -> list[Value]:
        inside = self.parts.place(function.name.value, scope)
        block = function.regions[0].blocks[0]
        return self._block(block, inside, dict(zip(block.arguments, operands)), depth + 1)

    def _operation(
        self,
        operation: Any,
        operands: Sequence[Value],
        values: Mapping[Any, Value],
        scope: str,
        location: str,
        depth: int,
    ) -> int:
        regions = [region.blocks[0] for region in operation.regions if region.blocks]
        attrs = dict(_attrs(operation))
        # The region of a sum and the like has one operation, which says it all.
        if len(regions) == 1 and len(regions[0].operations) == 2 and len(regions[0].arguments):
            attrs["applies"] = _name(regions.pop().operations[0].operation.name)
        name = _name(operation.name)
        number = self.parts.node(
            name,
            "",
            scope,
            role="control" if regions else "constant" if not operands and "value" in attrs else "op",
            outputs=[_typed(result.type) for result in operation.results],
            attrs=attrs,
            site=self._site(location),
            stateful=attrs.get("has_side_effect") == "true",
        )
        entering: set[int] = set()
        added: list[_Region] = []
        taken = len(operands)
        for place, block in enumerate(regions):
            inside = self.parts.place(
                f"region {place}" if name != "while" else ("cond", "do")[place], self.parts.name(number)
            )
            arguments = [self._argument(value, inside, order) for order, value in enumerate(block.arguments)]
            inner = {**values, **dict(zip(block.arguments, arguments))}
            added.append(_Region(arguments, self._block(block, inside, inner, depth + 1)))
            if len(arguments) == len(operands):
                for operand, argument in zip(operands, arguments):
                    self.parts.join(operand, argument.node, 0)
                entering = set(range(len(operands)))
            for result in added[-1].results:
                self.parts.join(result, number, taken)
                taken += 1
        if name == "while" and len(added) == 2:
            for region in added:
                for result, argument in zip(added[1].results, region.arguments):
                    if result != argument:
                        self.parts.join(result, argument.node, 1)
        for place, operand in enumerate(operands):
            if place not in entering:
                self.parts.join(operand, number, place)
        return number

    def _site(self, location: str) -> SiteRecord | None:
        """The innermost line of an operation's location."""
        found = _LINE.search(location)
        source = None if self._reads_lines else ""
        return None if found is None else self.parts.site(found["file"], int(found["line"]), source)


def _is_public(function: Any) -> bool:
    attributes = function.operation.attributes
    return "sym_visibility" not in attributes or attributes["sym_visibility"].value != "private"


def _name(name: str) -> str:
    """An operation's name, without the dialect that most of them are of."""
    return name.removeprefix("stablehlo.")


def _named_scope(location: str) -> str:
    found = _NAMED.match(location)
    return "" if found is None else named_scope(found["name"])


def _attrs(operation: Any) -> Iterator[tuple[str, str]]:
    """The attributes as text; of a large constant only its type."""
    for named in operation.attributes:
        name, value = (
            (named.name, named.attr) if hasattr(named, "attr") else (named, operation.attributes[named])
        )
        kind = getattr(value, "type", None)
        sizes = getattr(kind, "shape", ())
        is_large = bool(sizes) and prod(sizes) > _ELEMENTS and not getattr(value, "is_splat", False)
        yield name, str(kind) if is_large else shorten(str(value), 400)


def _typed(kind: Any) -> Typed:
    text = str(kind)
    if text == "!stablehlo.token":
        return Typed(TOKEN, (), TOKEN)
    found = _TENSOR.match(text)
    if found is None:
        return Typed(shorten(text, 60), None, shorten(text, 60))
    sizes = [None if size == "?" else int(size) for size in found["sizes"].split("x")[:-1]]
    return Typed(_dtype(found["dtype"]), sizes)


def _dtype(name: str) -> str:
    """The dtype that MLIR calls f32, i32, ui8, i1, …"""
    if name == "i1":
        return "bool"
    if re.fullmatch(r"u?i\d+", name):
        return f"uint{name[2:]}" if name[0] == "u" else f"int{name[1:]}"
    complex_of = re.fullmatch(r"complex<f(32|64)>", name)
    return f"complex{2 * int(complex_of[1])}" if complex_of else dtype_name(name)


__all__ = ["record_of_lowered", "record_of_stablehlo"]
