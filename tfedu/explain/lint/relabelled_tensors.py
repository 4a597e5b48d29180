"""Tensors that a `with control_dependencies` block only gave a new name, as `y = x` does, which makes no node.

The graph does not know the program's names, so `relabels(graph)` reads the block's source; without it there are none.
No state but a cache of parsed texts.
"""

from __future__ import annotations

import ast
import linecache
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...engine.base.site import Site
from ...engine.graph.copies import Copied
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation, Tensor
from ...engine.graph.scopes import ControlBlock
from ...engine.op.definition import role_of
from ...engine.ops import basic, state
from ...engine.ops.state import VARIABLES, is_variable_read


@dataclass(frozen=True)
class Label:
    """A line `name = value` of a block whose value is only a name.

    name: None for `return value`. made_at: the first and last line of the statement that made `value`, where that is known.
    alone: whether the line has no other statement, so that a fix may replace it.
    """

    line: int
    name: str | None
    value: str
    made_at: tuple[int, int] | None
    alone: bool = True


@dataclass(frozen=True)
class Relabel:
    """Older tensors, and the block and line that gave them a new name."""

    block: ControlBlock
    label: Label
    tensors: tuple[Tensor, ...]

    def uses(self, tensor: Tensor) -> Iterator[tuple[Operation, int]]:
        """The consumers whose line mentions the new name, each with the index of its input."""
        site = self.block.site
        assert site is not None
        for consumer in dict.fromkeys(tensor.consumers()):
            if consumer.site is None or consumer.id < self.block.position or consumer.site.file != site.file:
                continue
            if self.label.name is None or not self._mentions(consumer.site.line):
                continue
            for index, input_tensor in enumerate(consumer.inputs):
                if input_tensor is tensor:
                    yield consumer, index

    def _mentions(self, line: int) -> bool:
        assert self.block.site is not None
        source = _parsed(self.block.site.file)
        return source is not None and self.label.name in source.names.get(line, ())


def relabels(graph: Graph) -> list[Relabel]:
    """The relabelled tensors of all blocks with control inputs."""
    result = []
    for block in graph.blocks:
        if block.site is None or block.cleared or not block.control_inputs:
            continue
        for label in labels(block):
            tensors = tuple(dict.fromkeys(_tensors(graph, block, label)))
            if tensors:
                result.append(Relabel(block, label, tensors))
    return result


def waiting_identity(copy: Copied, tensor: Tensor, waits: Sequence[Operation]) -> Tensor:
    """`tf.identity(tensor)` as a new node of the copy that waits for these nodes."""
    source = tensor
    while role_of(source.op) == "identity":
        source = source.op.inputs[0]
    identity: Tensor
    with copy.graph.as_default():
        if is_variable_read(source.op):
            # tf.identity of a resource variable makes a new read of it.
            identity = state.read_variable(copy.of(source.op.inputs[0]), dtype=tensor.dtype)
        else:
            identity = basic.identity(copy.of(tensor))
    for waited in waits:
        copy.graph.add_control_input(identity.op, copy.of(waited))
    return identity


def labels(block: ControlBlock) -> Sequence[Label]:
    """The lines of the block's source that only name a value; none without the source."""
    site = block.site
    source = _parsed(site.file) if site is not None else None
    if site is None or source is None:
        return ()
    return source.labels.get(source.block_at(site), ())


def is_conditional(block: ControlBlock) -> bool:
    """Whether the block's source has calls under an `if` or in a loop, which may not have run."""
    site = block.site
    source = _parsed(site.file) if site is not None else None
    return site is not None and source is not None and source.block_at(site) in source.conditional


def _tensors(graph: Graph, block: ControlBlock, label: Label) -> Iterator[Tensor]:
    """The outputs of the statement that made the label's value, as they were when the program entered the block."""
    assert block.site is not None
    if label.made_at is None:
        return
    first, last = label.made_at
    nodes: list[Operation] = []
    for op in reversed(graph.operations[: block.position]):
        site = op.site
        of_statement = site is not None and site.file == block.site.file and first <= site.line <= last
        # Only the statement's last execution counts: in a function or loop it may have had several.
        if of_statement and (not nodes or nodes[-1].id == op.id + 1):
            nodes.append(op)
        elif nodes:
            break
    if not nodes:
        return
    variables = [op for op in nodes if op.type in VARIABLES]
    if not variables:
        yield from nodes[0].outputs
        return
    variable = variables[0]
    if variable.outputs[0].dtype.is_ref:
        yield variable.outputs[0]
    for op in nodes:
        if (is_variable_read(op) or role_of(op) == "identity") and op.inputs[0] is variable.outputs[0]:
            yield op.outputs[0]


# -- reading the program ---------------------------------------------------------------------------------------------


class _Source:
    """A file's blocks and names.

    labels, conditional: by the lines of a block, its labels, and whether it has calls under an `if` or in a loop. heads: first
    and last line of each `with`'s head, with the block. names: the names that each line mentions.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.labels: dict[tuple[int, int], list[Label]] = {}
        self.conditional: set[tuple[int, int]] = set()
        self.heads: list[tuple[int, int, tuple[int, int]]] = []
        self.names: dict[int, set[str]] = {}
        self._statements = Counter(node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt))
        self._read(tree)

    def block_at(self, site: Site) -> tuple[int, int]:
        """The innermost `with` statement whose head has this line."""
        blocks = [block for first, last, block in self.heads if first <= site.line <= last]
        return blocks[-1] if blocks else (0, 0)

    def _read(self, tree: ast.Module) -> None:
        # Pairs (node, bindings of its function); no recursion, so that deeply nested programs are fine.
        stack: list[tuple[ast.AST, dict[str, list[ast.stmt]]]] = [(tree, {})]
        while stack:
            node, bound = stack.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module, ast.Lambda)):
                bound = _bindings(node)
            if isinstance(node, (ast.With, ast.AsyncWith)):
                self._block(node, bound)
            self._mention(node)
            stack.extend([(child, bound) for child in ast.iter_child_nodes(node)])
        self.heads.sort()

    def _mention(self, node: ast.AST) -> None:
        """Notes the names of a simple statement on all its lines: the site of a node is one of them."""
        if not isinstance(node, ast.stmt) or hasattr(node, "body"):
            return
        names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            self.names.setdefault(line, set()).update(names)

    def _block(self, node: ast.With | ast.AsyncWith, bound: dict[str, list[ast.stmt]]) -> None:
        key = (node.lineno, node.end_lineno or node.lineno)
        self.heads.append((node.lineno, max(item.context_expr.end_lineno or 0 for item in node.items), key))
        # A name that the block binds again later only starts a chain of nodes.
        stored = [n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self.labels[key] = [
            label
            for statement in _statements_in(node.body)
            for name, value in _renamings(statement)
            if not any(n.id == name and n.lineno > statement.lineno for n in stored)
            and (label := _label(statement, name, value, bound, self._statements[statement.lineno] == 1)) is not None
        ]
        if any(isinstance(s, (ast.If, ast.For, ast.While)) and _has_call(s) for s in node.body):
            self.conditional.add(key)


def _statements_in(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block, also those under `if` and `for`, but not those of inner blocks and functions."""
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        yield statement
        if isinstance(statement, (ast.If, ast.For, ast.While, ast.Try)):
            inner = [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt)]
            stack.extend(reversed(inner))


def _has_call(statement: ast.stmt) -> bool:
    return any(isinstance(inner, ast.Call) for inner in ast.walk(statement))


def _renamings(statement: ast.stmt) -> Iterator[tuple[str | None, ast.expr]]:
    """The pairs (name, value) that a statement binds where the value is only a name; name None for `return`."""
    pairs: list[tuple[ast.expr | None, ast.expr | None]] = []
    if isinstance(statement, ast.Assign):
        pairs = [(target, statement.value) for target in statement.targets]
    elif isinstance(statement, ast.AnnAssign):
        pairs = [(statement.target, statement.value)]
    elif isinstance(statement, ast.Return):
        pairs = [(None, statement.value)]
    while pairs:
        target, value = pairs.pop()
        if isinstance(value, (ast.Tuple, ast.List)):
            targets = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target] * len(value.elts)
            if len(targets) == len(value.elts):
                pairs.extend(zip(targets, value.elts))
        elif isinstance(value, ast.Name):
            yield (target.id if isinstance(target, ast.Name) else None), value


def _only_renames(statement: ast.stmt) -> bool:
    """Whether all that a statement binds are names, so that one line for each may replace it."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [None]
    parts = sum(len(target.elts) if isinstance(target, (ast.Tuple, ast.List)) else 1 for target in targets)
    return len(list(_renamings(statement))) == parts


def _label(
    statement: ast.stmt,
    name: str | None,
    value: ast.expr,
    bound: dict[str, list[ast.stmt]],
    is_only: bool,
) -> Label | None:
    assert isinstance(value, ast.Name)
    maker = _bound_before(value.id, statement.lineno, bound)
    # Follow `x = v` before the block to the statement that made v.
    visited = {value.id}
    while isinstance(maker, ast.Assign) and isinstance(maker.value, ast.Name) and maker.value.id not in visited:
        visited.add(maker.value.id)
        maker = _bound_before(maker.value.id, maker.lineno, bound)
    made_at = None if maker is None else (maker.lineno, maker.end_lineno or maker.lineno)
    return Label(statement.lineno, name, value.id, made_at, is_only and _only_renames(statement))


def _bound_before(name: str, line: int, bound: dict[str, list[ast.stmt]]) -> ast.stmt | None:
    """The last statement before the line that binds the name."""
    earlier = [statement for statement in bound.get(name, ()) if statement.lineno < line]
    return max(earlier, key=lambda statement: statement.lineno, default=None)


def _bindings(scope: ast.AST) -> dict[str, list[ast.stmt]]:
    """The statements of a function or module that bind each name, without those of inner functions."""
    bound: dict[str, list[ast.stmt]] = {}
    stack = list(ast.iter_child_nodes(scope))
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for inner in ast.walk(target):
                    if isinstance(inner, ast.Name):
                        bound.setdefault(inner.id, []).append(node)
        stack.extend(ast.iter_child_nodes(node))
    return bound


def _parsed(file: str) -> _Source | None:
    lines = linecache.getlines(file)
    return _parse("".join(lines)) if lines else None


@lru_cache(maxsize=64)
def _parse(text: str) -> _Source | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        # A notebook's magic commands are not Python: the same as without the source.
        return None
    return _Source(tree)
