"""Saving and loading: `model.save("m.h5")`, `load_model`, `save_weights`. No state."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ...base.errors import DataLossError, error_text
from ...training.checkpoints.checkpoint_state import write_state
from ..keras_parts.keras_objects import with_custom_objects
from ..keras_parts.keras_session import keras_session
from . import hdf5_files, saved_folders
from .model_checkpoint import ModelCheckpointFile
from .model_configs import compile_as_told, model_from_config
from .network import as_json
from .sequential import Sequential

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
    path = ModelCheckpointFile(model).write(filepath, session=keras_session())
    write_state(os.path.dirname(path), path, [path], save_relative_paths=True)


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
    ModelCheckpointFile(model).load(filepath)


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
    """A model as an HDF5 file, or with save_format "tf" as a folder: its layers, weights, what `compile` was told and the
    optimizer's state. A path that ends with .h5, .hdf5 or .keras is a file.

    Raises: NotImplementedError for a subclassed model as a file, and for signatures, which are functions; FileExistsError as
    `save_weights`; ValueError before the model has inputs.
    """
    if signatures is not None:
        raise NotImplementedError(error_text("signatures are functions of eager execution; tfedu runs graphs alone"))
    if save_format == "tf" and not hdf5_files.is_hdf5(filepath):
        if not overwrite and os.path.exists(filepath):
            raise FileExistsError(error_text(f"{filepath} exists already, and overwrite is False"))
        saved_folders.save_folder(model, filepath, include_optimizer)
        return
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


class NoModelError(DataLossError, ValueError):
    """`load_model` found no model in a file. The error is a ValueError, too, since TF 1.15 raises one there."""


def load_model(filepath: Any, custom_objects: Any = None, compile: bool = True) -> Any:
    """The model of an HDF5 file or of a folder, compiled as it was. custom_objects: what the file's own names mean.

    Raises: NotFoundError for a missing file; DataLossError for a file that is no HDF5 file or holds no model; NotImplementedError
    for a model of Keras 3; ValueError for layers that tfedu does not know; for a folder as `saved_folders.load_folder`.
    """
    if os.path.isdir(filepath):
        return saved_folders.load_folder(filepath, custom_objects, compile)
    with hdf5_files.opened(filepath, "r") as file, with_custom_objects(custom_objects):
        config = hdf5_files.read_json(file, "model_config")
        if config is None:
            raise NoModelError(None, None, error_text(f"No model found in config file {filepath}: it may hold weights alone"))
        hdf5_files.check_version(file)
        model = model_from_config(config)
        if "model_weights" not in file:
            raise DataLossError(None, None, error_text(f"{filepath} has the layers of a model, and no weights"))
        hdf5_files.read_weights(file["model_weights"], model.layers)
        training = hdf5_files.read_json(file, "training_config")
        if compile and training is not None:
            _compile_as_before(model, training, file)
    return model


def _compile_as_before(model: Any, training: dict[str, Any], file: Any) -> None:
    compile_as_told(model, training)
    if "optimizer_weights" not in file:
        return
    model._function("train")
    group = file["optimizer_weights"]
    names = [name.decode() if isinstance(name, bytes) else name for name in group.attrs["weight_names"]]
    model.optimizer.set_weights([np.asarray(group[name]) for name in names])


__all__ = ["load_model", "load_weights", "save_model", "save_weights"]
