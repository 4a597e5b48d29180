"""What tools/record_types.py writes from the records' schema is fresh, and each form of a schema has its type in TypeScript."""

import copy
import importlib.util
from pathlib import Path

import pytest

from tfedu.view import records

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("record_types", ROOT / "tools" / "record_types.py")
record_types = importlib.util.module_from_spec(spec)
spec.loader.exec_module(record_types)


@pytest.mark.parametrize("target", record_types.targets(), ids=lambda path: path.name)
def test_what_is_generated_is_fresh(target):
    assert target.read_text("utf-8") == record_types.targets()[target], "stale: `make format`"


def test_the_page_lists_each_kind_and_keeps_its_own_text():
    page = f"Before.\n{record_types.BEGIN}stale\n{record_types.END}After.\n"
    text = record_types.page_text(page)
    assert text.startswith("Before.\n")
    assert text.endswith("After.\n")
    assert "stale" not in text
    listed = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert sorted(listed) == sorted(["kind", *records.RECORDS])
    assert record_types.page_text(text) == text


def test_a_changed_field_makes_them_stale():
    schema = copy.deepcopy(records.schema())
    schema["$defs"]["EdgeRecord"]["properties"]["output"] = {"type": "integer"}
    changed = record_types.source(schema, record_types.aliases_of(vars(records)))
    assert changed == record_types.current().replace("  output: number | null;\n  target:", "  output: number;\n  target:")
    assert changed != record_types.current()


def test_each_record_is_an_interface_with_its_docstring():
    text = record_types.current()
    for kind in records.RECORDS.values():
        first, _, _ = kind.__doc__.partition("\n")
        assert f"export interface {kind.__name__} {{\n  version: 1;\n  kind: \"{kind.KIND}\";\n" in text
        assert first.strip().replace("None", "null") in text


@pytest.mark.parametrize(
    ("part", "typescript"),
    [
        ({"$ref": "#/$defs/NodeRecord"}, "NodeRecord"),
        ({"const": "graph"}, '"graph"'),
        ({"const": 1}, "1"),
        ({"enum": ["a", "b"]}, '"a" | "b"'),
        ({"enum": ["x", "y"]}, "Named"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "number | null"),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "(number | null)[]"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}, "string[][]"),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"enum": ["x", "y"]}]}, "[number, Named]"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "Params"),
        ({"type": "boolean"}, "boolean"),
    ],
)  # fmt: skip
def test_types_of_schemas(part, typescript):
    assert " | ".join(record_types.type_of(part, {("x", "y"): "Named"})) == typescript


def test_comments_speak_of_null_and_cannot_be_closed_from_inside():
    assert record_types.comment("None where */ there is none.\n\n    True: it is.\n    ") == (
        "/**\n * null where * / there is none.\n *\n * true: it is.\n */\n"
    )


def test_a_long_union_has_a_line_for_each_member():
    members = [f'"{"x" * 30}{i}"' for i in range(4)]
    assert record_types.declaration("  code:", members) == (
        "  code:\n" + "\n".join(f"    | {member}" for member in members) + ";\n"
    )


def test_two_names_for_the_same_choices_are_refused():
    with pytest.raises(ValueError, match="BoxKind and Other"):
        record_types.aliases_of({"BoxKind": records.BoxKind, "Other": records.BoxKind})
