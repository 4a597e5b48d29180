"""The compiled messages are those of the .proto files, and carry TensorFlow's public field numbers."""

import importlib.util
import pathlib

import pytest
from google.protobuf import descriptor_pb2

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("proto", ROOT / "tools" / "proto.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)

FILES = descriptor_pb2.FileDescriptorSet.FromString(tool.COMPILED.read_bytes()).file
SOURCES = sorted(tool.PROTO.glob("*.proto"))


def test_every_source_is_compiled():
    assert sorted(f.name for f in FILES) == [f"tfedu/{path.name}" for path in SOURCES]


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.stem)
def test_compiled_messages_are_those_of_the_source(path):
    (file,) = (f for f in FILES if f.name == f"tfedu/{path.name}")
    assert tool.described(file) == tool.written(path)


def test_a_changed_number_is_found(tmp_path):
    source = next(p for p in SOURCES if p.stem == "graph")
    changed = tmp_path / "graph.proto"
    changed.write_text(source.read_text(encoding="utf-8").replace("string op = 2;", "string op = 3;"), encoding="utf-8")
    (file,) = (f for f in FILES if f.name == "tfedu/graph.proto")
    assert tool.described(file) != tool.written(changed)


def test_the_wire_form_is_tensorflows():
    """A GraphDef of one node, written by hand from the public numbers."""
    from tfedu.engine.base import proto

    node = b"\x0a\x01x" + b"\x12\x04NoOp" + b"\x1a\x02^y" + b"\x22\x06/cpu:0"
    data = b"\x0a" + bytes([len(node)]) + node + b"\x22\x03\x08\x86\x01"
    graph = proto.GraphDef.FromString(data)
    assert [(n.name, n.op, list(n.input), n.device) for n in graph.node] == [("x", "NoOp", ["^y"], "/cpu:0")]
    assert graph.versions.producer == 134
    assert graph.SerializeToString(deterministic=True) == data
