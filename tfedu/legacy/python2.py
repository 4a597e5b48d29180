"""Programs for Python 2: `convert` rewrites the syntax of Python 2 as Python 3, line by line, and lists the changes.

    text, leftovers = convert(source)       # print "a"  ->  print("a"), except E, e:  ->  except E as e:, 0777, <>, `x`, …

`tree` then restores the meaning of division, dict.keys() and others, and `NAMES` are the removed built-in functions. No line
moves, so error messages name the program's own lines. No state.
"""

from __future__ import annotations

import ast
import copy
import functools
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np


class Leftover(NamedTuple):
    """A piece of Python 2 syntax: its line, a description, its replacement."""

    line: int
    what: str
    fix: str


class Token:
    """A piece of a line: its kind (name, number, string, op, comment, newline, space), text, line and depth in brackets."""

    __slots__ = ("depth", "kind", "line", "text")

    def __init__(self, kind: str, text: str, line: int, depth: int) -> None:
        self.kind, self.text, self.line, self.depth = kind, text, line, depth


_TOKEN = re.compile(
    r"""(?P<string>[uUbBrR]{0,2}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))
      | (?P<comment>\#[^\n]*)
      | (?P<number>0[xX][0-9a-fA-F_]+[lL]?|0[bBoO]?[0-7]+[lL]?(?![\d_.eEjJ])|0[bBoO][\d_]+
          |(?:\d[\d_]*\.[\d_]*|\.\d[\d_]*|\d[\d_]*)(?:[eE][+-]?[\d_]+)?[jJlL]?)
      | (?P<name>[^\W\d]\w*)
      | (?P<newline>\r?\n)
      | (?P<space>[ \t\f]+|\\\r?\n)
      | (?P<op><>|!=|<=|>=|==|\*\*=|//=|>>=|<<=|\*\*|//|>>|<<|[-+*/%&|^]=|->|.)""",
    re.X | re.S,
)


def tokens(source: str) -> list[Token]:
    """The tokens of a program, whose texts join to the program. Newlines inside brackets are spaces."""
    result: list[Token] = []
    line, depth = 1, 0
    for match in _TOKEN.finditer(source):
        kind, text = match.lastgroup or "op", match.group()
        if kind == "op" and text in ")]}":
            depth = max(0, depth - 1)
        if kind == "newline" and depth:
            kind = "space"
        result.append(Token(kind, text, line, depth))
        if kind == "op" and text in "([{":
            depth += 1
        line += text.count("\n")
    return result


def convert(source: str) -> tuple[str, list[Leftover]]:
    """(the program as Python 3, with the same lines; the changes). Leaves unknown syntax unchanged."""
    leftovers: list[Leftover] = []
    parts = _untabbed(tokens(source), leftovers)
    is_function = re.search(r"^\s*from\s+__future__\s+import\s+.*\bprint_function\b", source, re.M) is not None
    _words(parts, leftovers)
    _tuple_parameters(parts, leftovers)
    statements = list(_statements(parts))
    prints = [] if is_function else [s for s in statements if _first(s) == "print" and not _is_alone(_rest(s))]
    # where one print is a statement, all are: print ("a", 1) prints a tuple
    for statement in statements:
        word = _first(statement)
        if word == "print" and prints:
            _print(statement, leftovers)
        elif word == "exec" and not _is_alone(_rest(statement)):
            _exec(statement, leftovers)
        elif word == "except":
            _except(statement, leftovers)
        elif word == "raise":
            _raise(statement, leftovers)
    return "".join(part.text for part in parts), sorted(set(leftovers))


def _statements(parts: list[Token]) -> Iterable[list[Token]]:
    """The simple statements and the heads of compound statements, without their newline, ";" or ":"."""
    statement: list[Token] = []
    is_head = False
    for part in parts:
        at_end = part.depth == 0 and (part.kind in ("newline", "comment") or part.text == ";")
        if at_end or (part.depth == 0 and part.text == ":" and is_head and "lambda" not in (p.text for p in statement)):
            if any(p.kind not in ("space",) for p in statement):
                yield statement
            statement, is_head = [], False
        else:
            if not statement and part.kind == "name":
                is_head = part.text in _HEADS
            if statement or part.kind != "space":
                statement.append(part)
    if statement:
        yield statement


_HEADS = {"if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class"}


def _first(statement: list[Token]) -> str:
    return statement[0].text


def _rest(statement: list[Token]) -> list[Token]:
    """What follows the first word, without the spaces around it."""
    rest = statement[1:]
    while rest and rest[0].kind == "space":
        rest = rest[1:]
    while rest and rest[-1].kind == "space":
        rest = rest[:-1]
    return rest


def _is_alone(rest: list[Token]) -> bool:
    """Whether `rest` is one pair of brackets, as in a function call, or the word before it is a name."""
    if not rest:
        return False
    if rest[0].text in ("=", ".", ",", ")") or rest[0].text in ("+=",):
        return True
    if rest[0].text != "(":
        return False
    closing = next((i for i, part in enumerate(rest) if part.text == ")" and part.depth == rest[0].depth), len(rest))
    return closing == len(rest) - 1


def _commas(rest: list[Token]) -> list[int]:
    return [i for i, part in enumerate(rest) if part.text == "," and part.depth == rest[0].depth]


def _text(parts: Iterable[Token]) -> str:
    return "".join(part.text for part in parts)


def _put(statement: list[Token], text: str) -> None:
    """Replaces a statement's text; keeps its number of lines."""
    missing = sum(part.text.count("\n") for part in statement) - text.count("\n")
    statement[0].text = text + "\\\n" * missing
    for part in statement[1:]:
        part.text = ""


def _short(text: str) -> str:
    return text if len(text) < 60 and "\n" not in text else text.split("\n")[0][:50] + " …"


def _print(statement: list[Token], leftovers: list[Leftover]) -> None:
    rest = _rest(statement)
    if rest and rest[0].text in ("=", ".", ","):
        return
    before = _short(_text(statement).strip())
    options = ""
    if rest and rest[0].text == ">>":
        commas = _commas(rest)
        end = commas[0] if commas else len(rest)
        options = f", file={_text(rest[1:end]).strip()}"
        rest = rest[end + 1 :]
        while rest and rest[0].kind == "space":
            rest = rest[1:]
    if rest and rest[-1].text == ",":
        rest, options = rest[:-1], f", end=' '{options}"
    inside = _text(rest)
    if rest and _is_alone(rest) and not options:
        # print ("a") means the same in both; print ("a", 1) printed a tuple
        if not _commas(rest[1:-1]) if len(rest) > 2 else not rest[1:-1]:
            return
        _put(statement, f"print({inside})")
    else:
        _put(statement, f"print({inside}{options if inside else options[2:]})")
    replacement = f"`{_short(statement[0].text)}`"
    leftovers.append(Leftover(statement[0].line, f"`{before}`: print is a function in Python 3", replacement))


def _exec(statement: list[Token], leftovers: list[Leftover]) -> None:
    rest = _rest(statement)
    if not rest:
        return
    words = [i for i, part in enumerate(rest) if part.text == "in" and part.depth == rest[0].depth]
    before = _short(_text(statement).strip())
    inside = _text(rest) if not words else f"{_text(rest[: words[0]]).strip()}, {_text(rest[words[0] + 1 :]).strip()}"
    _put(statement, f"exec({inside})")
    leftovers.append(Leftover(statement[0].line, f"`{before}`: exec is a function in Python 3", f"`{_short(statement[0].text)}`"))


def _except(statement: list[Token], leftovers: list[Leftover]) -> None:
    rest = _rest(statement)
    commas = _commas(rest) if rest else []
    if len(commas) != 1 or any(part.text == "as" for part in rest):
        return
    before = _short(_text(statement).strip())
    kinds, name = _text(rest[: commas[0]]).strip(), _text(rest[commas[0] + 1 :]).strip()
    _put(statement, f"except {kinds} as {name}")
    replacement = f"`except {kinds} as {name}:`"
    leftovers.append(Leftover(statement[0].line, f"`{before}:`: Python 3 names the error by `as`", replacement))


def _raise(statement: list[Token], leftovers: list[Leftover]) -> None:
    rest = _rest(statement)
    commas = _commas(rest) if rest else []
    if not 1 <= len(commas) <= 2:
        return
    before = _short(_text(statement).strip())
    kind, value = _text(rest[: commas[0]]).strip(), _text(rest[commas[0] + 1 : (commas + [len(rest)])[1]]).strip()
    inside = [part for part in rest[commas[0] + 1 : (commas + [len(rest)])[1]] if part.kind != "space"]
    if value == "None":
        kind, value = (kind if kind.endswith(")") else f"{kind}()"), ""
    elif _is_alone(inside) and any(part.text == "," and part.depth == rest[0].depth + 1 for part in inside):
        value = f"(*{value})"  # a tuple is the arguments
    else:
        value = f"({value})"
    trace = f".with_traceback({_text(rest[commas[1] + 1 :]).strip()})" if len(commas) == 2 else ""
    _put(statement, f"raise {kind}{value}{trace}")
    leftovers.append(Leftover(statement[0].line, f"`{before}`: Python 3 raises one object", f"`{_short(statement[0].text)}`"))


def _words(parts: list[Token], leftovers: list[Leftover]) -> None:
    """Rewrites operators, numbers and strings that differ in Python 3."""
    ticks = [i for i, part in enumerate(parts) if part.text == "`"]
    for start, end in zip(ticks[::2], ticks[1::2], strict=False):
        many = any(part.text == "," and part.depth == parts[start].depth for part in parts[start:end])
        parts[start].text, parts[end].text = ("repr((", "))") if many else ("repr(", ")")
        leftovers.append(Leftover(parts[start].line, "backticks are not in Python 3", "`repr(…)`"))
    for part in parts:
        old = part.text
        if part.kind == "op" and old == "<>":
            part.text = "!="
            leftovers.append(Leftover(part.line, "`<>` is not an operator of Python 3", "`!=`"))
        elif part.kind == "number":
            plain = old.rstrip("lL")
            if re.fullmatch(r"0[0-7]+", plain) and plain.strip("0"):
                plain = f"0o{plain[1:]}"
            if plain != old:
                part.text = plain
                leftovers.append(Leftover(part.line, f"`{old}` is a number of Python 2", f"`{plain}`"))
        elif part.kind == "string":
            prefix = re.match(r"[a-zA-Z]*", old).group()  # type: ignore[union-attr]
            if prefix.lower() in ("ur", "ru"):
                part.text = f"r{old[2:]}"
                leftovers.append(Leftover(part.line, f"`{prefix}` is no prefix of strings in Python 3", "`r`"))


# a parameter such as (a, (b, c)) becomes one name that holds it, in letters that no program uses: ǀaǂǀbǂcǁǁ
_AS_NAME = str.maketrans({"(": "ǀ", ",": "ǂ", ")": "ǁ", " ": "", "\n": "", "\\": ""})
_AS_TUPLE = str.maketrans({"ǀ": "(", "ǂ": ",", "ǁ": ")"})


def _tuple_parameters(parts: list[Token], leftovers: list[Leftover]) -> None:
    """Rewrites `def f(a, (b, c)):` and `lambda (k, v): …` with one name, which `tree` unpacks."""
    depth: int | None = None  # of the parameters that are being read
    before = ""
    start = 0
    for i, part in enumerate(parts):
        if part.kind in ("space", "comment", "newline"):
            continue
        if part.kind == "name" and part.text == "lambda":
            depth = part.depth
        elif part.text == "(" and part.kind == "op" and depth is None and _names_function(parts, i):
            depth = part.depth + 1
        elif depth is not None and part.depth == depth and part.text == "(" and before in ("(", ",", "lambda"):
            start = i
        elif depth is not None and part.depth == depth and part.text == ")" and start:
            tuple_text = _text(parts[start : i + 1])
            fix = f"`pair`, and then `{tuple_text} = pair`"
            leftovers.append(Leftover(parts[start].line, f"`{tuple_text}` is no parameter in Python 3", fix))
            parts[start].text = tuple_text.translate(_AS_NAME) + "\\\n" * tuple_text.count("\n")
            for other in parts[start + 1 : i + 1]:
                other.text = ""
            start = 0
        elif depth is not None and not start and part.depth <= depth and part.text in (":", ")"):
            depth = None
        before = part.text


def _names_function(parts: list[Token], at: int) -> bool:
    """Whether the bracket at this place opens the parameters of a `def`."""
    words = [part.text for part in parts[max(0, at - 4) : at] if part.kind != "space"]
    return len(words) > 1 and words[-2] == "def"


def _untabbed(parts: list[Token], leftovers: list[Leftover]) -> list[Token]:
    """Tabs at the beginning of a line count to the next multiple of eight, as in Python 2, where spaces indent other lines."""
    leading = [part for before, part in zip([None, *parts], parts, strict=False)
               if part.kind == "space" and "\n" not in part.text and (before is None or before.kind == "newline")]  # fmt: skip
    if any("\t" in p.text for p in leading) and any(" " in p.text for p in leading):
        for part in leading:
            if "\t" in part.text:
                part.text = part.text.expandtabs(8)
                leftovers.append(Leftover(part.line, "tabs and spaces are mixed", "spaces alone"))
    return parts


# -- syntax whose meaning differs in Python 3 --


def tree(text: str, name: str = "<unknown>") -> ast.Module:
    """A converted program as a syntax tree in which division, dict methods and iterators mean what they meant in Python 2."""
    module = ast.parse(text, name)
    has_division = any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" and any(a.name == "division" for a in node.names)
        for node in module.body
    )
    return ast.fix_missing_locations(_RestoreMeaning(not has_division).visit(module))


_METHODS = {
    "iteritems": "items", "iterkeys": "keys", "itervalues": "values", "viewitems": "items", "viewkeys": "keys",
    "viewvalues": "values", "has_key": "__contains__",
}  # fmt: skip
_LISTS = {"keys", "values", "items"}


class _RestoreMeaning(ast.NodeTransformer):
    """Restores the meaning of Python 2; divides: whether `/` divides integers."""

    def __init__(self, divides: bool) -> None:
        self.divides = divides

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if self.divides and isinstance(node.op, ast.Div):
            return _call("__py2_div__", [node.left, node.right], node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if self.divides and isinstance(node.op, ast.Div):
            before = copy.deepcopy(node.target)
            before.ctx = ast.Load()
            value = _call("__py2_div__", [before, node.value], node)
            return ast.copy_location(ast.Assign([node.target], value), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute):
            return node
        method = node.func.attr
        if method == "next" and not node.args and not node.keywords:
            return _call("next", [node.func.value], node)
        node.func.attr = _METHODS.get(method, method)
        if method in _LISTS and not node.args and not node.keywords:
            return _call("list", [node], node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        has_text = ast.get_docstring(node, clean=False) is not None
        for parameter in reversed(node.args.args):
            if parameter.arg.startswith("ǀ"):
                value = ast.copy_location(ast.Name(parameter.arg, ast.Load()), node)
                node.body.insert(int(has_text), ast.copy_location(ast.Assign([_unpacking_target(parameter.arg)], value), node))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        for parameter in node.args.args:
            if parameter.arg.startswith("ǀ"):  # [… for (k, v) in [pair]][0]
                value = ast.List([ast.Name(parameter.arg, ast.Load())], ast.Load())
                each = ast.comprehension(_unpacking_target(parameter.arg), value, [], 0)
                node.body = ast.Subscript(ast.ListComp(node.body, [each]), ast.Constant(0), ast.Load())
                ast.copy_location(node.body, node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        names = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        for old, new in (("next", "__next__"), ("__nonzero__", "__bool__"), ("__unicode__", "__str__")):
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and part.name == old and new not in names:
                    part.name = new
        return node


def _call(function: str, arguments: list[ast.expr], at: ast.AST) -> ast.Call:
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(function, ast.Load()), at), arguments, []), at)


def _unpacking_target(name: str) -> ast.expr:
    """The target `(a, (b, c))` of an assignment."""
    module = ast.parse(f"{name.translate(_AS_TUPLE)} = 0")
    assign = module.body[0]
    assert isinstance(assign, ast.Assign)
    return assign.targets[0]


def divide(x: Any, y: Any) -> Any:
    """`x / y` of Python 2: integers round down; a tensor divides as `tf.div` does."""
    for one, other, method in ((x, y, "__div__"), (y, x, "__rdiv__")):
        if hasattr(type(one), method):
            return getattr(one, method)(other)
    if _is_whole(x) and _is_whole(y):
        return x // y
    return x / y


def _is_whole(x: Any) -> bool:
    return isinstance(x, int | np.integer) or (isinstance(x, np.ndarray) and x.dtype.kind in "iub")


def _listed(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    @functools.wraps(function, updated=())
    def listing(*args: Any) -> list[Any]:
        return list(function(*args))

    return listing


def _map(function: Any, *lists: Any) -> list[Any]:
    if function is None:
        return [*lists[0]] if len(lists) == 1 else list(zip(*lists, strict=False))
    return list(map(function, *lists))


def _input(prompt: str = "") -> Any:
    """`input` of Python 2, which evaluated its input; accepts only literals."""
    return ast.literal_eval(input(prompt))


# built-in names of Python 2
NAMES: dict[str, Any] = {
    "__py2_div__": divide,
    "apply": lambda function, args=(), kwargs=None: function(*args, **(kwargs or {})),
    "basestring": str,
    "cmp": lambda x, y: (x > y) - (x < y),
    "file": open,
    "filter": _listed(filter),
    "input": _input,
    "long": int,
    "map": _map,
    "range": _listed(range),
    "raw_input": input,
    "reduce": functools.reduce,
    "unichr": chr,
    "unicode": str,
    "xrange": range,
    "zip": _listed(zip),
}
# modules with another name in Python 3
MODULES = {
    "ConfigParser": "configparser", "Cookie": "http.cookies", "HTMLParser": "html.parser", "Queue": "queue",
    "SocketServer": "socketserver", "StringIO": "io", "Tkinter": "tkinter", "__builtin__": "builtins", "cPickle": "pickle",
    "cStringIO": "io", "commands": "subprocess", "cookielib": "http.cookiejar", "copy_reg": "copyreg", "httplib": "http.client",
    "thread": "_thread", "urllib2": "urllib.request", "urlparse": "urllib.parse", "xmlrpclib": "xmlrpc.client",
}  # fmt: skip
# removed attributes of modules, and their names in Python 3
ATTRIBUTES = {
    "itertools": {"izip": "builtins.zip", "imap": "builtins.map", "ifilter": "builtins.filter",
                  "izip_longest": "itertools.zip_longest", "ifilterfalse": "itertools.filterfalse"},
    "os": {"getcwdu": "os.getcwd"},
    "string": {"letters": "string.ascii_letters", "lowercase": "string.ascii_lowercase", "uppercase": "string.ascii_uppercase"},
    "sys": {"maxint": "sys.maxsize"},
    "time": {"clock": "time.perf_counter"},
    "urllib": {"urlretrieve": "urllib.request.urlretrieve", "urlopen": "urllib.request.urlopen",
               "urlencode": "urllib.parse.urlencode", "quote": "urllib.parse.quote", "unquote": "urllib.parse.unquote"},
}  # fmt: skip
