"""`import_graph_def(message, name="imported")`: the nodes of a GraphDef become nodes of the default graph.

The steps are those of TF: check the message; create each node as soon as its inputs exist (in the order of the file, a loop's
Merge before its NextIteration) and infer its shapes. A failure leaves the graph as it was. No function recurses, because a
chain may be 100,000 nodes long. No state.
"""

from __future__ import annotations

import bisect
import heapq
import re
from collections.abc import Sequence
from typing import Any, Final

from ..base import budget as budgets
from ..base import errors, proto, shapes
from ..base import site as sites
from ..base.dtypes import DType
from ..base.errors import error_text
from ..base.foreign import foreign
from ..base.shapes import Shape, ShapeMismatch
from ..base.suggest import nearest
from ..graph import device as devices
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph, graph_of
from ..graph.nodes import Operation, Tensor
from ..graph.scopes import ControlBlock, control_inputs_for
from ..graph.transactions import drop
from ..lib.framework.scope_blocks import name_scope
from ..op.create import infer_shapes
from ..op.definition import REGISTRY
from ..ops.control_flow import MERGES, NEXTS
from . import graph_export, op_signatures
from .function_messages import CAPTURED_BY, Library
from .import_arguments import as_tensors, checked_elements, checked_map, tensor_name
from .import_budget import charge
from .node_checks import attributes_of, types_of
from .op_signatures import Signature, type_text

_LISTED: Final = 20  # types in an error
_NODE_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*\Z")

Source = tuple[int, int] | Tensor  # (index of the node in the file, output), or the tensor that input_map names


def import_graph_def(
    graph_def: Any,
    input_map: Any = None,
    return_elements: Any = None,
    name: str | None = None,
    op_dict: Any = None,
    producer_op_list: Any = None,
    *,
    budget: budgets.Budget | None = None,
) -> list[Any] | None:
    """Adds the nodes of `graph_def` to the default graph, under the name scope `name` ("import"; "" for none).

    input_map: {"x:0": tensor}: replacements for outputs (and, as "^x", for control inputs) of the file.
    return_elements: names of operations ("x") and tensors ("x:0") of the file; the function returns their new objects.
    producer_op_list: the ops of the program that wrote the file; drops unknown attributes that are at its defaults.
    budget: what the graph may expand to, by default that of the enclosing `with tf.io.Budget(…)`.
    Raises: TypeError for arguments of other types; ValueError for an invalid graph; ResourceExhaustedError for one that expands
    to more than the budget.
    """
    message = own_message(graph_def)
    charge(message, budget or budgets.current())
    with errors.memory_errors("when importing a graph"):
        return _imported(message, input_map, return_elements, name, producer_op_list)


def _imported(
    message: Any, input_map: Any, return_elements: Any, name: Any, producer_op_list: Any, library: Library | None = None
) -> list[Any] | None:
    """library: that of the file, where the message is the body of one of its functions."""
    mapped = checked_map(input_map)
    names_to_return = checked_elements(return_elements)
    if isinstance(name, bytes):
        name = name.decode("utf-8", "replace")
    graph = graph_of(v for v in mapped.values() if isinstance(v, Tensor)) or get_default_graph()
    graph._check_not_finalized()

    def imported() -> list[Any] | None:
        with graph.as_default():
            with name_scope(name, "import") as scope:
                targets = as_tensors(mapped, name)
            work = _Import(graph, message, scope[:-1], targets, producer_op_list, library)
            work.run()
            return None if names_to_return is None else [work.element(text) for text in names_to_return]

    return graph.attempt(imported)


def _body(message: Any, input_map: Any, return_elements: Any, library: Library) -> Any:
    """Adds the nodes of a function's body to the default graph; returns the elements."""
    return _imported(message, input_map, return_elements, "", None, library)


def own_message(graph_def: Any) -> Any:
    """The GraphDef in tfedu's message class; one of another package is parsed again.

    Raises: TypeError for anything else.
    """
    if isinstance(graph_def, proto.GraphDef):
        return graph_def
    if isinstance(graph_def, proto.Message) and type(graph_def).DESCRIPTOR.name == "GraphDef":
        return proto.GraphDef.FromString(graph_def.SerializeToString())
    raise TypeError(error_text("Argument `graph_def` must be a GraphDef proto."))


# -- the import ----------------------------------------------------------------------------------------------------


class _Node:
    """A node of the file: its edges, and how many of its inputs are pending, that is, not created yet."""

    __slots__ = ("inputs", "control_inputs", "pending", "consumers", "control_outputs", "is_loop", "op")

    def __init__(self) -> None:
        self.inputs: list[Source] = []
        self.control_inputs: list[int | Operation] = []
        self.pending = 0
        self.consumers: list[int] = []
        self.control_outputs: list[int] = []
        self.is_loop = False
        self.op: Operation | None = None


class _Import:
    """One import. `element` finds new objects by their names in the file."""

    def __init__(
        self, graph: Graph, message: Any, prefix: str, mapped: dict[tuple[str, int], Tensor], producer_ops: Any,
        library: Library | None,
    ) -> None:  # fmt: skip
        self.graph = graph
        self.message = message
        self.defs: Sequence[Any] = message.node
        self.prefix = prefix
        self.mapped = mapped
        self.used: set[tuple[str, int]] = set()
        self.producer_ops = {} if producer_ops is None else {op.name: op for op in producer_ops.op}
        self.site = sites.here()
        self.library = library or Library(message, _body)
        self.index: dict[str, int] = {}
        self.nodes: list[_Node] = []
        self.renamed: dict[str, str] = {}
        self.existing: list[str] = []  # the names in the graph before the import, sorted
        self.back_edges: list[tuple[Operation, int, int, int]] = []
        self.colocations: list[tuple[Operation, list[str]]] = []

    def run(self) -> None:
        """Raises: ValueError in TF's words."""
        self._check_versions()
        self._check_names()
        self._find_edges()
        self.existing = sorted(self.graph._by_name)
        graph = self.graph
        first = len(graph.operations)
        stack, context = graph._control_stack, graph._context
        stacks = graph._device_stack, graph._colocation_stack, graph._marks
        # The nodes have their own attributes and colocations; the enclosing device blocks apply to nodes without a device.
        graph._colocation_stack, graph._marks, graph._control_stack, graph._context = (), None, (), None
        try:
            self._create_all(stacks[0])
        finally:
            graph._device_stack, graph._colocation_stack, graph._marks = stacks
            graph._control_stack, graph._context = stack, context
        for op, at, source, output in self.back_edges:
            tensor = self._output(op.name, source, output)
            self._check_input(op.name, at, tensor, op.inputs[at].dtype)
            graph.update_input(op, at, tensor)
        self._add_to_blocks(graph.operations[first:], stack, context)
        for op, names in self.colocations:
            self._colocate(op, names)
        self._check_map_is_used()
        self._merge_versions()

    # -- checks of the message --

    def _check_versions(self) -> None:
        versions = self.message.versions
        if versions.min_consumer > graph_export.CONSUMER:
            raise ValueError(
                error_text(
                    f"GraphDef min consumer version {versions.min_consumer} above current version {graph_export.CONSUMER} for "
                    "TensorFlow 1.15.0.  Please upgrade TensorFlow."
                )
            )
        if graph_export.CONSUMER in versions.bad_consumers:
            raise ValueError(
                error_text(
                    f"GraphDef disallows consumer version {graph_export.CONSUMER}.  Please upgrade TensorFlow: "
                    "this version is likely buggy."
                )
            )

    def _merge_versions(self) -> None:
        """Merges the graph's versions with the file's: the older producer, the newer min_consumer."""
        new = self.message.versions
        old = graph_export.graph_versions(self.graph)
        merged = proto.VersionDef(
            producer=min(old.producer, new.producer), min_consumer=max(old.min_consumer, new.min_consumer)
        )
        merged.bad_consumers.extend(sorted({*old.bad_consumers, *new.bad_consumers}))
        self.graph.on_failure(graph_export.set_graph_versions, self.graph, old)
        graph_export.set_graph_versions(self.graph, merged)

    def _check_names(self) -> None:
        for at, node in enumerate(self.defs):
            name = node.name
            shown = name if len(name) <= 200 else f"{name[:200]}…"
            if not _NODE_NAME.match(name):
                raise ValueError(error_text(f"Node '{shown}': Node name contains invalid characters"))
            if not node.op:
                raise ValueError(error_text(f"Node '{shown}' does not specify an operation"))
            if name in self.index:
                raise ValueError(error_text(f"Node '{shown}' is not unique"))
            self.index[name] = at
            control_inputs_began = False
            for text in node.input:
                if text.startswith("^"):
                    control_inputs_began = True
                elif control_inputs_began:
                    raise ValueError(
                        error_text(f"Node '{shown}': Control dependencies must come after regular dependencies")
                    )

    def _find_edges(self) -> None:
        nodes = self.nodes = [_Node() for _ in self.defs]
        index = self.index
        mapped = self.mapped
        for at, definition in enumerate(self.defs):
            node = nodes[at]
            sources: list[int] = []
            control_sources: set[int | Operation] = set()
            for text in definition.input:
                if text.startswith("^"):
                    name, output = text[1:], -1
                else:
                    name, output = _parse_input(text)
                key = (name, output)
                if mapped and key in mapped:
                    self.used.add(key)
                    if output >= 0:
                        node.inputs.append(mapped[key])
                    elif mapped[key].op not in control_sources:
                        control_sources.add(mapped[key].op)
                        node.control_inputs.append(mapped[key].op)
                    continue
                source = index.get(name)
                if source is None:
                    shown = text if len(text) <= 200 else f"{text[:200]}…"
                    raise ValueError(error_text(f"Node '{definition.name}': Unknown input node '{shown}'"))
                if output >= 0:
                    node.inputs.append((source, output))
                    sources.append(source)
                    nodes[source].consumers.append(at)
                elif source not in control_sources:
                    control_sources.add(source)
                    node.control_inputs.append(source)
                    nodes[source].control_outputs.append(at)
            node.pending = len(sources) + sum(isinstance(source, int) for source in node.control_inputs)
            if definition.op in MERGES and any(self.defs[source].op in NEXTS for source in sources):
                # A loop's Merge needs only the input from outside the loop.
                node.is_loop = True
                node.pending += 1 - len(sources)

    # -- creating nodes --

    def _create_all(self, outer_devices: tuple[Any, ...]) -> None:
        nodes = self.nodes
        ready = [at for at, node in enumerate(nodes) if node.pending == 0]
        entered_loops: set[int] = set()
        created = 0
        while ready:
            at = heapq.heappop(ready)
            self._create(at, outer_devices)
            created += 1
            for consumer in nodes[at].consumers:
                if nodes[consumer].is_loop:
                    if consumer in entered_loops:
                        continue
                    entered_loops.add(consumer)
                nodes[consumer].pending -= 1
                if nodes[consumer].pending == 0:
                    heapq.heappush(ready, consumer)
            for consumer in nodes[at].control_outputs:
                nodes[consumer].pending -= 1
                if nodes[consumer].pending == 0:
                    heapq.heappush(ready, consumer)
        if created < len(nodes):
            raise ValueError(error_text(f"{len(nodes) - created} nodes in a cycle"))

    def _create(self, at: int, outer_devices: tuple[Any, ...]) -> None:
        definition = self.defs[at]
        node = self.nodes[at]
        signature = op_signatures.signature(definition.op)
        if signature is None:
            raise errors.NotFoundError(
                None, None, error_text(self._unknown_op_text(definition.op), fix=self._advice(definition.op))
            )
        name = self._free_name(definition.name)
        attrs, unfilled = attributes_of(definition, signature, name, self.producer_ops)
        self._read_functions(definition, signature, attrs)
        expected = types_of(signature.inputs, attrs, name, len(node.inputs) + _LISTED)
        if expected is None or len(expected) != len(node.inputs):
            type_names = ", ".join(type_text(t) for t in (expected or ())[:_LISTED])
            raise ValueError(
                error_text(
                    f"NodeDef expected inputs '{type_names}' do not match {len(node.inputs)} inputs specified; "
                    f"{op_signatures.summary(signature)}; NodeDef: {{{{node {name}}}}}"
                )
            )
        back_inputs = [
            i for i, source in enumerate(node.inputs) if isinstance(source, tuple) and self.nodes[source[0]].op is None
        ]
        inputs = self._inputs(node, definition.name, expected, back_inputs)
        types = types_of(signature.outputs, attrs, name)
        assert types is not None  # `charge` has counted them
        claimed = attrs.pop("_output_shapes", None)
        inferred = self._shapes(signature, name, inputs, attrs, len(types), bool(back_inputs))
        if claimed is not None:
            inferred = self._refined(name, inferred, claimed)
        groups = [g for g in attrs.get("_class", ()) if isinstance(g, bytes) and g.startswith(b"loc:@")]
        if "_class" in attrs:
            attrs["_class"] = self._groups(name, attrs["_class"])
            groups = [g for g in attrs["_class"] if g.startswith(b"loc:@")]
        graph = self.graph
        graph._device_stack = () if groups else (*outer_devices, *_device_entries(definition.device))
        control_inputs = tuple(self._control_input(source) for source in node.control_inputs)
        op = graph.add_node(
            definition.op, name, inputs, attrs, types, inferred, signature.definition, self.site, control_inputs
        )
        if unfilled is not None:
            op.unfilled_value = unfilled  # type: ignore[attr-defined]
        if groups:
            self.colocations.append((op, [g[5:].decode("utf-8", "replace") for g in groups]))
        node.op = op
        key = name.lower()
        if key not in graph._names:
            graph.on_failure(graph._names.pop, key, None)
            graph._names[key] = 1
        for i in back_inputs:
            source, output = node.inputs[i]  # type: ignore[misc]
            self.back_edges.append((op, i, source, output))

    def _read_functions(self, definition: Any, signature: Signature, attrs: dict[str, Any]) -> None:
        """Puts functions of the library in place of their names."""
        for attr in signature.attrs:
            if attr.kind != "func" or signature.definition is None:
                continue
            captured = len(attrs.get(CAPTURED_BY.get(attr.name, ""), ()))
            name = attrs[attr.name].name
            function = self.library.function(name, captured)
            if function is None:
                text = f"Node '{definition.name}': function '{name}' of attribute {attr.name} is not in the library"
                raise errors.NotFoundError(None, None, error_text(text))
            attrs[attr.name] = function

    def _control_input(self, source: int | Operation) -> Operation:
        if isinstance(source, Operation):
            return source
        op = self.nodes[source].op
        assert op is not None  # the pending count includes it
        return op

    def _inputs(
        self, node: _Node, name: str, expected: Sequence[DType], back_inputs: Sequence[int]
    ) -> tuple[Tensor, ...]:
        inputs: list[Tensor | None] = []
        for i, source in enumerate(node.inputs):
            if isinstance(source, Tensor):
                inputs.append(source)
            elif i in back_inputs:
                inputs.append(None)
            else:
                inputs.append(self._output(name, *source))
        # A back edge is set at the end; until then the tensor from outside the loop takes its place.
        from_outside = next((t for t in inputs if t is not None), None)
        tensors = tuple(from_outside if t is None else t for t in inputs)
        for i, (tensor, dtype) in enumerate(zip(tensors, expected)):
            if i not in back_inputs:
                self._check_input(self._full(name), i, tensor, dtype)
        return tensors  # type: ignore[return-value]

    def _output(self, taker: str, source: int, output: int) -> Tensor:
        op = self.nodes[source].op
        assert op is not None
        if output >= len(op.outputs):
            raise ValueError(
                error_text(
                    f"Node '{taker}': Connecting to invalid output {output} of source node {self.defs[source].name} which has "
                    f"{len(op.outputs)} outputs."
                )
            )
        return op.outputs[output]

    def _check_input(self, taker: str, at: int, tensor: Tensor, expected: DType) -> None:
        if tensor.dtype is expected or (not expected.is_ref and tensor.dtype.base_dtype is expected):
            return
        raise ValueError(
            error_text(
                f"Input {at} of node {taker} was passed {type_text(tensor.dtype)} from {tensor.name} incompatible with expected "
                f"{type_text(expected)}.",
                [tensor],
            )
        )

    def _shapes(
        self,
        signature: Signature,
        name: str,
        inputs: tuple[Tensor, ...],
        attrs: dict[str, Any],
        count: int,
        is_loop: bool,
    ) -> list[Shape]:
        d = signature.definition
        if d is None or is_loop:
            # A loop variable may have another shape after an iteration than from outside.
            return [None, ()] if is_loop and count == 2 else [None] * count
        try:
            inferred, _ = infer_shapes(d, inputs, attrs, name, self.site)
        except ValueError as error:
            if "\n  where: " in str(error):
                raise
            raise ValueError(error_text(f"{error} for '{name}' (op: '{d.type}')", inputs)) from None
        except MemoryError:
            raise
        except Exception as error:
            other = foreign(error)
            if other is not None:
                raise other from None
            # Shape rules expect attributes that the op's function has checked.
            raise ValueError(
                error_text(f"Node '{name}' (op: '{d.type}') does not fit its inputs and attributes: {error}", inputs)
            ) from None
        return [None] * count if inferred is None else inferred

    def _refined(self, name: str, inferred: list[Shape], claimed: list[Shape]) -> list[Shape]:
        if len(claimed) < len(inferred):
            raise ValueError(
                error_text(
                    f"Node '{name}' has {len(inferred)} outputs but the _output_shapes attribute specifies shapes for "
                    f"{len(claimed)} outputs"
                )
            )
        refined = []
        for i, (old, new) in enumerate(zip(inferred, claimed)):
            try:
                refined.append(shapes.merge(old, new))
            except ShapeMismatch as mismatch:
                first = f"Node '{name}' has an _output_shapes attribute inconsistent with the GraphDef for output #{i}"
                raise ValueError(error_text(f"{first}: {mismatch}")) from None
        return refined

    def _add_to_blocks(self, ops: list[Operation], stack: tuple[ControlBlock, ...], context: Any) -> None:
        """Adds the nodes to the enclosing control_dependencies blocks and to the enclosing branch or loop, as TF does."""
        graph = self.graph
        control_inputs = control_inputs_for(stack, ())
        if context is not None:
            for op in ops:
                op._context = context
        for op in ops if self.mapped or stack or context is not None else ():
            graph.check_inputs(op.type, op.name, op.inputs)
            for control_input in control_inputs:
                graph.add_control_input(op, control_input)
            for block in stack:
                graph.on_failure(drop, block.created, op)
                block.created.append(op)
            if context is not None:
                context.add_op(op)

    # -- names and devices --

    def _full(self, name: str) -> str:
        return f"{self.prefix}/{name}" if self.prefix else name

    def _is_scope(self, name: str) -> bool:
        """Whether the graph had nodes in a scope of this name before the import."""
        inside = f"{name}/"
        at = bisect.bisect_left(self.existing, inside)
        return at < len(self.existing) and self.existing[at].startswith(inside)

    def _free_name(self, original: str) -> str:
        full = name = self._full(original)
        count = 0
        existing = self.graph._by_name
        while name in existing or self._is_scope(name) or (count and name in self.index):
            count += 1
            name = f"{full}_{count}"
        if count:
            self.renamed[original] = name
        return name

    def _groups(self, name: str, groups: list[bytes]) -> list[bytes]:
        renamed = []
        for group in groups:
            if group.startswith(b"loc:@"):
                other = group[5:].decode("utf-8", "replace")
                if other not in self.index:
                    raise ValueError(
                        error_text(f"Node '{name}' expects to be colocated with unknown node '{other}'")
                    )
                group = b"loc:@" + self.renamed.get(other, self._full(other)).encode()
            renamed.append(group)
        return renamed

    def _colocate(self, op: Operation, names: list[str]) -> None:
        for name in names:
            other = self.graph._by_name.get(name)
            if other is None:
                raise ValueError(
                    error_text(f"Specified colocation to an op that does not exist during import: {name} in {op.name}")
                )
            if other.device:
                op.device = devices.DeviceSpec.from_string(other.device).to_string()
                return

    # -- results --

    def _check_map_is_used(self) -> None:
        missing = []
        for name, output in self.mapped:
            at = self.index.get(name)
            if (name, output) in self.used:
                continue
            if at is None or output >= len(self.nodes[at].op.outputs):  # type: ignore[union-attr]
                missing.append(f"^{name}" if output < 0 else f"{name}:{output}")
        if missing:
            raise ValueError(
                error_text(f"Attempted to map inputs that were not found in graph_def: [{', '.join(missing)}]")
            )

    def element(self, text: str) -> Any:
        """The new operation or tensor of a name in the file.

        Raises: ValueError for a name that the file does not have.
        """
        if ":" not in text:
            at = self.index.get(text)
            if at is None:
                raise ValueError(
                    error_text(f"Requested return node '{text}' not found in graph def", fix=self._suggestion(text))
                )
            return self.nodes[at].op
        name, output = tensor_name(text)
        if (name, output) in self.mapped:
            return self.mapped[name, output]
        at = self.index.get(name)
        if at is None:
            raise ValueError(
                error_text(f"Requested return tensor '{text}' not found in graph def", fix=self._suggestion(name))
            )
        op = self.nodes[at].op
        assert op is not None
        if output >= len(op.outputs):
            raise ValueError(
                error_text(f"Invalid return output {output} of node '{name}', which has {len(op.outputs)} output(s)")
            )
        return op.outputs[output]

    def _suggestion(self, name: str) -> str | None:
        if len(self.index) > 10_000 or len(name) > 200:
            return None
        near = nearest(name, self.index)
        return f"did you mean '{near}'?" if near else None

    def _unknown_op_text(self, type: str) -> str:
        shown = type if len(type) <= 200 else f"{type[:200]}…"
        return (
            f"Op type not registered '{shown}' in binary running on localhost. Make sure the Op and Kernel are registered in the "
            "binary running in this process."
        )

    def _advice(self, type: str) -> str | None:
        if any(function.signature.name == type for function in self.message.library.function):
            return "it is a function of the file's library (tf.function, Defun), which tfedu does not support"
        near = nearest(type, REGISTRY) if len(type) <= 200 else None
        return f"did you mean '{near}'?" if near else None


def _parse_input(text: str) -> tuple[str, int]:
    """(node, output) of an input; an invalid number remains part of the name, which is then not found."""
    name, colon, number = text.rpartition(":")
    if colon and number.isascii() and number.isdigit() and len(number) < 10 and (number == "0" or number[0] != "0"):
        return name, int(number)
    return text, 0


def _device_entries(device: str) -> tuple[Any, ...]:
    if not device:
        return ()
    try:
        return devices.entries(device)
    except (ValueError, TypeError) as error:
        raise ValueError(error_text(str(error).split("\n", 1)[0])) from None
