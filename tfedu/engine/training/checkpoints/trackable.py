"""What tf.train.Checkpoint saves: a graph of Python objects whose leaves are variables, found by the names of attributes.

A variable's key in the checkpoint is the way to it, `model/layers/0/w/.ATTRIBUTES/VARIABLE_VALUE`; an optimizer's slot stands
beside its variable. The graph itself is a TrackableObjectGraph message under OBJECT_GRAPH. State: an object's own dependencies.
"""

from __future__ import annotations

import collections
from typing import Any, Final, NamedTuple

from ...base import errors, proto
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...lib.variables.variables import Variable
from ..optimizers.optimizer import Optimizer
from .checkpoint_reader import NewCheckpointReader

OBJECT_GRAPH: Final = "_CHECKPOINTABLE_OBJECT_GRAPH"
VALUE: Final = "VARIABLE_VALUE"


class Checkpointable:
    """An object whose attributes are saved with it: variables, optimizers, other Checkpointables, lists and dicts of these."""

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        known = self.__dict__.setdefault("_dependencies", {})
        if is_trackable(value):
            known[name] = value
        else:
            known.pop(name, None)

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        self.__dict__["_dependencies"].pop(name, None)


def is_trackable(value: Any) -> bool:
    """Whether it is a part of an object graph."""
    return isinstance(value, (Checkpointable, Variable, Optimizer, list, dict))


def dependencies(value: Any) -> list[tuple[str, Any]]:
    """The parts of an object, by their names.

    Raises: ValueError for a dict with keys that are no text.
    """
    if isinstance(value, Checkpointable):
        return list(vars(value).get("_dependencies", {}).items())
    if isinstance(value, Optimizer):
        graph = get_default_graph()
        return sorted((name, variable) for (name, owner), variable in value._non_slot_variables.items() if owner is graph)
    if isinstance(value, list):
        return [(str(i), part) for i, part in enumerate(value) if is_trackable(part)]
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError(
                error_text(f"Unable to save a dictionary with keys that are no text: {list(value)}")
            )
        return [(key, part) for key, part in value.items() if is_trackable(part)]
    return []


class Found(NamedTuple):
    """The objects of a graph in the order of their numbers, the message, and each variable by its key in the checkpoint."""

    objects: list[Any]
    message: Any
    variables: dict[str, Any]


def object_graph(root: Any) -> Found:
    """All that hangs on an object, the nearest first; the optimizers' slots last."""
    ways: dict[int, tuple[str, ...]] = {id(root): ()}
    objects, waiting = [], collections.deque([root])
    while waiting:
        objects.append(waiting.popleft())
        for name, part in dependencies(objects[-1]):
            if id(part) not in ways:
                ways[id(part)] = (*ways[id(objects[-1])], name)
                waiting.append(part)
    names = {key: "/".join(map(_escaped, way)) for key, way in ways.items()}
    numbers = {id(one): number for number, one in enumerate(objects)}
    message = proto.TrackableObjectGraph()
    for one in objects:
        node = message.nodes.add()
        for name, part in dependencies(one):
            node.children.add(node_id=numbers[id(part)], local_name=name)
    whole = list(objects)
    for optimizer in filter(lambda one: isinstance(one, Optimizer), whole):
        for slot_name in optimizer.get_slot_names():
            for variable in whole:
                slot = optimizer.get_slot(variable, slot_name) if isinstance(variable, Variable) else None
                if slot is None:
                    continue
                message.nodes[numbers[id(optimizer)]].slot_variables.add(
                    original_variable_node_id=numbers[id(variable)], slot_name=slot_name, slot_variable_node_id=len(objects)
                )
                message.nodes.add()
                objects.append(slot)
                names[id(slot)] = f"{names[id(variable)]}/.OPTIMIZER_SLOT/{names[id(optimizer)]}/{_escaped(slot_name)}"
    variables = {}
    for one, node in zip(objects, message.nodes):
        if isinstance(one, Variable):
            key = f"{names[id(one)]}/.ATTRIBUTES/{VALUE}"
            node.attributes.add(name=VALUE, full_name=one.op.name, checkpoint_key=key)
            variables[key] = one
    return Found(objects, message, variables)


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def matched(message: Any, root: Any) -> dict[int, Any]:
    """For each number of a checkpoint's graph that leads somewhere, the object there."""
    found: dict[int, Any] = {0: root}
    waiting = [0]
    for number in waiting:
        parts = dict(dependencies(found[number]))
        for child in message.nodes[number].children:
            if child.local_name in parts and child.node_id not in found:
                found[child.node_id] = parts[child.local_name]
                waiting.append(child.node_id)
    for number in waiting:
        if isinstance(found[number], Optimizer):
            for told in message.nodes[number].slot_variables:
                variable = found.get(told.original_variable_node_id)
                slot = found[number].get_slot(variable, told.slot_name) if isinstance(variable, Variable) else None
                if slot is not None:
                    found[told.slot_variable_node_id] = slot
    return found


def graph_in(save_path: Any) -> Any:
    """The object graph that a checkpoint holds, None where there is none.

    Raises: NotFoundError where there is no checkpoint, DataLossError for a damaged one.
    """
    reader = NewCheckpointReader(save_path)
    if not reader.has_tensor(OBJECT_GRAPH):
        return None
    try:
        message = proto.TrackableObjectGraph.FromString(bytes(reader.get_tensor(OBJECT_GRAPH)))
    except proto.DecodeError:
        raise errors.DataLossError(
            None, None, error_text(f"{save_path}: its object graph cannot be read")
        ) from None
    count = len(message.nodes)
    links = [
        number
        for node in message.nodes
        for number in (
            *(child.node_id for child in node.children),
            *(n for s in node.slot_variables for n in (s.original_variable_node_id, s.slot_variable_node_id)),
        )
    ]
    if not count or not all(0 <= number < count for number in links):
        raise errors.DataLossError(
            None, None, error_text(f"{save_path}: its object graph names objects that it does not have")
        )
    return message


def object_metadata(save_path: Any) -> Any:
    """The object graph that a checkpoint holds. Raises: ValueError for a checkpoint without one."""
    message = graph_in(save_path)
    if message is None:
        raise ValueError(
            error_text(
                f'The specified checkpoint "{save_path}" does not appear to be object-based (it is missing the key '
                f'"{OBJECT_GRAPH}"). Likely it was created with a name-based saver and does not contain an object dependency '
                "graph."
            )
        )
    return message


def list_objects(root_trackable: Any) -> list[Any]:
    """All objects that hang on one."""
    return object_graph(root_trackable).objects


__all__ = [
    "OBJECT_GRAPH", "VALUE", "Checkpointable", "Found", "dependencies", "graph_in", "is_trackable", "list_objects", "matched",
    "object_graph", "object_metadata",
]  # fmt: skip
