"""Functions as messages and back: `function_def(function, node_def)` writes one, `Library` reads those of a GraphDef.

A FunctionDef names its arguments, its nodes and what it returns; an input `mul:z:0` is output 0 of the output `z` of node `mul`.
No state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..base import dtypes, proto
from ..base.errors import error_text
from ..graph.default_graph import get_default_graph
from ..graph.nodes import Operation, Tensor
from ..op.function_graph import FunctionGraph
from .op_signatures import signature

# The attribute with a function -> the attribute that lists the dtypes of the tensors that it captures.
CAPTURED_BY = {
    "f": "Targuments", "predicate": "Targuments", "next_func": "Tnext_func_args", "finalize_func": "Tfinalize_func_args",
    "key_func": "Tkey_func_other_arguments", "reduce_func": "Treduce_func_other_arguments",
    "window_size_func": "Twindow_size_func_other_arguments", "init_func": "Tinit_func_other_arguments",
    "finalize_reduce_func": "Tfinalize_func_other_arguments",
}  # fmt: skip


def functions_in(operations: Iterable[Operation]) -> Iterator[FunctionGraph]:
    """The functions that nodes hold, and those that nodes of their bodies hold, each once."""
    seen: set[int] = set()
    stack = list(operations)[::-1]
    while stack:
        op = stack.pop()
        for value in op.attrs.values():
            if isinstance(value, FunctionGraph) and id(value) not in seen:
                seen.add(id(value))
                yield value
                stack += value.operations[::-1]


def function_def(function: FunctionGraph, node_def: Callable[..., Any]) -> Any:
    """The function as FunctionDef: its arguments first, then the captured tensors. node_def: writes a node."""
    message = proto.FunctionDef()
    message.signature.name = function.name
    inputs = [*function.arguments, *function.captures.values()]
    names = _unique([_plain(t.op.name) for t in inputs])
    texts = dict(zip(inputs, names))
    for tensor, name in zip(inputs, names):
        message.signature.input_arg.add(name=name, type=tensor.dtype.as_datatype_enum)
    for op in function.operations:
        if op.outputs and op.outputs[0] in texts:
            continue
        node = node_def(op, sort_control_inputs=True)
        waits = [text for text in node.input if text.startswith("^")]
        del node.input[:]
        node.input.extend([*(_source(t, texts) for t in op.inputs), *waits])
        message.node_def.append(node)
    results = _unique([_plain(t.op.name) for t in function.outputs])
    for tensor, name in zip(function.outputs, results):
        message.signature.output_arg.add(name=name, type=tensor.dtype.base_dtype.as_datatype_enum)
        message.ret[name] = _source(tensor, texts)
    return message


def _source(tensor: Tensor, arguments: dict[Tensor, str]) -> str:
    """The tensor as an input in a FunctionDef."""
    if tensor in arguments:
        return arguments[tensor]
    op, at = tensor.op, tensor.index
    declared = signature(op.type)
    for arg in () if declared is None else declared.outputs:
        count = (
            op.attrs[arg.number_attr] if arg.number_attr else len(op.attrs[arg.type_list_attr]) if arg.type_list_attr else 1
        )
        if at < count:
            return f"{op.name}:{arg.name}:{at}"
        at -= count
    return f"{op.name}:output:{at}"


def _plain(name: str) -> str:
    """A node's name as that of an argument: lower case letters, digits and _."""
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name.lower())


def _unique(names: list[str]) -> list[str]:
    taken: dict[str, int] = {}
    unique = []
    for name in names:
        count = taken.get(name, 0)
        taken[name] = count + 1
        unique.append(f"{name}_{count}" if count else name)
    return unique


# -- reading ----------------------------------------------------------------------------------------------------------------


class Library:
    """The functions of a GraphDef's library, each built when a node asks for it. add_nodes: builds the nodes of a body.

    State: those built, by name and number of captured tensors; those under construction.
    """

    def __init__(self, message: Any, add_nodes: Callable[..., Any]) -> None:
        self._add_nodes = add_nodes
        self._defs = {function.signature.name: function for function in message.library.function}
        self._built: dict[tuple[str, int], FunctionGraph] = {}
        self._open: set[str] = set()

    def function(self, name: str, captured: int) -> FunctionGraph | None:
        """The function of that name, the last `captured` of whose arguments are captured tensors; None if there is none.

        Raises: ValueError for a function that calls itself, or whose body is no graph.
        """
        found = self._built.get((name, captured))
        if found is not None:
            return found
        definition = self._defs.get(name)
        if definition is None:
            return None
        if name in self._open:
            raise ValueError(error_text(f"Function {name} of the file's library calls itself."))
        self._open.add(name)
        try:
            body = self._built[name, captured] = self._body(definition, captured)
        finally:
            self._open.discard(name)
        return body

    def _body(self, definition: Any, captured: int) -> FunctionGraph:
        body = FunctionGraph(definition.signature.name, get_default_graph())
        own = [arg.name for arg in definition.signature.input_arg]
        count = len(own) - captured
        if count < 0:
            text = f"Function {body.name} takes {len(own)} arguments, but its node has {captured} tensors for it."
            raise ValueError(error_text(text))
        with body.as_default():
            for arg in definition.signature.input_arg:
                body.add_argument(dtypes.as_dtype(arg.type), None, arg.name)
            tensors = dict(zip(own, body.arguments))
            message = proto.GraphDef()
            message.node.extend(definition.node_def)
            places = {node.name: node.op for node in definition.node_def}
            input_map = {f"{name}:0": tensor for name, tensor in tensors.items()}
            for node in message.node:
                texts = [_in_graph(text, places, node) for text in node.input]
                del node.input[:]
                node.input.extend(texts)
            returned = [_in_graph(definition.ret[arg.name], places, None) for arg in definition.signature.output_arg]
            outputs = self._import(message, input_map, returned, tensors)
        body.captures = {tensor: tensor for tensor in body.arguments[count:]}
        del body.arguments[count:]
        body.close(outputs)
        return body

    def _import(
        self, message: Any, input_map: dict[str, Tensor], returned: list[str], arguments: dict[str, Tensor]
    ) -> list[Tensor]:
        used = {text for node in message.node for text in node.input}
        mapped = {name: tensor for name, tensor in input_map.items() if name.removesuffix(":0") in used}
        computed = [text for text in returned if text not in arguments]
        names = [text if ":" in text else f"{text}:0" for text in computed]
        found = dict(zip(computed, self._add_nodes(message, mapped, names, self) or ()))
        return [arguments[text] if text in arguments else found[text] for text in returned]


def _in_graph(text: str, types: dict[str, str], node: Any) -> str:
    """An input of a FunctionDef as one of a GraphDef: `mul:z:0` is `mul`."""
    if text.startswith("^") or text.count(":") != 2:
        return text
    name, output, at = text.split(":")
    declared = signature(types.get(name, ""))
    before = 0
    for arg in () if declared is None else declared.outputs:
        if arg.name == output or (arg.is_list and len(declared.outputs) == 1):  # type: ignore[union-attr]
            break
        before += 1
    place = before + int(at) if at.isdigit() else 0
    return f"{name}:{place}" if place else name


__all__ = ["CAPTURED_BY", "Library", "function_def", "functions_in"]
