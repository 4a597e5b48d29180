"""TensorFlow before 1.0, for `tfedu run --legacy 0.x`: the names that 1.0 changed, and the order of arguments that it changed.

`module("tf.nn")` is the namespace as programs of those years know it: names of FUNCTIONS, then of `renames.py`, then tfedu's.
Each old name is told once, on the standard error. State: the names that were told, and the modules.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from .renames import BEFORE_1_0

# the modules of recurrent nets until 0.7, and where 1.x has their names
OF_MODELS: Final = {old: new for old, new in BEFORE_1_0.items() if old.startswith("tf.models.rnn.")}
SEQ2SEQ: Final = ("tf.nn.seq2seq", "tf.models.rnn.seq2seq")
SPACES: Final = ("tf", "tf.image", "tf.nn", "tf.nn.rnn_cell", "tf.models", "tf.models.rnn", *OF_MODELS, *SEQ2SEQ)


def _tf() -> Any:
    return importlib.import_module("tfedu")


def _is_new_order(first: Any) -> bool:
    """Whether the first argument is the tensors, as since 1.0, and not an axis."""
    return isinstance(first, (list, tuple)) or len(getattr(first, "shape", ())) > 0


# -- functions whose arguments had another order or other names ----------------------------------------------------------


def concat(concat_dim: Any, values: Any = None, name: str = "concat", axis: Any = None) -> Any:
    """tf.concat(axis, tensors); tensors first is understood, too."""
    if _is_new_order(concat_dim):
        return _tf().concat(concat_dim, axis if values is None else values, name=name)
    return _tf().concat(values, concat_dim, name=name)


def split(split_dim: Any, num_split: Any = None, value: Any = None, name: str = "split", **newer: Any) -> Any:
    """tf.split(axis, count, tensor) -> a list of tensors."""
    if newer or _is_new_order(split_dim):
        given = {"num_or_size_splits": num_split, "axis": value, **newer}
        return _tf().split(split_dim, name=name, **{key: each for key, each in given.items() if each is not None})
    return _tf().split(value, num_split, split_dim, name=name)


def sparse_concat(concat_dim: Any, sp_inputs: Any, name: str | None = None, expand_nonconcat_dim: bool = False) -> Any:
    """tf.sparse_concat(axis, tensors)."""
    return _tf().sparse_concat(concat_dim, sp_inputs, name=name, expand_nonconcat_dim=expand_nonconcat_dim)


def sparse_split(split_dim: Any, num_split: Any, sp_input: Any, name: str | None = None) -> Any:
    """tf.sparse_split(axis, count, tensor) -> a list of sparse tensors."""
    return _tf().sparse_split(sp_input=sp_input, num_split=num_split, axis=split_dim, name=name)


def reverse(tensor: Any, dims: Any, name: str | None = None) -> Any:
    """tf.reverse(tensor, [False, True]): a truth value for each axis; a list of axes is understood, too."""
    if all(isinstance(each, bool) for each in dims):
        dims = [axis for axis, is_reversed in enumerate(dims) if is_reversed]
    return _tf().reverse(tensor, dims, name=name)


def pack(values: Any, axis: int = 0, name: str = "pack") -> Any:
    """tf.stack."""
    return _tf().stack(values, axis=axis, name=name)


def unpack(value: Any, num: int | None = None, axis: int = 0, name: str = "unpack") -> Any:
    """tf.unstack."""
    return _tf().unstack(value, num=num, axis=axis, name=name)


def select(condition: Any, t: Any, e: Any, name: str | None = None) -> Any:
    """tf.where(condition, t, e)."""
    return _tf().where(condition, t, e, name=name)


def batch_matmul(x: Any, y: Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None) -> Any:
    """tf.matmul of stacks of matrices."""
    return _tf().matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, name=name)


def softmax_cross_entropy(logits: Any, labels: Any, dim: int = -1, name: str | None = None) -> Any:
    """tf.nn.softmax_cross_entropy_with_logits(logits, labels)."""
    return _tf().nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def sparse_softmax_cross_entropy(logits: Any, labels: Any, name: str | None = None) -> Any:
    """tf.nn.sparse_softmax_cross_entropy_with_logits(logits, labels)."""
    return _tf().nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def sigmoid_cross_entropy(logits: Any, targets: Any = None, name: str | None = None, labels: Any = None) -> Any:
    """tf.nn.sigmoid_cross_entropy_with_logits(logits, targets)."""
    labels = targets if labels is None else labels
    return _tf().nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def weighted_cross_entropy(logits: Any, targets: Any, pos_weight: Any, name: str | None = None) -> Any:
    """tf.nn.weighted_cross_entropy_with_logits(logits, targets, pos_weight)."""
    return _tf().nn.weighted_cross_entropy_with_logits(targets, logits, pos_weight, name=name)


def sampled_softmax_loss(weights: Any, biases: Any, inputs: Any, labels: Any, *rest: Any, **options: Any) -> Any:
    """tf.nn.sampled_softmax_loss(weights, biases, inputs, labels, …)."""
    return _tf().nn.sampled_softmax_loss(weights, biases, labels, inputs, *rest, **options)


def nce_loss(weights: Any, biases: Any, inputs: Any, labels: Any, *rest: Any, **options: Any) -> Any:
    """tf.nn.nce_loss(weights, biases, inputs, labels, …)."""
    return _tf().nn.nce_loss(weights, biases, labels, inputs, *rest, **options)


def ctc_loss(inputs: Any, labels: Any, sequence_length: Any, *rest: Any, **options: Any) -> Any:
    """tf.nn.ctc_loss(inputs, labels, lengths, …)."""
    return _tf().nn.ctc_loss(labels, inputs, sequence_length, *rest, **options)


def resize_images(
    images: Any, new_height: Any, new_width: Any = None, method: int = 0, align_corners: bool = False, **newer: Any
) -> Any:
    """tf.image.resize_images(images, height, width); a list of both is understood, too."""
    size = new_height if new_width is None or _is_new_order(new_height) else [new_height, new_width]
    if size is new_height and new_width is not None:
        method = new_width
    return _tf().image.resize_images(images, size, method=method, align_corners=align_corners, **newer)


def with_old_loss(name: str) -> Callable[..., Any]:
    """A function of tf.contrib.legacy_seq2seq whose softmax_loss_function takes (logits, labels)."""
    now = getattr(_tf().contrib.legacy_seq2seq, name)

    @functools.wraps(now)
    def function(*args: Any, **options: Any) -> Any:
        given = inspect.signature(now).bind(*args, **options)
        loss = given.arguments.get("softmax_loss_function")
        if loss is not None:
            given.arguments["softmax_loss_function"] = lambda labels, logits: loss(logits, labels)
        return now(*given.args, **given.kwargs)

    return function


LOSSES: Final = ("model_with_buckets", "sequence_loss", "sequence_loss_by_example")
_ORDER: Final = "the axis came first"
_LOGITS: Final = "the logits came first"
_INPUTS: Final = "the inputs came before the labels"
# name -> (the function, what was different)
FUNCTIONS: Final[Mapping[str, tuple[Callable[..., Any], str]]] = {
    "tf.concat": (concat, _ORDER),
    "tf.split": (split, _ORDER),
    "tf.sparse_concat": (sparse_concat, _ORDER),
    "tf.sparse_split": (sparse_split, _ORDER),
    "tf.reverse": (reverse, "there was a truth value for each axis"),
    "tf.nn.softmax_cross_entropy_with_logits": (softmax_cross_entropy, _LOGITS),
    "tf.nn.sparse_softmax_cross_entropy_with_logits": (sparse_softmax_cross_entropy, _LOGITS),
    "tf.nn.sigmoid_cross_entropy_with_logits": (sigmoid_cross_entropy, _LOGITS),
    "tf.nn.weighted_cross_entropy_with_logits": (weighted_cross_entropy, _LOGITS),
    "tf.nn.sampled_softmax_loss": (sampled_softmax_loss, _INPUTS),
    "tf.nn.nce_loss": (nce_loss, _INPUTS),
    "tf.nn.ctc_loss": (ctc_loss, _INPUTS),
    "tf.image.resize_images": (resize_images, "height and width were two arguments"),
}
# renamed functions whose arguments had other names, too
RENAMED: Final[Mapping[str, Callable[..., Any]]] = {
    "tf.pack": pack, "tf.unpack": unpack, "tf.select": select, "tf.batch_matmul": batch_matmul,
}  # fmt: skip

OLD_NAMES: Final[Mapping[str, str]] = {
    **BEFORE_1_0,
    **{
        f"tf.nn.rnn_cell.{cell}": f"tf.contrib.rnn.{cell}"
        for cell in ("EmbeddingWrapper", "InputProjectionWrapper", "OutputProjectionWrapper")
    },
}
"""Each old name with the new one."""

# cells of OF_MODELS whose state was one tensor
CONCATENATING: Final = tuple(f"tf.models.rnn.rnn_cell.{cell}" for cell in ("BasicLSTMCell", "LSTMCell", "MultiRNNCell"))

# -- the namespaces ------------------------------------------------------------------------------------------------------

_told: set[str] = set()
_modules: dict[str, OldModule] = {}


def tell(name: str, text: str) -> None:
    """Prints the text once for each name."""
    if name not in _told:
        _told.add(name)
        print(f"tfedu: {text}", file=sys.stderr, flush=True)


def module(place: str) -> OldModule:
    """A namespace of SPACES, "tf.nn", as it was before 1.0."""
    if place not in _modules:
        _modules[place] = OldModule(place)
    return _modules[place]


class OldModule(types.ModuleType):
    """A namespace before 1.0: attribute access looks names up."""

    def __init__(self, place: str) -> None:
        super().__init__("tensorflow" + place[2:], f"{place} as it was before TensorFlow 1.0.")
        self.__path__: list[str] = []  # makes it a package: Python asks the finder for submodules
        self._place = place

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'", name=name)
        path = f"{self._place}.{name}"
        if path in SPACES:
            return module(path)
        if path in CONCATENATING:
            tell(path, f"{path} keeps its states side by side in one tensor, as before TensorFlow 0.11.")
            return functools.partial(getattr(_tf().nn.rnn_cell, name), state_is_tuple=False)
        if self._place in SEQ2SEQ and name in LOSSES:
            tell(path, f"{path} is used as before TensorFlow 1.0, when softmax_loss_function took the logits first.")
            return with_old_loss(name)
        if self._place in OF_MODELS or self._place in SEQ2SEQ:
            return getattr(self._newer(), name)
        if path in FUNCTIONS:
            function, what = FUNCTIONS[path]
            tell(path, f"{path} is used as before TensorFlow 1.0, when {what}.")
            return function
        if path in OLD_NAMES:
            new = OLD_NAMES[path]
            tell(path, f"{path} has been {new} since TensorFlow 1.0.")
            return RENAMED.get(path) or _found(new.split(".")[1:])
        return getattr(self._newer(), name)

    def _newer(self) -> Any:
        """The namespace that has the other names."""
        place = BEFORE_1_0.get(self._place, self._place)
        if self._place in OF_MODELS and place in SPACES:
            return module(place)
        return types.SimpleNamespace() if place.startswith("tf.models") else _found(place.split(".")[1:])

    def __dir__(self) -> list[str]:
        old = [path.rpartition(".")[2] for path in OLD_NAMES if path.rpartition(".")[0] == self._place]
        inside = [space.rpartition(".")[2] for space in SPACES if space.rpartition(".")[0] == self._place]
        names = (name for name in dir(self._newer()) if not name.startswith("__"))
        return sorted({*old, *inside, *names})


def _found(parts: Sequence[str]) -> Any:
    value = _tf()
    for part in parts:
        value = getattr(value, part)
    return value


__all__ = [
    "BEFORE_1_0", "OldModule", "batch_matmul", "concat", "ctc_loss", "module", "nce_loss", "pack",
    "resize_images", "reverse", "sampled_softmax_loss", "select", "sigmoid_cross_entropy",
    "softmax_cross_entropy", "sparse_concat", "sparse_softmax_cross_entropy", "sparse_split", "split",
    "tell", "unpack", "weighted_cross_entropy", "with_old_loss",
]  # fmt: skip
