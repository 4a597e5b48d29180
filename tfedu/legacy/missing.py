"""Explanations of names that tfedu does not have: whether TensorFlow 1.15 has them, their area, the nearest name.

State: a cache of names.json, the names of TensorFlow 1.15 by area and namespace.
"""

from __future__ import annotations

import functools
import json
import pathlib
import sys
from typing import Any

from ..engine.base.suggest import nearest
from . import aliases
from .renames import renamed

NAMES = pathlib.Path(__file__).with_name("names.json")
# complete areas: a missing name of theirs is a bug, not a plan
COMPLETE = {"language", "frame"}
NEVER = {"not for tfedu": "tfedu does not take it up: it needs other machines, or is no part of graph mode"}


@functools.cache
def _file() -> dict[str, Any]:
    return json.loads(NAMES.read_text(encoding="utf-8"))


@functools.cache
def areas() -> dict[str, str]:
    """Every public name of TensorFlow 1.15, "tf.nn.conv2d", with its area, "nn"."""
    return {
        f"{space}.{name}": area
        for area, spaces in _file()["areas"].items()
        for space, names in spaces.items()
        for name in names.split()
    }


@functools.cache
def namespaces() -> set[str]:
    """The public modules of TensorFlow 1.15: "tf", "tf.nn", …"""
    return {space for spaces in _file()["areas"].values() for space in spaces}


@functools.cache
def modules() -> set[str]:
    """The module paths of TensorFlow 1.15 below its private packages: "tensorflow.python.ops.nn", …"""
    inside = {f"{package}.{name}" for package, names in _file()["modules"].items() for name in names.split()}
    return inside | _file()["modules"].keys()


def area_of(name: str) -> str | None:
    """The area of a public name, or of its class or namespace; None for a name that 1.15 does not have."""
    known = areas()
    while name.count("."):
        if name in known:
            return known[name]
        above, _, _ = name.rpartition(".")
        if above in namespaces() or (above in known and not _is_class(above)):
            return None
        name = above
    return None


def _is_class(name: str) -> bool:
    return name.rpartition(".")[2][:1].isupper()


def resolve(place: str) -> tuple[bool, Any]:
    """(whether tfedu has the object of a name such as "tf.nn.relu" or "tf.legacy.datasets.mnist.read_data_sets", the object).

    An Alias of one of TensorFlow's modules does not count.
    """
    value: Any = sys.modules["tfedu"]
    for part in place.split(".")[1:]:
        try:
            value = getattr(value, part)
        except AttributeError:
            return False, None
        if getattr(type(value), "is_alias", False):
            return False, None
    return True, value


def why(name: str) -> str:
    """One or two sentences on a public name, "tf.nn.conv2d", that tfedu does not have."""
    other = renamed(name)
    if other is not None:
        return f"{other[1]}."
    area = area_of(name)
    if area is None:
        near = _near(name)
        return f"TensorFlow 1.15 has no {name}." + (f" Did you mean {near}?" if near else "")
    note = _note("tensorflow" + name.removeprefix("tf"))
    if area in NEVER:
        return f"TensorFlow 1.15 has {name}, but {NEVER[area]}.{note}"
    near = _near(name, available=True)
    text = f"TensorFlow 1.15 has {name}, but tfedu does not have it yet (area: {area}).{note}"
    return text + (f" The nearest name here is {near}." if near else "")


def _near(name: str, available: bool = False) -> str | None:
    """The nearest name in the same namespace; available: among those that tfedu has."""
    space, _, last = name.rpartition(".")
    inside = [known.rpartition(".")[2] for known in areas() if known.rpartition(".")[0] == space]
    while True:
        near = nearest(last, inside)
        if near is None or not available or resolve(f"{space}.{near}")[0]:
            return None if near is None else f"{space}.{near}"
        inside.remove(near)


class MissingNameError(AttributeError):
    """`tf.nn.foo` does not exist. Builds its text when it is read: `hasattr` raises many of these and reads none."""

    def __init__(self, module: str, name: str) -> None:
        super().__init__(module, name, name=name)
        self.module = module

    @functools.cached_property
    def text(self) -> str:
        full_name = f"tf{self.module.removeprefix('tfedu')}.{self.name}"
        text = f"module '{self.module}' has no attribute '{self.name}'"
        if self.name.startswith("__"):
            return text
        if area_of(full_name) is None and renamed(full_name) is None:
            own = vars(sys.modules[self.module])
            near = nearest(self.name, [*own.get("__all__", own), *own.get("_LAZY", ())])
            near = near or (_near(full_name, available=True) or "").rpartition(".")[2]  # lazy names
            return text + (f". Did you mean '{near}'?" if near else "")
        return f"{text}: {why(full_name)}"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.module, self.name)


def attribute_error(module: str, name: str) -> AttributeError:
    """The error for `tf.nn.foo`. module: "tfedu.nn"."""
    return MissingNameError(module, name)


def of_path(path: str) -> str | None:
    """The explanation of a missing path of TensorFlow, `tensorflow.python.ops.nn.conv2d`; None for an unknown one."""
    for place in aliases.places(path):
        if area_of(place) is not None or renamed(place) is not None:
            text = why(place)
            public = "tf" + path.removeprefix("tensorflow")
            return text if place == public else f"{path} is {place} in tfedu. {text}"
    for place in aliases.places(path):
        near = _near(place)
        if near is not None:
            return f"TensorFlow 1.15 has no {path}. Did you mean {near}?"
    found = _of_absent_module(path)
    if found is None and _note(path):
        return f"tfedu does not have {path} of TensorFlow.{_note(path)}"
    return found


_NO_ESTIMATORS = (
    "tfedu has no estimators: build the model's graph in the program, and run it in a tf.Session or a "
    "tf.train.MonitoredTrainingSession"
)
_ONE_PROCESS = "tfedu runs in one process; tf.Session(config=tf.ConfigProto(device_count=…)) simulates several devices"
_OF_MODELS = (
    "TensorFlow's source had it up to 0.12, in the folder tensorflow/models, and the repository tensorflow/models has it since, "
    "in the folder tutorials. Copy its files beside the program, and import them from there"
)
# A path of TensorFlow -> a sentence for each name below it that tfedu lacks: what the name needs, which library has it, or which
# name of tfedu does the same.
NOTES = {
    "tensorflow.contrib.boosted_trees": "Its trees grow in ops of a library of their own; scikit-learn's "
    "GradientBoostingClassifier trains such trees without TensorFlow",
    "tensorflow.contrib.cudnn_rnn": "It needs a GPU of NVIDIA; tf.keras.layers.CuDNNLSTM and CuDNNGRU, and "
    "tf.contrib.rnn.LSTMBlockFusedCell compute the same anywhere",
    "tensorflow.contrib.distribute": _ONE_PROCESS,
    "tensorflow.contrib.eager": "Eager execution computes operations as they are called; tfedu has graphs alone",
    "tensorflow.contrib.learn": _NO_ESTIMATORS,
    "tensorflow.contrib.tensor_forest": "Its trees grow in ops of a library of their own; scikit-learn's RandomForestClassifier "
    "trains forests without TensorFlow",
    "tensorflow.contrib.tpu": "It needs TPUs, which Google's cloud has",
    "tensorflow.distribute": _ONE_PROCESS,
    "tensorflow.estimator": _NO_ESTIMATORS,
    "tensorflow.examples.speech_commands": "TensorFlow's source has it from 1.4 on, in the folder "
    "tensorflow/examples/speech_commands, and its package does not. Copy its files beside the program, and import them from "
    "there: import input_data",
    "tensorflow.keras.estimator": _NO_ESTIMATORS,
    "tensorflow.lite": "TensorFlow Lite runs saved models on phones and microcontrollers, without a session",
    "tensorflow.models.image": _OF_MODELS,
    "tensorflow.models.rnn.ptb": _OF_MODELS,
    "tensorflow.models.rnn.translate": _OF_MODELS,
    "tensorflow.python.estimator": _NO_ESTIMATORS,
    "tensorflow.train.Server": "tfedu runs in one process, with no servers; a program for one machine needs only tf.Session()",
}


def _note(path: str) -> str:
    """What NOTES says of a path of TensorFlow, with a space before it; nothing without a note."""
    return "".join(f" {note}." for start, note in NOTES.items() if f"{path}.".startswith(f"{start}."))


def _of_absent_module(path: str) -> str | None:
    """The explanation of a path in a module of TensorFlow 1.15 of which tfedu has nothing."""
    module = path
    while module.count(".") > 1 and module not in modules():
        module = module.rpartition(".")[0]
    if module not in modules() or module in aliases.rows() or module.count(".") < 3:
        return None
    text = f"TensorFlow 1.15 has a module {module}, and tfedu has nothing of it."
    return text + _note(module)
