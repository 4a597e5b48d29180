"""The front end's types say the same as the records: widgets/src/record.ts is compared with the JSON schema, both spelled out.

TypeScript's types are read by a parser of the few forms that the file uses; anything else in it fails loudly.
"""

import re
from pathlib import Path

from tfedu.view.records import EDGE_KINDS, RECORDS, schema

SOURCE = Path(__file__).parents[2] / "widgets" / "src" / "record.ts"
TOKEN = re.compile(r"\s*([A-Za-z_]\w*|\"[^\"]*\"|\d+|[{}\[\]();:,|<>=])")


class Parser:
    """Reads `export interface X {…}` and `export type X = …;` into plain Python: sets, lists and dicts."""

    def __init__(self, text):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
        text = re.sub(r"export const \w+[^;]*;", "", text)
        self.tokens = []
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            assert found, f"not understood: {text[at : at + 40]!r}"
            self.tokens.append(found[1])
            at = found.end()
        self.at = 0

    def next(self, wanted=None):
        token = self.tokens[self.at]
        assert wanted is None or token == wanted, (
            f"expected {wanted}, got {self.tokens[self.at : self.at + 6]}"
        )
        self.at += 1
        return token

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def file(self):
        types = {}
        while self.peek():
            self.next("export")
            if self.next() == "interface":
                name = self.next()
                types[name] = self.fields()
            else:
                name = self.next()
                self.next("=")
                types[name] = self.union()
                self.next(";")
        return types

    def fields(self):
        self.next("{")
        found = {}
        while self.peek() != "}":
            name = self.next()
            self.next(":")
            found[name] = self.union()
            if self.peek() in (";", ","):
                self.next()
        self.next("}")
        return ("object", found)

    def union(self):
        if self.peek() == "|":
            self.next()
        parts = [self.postfix()]
        while self.peek() == "|":
            self.next()
            parts.append(self.postfix())
        return parts[0] if len(parts) == 1 else ("union", parts)

    def postfix(self):
        kind = self.primary()
        while self.peek() == "[":
            self.next()
            self.next("]")
            kind = ("array", kind)
        return kind

    def primary(self):
        token = self.next()
        if token == "readonly":
            return self.postfix()
        if token == "(":
            inner = self.union()
            self.next(")")
            return inner
        if token == "[":
            items = []
            while self.peek() != "]":
                items.append(self.union())
                if self.peek() == ",":
                    self.next()
            self.next("]")
            return ("tuple", items)
        if token == "{":
            self.at -= 1
            return self.fields()
        if token == "Record":
            self.next("<")
            self.next("string")
            self.next(",")
            value = self.union()
            self.next(">")
            return ("map", value)
        if token[0] == '"' or token.isdigit():
            return ("literal", token.strip('"'))
        return ("name", token)


def canonical_typescript(kind, types):
    head, body = kind
    if head == "name":
        return (
            body
            if body in ("string", "number", "boolean", "null")
            else canonical_typescript(types[body], types)
        )
    if head == "literal":
        return {"is": [body]}
    if head == "union":
        return merged([canonical_typescript(part, types) for part in body])
    if head == "array":
        return {"each": canonical_typescript(body, types)}
    if head == "tuple":
        return {"row": [canonical_typescript(part, types) for part in body]}
    if head == "map":
        return {"map": canonical_typescript(body, types)}
    return {"fields": {name: canonical_typescript(part, types) for name, part in body.items()}}


def canonical_schema(part, definitions):
    if "$ref" in part:
        return canonical_schema(definitions[part["$ref"].rpartition("/")[2]], definitions)
    if "const" in part:
        return {"is": [str(part["const"])]}
    if "enum" in part:
        return {"is": sorted(part["enum"])}
    if "anyOf" in part:
        return merged([canonical_schema(item, definitions) for item in part["anyOf"]])
    if part["type"] == "array":
        if "prefixItems" in part:
            return {"row": [canonical_schema(item, definitions) for item in part["prefixItems"]]}
        return {"each": canonical_schema(part["items"], definitions)}
    if part["type"] == "object":
        if "properties" in part:
            return {
                "fields": {
                    name: canonical_schema(item, definitions) for name, item in part["properties"].items()
                }
            }
        return {"map": canonical_schema(part["additionalProperties"], definitions)}
    return {"integer": "number"}.get(part["type"], part["type"])


def merged(parts):
    """A union in one spelling: literals together, members sorted."""
    literals = sorted(
        text for part in parts if isinstance(part, dict) and "is" in part for text in part["is"]
    )
    others = [part for part in parts if not (isinstance(part, dict) and "is" in part)]
    if literals:
        others.append({"is": literals})
    return others[0] if len(others) == 1 else {"or": sorted(others, key=str)}


def test_the_front_ends_types_are_the_records():
    types = Parser(SOURCE.read_text("utf-8")).file()
    whole = schema()
    for kind in RECORDS.values():
        ours = canonical_schema({"$ref": f"#/$defs/{kind.__name__}"}, whole["$defs"])
        assert canonical_typescript(("name", kind.__name__), types) == ours, kind.__name__


def test_the_comparison_sees_a_difference():
    changed = SOURCE.read_text("utf-8").replace("output: number | null;", "output: number;", 1)
    types = Parser(changed).file()
    whole = schema()
    ours = canonical_schema({"$ref": "#/$defs/GraphRecord"}, whole["$defs"])
    assert canonical_typescript(("name", "GraphRecord"), types) != ours


def test_the_kinds_of_edges_are_listed_alike():
    found = re.search(r"EDGE_KINDS[^=]*=\s*\[([^\]]*)\]", SOURCE.read_text("utf-8"))
    assert [kind.strip().strip('"') for kind in found[1].split(",")] == list(EDGE_KINDS)
