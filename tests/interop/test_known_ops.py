"""The table of op types that a graph file may hold is the oracle's registry, and agrees with what tfedu defines itself."""

import importlib.util
import pathlib

import pytest
from harness import OF_CONTRIB, OF_PARTITIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("known_ops", ROOT / "tools" / "known_ops.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


def test_table_is_fresh():
    assert tool.TABLE.read_text(encoding="utf-8").splitlines() == list(tool.lines())


def test_every_line_reads_back_as_the_ops_arguments():
    from tfedu.engine.interop import op_signatures

    for line in tool.lines():
        name = line.split(" ", 1)[0]
        found = op_signatures.signature_in_tf(name)
        inputs, outputs = line.split(" ; ")[0].removeprefix(f"{name} ").split(" -> ")
        assert len(found.inputs) == len([a for a in inputs.split(",") if a])
        assert len(found.outputs) == len([a for a in outputs.split(",") if a.strip()])
        assert len(found.attrs) == line.count(" ; ")


def test_table_agrees_with_the_registry_of_tfedu():
    pytest.importorskip("tfedu")
    from tfedu.engine.interop import op_signatures
    from tfedu.engine.op.definition import REGISTRY

    for name, definition in REGISTRY.whole().items():
        known = op_signatures.signature_in_tf(name)
        assert (known is None) == (name in OF_CONTRIB), name
        if known is None or name in OF_PARTITIONS:
            continue
        assert known.inputs == definition.inputs, name
        if name == "Dequantize":  # the type of its output became an attribute after 1.15
            continue
        assert known.outputs == definition.outputs, name
