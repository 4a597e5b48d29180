"""The object graph of tf.train.Checkpoint: Python objects, linked by the names of attributes, whose leaves are variables.

A variable's key in the checkpoint is its path, `model/layers/0/w/.ATTRIBUTES/VARIABLE_VALUE`; the key of an optimizer's slot
begins with that of its variable. The graph is a TrackableObjectGraph message under OBJECT_GRAPH. State: an object's
dependencies.
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
        attributes = self.__dict__.setdefault("_dependencies", {})
        if is_trackable(value):
            attributes[name] = value
        else:
            attributes.pop(name, None)

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        self.__dict__["_dependencies"].pop(name, None)

    def _saved_parts(self) -> dict[str, Any]:
        """The trackable parts by name."""
        parts: dict[str, Any] = self.__dict__.get("_dependencies", {})
        return parts


class SlotOwner(Checkpointable):
    """An optimizer whose slots are saved beside the variables that they belong to."""

    def get_slot_names(self) -> list[str]:
        """The names of the slots."""
        raise NotImplementedError

    def _saved_slot(self, variable: Variable, slot_name: str) -> Any:
        """The slot of the variable, None where there is none."""
        raise NotImplementedError


def is_trackable(value: Any) -> bool:
    """Whether the value can be part of an object graph."""
    return isinstance(value, (Checkpointable, Variable, Optimizer, list, dict))


def dependencies(value: Any) -> list[tuple[str, Any]]:
    """Pairs (name, part) of an object's trackable parts.

    Raises: ValueError for a dict with keys that are no strings.
    """
    if isinstance(value, Checkpointable):
        return list(value._saved_parts().items())
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


class ObjectGraph(NamedTuple):
    """The objects in the order of their numbers, the message, and the variables by their keys in the checkpoint."""

    objects: list[Any]
    message: Any
    variables: dict[str, Any]


def object_graph(root: Any) -> ObjectGraph:
    """All objects that `root` reaches, breadth first; the optimizers' slots last."""
    paths: dict[int, tuple[str, ...]] = {id(root): ()}
    objects, waiting = [], collections.deque([root])
    while waiting:
        objects.append(waiting.popleft())
        for name, part in dependencies(objects[-1]):
            if id(part) not in paths:
                paths[id(part)] = (*paths[id(objects[-1])], name)
                waiting.append(part)
    names = {key: "/".join(map(_escaped, path)) for key, path in paths.items()}
    numbers = {id(one): number for number, one in enumerate(objects)}
    message = proto.TrackableObjectGraph()
    for one in objects:
        node = message.nodes.add()
        for name, part in dependencies(one):
            node.children.add(node_id=numbers[id(part)], local_name=name)
    without_slots = list(objects)
    for optimizer in filter(lambda one: isinstance(one, (Optimizer, SlotOwner)), without_slots):
        for slot_name in optimizer.get_slot_names():
            for variable in without_slots:
                slot = _slot(optimizer, variable, slot_name)
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
    return ObjectGraph(objects, message, variables)


def _slot(optimizer: Any, variable: Any, slot_name: str) -> Any:
    """The optimizer's slot of the variable, None where there is none."""
    if not isinstance(variable, Variable):
        return None
    get = optimizer._saved_slot if isinstance(optimizer, SlotOwner) else optimizer.get_slot
    return get(variable, slot_name)


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def matching_objects(message: Any, root: Any) -> dict[int, Any]:
    """The objects that match nodes of a checkpoint's object graph, by the nodes' numbers."""
    matches: dict[int, Any] = {0: root}
    waiting = [0]
    for number in waiting:
        parts = dict(dependencies(matches[number]))
        for child in message.nodes[number].children:
            if child.local_name in parts and child.node_id not in matches:
                matches[child.node_id] = parts[child.local_name]
                waiting.append(child.node_id)
    for number in waiting:
        if isinstance(matches[number], (Optimizer, SlotOwner)):
            for link in message.nodes[number].slot_variables:
                variable = matches.get(link.original_variable_node_id)
                slot = _slot(matches[number], variable, link.slot_name)
                if slot is not None:
                    matches[link.slot_variable_node_id] = slot
    return matches


def graph_in(save_path: Any) -> Any:
    """The object graph message of a checkpoint, None for a name-based checkpoint.

    Raises: NotFoundError for a missing checkpoint, DataLossError for a damaged one.
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
    """The object graph message of a checkpoint. Raises: ValueError for a checkpoint without one."""
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
    """All objects that `root_trackable` reaches."""
    return object_graph(root_trackable).objects


__all__ = [
    "OBJECT_GRAPH", "VALUE", "Checkpointable", "ObjectGraph", "SlotOwner", "dependencies", "graph_in", "is_trackable",
    "list_objects", "matching_objects", "object_graph", "object_metadata",
]  # fmt: skip
