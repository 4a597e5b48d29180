"""Finds the files of Keras' cache that a program needs, such as ~/.keras/datasets/mnist.npz, and that do not exist. No state.

Read from the program's calls: `tf.keras.datasets.….load_data`, `tf.keras.utils.get_file`, and `tf.keras.applications.…` with the
weights of ImageNet. tfedu fetches nothing, so that each of these files has to be there before the program starts.
"""

from __future__ import annotations

import ast
import inspect
import os
import pathlib
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from ..engine.models.keras_data.cached_files import cache_folder
from . import aliases, missing

_GOOGLE: Final = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
_TORONTO: Final = "https://www.cs.toronto.edu/~kriz/"
_CLOTHES: Final = [f"fashion-mnist/{part}-idx{n}-ubyte.gz" for part in ("train", "t10k") for n in ("1", "3")]

# function -> its files below ~/.keras/datasets, each under the names that it may have, and the folder where TensorFlow finds it
_FILES: Final = {
    "mnist.load_data": ([["mnist.npz"]], _GOOGLE),
    "fashion_mnist.load_data": (
        [[each.replace("-idx1", "-labels-idx1").replace("-idx3", "-images-idx3")] for each in _CLOTHES], "",
    ),
    "boston_housing.load_data": ([["boston_housing.npz"]], _GOOGLE),
    "cifar10.load_data": ([["cifar-10-python.tar.gz", "cifar-10-batches-py", "cifar-10-batches-py.tar.gz"]], _TORONTO),
    "cifar100.load_data": ([["cifar-100-python.tar.gz", "cifar-100-python"]], _TORONTO),
    "imdb.load_data": ([["imdb.npz"]], _GOOGLE),
    "imdb.get_word_index": ([["imdb_word_index.json"]], _GOOGLE),
    "reuters.load_data": ([["reuters.npz"]], _GOOGLE),
    "reuters.get_word_index": ([["reuters_word_index.json"]], _GOOGLE),
}  # fmt: skip


def absent(calls: Iterable[tuple[str, ast.Call]]) -> Iterator[tuple[str, int, str]]:
    """(the file, the line, where to put it) for each file that calls of TensorFlow need and that the cache folder lacks."""
    for path, call in calls:
        for place in aliases.places(path):
            module, _, name = place.rpartition(".")
            if module.startswith("tf.keras.datasets.") and f"{module.rpartition('.')[2]}.{name}" in _FILES:
                yield from _of_dataset(f"{module.rpartition('.')[2]}.{name}", call)
            elif place == "tf.keras.utils.get_file":
                yield from _of_get_file(call)
            elif module.startswith("tf.keras.applications"):
                yield from _of_network(missing.resolve(place)[1], call)


def _of_dataset(name: str, call: ast.Call) -> Iterator[tuple[str, int, str]]:
    files, origin = _FILES[name]
    given = _text(_argument(call, 0, "path"))
    if len(files[0]) == 1 and len(files) == 1 and given:
        files = [[given]]
    folder = pathlib.Path(cache_folder())
    for names in files:
        if not any((folder / each).exists() for each in names):
            own = f"; or let tfedu draw such digits:  tfedu mnist {folder}" if name.startswith("mnist.") else ""
            source = f" (TensorFlow fetches it from {origin}{os.path.basename(names[0])})" if origin else ""
            yield names[0], call.lineno, f"It is not in {folder}, and tfedu fetches nothing: put it there{source}{own}."


def _of_get_file(call: ast.Call) -> Iterator[tuple[str, int, str]]:
    name, origin = _argument(call, 0, "fname"), _text(_argument(call, 1, "origin"))
    given = [_argument(call, 9, "cache_dir"), _argument(call, 5, "cache_subdir")]
    if any(each is not None and _text(each) is None for each in given):
        return  # the program computes the folder
    base, below = map(_text, given)
    folder = pathlib.Path(cache_folder(base, "datasets" if below is None else below))
    file = _text(name)
    source = f" (the program fetches it from {origin})" if origin else ""
    if file is None and name is not None:
        yield ast.unparse(name), call.lineno, f"The program reads this file in {folder}, and tfedu fetches nothing{source}."
    elif file is not None and not (folder / file).exists():
        yield file, call.lineno, f"It is not in {folder}, and tfedu fetches nothing: put it there{source}."


def _of_network(function: Any, call: ast.Call) -> Iterator[tuple[str, int, str]]:
    parameters = list(inspect.signature(function).parameters) if inspect.isfunction(function) else []
    if "weights" not in parameters:
        return
    weights, network = _argument(call, parameters.index("weights"), "weights"), function.__name__
    if weights is not None and _text(weights) != "imagenet":
        return
    folder = pathlib.Path(cache_folder(cache_subdir="models"))
    files = [re.sub(r"[^a-z0-9]", "", file.name.lower()) for file in folder.glob("*.h5")]
    if not any(re.match(rf"{network.lower()}(?!v\d)", file) for file in files):
        yield f"ImageNet's weights of {network}", call.lineno, (
            f"They are not in {folder}, and tfedu fetches nothing: put TensorFlow's .h5 file there; weights=None makes new ones."
        )


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    if position < len(call.args):
        return call.args[position]
    return next((word.value for word in call.keywords if word.arg == name), None)


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
