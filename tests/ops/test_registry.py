"""The op registry is TF's: inputs, outputs, attributes, defaults and flags of every op that tfedu defines.

Measured against the oracle's registry (tests/golden/op_registry.json, made by tools/oracle/op_registry.py), never
against our own.
"""

import importlib
import json
import pathlib
import re

import pytest
from cases import LATER
from harness import OF_CONTRIB, OF_PARTITIONS

# Lists that must have one element in 1.15, but may be empty in later releases.
LEAST_IN_1_15 = {("StringJoin", "N")}

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "op_registry.json"
OPS = json.loads(GOLDEN.read_text(encoding="utf-8"))["ops"]

def registry():
    importlib.import_module("tfedu")  # registers the ops
    from tfedu.engine.op.define import REGISTRY

    return REGISTRY.whole()


def type_name(dtype):
    """A dtype as TF's registry spells it."""
    return {"float32": "float", "float64": "double", "float16": "half"}.get(
        dtype.base_dtype.name, dtype.base_dtype.name
    )


def argument(arg):
    facts = {"name": arg.name}
    if arg.dtype is not None:
        facts["dtype"] = type_name(arg.dtype)
    for key in ("type_attr", "number_attr", "type_list_attr"):
        if getattr(arg, key):
            facts[key] = getattr(arg, key)
    if arg.is_ref:
        facts["ref"] = True
    return facts


def of_1_15(argument, theirs, name):
    """An output whose type attribute is later than 1.15 had the attribute's default as its type."""
    attr = argument.get("type_attr")
    if attr not in LATER.get(name, ()):
        return argument
    default = next(a["default"] for a in theirs["attrs"] if a["name"] == attr)
    return {"name": argument["name"], "dtype": default}


def plain(value, kind):
    """An attribute's value as JSON."""
    if kind == "type":
        return type_name(value)
    if kind == "tensor":
        text = f"dtype: DT_{value.dtype.name.upper()}\ntensor_shape {{\n  dim {{\n    size: {len(value)}\n  }}\n}}\n"
        return {"tensor": text + "".join(f"int_val: {v}\n" for v in value)}
    if kind.startswith("list("):
        return [plain(v, kind[5:-1]) for v in value]
    if isinstance(value, bytes):
        return value.decode()
    return list(value) if isinstance(value, tuple) else value


NAMES = sorted(registry())


def test_the_engine_defines_no_op_that_tf_does_not_know():
    assert {name for name in NAMES if name not in OPS} == OF_CONTRIB


@pytest.mark.parametrize("name", [n for n in NAMES if n in OPS and n not in OF_PARTITIONS])
def test_op_is_declared_as_in_tf(name):
    ours, theirs = registry()[name], OPS[name]
    assert [argument(a) for a in ours.inputs] == theirs.get("in", [])
    assert [argument(a) for a in ours.outputs] == [of_1_15(a, theirs, name) for a in theirs.get("out", [])]
    wanted = {a["name"]: a for a in theirs.get("attrs", []) if a["name"] not in LATER.get(name, ())}
    assert {a.name for a in ours.attrs} == set(wanted)
    for attr in ours.attrs:
        facts = wanted[attr.name]
        assert attr.kind == facts["type"], attr.name
        if (name, attr.name) not in LEAST_IN_1_15:
            assert (attr.minimum or 0) == facts.get("min", 0), attr.name
        if attr.required:  # one that the inputs bind needs no default
            assert not attr.explicit or "default" not in facts, attr.name
        else:
            assert plain(attr.default, attr.kind) == facts.get("default"), attr.name
        if attr.allowed is not None and "allowed" in facts:
            assert {plain(v, attr.kind.removeprefix("list(").removesuffix(")")) for v in attr.allowed} <= set(
                facts["allowed"]
            ), attr.name


# [n, h, w, c], "scalar", "any shape", "the same shape", …; an interval such as [0, 1] names no shape
A_SHAPE = re.compile(r"\[(?!-?\d+, -?\d+\])[^\]]+\]|\bscalars?\b|\b[Aa]ny shapes?\b|\bsame shape\b|\bshapes that broadcast\b")


@pytest.mark.parametrize("name", NAMES)
def test_op_is_documented_with_its_shapes(name):
    definition = registry()[name]
    meaning, _, _ = " ".join(definition.doc.split()).partition("Raises: ")
    assert meaning
    assert definition.caller.__doc__ == definition.doc
    if definition.inputs or definition.outputs:
        assert A_SHAPE.search(meaning), definition.doc


@pytest.mark.parametrize("name", [n for n in NAMES if n in OPS and n not in OF_PARTITIONS])
def test_op_is_flagged_as_in_tf(name):
    ours, theirs = registry()[name], OPS[name]
    assert ours.stateful == theirs.get("stateful", False)
    assert ours.allows_uninitialized == theirs.get("uninitialized", False)
