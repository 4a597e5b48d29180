"""HLO text as a record: `record_of_hlo(compiled.as_text())`. No state.

HLO is what XLA compiles and runs. Each instruction is a node; the computation of a `call` or `fusion` is a scope with its
instructions, those of a `while`, `conditional`, … are scopes beside the instruction, and a computation of one instruction, such
as the addition of a sum, is an attribute. The named scopes of jax are scopes. The text is read here, since no library gives its
graph; files that it names are not opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..records import GraphRecord, Role, SiteRecord
from .record_parts import DEEPEST, GraphReadError, Parts, Typed, Value

_DTYPES: Final = {"pred": "bool", "bf16": "bfloat16", "c64": "complex64", "c128": "complex128"}
_LETTERS: Final = {"f": "float", "s": "int", "u": "uint"}
_HEAD: Final = re.compile(r"(?P<entry>ENTRY\s+)?%?(?P<name>[\w.\-:$]+)\s*(?:\(.*)?\{$")
_INSTRUCTION: Final = re.compile(r"(?P<root>ROOT\s+)?%?(?P<name>[\w.\-:$]+)\s*=\s*")
_ARRAY: Final = re.compile(r"(?P<dtype>[a-z]\w*)\[(?P<sizes>[^\]]*)\]")
_OPCODE: Final = re.compile(r"\s*(?P<opcode>[\w\-]+)\(")
_ATTR: Final = re.compile(r"\s*,?\s*(?P<key>[\w\-]+)\s*=\s*")
_OPERAND: Final = re.compile(r"%?(?P<name>[\w.\-:$]+)$")
_NAMED: Final = re.compile(r"%?([\w.\-:$]+)")
_METADATA: Final = re.compile(r'(?P<key>\w+)=(?:"(?P<text>(?:[^"\\]|\\.)*)"|(?P<number>\d+))')
_TABLE_ROW: Final = re.compile(r'(?P<id>\d+) (?:"(?P<text>[^"]*)"|\{(?P<fields>[^}]*)\})$')
_TABLES: Final = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")
_CALLS: Final = frozenset({"call", "fusion", "async-start"})
# Attributes that name computations.
_CALLED: Final = (
    "calls", "to_apply", "condition", "body", "branch_computations", "true_computation", "false_computation",
    "called_computations", "select", "scatter",
)  # fmt: skip
# Attributes that nodes and edges tell.
_TOLD: Final = frozenset({*_CALLED, "metadata", "control-predecessors"})
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_COMMENT: Final = re.compile(r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|//.*')
_BRACKETS: Final = {"(": ")", "{": "}", "[": "]"}


def record_of_compiled(compiled: Any) -> GraphRecord:
    """The record of `jax.jit(f).lower(x).compile()`. Raises: as record_of_hlo."""
    return record_of_hlo(compiled.as_text())


def record_of_hlo(text: str) -> GraphRecord:
    """The record of the text of an HLO module.

    Raises: GraphReadError for text that cannot be read, with its line; ResourceExhaustedError for a graph beyond the budget
    (tf.io.Budget).
    """
    module = _Module(text)
    reader = _Reader(module)
    reader.whole()
    return reader.parts.record()


@dataclass(slots=True)
class _Instruction:
    name: str
    opcode: str
    kind: Typed
    operands: list[str]
    literal: str
    attrs: dict[str, str]
    is_root: bool
    line: int


@dataclass(slots=True)
class _Computation:
    name: str
    line: int
    instructions: list[_Instruction] = field(default_factory=list)

    @property
    def root(self) -> _Instruction:
        return next((each for each in self.instructions if each.is_root), self.instructions[-1])

    def parameters(self) -> list[_Instruction]:
        found = [each for each in self.instructions if each.opcode == "parameter"]
        return sorted(found, key=lambda each: int(each.literal) if each.literal.isdigit() else 0)


# -- reading ---------------------------------------------------------------------------------------------------------------


class _Module:
    """The computations of a module by name, and its tables of lines. entry: the computation that runs."""

    def __init__(self, text: str) -> None:
        self.computations: dict[str, _Computation] = {}
        self.entry: _Computation | None = None
        self.tables: dict[str, dict[str, str]] = {}
        table: dict[str, str] | None = None
        current: _Computation | None = None
        for number, line in _lines(text):
            if current is None and line in _TABLES:
                table = self.tables.setdefault(line, {})
            elif current is None and table is not None and (row := _TABLE_ROW.match(line)):
                table[row["id"]] = row["text"] if row["text"] is not None else row["fields"]
            elif line.startswith("HloModule") or not line:
                continue
            elif current is not None and line.startswith("}"):
                if not current.instructions:
                    raise _damaged(current.line, f"the computation {current.name!r:.100} has no instructions")
                current = None
            elif current is not None:
                current.instructions.append(_instruction(line, number))
            elif head := _HEAD.match(line):
                current = _Computation(head["name"], number)
                self.computations[current.name] = current
                if head["entry"]:
                    self.entry = current
            else:
                raise _damaged(number, f"expected a computation, not {line[:60]!r}")
        if current is not None:
            raise _damaged(current.line, f"the computation {current.name!r:.100} has no end")
        if self.entry is None:
            raise GraphReadError("the HLO text is damaged: it has no ENTRY computation")

    def line_of(self, metadata: Mapping[str, str]) -> tuple[str, int] | None:
        """The file and line of an instruction's metadata."""
        if "source_file" in metadata:
            return metadata["source_file"], _number(metadata.get("source_line"))
        frame = self._row("StackFrames", metadata.get("stack_frame_id"))
        location = self._row("FileLocations", frame.get("file_location_id"))
        file = self.tables.get("FileNames", {}).get(location.get("file_name_id", ""))
        return None if file is None else (file, _number(location.get("line")))

    def _row(self, table: str, id: str | None) -> dict[str, str]:
        fields = self.tables.get(table, {}).get(id or "", "")
        return dict(part.partition("=")[::2] for part in fields.split() if "=" in part)


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdigit() and len(text) < 10 else 0


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without comments; an instruction over several lines is one."""
    held: list[str] = []
    first = depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        line = _COMMENT.sub(lambda found: found[1] or "", line).strip()
        if not held and not _INSTRUCTION.match(line):
            yield number, line
            continue
        first = first if held else number
        held.append(line)
        bare = _QUOTED.sub("", line)
        depth += sum(map(bare.count, "({[")) - sum(map(bare.count, ")}]"))
        if depth <= 0:
            yield first, " ".join(held)
            held, depth = [], 0
    if held:
        raise _damaged(first, "its brackets are not closed")


def _instruction(line: str, number: int) -> _Instruction:
    head = _INSTRUCTION.match(line)
    if head is None:
        raise _damaged(number, f"expected an instruction, not {line[:60]!r}")
    end = _end_of_shape(line, head.end(), number)
    kind = _kind(line[head.end() : end].strip())
    opcode = _OPCODE.match(line, end)
    if opcode is None:
        raise _damaged(number, f"expected an operation after {line[:end][-60:]!r}")
    close = _closing(line, opcode.end() - 1, number)
    inside = line[opcode.end() : close]
    is_literal = opcode["opcode"] in ("parameter", "constant", "iota")
    operands = [] if is_literal else [_operand(part, number) for part in _split(inside, number)]
    attrs = dict(_attrs(line, close + 1, number))
    literal = inside.strip() if is_literal else ""
    return _Instruction(
        head["name"], opcode["opcode"], kind, operands, literal, attrs, bool(head["root"]), number
    )


def _operand(part: str, number: int) -> str:
    found = _OPERAND.search(part)
    if found is None:
        raise _damaged(number, f"expected the name of an operand, not {part[:60]!r}")
    return found["name"]


def _end_of_shape(line: str, start: int, number: int) -> int:
    if line.startswith("(", start):
        return _closing(line, start, number) + 1
    end = line.find(" ", start)
    if end < 0:
        raise _damaged(number, "expected a type and an operation")
    return end


def _closing(line: str, start: int, number: int) -> int:
    """The index of the bracket that closes the bracket at index `start` of a line. Brackets in quoted text do not count."""
    waiting: list[str] = []
    place = start
    while place < len(line):
        mark = line[place]
        if mark == '"':
            place = _after_quote(line, place, number)
            continue
        if mark in _BRACKETS:
            waiting.append(_BRACKETS[mark])
        elif waiting and mark == waiting[-1]:
            waiting.pop()
            if not waiting:
                return place
        elif mark in ")}]":
            break
        place += 1
    raise _damaged(number, "its brackets are not closed")


def _after_quote(line: str, place: int, number: int) -> int:
    end = place + 1
    while end < len(line) and line[end] != '"':
        end += 2 if line[end] == "\\" else 1
    if end >= len(line):
        raise _damaged(number, "a quoted text has no end")
    return end + 1


def _split(text: str, number: int) -> list[str]:
    """The parts between the commas that are in no brackets."""
    parts: list[str] = []
    place = start = 0
    while place < len(text):
        if text[place] in _BRACKETS:
            place = _closing(text, place, number)
        elif text[place] == '"':
            place = _after_quote(text, place, number) - 1
        elif text[place] == ",":
            parts.append(text[start:place])
            start = place + 1
        place += 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def _attrs(line: str, start: int, number: int) -> Iterator[tuple[str, str]]:
    for part in _split(line[start:].lstrip(" ,"), number):
        key, equals, value = part.partition("=")
        yield (key.strip(), value.strip()) if equals else (part, "")


def _kind(text: str) -> Typed:
    """The type of a value; a tuple is told as it stands, without layouts."""
    found = _ARRAY.match(text)
    if found is None:
        plain = re.sub(r"(?<=\])\{[^}]*\}", "", text)
        return Typed("tuple", None, plain[:100])
    if found["dtype"] == "token":
        return Typed("token", (), "token")
    sizes: list[int | str | None] = []
    for size in found["sizes"].split(",") if found["sizes"] else ():
        size = size.strip()
        sizes.append(int(size) if size.isdigit() and len(size) < 16 else size[:20])
    return Typed(dtype_name(found["dtype"]), sizes)


def dtype_name(short: str) -> str:
    """The dtype that XLA calls f32, s32, pred, …"""
    if short in _DTYPES:
        return _DTYPES[short]
    return f"{_LETTERS[short[0]]}{short[1:]}" if short[:1] in _LETTERS and short[1:].isdigit() else short


def _damaged(line: int, reason: str) -> GraphReadError:
    return GraphReadError(f"the HLO text is damaged: line {line}: {reason}")


# -- drawing ---------------------------------------------------------------------------------------------------------------


class _Reader:
    def __init__(self, module: _Module) -> None:
        self.parts = Parts("The HLO text")
        self._module = module

    def whole(self) -> None:
        """Adds the computation that runs."""
        assert self._module.entry is not None
        result = self.computation(self._module.entry, "", {}, 0, has_scopes=True)
        self.parts.join(result, self.parts.node("output", "output", role="noop"), 0)

    def computation(
        self,
        computation: _Computation,
        scope: str,
        values: dict[str, Value],
        depth: int,
        has_scopes: bool = False,
    ) -> Value:
        """Adds the instructions of a computation; answers its result. values: those of its parameters that are there already.

        has_scopes: whether the scopes that jax names are drawn; inside a body they would repeat the way to the body.
        """
        if depth > DEEPEST:
            raise GraphReadError(f"the computations are nested more than {DEEPEST} deep, or one calls itself")
        for each in computation.instructions:
            if each.name in values:
                continue
            metadata = {
                found["key"]: found["text"] or found["number"] or ""
                for found in _METADATA.finditer(each.attrs.get("metadata", ""))
            }
            inside = f"{scope}/{named_scope(metadata.get('op_name', ''))}" if has_scopes else scope
            operands = [self._value(name, values, each) for name in each.operands]
            called = [*self._called(each)]
            if each.opcode in _CALLS and len(called) == 1 and len(called[0][1].parameters()) == len(operands):
                body = called[0][1]
                known = {param.name: operand for param, operand in zip(body.parameters(), operands)}
                values[each.name] = self.computation(
                    body, self.parts.place(each.name, inside), known, depth + 1
                )
            else:
                values[each.name] = self._instruction(
                    each, operands, called, inside, depth, self._site(metadata)
                )
            self._controls(each, values)
        return values[computation.root.name]

    def _instruction(
        self,
        each: _Instruction,
        operands: Sequence[Value],
        called: Sequence[tuple[str, _Computation]],
        scope: str,
        depth: int,
        site: SiteRecord | None,
    ) -> Value:
        small = {
            key: body.root.opcode
            for key, body in called
            if len(body.instructions) - len(body.parameters()) == 1
        }
        attrs = {key: value for key, value in each.attrs.items() if key not in _TOLD} | small
        if each.opcode == "constant":
            attrs["value"] = each.literal[:400]
        bodies = [(place, key, body) for place, (key, body) in enumerate(called) if key not in small]
        number = self.parts.node(
            each.opcode,
            each.name,
            scope,
            role="control" if bodies else _ROLES.get(each.opcode, "op"),
            outputs=[each.kind],
            attrs=attrs,
            site=site,
            stateful=each.attrs.get("custom_call_has_side_effect") == "true",
        )
        entering: set[int] = set()
        added: dict[str, tuple[list[Value], Value]] = {}
        for taken, (order, key, body) in enumerate(bodies, len(operands)):
            known: dict[str, Value] = {}
            result = self.computation(body, self.parts.place(key, self.parts.name(number)), known, depth + 1)
            params = [known[param.name] for param in body.parameters()]
            added[key] = params, result
            # A conditional has the branch's number first, and then an operand for each branch.
            own = (
                [order + 1]
                if each.opcode == "conditional"
                else range(len(operands))
                if len(params) == len(operands)
                else ()
            )
            for place, param in zip(own, params):
                if place < len(operands):
                    self.parts.join(operands[place], param.node, 0)
                    entering.add(place)
            self.parts.join(result, number, taken)
        if "body" in added:
            for key in ("condition", "body"):
                for param in added.get(key, ([], None))[0]:
                    self.parts.join(added["body"][1], param.node, 1)
        for place, operand in enumerate(operands):
            if place not in entering:
                self.parts.join(operand, number, place)
        return Value(number)

    def _value(self, name: str, values: Mapping[str, Value], user: _Instruction) -> Value:
        if name not in values:
            raise _damaged(
                user.line, f"{user.name!r:.100} takes {name!r:.100}, which no line before it gives"
            )
        return values[name]

    def _called(self, each: _Instruction) -> Iterator[tuple[str, _Computation]]:
        """The computations that an instruction names, by the attribute, with a number where it lists several."""
        for key in _CALLED:
            names = _NAMED.findall(each.attrs.get(key, ""))
            for number, name in enumerate(names):
                if name not in self._module.computations:
                    raise _damaged(each.line, f"there is no computation {name!r:.100}")
                yield (key if len(names) == 1 else f"{key} {number}"), self._module.computations[name]

    def _controls(self, each: _Instruction, values: Mapping[str, Value]) -> None:
        """The edges from the instructions that this one waits for."""
        for name in _NAMED.findall(each.attrs.get("control-predecessors", "")):
            self.parts.control(self._value(name, values, each).node, values[each.name].node)

    def _site(self, metadata: Mapping[str, str]) -> SiteRecord | None:
        found = self._module.line_of(metadata)
        return None if found is None else self.parts.site(*found, source="")


# The roles of instructions; all others are "op".
_ROLES: Final[dict[str, Role]] = {"parameter": "placeholder", "constant": "constant"}


def named_scope(op_name: str) -> str:
    """The scopes in an instruction's name: jit(f)/layer/dot_general is in the scope layer."""
    parts = [part for part in op_name.split("/")[:-1] if not re.fullmatch(r"p?jit\((?:main|\w+)\)", part)]
    return "/".join(parts)


__all__ = ["dtype_name", "named_scope", "record_of_compiled", "record_of_hlo"]
