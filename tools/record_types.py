"""Writes what is generated from the records' JSON schema: `python tools/record_types.py`.

widgets/src/record.ts has the front end's types, docs/records.schema.json the schema itself, docs/records.md the list of kinds,
and widgets/src/elements/elements.json the custom elements: the kinds of their records and widgets, and the widgets' traits.
An interface or type has the name of its Python class or alias, and its comment is the class's docstring. The text is laid out
as biome would, so that formatting the front end leaves it as it is.
"""

import inspect
import json
import pathlib
import re
import sys
import typing

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tfedu.view import records
from tfedu.widgets.base import page_traits
from tfedu.widgets.pages.saved_records import WIDGETS

TARGET = ROOT / "widgets" / "src" / "record.ts"
SCHEMA = ROOT / "docs" / "records.schema.json"
PAGE = ROOT / "docs" / "records.md"
ELEMENTS = ROOT / "widgets" / "src" / "elements" / "elements.json"
# Between these lines of the page stands the list of kinds.
BEGIN, END = "<!-- written by tools/record_types.py -->\n", "<!-- end -->\n"
WIDTH = 110
HEAD = """/**
 * The JSON records that Python sends: the whole interface of the two sides.
 * Written by tools/record_types.py from tfedu/view/records: change the dataclasses there, then `make format`.
 */
"""
NAMES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
CONSTANTS = {"None": "null", "True": "true", "False": "false"}


def source(schema, aliases):
    """The TypeScript of a schema; `aliases` maps the choices of a Literal to the name that they have in Python."""
    definitions = schema["$defs"]
    params = "/** Values for the places of a message. */\nexport type Params = Record<string, string | number>;\n"
    edge_kinds = ", ".join(f'"{kind}"' for kind in records.EDGE_KINDS)
    parts = [
        HEAD,
        f"export const VERSION = {records.VERSION};\n",
        f"export const EDGE_KINDS: readonly EdgeKind[] = [{edge_kinds}];\n",
        params,
        *[declaration(f"export type {name} =", choices(list(values), {})) for values, name in aliases.items()],
        *[interface(name, definitions[name], aliases) for name in ordered(schema)],
    ]
    return "\n".join(parts)


def ordered(schema):
    """The names of all definitions: what a record is made of before the record, records in the order of `RECORDS`."""
    definitions, names = schema["$defs"], []

    def visit(part):
        if isinstance(part, list):
            for item in part:
                visit(item)
        elif isinstance(part, dict):
            name = part.get("$ref", "").rpartition("/")[2]
            if name in definitions and name not in names:
                visit(definitions[name])
                names.append(name)
            for item in part.values():
                visit(item)

    visit(schema["oneOf"])
    return names


def interface(name, definition, aliases):
    fields = [
        declaration(f"  {field}:", type_of(part, aliases)) for field, part in definition["properties"].items()
    ]
    return f"{comment(definition['description'])}export interface {name} {{\n{''.join(fields)}}}\n"


def comment(docstring):
    """The docstring as a comment, with the constants of JavaScript."""
    text = inspect.cleandoc(docstring).replace("*/", "* /")
    lines = re.sub(r"\b(?:None|True|False)\b", lambda match: CONSTANTS[match[0]], text).splitlines()
    if not lines:
        return ""
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "".join(["/**\n", *[f" * {line}".rstrip() + "\n" for line in lines], " */\n"])


def declaration(start, union):
    """`start` and the members of a union, on one line or, where that is too long, with a line for each."""
    line = f"{start} {' | '.join(union)};\n"
    if len(line) <= WIDTH + 1:
        return line
    indent = " " * (len(start) - len(start.lstrip()) + 2)
    return f"{start}\n" + "\n".join(f"{indent}| {member}" for member in union) + ";\n"


def choices(values, aliases):
    return [aliases[tuple(values)]] if tuple(values) in aliases else [f'"{value}"' for value in values]


def type_of(part, aliases):
    """The members of the TypeScript type of a part of the schema."""
    if "$ref" in part:
        return [part["$ref"].rpartition("/")[2]]
    if "const" in part:
        return [f'"{part["const"]}"' if isinstance(part["const"], str) else str(part["const"])]
    if "enum" in part:
        return choices(part["enum"], aliases)
    if "anyOf" in part:
        return [member for item in part["anyOf"] for member in type_of(item, aliases)]
    if part["type"] == "array":
        if "prefixItems" in part:
            return [f"[{', '.join(' | '.join(type_of(item, aliases)) for item in part['prefixItems'])}]"]
        items = type_of(part["items"], aliases)
        return [f"({' | '.join(items)})[]" if len(items) > 1 else f"{items[0]}[]"]
    if part["type"] == "object":
        return ["Params"]
    return [NAMES[part["type"]]]


def aliases_of(namespace):
    """The choices of each public Literal in a namespace, and its name there."""
    names = {}
    for name, value in sorted(namespace.items()):
        if typing.get_origin(value) is typing.Literal:
            values = typing.get_args(value)
            if values in names:
                raise ValueError(f"{names[values]} and {name} have the same choices: which of the names is meant?")
            names[values] = name
    return names


def current():
    """What record.ts is to be."""
    return source(records.schema(), aliases_of(vars(records)))


def schema_text():
    """What records.schema.json is to be."""
    return json.dumps(records.schema(), ensure_ascii=False, indent=1) + "\n"


def page_text(page):
    """The page with the list of all kinds: each has the first paragraph of its class's docstring."""
    alone = typing.get_args(records.Record)
    rows = ["| `kind` | is | alone |", "|:---|:---|:---|"]
    for name, kind in sorted(records.RECORDS.items()):
        meaning = inspect.cleandoc(kind.__doc__).partition("\n\n")[0].replace("\n", " ")
        rows.append(f"| `{name}` | {meaning.replace('|', '&#124;')} | {'yes' if kind in alone else 'part of another view'} |")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "".join([before, BEGIN, "\n".join(rows), "\n", END, after])


def elements_text():
    """The elements as biome lays out JSON."""
    elements = {
        widget.ELEMENT: {"record": record.KIND, "kind": widget.KIND, "traits": page_traits(widget)}
        for record, widget in WIDGETS.items()
    }
    return json.dumps(dict(sorted(elements.items())), indent=2) + "\n"


def targets():
    """Each generated file, and the text that it is to have."""
    page = page_text(PAGE.read_text(encoding="utf-8"))
    return {TARGET: current(), SCHEMA: schema_text(), PAGE: page, ELEMENTS: elements_text()}


def main():
    for target, text in targets().items():
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
            print(f"{target.relative_to(ROOT)} is fresh")


if __name__ == "__main__":
    main()
