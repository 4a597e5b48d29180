"""What the networks of tf.keras.applications share: their arguments, weights in files, pictures in and classes out. No state.

Nothing is fetched: `weights="imagenet"` reads a file in ~/.keras/models, which has TensorFlow's name for it.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...lib.arrays import array
from ..keras_data.cached_files import get_file
from ..keras_images.global_pooling import GlobalAveragePooling2D, GlobalMaxPooling2D
from ..keras_layers.input_layer import Input
from ..keras_layers.layer_nodes import is_keras_tensor, static_shape
from ..keras_models.model import Model
from ..keras_models.model_tools import get_source_inputs
from ..keras_models.saved_models import load_weights
from ..keras_parts.keras_config import floatx, image_data_format


class Network(NamedTuple):
    """A network of tf.keras.applications.

    body: from the pictures to the last maps, without the top. top: from these and the number of classes to the classes'
    probabilities. size, smallest: of the pictures, by default and at least. file: its weights, with {top} for "" or "_notop".
    needs_size: the pictures' size has to be known without the top, too, and that of the weights of ImageNet is the default.
    """

    name: str
    body: Callable[[Any], Any]
    top: Callable[[Any, int], Any]
    size: int
    smallest: int
    file: str
    pooling_names: tuple[str | None, str | None] = (None, None)
    needs_size: bool = False


def channel_axis() -> int:
    """The axis of the channels of a batch of pictures."""
    return 3 if image_data_format() == "channels_last" else 1


def picture_sizes(x: Any) -> tuple[int | None, ...]:
    """The height and width of a batch of pictures."""
    shape = static_shape(x)
    return tuple(shape[1:3] if channel_axis() == 3 else shape[2:4])


def halving_padding(x: Any, kernel: int) -> tuple[tuple[int, int], ...]:
    """The zeros around pictures with which an unpadded window `kernel` × `kernel` of stride 2 ends where the pictures end;
    an unknown size counts as even.
    """
    half = kernel // 2
    return tuple((half - 1 + (size or 0) % 2, half) for size in picture_sizes(x))


def assemble(
    network: Network,
    include_top: bool,
    weights: Any,
    input_tensor: Any,
    input_shape: Any,
    pooling: str | None,
    classes: int,
) -> Model:
    """The model of a network.

    include_top: with the classes; else the last maps, or their "avg" or "max" by `pooling`. weights: None for new ones, a file,
    or "imagenet" for the file in ~/.keras/models. input_tensor, input_shape: of the pictures.

    Raises: ValueError for arguments that do not fit; FileNotFoundError for weights that are not there.
    """
    if not (weights in ("imagenet", None) or os.path.exists(weights)):
        raise ValueError(
            error_text(
                "The `weights` argument should be either `None` (random initialization), `imagenet` (pre-training on ImageNet), "
                "or the path to the weights file to be loaded."
            )
        )
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError(
            error_text(
                'If using `weights` as `"imagenet"` with `include_top` as true, `classes` should be 1000'
            )
        )
    shape = _picture_shape(input_shape, network, include_top or network.needs_size, weights)
    path = weights
    if weights == "imagenet":
        path = get_file(network.file.format(top="" if include_top else "_notop"), cache_subdir="models")

    def build() -> Model:
        pictures = input_tensor
        if pictures is None:
            pictures = Input(shape=shape)
        elif not is_keras_tensor(pictures):
            pictures = Input(tensor=pictures, shape=shape)
        x = network.body(pictures)
        if include_top:
            x = network.top(x, classes)
        elif pooling in ("avg", "max"):
            kind = GlobalAveragePooling2D if pooling == "avg" else GlobalMaxPooling2D
            x = kind(name=network.pooling_names[pooling == "max"])(x)
        inputs = pictures if input_tensor is None else get_source_inputs(pictures)
        return Model(inputs, x, name=network.name)

    model: Model = get_default_graph().attempt(build)
    if path is not None:
        load_weights(model, path)
    return model


def _picture_shape(given: Any, network: Network, include_top: bool, weights: Any) -> tuple[Any, ...]:
    """The shape of a picture. Raises: ValueError for one that does not fit."""
    is_last = image_data_format() == "channels_last"
    channels = 3
    if weights != "imagenet" and given and len(given) == 3:
        channels = given[-1 if is_last else 0]
        if channels not in (1, 3):
            warnings.warn(
                "This model usually expects 1 or 3 input channels. However, it was passed an input_shape with "
                f"{channels} input channels.",
                stacklevel=5,
            )
    sizes = (network.size, network.size)
    default = (*sizes, channels) if is_last else (channels, *sizes)
    if include_top and weights == "imagenet":
        if given is not None and tuple(given) != default:
            raise ValueError(
                error_text(
                    f"When setting `include_top=True` and loading `imagenet` weights, `input_shape` should be {default}."
                )
            )
        return default
    if not given:
        return default if include_top else ((None, None, 3) if is_last else (3, None, None))
    if len(given) != 3:
        raise ValueError(error_text("`input_shape` must be a tuple of three integers."))
    height, width = given[:2] if is_last else given[1:]
    if weights == "imagenet" and given[-1 if is_last else 0] != 3:
        raise ValueError(error_text(f"The input must have 3 channels; got `input_shape={given}`"))
    if any(size is not None and size < network.smallest for size in (height, width)):
        least = f"{network.smallest}x{network.smallest}"
        raise ValueError(error_text(f"Input size must be at least {least}; got `input_shape={given}`"))
    if include_top and None in given:
        raise ValueError(
            error_text(
                f"If `include_top` is True, you should specify a static `input_shape`. Got `input_shape={given}`"
            )
        )
    return tuple(given)


# -- pictures in, classes out ------------------------------------------------------------------------------------------

_MEANS = {"caffe": [103.939, 116.779, 123.68], "torch": [0.485, 0.456, 0.406]}
_DEVIATIONS = [0.229, 0.224, 0.225]


def preprocess_input(x: Any, data_format: str | None = None, mode: str = "caffe") -> Any:
    """Pictures [n, h, w, 3] or [h, w, 3] of 0 … 255 as a network takes them; an array of floats itself changes.

    mode: "caffe" BGR without ImageNet's mean, "tf" -1 … 1, "torch" 0 … 1 by ImageNet's mean and deviation.

    Raises: ValueError for an unknown data_format.
    """
    data_format = data_format or image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(error_text(f"Unknown data_format {data_format}"))
    if isinstance(x, np.ndarray) and not np.issubdtype(x.dtype, np.floating):
        x = x.astype(floatx())
    if mode == "tf":
        x /= 127.5
        x -= 1.0
        return x
    axis = len(x.shape) - (1 if data_format == "channels_last" else 3)
    if mode == "torch":
        x /= 255.0
    else:
        x = np.flip(x, axis) if isinstance(x, np.ndarray) else array.reverse(x, [axis])
    by_channel = [-1 if each == axis else 1 for each in range(len(x.shape))]
    x -= np.reshape(np.array(_MEANS[mode], floatx()), by_channel)
    if mode == "torch":
        x /= np.reshape(np.array(_DEVIATIONS, floatx()), by_channel)
    return x


def preprocess_as(mode: str) -> Callable[..., Any]:
    """`preprocess_input` of a network's module."""

    def preprocess_input_of(x: Any, data_format: str | None = None) -> Any:
        return preprocess_input(x, data_format, mode)

    preprocess_input_of.__name__ = "preprocess_input"
    preprocess_input_of.__doc__ = (
        f'Pictures of 0 … 255 as the network takes them: mode "{mode}" of `imagenet_utils`.'
    )
    return preprocess_input_of


def decode_predictions(preds: Any, top: int = 5) -> list[list[tuple[str, str, float]]]:
    """The likeliest classes of ImageNet for probabilities [n, 1000]: for each row (WordNet's id, the name, the probability).

    The names are in ~/.keras/models/imagenet_class_index.json, which tfedu does not fetch.

    Raises: ValueError for another shape; FileNotFoundError without the file.
    """
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError(
            error_text(
                "`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape (samples, 1000)). Found array "
                f"with shape: {preds.shape}"
            )
        )
    with open(get_file("imagenet_class_index.json", cache_subdir="models"), encoding="utf-8") as file:
        names = json.load(file)
    return [[(*names[str(i)], row[i]) for i in row.argsort()[-top:][::-1]] for row in preds]


__all__ = [
    "Network", "assemble", "channel_axis", "decode_predictions", "halving_padding", "picture_sizes", "preprocess_as",
    "preprocess_input",
]  # fmt: skip
