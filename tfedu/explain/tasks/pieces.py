"""A function that builds a graph, in pieces: `pieces_of(function)`, `pieces_of_lines(lines, names)`.

A piece is a statement with holes for what other pieces give.

`x = tf.Variable(0.0)` gives x and has no hole; `y = tf.identity(x)` gives y and has one. What stands in a
`with tf.control_dependencies([up])` waits for up: that is an edge as well, and no text of the piece. No state.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ...view.records import Role

# An edge: source piece, index of its name, target piece, index of its hole; the hole WAITS is an edge of order alone.
Edge = tuple[int, int, int, int]
WAITS: Final = -1

_HOLE: Final = re.compile(r"_hole_(\d+)_")
_ROLES: Final[dict[str, Role]] = {
    "Variable": "variable", "get_variable": "variable", "placeholder": "placeholder", "constant": "constant",
    "zeros": "constant", "ones": "constant", "identity": "read", "read_value": "read", "assign": "update",
    "assign_add": "update", "assign_sub": "update", "no_op": "noop", "group": "noop", "cond": "control", "while_loop": "control",
}  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """A statement in parts with a hole between each two.

    gives: the names that it binds. model: the misconception in which a wrong piece is right.
    """

    id: int
    parts: tuple[str, ...]
    gives: tuple[str, ...]
    role: Role = "op"
    model: str = ""
    is_wrong: bool = False

    @property
    def holes(self) -> int:
        return len(self.parts) - 1

    @property
    def returns(self) -> bool:
        """Whether it is the `return`, which names the fetches."""
        return self.parts[0].startswith("return")

    @property
    def name(self) -> str:
        """Its name in the picture."""
        return ", ".join(self.gives) or ("return" if self.returns else self.text([]))

    def text(self, names: Iterable[str]) -> str:
        """The statement with these names in its holes, and three dots in the others."""
        filled = [*names, *["..."] * self.holes]
        return "".join(part + name for part, name in zip(self.parts, [*filled[: self.holes], ""]))


@dataclass(frozen=True)
class Program:
    """A function in pieces, with the edges between them. names: the global and closure names that its code uses."""

    name: str
    pieces: tuple[Piece, ...]
    edges: tuple[Edge, ...]
    names: Mapping[str, Any]


def pieces_of(function: Callable[[], Any]) -> Program:
    """The pieces of a function without parameters whose last statement is a `return`.

    Raises: TypeError for any other object, ValueError for a function whose source cannot be split into pieces, with the line.
    """
    if not inspect.isfunction(function) or inspect.signature(function).parameters:
        raise TypeError(
            f"expected a function without parameters that builds a graph, not {type(function).__name__}\n"
            "  fix: def program(): x = tf.Variable(0.0); return x"
        )
    try:
        source = textwrap.dedent(inspect.getsource(function))
        (tree,) = ast.parse(source).body
    except (OSError, SyntaxError, ValueError) as error:
        text = f"the text of {function.__name__} cannot be read: {error}"
        raise ValueError(f"{text}\n  fix: define it by `def` in a cell or a file") from None
    if not isinstance(tree, ast.FunctionDef):
        raise ValueError(f"{function.__name__} is no function defined by `def`")
    reader = _Reader()
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    reader.read(body, ())
    if not reader.pieces or not reader.pieces[-1].returns or any(p.returns for p in reader.pieces[:-1]):
        raise ValueError(f"{function.__name__} must end with its one `return`, which says what is fetched")
    names = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    return Program(function.__name__, tuple(reader.pieces), tuple(reader.edges), names)


def pieces_of_lines(lines: Sequence[str], names: Mapping[str, Any]) -> Program:
    """Pieces from lines with three dots for each hole; no edges. names: the global names that the lines may use.

    The lines will run, so they must be texts that the caller gives, in a list or tuple: no open file, path or record.
    Raises: TypeError for anything else, ValueError unless each is one statement, and one of them a `return`.
    """
    reader = _Reader()
    for line in given_texts(lines):
        reader.read_open(_statement(line))
    if sum(piece.returns for piece in reader.pieces) != 1:
        raise ValueError("one of the lines has to be a `return`, which says what is fetched\n  fix: 'return ...'")
    return Program("program", tuple(reader.pieces), (), dict(names))


def given_texts(lines: Any) -> list[str]:
    """Lines of code that the caller gives. What came from elsewhere (a file, a saved notebook, a record) never runs.

    Raises: TypeError unless they are plain strings in a list or tuple.
    """
    wrong = lines if type(lines) not in (list, tuple) else next((line for line in lines if type(line) is not str), None)
    if wrong is not None:
        raise TypeError(
            f"lines of code are plain strings in a list, not {type(wrong).__name__}: they run, so what a file, a saved notebook "
            "or a record holds is no source of them\n  fix: write the lines in the call"
        )
    return list(lines)


def names_of_caller() -> dict[str, Any]:
    """The global names of the innermost frame outside tfedu, which a cell's lines may use."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "tfedu":
        frame = frame.f_back
    return frame.f_globals


def _statement(line: str) -> ast.stmt:
    try:
        (statement,) = ast.parse(textwrap.dedent(line).strip()).body
    except (SyntaxError, ValueError):
        raise ValueError(f"a piece is one statement, not {line[:80]!r}") from None
    return statement


def with_line(program: Program, line: str, id: int, model: str = "") -> tuple[Piece, list[Edge]]:
    """A wrong piece for this line, and its edges with the program's names in its holes.

    Raises: ValueError for a line that is not one statement.
    """
    reader = _Reader(program)
    reader.read_one(_statement(line), (), id)
    return replace(reader.pieces[-1], model=model, is_wrong=True), [e for e in reader.edges if e[2] == id]


class _Reader:
    """Reads statements into pieces and edges, after those of `program` if there is one.

    sources: the piece that binds each name, with the index of the name. once: whether no two statements may bind one name.
    """

    def __init__(self, program: Program | None = None) -> None:
        self.pieces: list[Piece] = list(program.pieces) if program else []
        self.edges: list[Edge] = list(program.edges) if program else []
        self.sources = {name: (piece.id, i) for piece in self.pieces for i, name in enumerate(piece.gives)}
        self.once = program is None

    def read(self, statements: Iterable[ast.stmt], waits: tuple[str, ...]) -> None:
        """Reads the statements of a block. waits: the names that its nodes wait for."""
        for statement in statements:
            block = _block_of(statement)
            if block is None:
                self.read_one(statement, waits, len(self.pieces))
            else:
                assert isinstance(statement, ast.With)
                self.read(statement.body, (*waits, *self._waited(block)))

    def _waited(self, block: ast.expr) -> list[str]:
        """The names in the argument of control_dependencies."""
        elements = block.elts if isinstance(block, (ast.List, ast.Tuple)) else [block]
        names = [element.id for element in elements if isinstance(element, ast.Name) and element.id in self.sources]
        if len(names) < len(elements):
            raise ValueError(
                f"line {block.lineno}: control_dependencies({ast.unparse(block)}) must list names that lines before it give\n"
                "  fix: up = tf.assign_add(x, 1), and then control_dependencies([up])"
            )
        return names

    def read_one(self, statement: ast.stmt, waits: Iterable[str], id: int) -> None:
        """Reads a statement into the piece with this number."""
        gives = _bound(statement)
        for name in gives:
            if name in self.sources and self.once:
                raise ValueError(
                    f"line {statement.lineno}: {name} is given twice, so an edge from it would mean two things\n"
                    "  fix: another name for each line"
                )
        holes = _Holes(self.sources)
        text = ast.unparse(holes.visit(statement))
        for port, name in enumerate(holes.names):
            self.edges.append((*self.sources[name], id, port))
        self.edges.extend((self.sources[name][0], 0, id, WAITS) for name in dict.fromkeys(waits))
        self.pieces.append(Piece(id, tuple(_HOLE.split(text)[::2]), gives, _role(statement)))
        self.sources.update({name: (id, i) for i, name in enumerate(gives)} if self.once else {})

    def read_open(self, statement: ast.stmt) -> None:
        """Reads a statement whose holes are three dots."""
        holes = _Dots()
        text = ast.unparse(holes.visit(statement))
        piece = Piece(len(self.pieces), tuple(_HOLE.split(text)[::2]), _bound(statement), _role(statement))
        self.pieces.append(piece)


class _Dots(ast.NodeTransformer):
    """Replaces three dots by holes."""

    count = 0

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if node.value is not ...:
            return node
        self.count += 1
        return ast.copy_location(ast.Name(f"_hole_{self.count}_", ast.Load()), node)


def _block_of(statement: ast.stmt) -> ast.expr | None:
    """The argument of a `with tf.control_dependencies(...)`; None for another statement."""
    if not isinstance(statement, ast.With) or len(statement.items) != 1:
        return None
    call = statement.items[0].context_expr
    if not isinstance(call, ast.Call) or _called(call) != "control_dependencies" or len(call.args) != 1:
        return None
    return call.args[0]


def _called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""


def _role(statement: ast.stmt) -> Role:
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Return):
        return "noop"
    return _ROLES.get(_called(value), "op") if isinstance(value, ast.Call) else "op"


def _bound(statement: ast.stmt) -> tuple[str, ...]:
    """The names that a statement binds, in the order of the text."""
    if isinstance(statement, ast.FunctionDef):
        return (statement.name,)
    names: dict[str, None] = {}
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names[node.id] = None
        if not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))
    return tuple(names)


class _Holes(ast.NodeTransformer):
    """Replaces the names that other pieces bind by holes. names: the replaced ones."""

    def __init__(self, bound: Iterable[str]) -> None:
        self.bound = set(bound)
        self.names: list[str] = []

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or node.id not in self.bound:
            return node
        self.names.append(node.id)
        return ast.copy_location(ast.Name(f"_hole_{len(self.names)}_", ast.Load()), node)

    def _visit_scope(self, node: Any, local_names: set[str]) -> ast.AST:
        bound, self.bound = self.bound, self.bound - local_names
        self.generic_visit(node)
        self.bound = bound
        return node  # type: ignore[no-any-return]

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self._visit_scope(node, _parameters(node.args))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._visit_scope(node, {*_parameters(node.args), *(name for line in node.body for name in _bound(line))})

    def _comprehension(self, node: Any) -> ast.AST:
        targets = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        return self._visit_scope(node, targets)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def _parameters(arguments: ast.arguments) -> set[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {argument.arg for argument in every if argument is not None}


__all__ = ["WAITS", "Edge", "Piece", "Program", "names_of_caller", "given_texts", "pieces_of", "pieces_of_lines", "with_line"]
