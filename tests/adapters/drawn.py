"""What a record says, for tests of the adapters: inputs, sites, roles by the names of nodes."""

from __future__ import annotations

import json

import tfedu as tf
from tfedu.view.records import GraphRecord, from_json, to_json


def record_of(obj) -> GraphRecord:
    """The record that `tf.show` draws, which JSON restores."""
    picture = tf.show(obj)
    assert picture.svg.startswith("<svg")
    assert from_json(json.loads(json.dumps(to_json(picture.record)))) == picture.record
    return picture.record


def inputs(record: GraphRecord) -> dict[str, list[str]]:
    """The inputs of each node in order: "a" or "a:1", "&a" for a reference, "^a" for an order."""
    names = {node.id: node.name for node in record.nodes}
    found: dict[str, list[str]] = {node.name: [] for node in record.nodes}
    for edge in record.edges:
        mark = {"control": "^", "reference": "&", "data": ""}[edge.kind]
        output = f":{edge.output}" if edge.output else ""
        found[names[edge.target]].append(f"{mark}{names[edge.source]}{output}")
    return found


def node(record: GraphRecord, name: str):
    return next(node for node in record.nodes if node.name == name)
