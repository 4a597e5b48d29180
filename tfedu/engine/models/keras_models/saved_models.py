"""Saving and loading: `model.save("m.h5")`, `load_model`, `save_weights`, `model_from_json`, `clone_model`. No state."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from ...base.errors import DataLossError, error_text
from ...lib.framework import nest
from ...training.checkpoints.object_checkpoint import Checkpoint
from ..keras_layers.base_layer import KerasLayer
from ..keras_layers.input_layer import Input, InputLayer
from ..keras_layers.known_layers import deserialize
from ..keras_layers.layer_nodes import history_of
from ..keras_parts import keras_optimizers
from ..keras_parts.keras_objects import with_custom_objects
from ..keras_parts.keras_session import keras_session
from . import hdf5_files
from .model import Model
from .network import as_json
from .sequential import Sequential

_NO_FORMAT = "A model is saved as an HDF5 file here: save_format='tf' (a SavedModel of a Keras model) is not available"


class _ModelCheckpoint(Checkpoint):
    """A checkpoint whose root is a model."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self._model = model

    def _saved_parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = self._model._saved_parts()
        return parts


# -- weights ---------------------------------------------------------------------------------------------------------------


def save_weights(model: Any, filepath: Any, overwrite: bool = True, save_format: str | None = None) -> None:
    """A model's weights, as an HDF5 file (a path that ends with .h5, .hdf5 or .keras) or as a checkpoint.

    Raises: ValueError before the model is built; FileExistsError for a file that must not be overwritten.
    """
    _check_built(model)
    if not overwrite and os.path.exists(filepath):
        raise FileExistsError(error_text(f"{filepath} exists already, and overwrite is False"))
    if hdf5_files.is_hdf5(filepath, save_format):
        with hdf5_files.written(filepath) as file:
            hdf5_files.write_weights(file, model.layers)
        return
    _ModelCheckpoint(model).write(filepath, session=keras_session())


def load_weights(model: Any, filepath: Any, by_name: bool = False) -> None:
    """Sets a model's weights from an HDF5 file or a checkpoint. by_name: those of equally named layers alone.

    Raises: ValueError before the model is built, and for weights that do not fit; NotFoundError for a missing file.
    """
    _check_built(model)
    if hdf5_files.is_hdf5(filepath) or hdf5_files.is_hdf5_file(filepath):
        with hdf5_files.opened(filepath, "r") as file:
            group = file["model_weights"] if "layer_names" not in file.attrs and "model_weights" in file else file
            read = hdf5_files.read_weights_by_name if by_name else hdf5_files.read_weights
            read(group, model.layers)
        return
    if by_name:
        raise NotImplementedError(
            error_text("Weights may only be loaded based on topology into Models when loading TensorFlow-formatted weights "
                       "(got by_name=True to load_weights).")
        )  # fmt: skip
    status = _ModelCheckpoint(model).restore(filepath)
    status.assert_nontrivial_match().run_restore_ops(session=keras_session())


def _check_built(model: Any) -> None:
    if not model.built and not model.weights:
        raise ValueError(
            error_text("Unable to save or load weights of a model that has not created its variables. Call the model first.")
        )


# -- models ----------------------------------------------------------------------------------------------------------------


def save_model(
    model: Any, filepath: Any, overwrite: bool = True, include_optimizer: bool = True, save_format: str | None = None,
    signatures: Any = None,
) -> None:  # fmt: skip
    """A model as an HDF5 file: its layers, weights, what `compile` was told and the optimizer's state.

    Raises: NotImplementedError for save_format "tf", and for a subclassed model; FileExistsError as `save_weights`.
    """
    if save_format == "tf" or signatures is not None:
        raise NotImplementedError(error_text(_NO_FORMAT))
    if not model._is_graph_network and not isinstance(model, Sequential):
        raise NotImplementedError(
            error_text(
                "Saving the model to HDF5 format requires the model to be a Functional model or a Sequential model. It does not "
                "work for subclassed models, because such models are defined via the body of a Python method, which isn't safely "
                "serializable. Consider saving to the Tensorflow SavedModel format (by setting save_format=\"tf\") or using "
                "`save_weights`."
            )
        )
    if not overwrite and os.path.exists(filepath):
        raise FileExistsError(error_text(f"{filepath} exists already, and overwrite is False"))
    with hdf5_files.written(filepath) as file:
        hdf5_files.write_model(file, model, include_optimizer, as_json)


def load_model(filepath: Any, custom_objects: Any = None, compile: bool = True) -> Any:
    """The model of an HDF5 file, compiled as it was. custom_objects: what the file's own names mean.

    Raises: NotFoundError for a missing file; DataLossError for a file that is no HDF5 file or holds no model; ValueError for
    layers that tfedu does not know.
    """
    with hdf5_files.opened(filepath, "r") as file, with_custom_objects(custom_objects):
        config = hdf5_files.read_json(file, "model_config")
        if config is None:
            raise DataLossError(None, None, error_text(f"No model found in config file {filepath}: it may hold weights alone"))
        model = model_from_config(config)
        hdf5_files.read_weights(file["model_weights"], model.layers)
        training = hdf5_files.read_json(file, "training_config")
        if compile and training is not None:
            _compile_as_before(model, training, file)
    return model


def _compile_as_before(model: Any, training: dict[str, Any], file: Any) -> None:
    optimizer = keras_optimizers.deserialize(training["optimizer_config"])
    model.compile(
        optimizer=optimizer, loss=training["loss"], metrics=training["metrics"], loss_weights=training["loss_weights"],
        sample_weight_mode=training["sample_weight_mode"], weighted_metrics=training.get("weighted_metrics"),
    )  # fmt: skip
    if "optimizer_weights" not in file:
        return
    model._function("train")
    group = file["optimizer_weights"]
    names = [name.decode() if isinstance(name, bytes) else name for name in group.attrs["weight_names"]]
    optimizer.set_weights([np.asarray(group[name]) for name in names])


def model_from_config(config: Any, custom_objects: Any = None) -> Any:
    """The model of a configuration, with new weights.

    Raises: TypeError for a list; ValueError for layers that tfedu does not know.
    """
    if isinstance(config, list):
        raise TypeError(
            error_text(
                "`model_from_config` expects a dictionary, not a list. Maybe you meant to use `Sequential.from_config(config)`?"
            )
        )
    return deserialize(config, custom_objects)


def model_from_json(json_string: str, custom_objects: Any = None) -> Any:
    """The model of `to_json`, with new weights."""
    return model_from_config(json.loads(json_string), custom_objects)


def model_from_yaml(yaml_string: str, custom_objects: Any = None) -> Any:
    """Raises: NotImplementedError: a YAML text may hold code."""
    raise NotImplementedError(error_text("model_from_yaml is not available: a YAML text may hold code", fix="use to_json"))


def network_from_config(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
    """The functional model of a configuration: layers are made, then called as they were."""
    with with_custom_objects(custom_objects):
        layers = {each["name"]: deserialize(each) for each in config["layers"]}
        waiting = [(each["name"], call) for each in config["layers"] for call in each["inbound_nodes"]]
        while waiting:
            later = []
            for name, call in waiting:
                tensors = [_tensor(layers, source) for source in call]
                if any(tensor is None for tensor in tensors):
                    later.append((name, call))
                    continue
                arguments = call[0][3] if len(call[0]) > 3 else {}
                layers[name](tensors if len(tensors) > 1 else tensors[0], **arguments)
            if len(later) == len(waiting):
                raise ValueError(error_text(f"The configuration's layers need one another in a circle: {[n for n, _ in later]}"))
            waiting = later
        ends = []
        for places in (config["input_layers"], config["output_layers"]):
            found = [_tensor(layers, place) for place in places]
            ends.append(found if len(found) > 1 else found[0])
        return cls(inputs=ends[0], outputs=ends[1], name=config.get("name"))


def _tensor(layers: dict[str, Any], place: Any) -> Any:
    name, node, index = place[:3]
    if name not in layers:
        raise ValueError(error_text(f"The configuration names a layer that it lacks: {name}"))
    nodes = layers[name].inbound_nodes
    return nest.flatten(nodes[node].output_tensors)[index] if node < len(nodes) else None


def sequential_from_config(cls: Any, config: Any, custom_objects: Any = None) -> Any:
    """The sequential model of a configuration."""
    name, layers, shape = None, config, None
    if isinstance(config, dict):
        name, layers, shape = config["name"], config["layers"], config.get("build_input_shape")
    with with_custom_objects(custom_objects):
        model = cls(name=name)
        for each in layers:
            model.add(deserialize(each))
    if not model.inputs and shape:
        model.build(tuple(shape))
    return model


def clone_model(model: Any, input_tensors: Any = None, clone_function: Any = None) -> Any:
    """A model of equal layers with new weights. clone_function: makes each layer's copy.

    Raises: ValueError for a subclassed model, and for what is no model.
    """
    if not isinstance(model, Model):
        raise ValueError(error_text(f"('Expected `model` argument to be a `Model` instance, got ', {model!r})"))
    if not model._is_graph_network and not isinstance(model, Sequential):
        raise ValueError(error_text("Expected `model` argument to be a functional `Model` instance, but got a subclass model."))
    copy = clone_function or (lambda layer: type(layer).from_config(layer.get_config()))
    if isinstance(model, Sequential):
        made = [copy(layer) for layer in model.layers]
        if input_tensors is None:
            return Sequential(layers=made, name=model.name)
        tensor = nest.flatten(input_tensors)[0]
        tensor = tensor if history_of(tensor) is not None else Input(tensor=tensor)
        return Sequential(layers=[history_of(tensor).layer, *made], name=model.name)  # type: ignore[union-attr]
    given = [None] * len(model.inputs) if input_tensors is None else nest.flatten(input_tensors)
    found: dict[int, Any] = {}
    for own, new in zip(model.inputs, given):
        if new is None:
            new = Input(batch_shape=tuple(own.shape.as_list()), dtype=own.dtype, name=history_of(own).layer.name)  # type: ignore[union-attr]
        found[id(own)] = new if history_of(new) is not None else Input(tensor=new)
    copies: dict[Any, KerasLayer] = {}
    for node in model._map.nodes:
        layer = node.outbound_layer
        if isinstance(layer, InputLayer):
            continue
        if layer not in copies:
            copies[layer] = copy(layer)
        made = copies[layer](nest.map_structure(lambda x: found[id(x)], node.input_tensors), **node.arguments)
        found.update((id(a), b) for a, b in zip(nest.flatten(node.output_tensors), nest.flatten(made)))
    ends = [nest.map_structure(lambda x: found[id(x)], each) for each in (model._nested_inputs, model._nested_outputs)]
    return Model(ends[0], ends[1], name=model.name)


__all__ = [
    "clone_model", "load_model", "load_weights", "model_from_config", "model_from_json", "model_from_yaml",
    "network_from_config", "save_model", "save_weights", "sequential_from_config",
]  # fmt: skip
