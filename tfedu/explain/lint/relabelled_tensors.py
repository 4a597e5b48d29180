"""Which tensors a `with control_dependencies` block only gave a new name: `y = x`, which makes no node.

The graph does not know names of the program, so the block's own source is read (`relabels(graph)`); where it is not
at hand there are none. State: none (parsed files are kept as long as their text stays the same).
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
from ...engine.ops import basic, state

_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_READS = ("Identity", "ReadVariableOp")


@dataclass(frozen=True)
class Label:
    """One line `name = value` of a block, where the value is no more than a name itself."""

    line: int
    name: str | None  # None: it is returned
    value: str
    made_at: tuple[int, int] | None  # the lines of the statement that `value` was bound by
    alone: bool = True  # whether the line holds nothing else, so that other text may stand there


@dataclass(frozen=True)
class Relabel:
    """Tensors that already were, and a block that gave them another name."""

    block: ControlBlock
    label: Label
    tensors: tuple[Tensor, ...]

    def uses(self, tensor: Tensor) -> Iterator[tuple[Operation, int]]:
        """Where the program takes the tensor by the new name: consumers whose line mentions it, with the input."""
        site = self.block.site
        assert site is not None
        for consumer in dict.fromkeys(tensor.consumers()):
            if consumer.site is None or consumer.id < self.block.position or consumer.site.file != site.file:
                continue
            if self.label.name is None or not self._mentions(consumer.site.line):
                continue
            for index, taken in enumerate(consumer.inputs):
                if taken is tensor:
                    yield consumer, index

    def _mentions(self, line: int) -> bool:
        assert self.block.site is not None
        source = _parsed(self.block.site.file)
        return source is not None and self.label.name in source.names.get(line, ())


def relabels(graph: Graph) -> list[Relabel]:
    """The relabelled tensors of all blocks that wait for something."""
    found = []
    for block in graph.blocks:
        if block.site is None or block.cleared or not block.control_inputs:
            continue
        for label in labels(block):
            tensors = tuple(dict.fromkeys(_tensors(graph, block, label)))
            if tensors:
                found.append(Relabel(block, label, tensors))
    return found


def waiting_identity(copy: Copied, tensor: Tensor, waits: Sequence[Operation]) -> Tensor:
    """What `tf.identity(tensor)` under these control inputs would be: a new node in the copy, which waits for them."""
    read = tensor
    while read.op.type == "Identity":
        read = read.op.inputs[0]
    made: Tensor
    with copy.graph.as_default():
        if read.op.type == "ReadVariableOp":
            # A resource variable is read anew by each node that is made from it.
            made = state.read_variable(copy.of(read.op.inputs[0]), dtype=tensor.dtype)
        else:
            made = basic.identity(copy.of(tensor))
    for waited in waits:
        copy.graph.add_control_input(made.op, copy.of(waited))
    return made


def labels(block: ControlBlock) -> Sequence[Label]:
    """The lines of the block's own source that only give a name to what there is; none where it is not at hand."""
    site = block.site
    source = _parsed(site.file) if site is not None else None
    if site is None or source is None:
        return ()
    return source.labels.get(source.block_at(site), ())


def is_conditional(block: ControlBlock) -> bool:
    """Whether the block's own source makes nodes only where an `if` or a loop comes to it."""
    site = block.site
    source = _parsed(site.file) if site is not None else None
    return site is not None and source is not None and source.block_at(site) in source.conditional


def _tensors(graph: Graph, block: ControlBlock, label: Label) -> Iterator[Tensor]:
    """The tensors that the value's statement had made when the block was entered: its last result."""
    assert block.site is not None
    if label.made_at is None:
        return
    first, last = label.made_at
    made: list[Operation] = []
    for op in reversed(graph.operations[: block.position]):
        site = op.site
        of_statement = site is not None and site.file == block.site.file and first <= site.line <= last
        # The statement may have been carried out before (a function, a loop): only the last time counts.
        if of_statement and (not made or made[-1].id == op.id + 1):
            made.append(op)
        elif made:
            break
    if not made:
        return
    variables = [op for op in made if op.type in _VARIABLES]
    if not variables:
        yield from made[0].outputs
        return
    variable = variables[0]
    if variable.outputs[0].dtype.is_ref:
        yield variable.outputs[0]
    for op in made:
        if op.type in _READS and op.inputs[0] is variable.outputs[0]:
            yield op.outputs[0]


# -- reading the program ---------------------------------------------------------------------------------------------


class _Source:
    """One file: its blocks' labels, which blocks hold calls under `if` or a loop, and the names that each line mentions."""

    def __init__(self, tree: ast.Module) -> None:
        self.labels: dict[tuple[int, int], list[Label]] = {}
        self.conditional: set[tuple[int, int]] = set()
        self.heads: list[tuple[int, int, tuple[int, int]]] = []
        self.names: dict[int, set[str]] = {}
        self._begun = Counter(node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt))
        self._read(tree)

    def block_at(self, site: Site) -> tuple[int, int]:
        """The `with` statement whose head has this line."""
        found = [block for first, last, block in self.heads if first <= site.line <= last]
        return found[-1] if found else (0, 0)

    def _read(self, tree: ast.Module) -> None:
        # Nodes with the names bound in their function; a list as stack, so that deep programs do no harm.
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
        """A simple statement's lines all mention every name in it: a node is made at one of them."""
        if not isinstance(node, ast.stmt) or hasattr(node, "body"):
            return
        names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            self.names.setdefault(line, set()).update(names)

    def _block(self, node: ast.With | ast.AsyncWith, bound: dict[str, list[ast.stmt]]) -> None:
        key = (node.lineno, node.end_lineno or node.lineno)
        self.heads.append((node.lineno, max(item.context_expr.end_lineno or 0 for item in node.items), key))
        # A name that the block gives to something else later is only where a chain of nodes begins.
        stored = [n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self.labels[key] = [
            label
            for statement in _inside(node.body)
            for name, value in _renamings(statement)
            if not any(n.id == name and n.lineno > statement.lineno for n in stored)
            and (label := _label(statement, name, value, bound, self._begun[statement.lineno] == 1)) is not None
        ]
        if any(isinstance(s, (ast.If, ast.For, ast.While)) and _has_call(s) for s in node.body):
            self.conditional.add(key)


def _inside(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block, also under `if` and `for`, but not in blocks and functions of their own."""
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
    """The pairs (name, value) of a statement whose value is only a name."""
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
    """Whether each part of a statement only gives a name, so that a line for each can stand in its place."""
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
    made = _bound_before(value.id, statement.lineno, bound)
    # `x = v` before the block: follow the name to where it was made.
    seen = {value.id}
    while isinstance(made, ast.Assign) and isinstance(made.value, ast.Name) and made.value.id not in seen:
        seen.add(made.value.id)
        made = _bound_before(made.value.id, made.lineno, bound)
    made_at = None if made is None else (made.lineno, made.end_lineno or made.lineno)
    return Label(statement.lineno, name, value.id, made_at, is_only and _only_renames(statement))


def _bound_before(name: str, line: int, bound: dict[str, list[ast.stmt]]) -> ast.stmt | None:
    before = [statement for statement in bound.get(name, ()) if statement.lineno < line]
    return max(before, key=lambda statement: statement.lineno, default=None)


def _bindings(scope: ast.AST) -> dict[str, list[ast.stmt]]:
    """The statements of a function or module that bind each name, those of inner functions left out."""
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
        # A notebook's own commands are no Python: then the source is as good as not at hand.
        return None
    return _Source(tree)
