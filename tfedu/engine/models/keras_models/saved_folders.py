"""Keras models in folders, which are SavedModels: `model.save("m", save_format="tf")`, `export_saved_model`. No state.

    saved_model.pb                a graph for each mode: serve, and for a compiled model also train and eval
    variables/variables.*         the variables by the paths of the layers, and the file `checkpoint`
    assets/saved_model.json       the layers as JSON, and what `compile` was told; not for subclassed models

TF 1.15 reads such a folder with load_from_saved_model, and its graphs with tf.saved_model.load. The folders that
`model.save` of TF 1.15 to 2.4 writes keep the same JSON inside saved_model.pb.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from typing import Any

from ...base import log
from ...base.errors import DataLossError, NotFoundError, error_text
from ...files import atomic_write
from ...graph.default_graph import get_default_graph
from ...graph.graph import Graph
from ...interop.graph_util import extract_sub_graph
from ...interop.meta_graph import export_meta_graph
from ...lib.control.grouping import group
from ...lib.framework.graph_keys import GraphKeys
from ...lib.variables.initialization import local_variables_initializer, variables_initializer
from ...lib.variables.resources import tables_initializer
from ...lib.variables.variables import global_variables
from ...training.checkpoints.checkpoint_reader import list_variables
from ...training.checkpoints.checkpoint_state import write_state
from ...training.checkpoints.saver import Saver, import_meta_graph
from ...training.checkpoints.trackable import object_graph
from ...training.saved_models import saved_model_names as names
from ...training.saved_models.saved_model_builder import SavedModelBuilder
from ...training.saved_models.saved_model_loader import parse_saved_model
from ...training.saved_models.saved_signatures import (
    build_signature_def,
    build_tensor_info,
    predict_signature_def,
)
from ..keras_layers.call_context import set_learning_phase
from ..keras_parts.keras_objects import with_custom_objects
from ..keras_parts.keras_session import keras_session
from .hdf5_files import VERSION, compile_told
from .model_checkpoint import ModelCheckpointFile
from .model_configs import clone_model, compile_as_told, model_from_config
from .network import as_json
from .sequential import Sequential

_JSON = "saved_model.json"
_TRAINED = {"train": "tensorflow/supervised/training", "eval": "tensorflow/supervised/eval"}
_OF_CLASS = (
    "its class is the program's own, and a folder holds no code. Build the model by its class and call "
    "load_weights({path!r}), or load the graph by tf.saved_model.load"
)


def checkpoint_in(folder: Any) -> str:
    """The path of the checkpoint in the folder of a saved model."""
    return os.path.join(os.fspath(folder), names.VARIABLES_DIRECTORY, names.VARIABLES_FILENAME)


# -- writing ---------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _written(path: Any) -> Iterator[str]:
    """`with _written(path) as folder:` a new folder, whose files go to `path` when all are whole; other files there stay."""
    path = os.fspath(path).rstrip("/")
    whole = f"{path}.tmp{os.getpid()}"
    try:
        yield whole
        with contextlib.suppress(FileNotFoundError):
            os.remove(_json_file(path))  # of another model
        for folder, _, files in os.walk(whole):
            target = os.path.join(path, os.path.relpath(folder, whole))
            os.makedirs(target, exist_ok=True)
            for name in files:
                os.replace(os.path.join(folder, name), os.path.join(target, name))
    finally:
        shutil.rmtree(whole, ignore_errors=True)


def save_folder(model: Any, path: Any, include_optimizer: bool = True) -> None:
    """A model as a folder with one graph, that of predictions.

    Raises: ValueError before the model has inputs.
    """
    _check_inputs(model)
    with _written(path) as folder:
        _write(model, folder, ["serve"], include_optimizer, as_text=False)


def export_saved_model(
    model: Any, saved_model_path: Any, custom_objects: Any = None, as_text: bool = False, input_signature: Any = None,
    serving_only: bool = False,
) -> None:  # fmt: skip
    """A model as a folder with a graph for predictions, and where it is compiled also for training and evaluation.

    as_text: the graphs as text. serving_only: the graph of predictions alone. A subclassed model has no other, and its folder
    no JSON. Differs from TF: input_signature is not used; a subclassed model has been called before.

    Raises: AssertionError for a folder with files; ValueError before the model has inputs; NotImplementedError for a model to
    which `add_loss` or `add_metric` has added tensors, unless serving_only.
    """
    path = os.fspath(saved_model_path)
    if os.path.isdir(path) and os.listdir(path):
        raise AssertionError(
            error_text(
                "Export directory already exists, and isn't empty. Please choose a different export directory, or delete all the "
                f"contents of the specified directory: {path}"
            )
        )
    _check_inputs(model)
    modes = ["serve"]
    if model.optimizer is not None and not serving_only and _has_config(model):
        modes = ["train", "eval", "serve"]
        if model._losses or model._callable_losses or model._metrics:
            raise NotImplementedError(
                error_text(
                    f"Model {model.name} has losses or metrics of add_loss and add_metric, which cannot be built anew",
                    fix="export it for predictions alone, with serving_only=True",
                )
            )
    with _written(path) as folder, with_custom_objects(custom_objects):
        _write(model, folder, modes, True, as_text)


def _check_inputs(model: Any) -> None:
    if not model.inputs:
        raise ValueError(
            error_text(
                f"Model {model.name} cannot be saved because the input shapes have not been set. Usually, input shapes are "
                "automatically determined from calling .fit() or .predict(). To manually set the shapes, call "
                "model._set_inputs(inputs)."
            )
        )


def _has_config(model: Any) -> bool:
    return model._is_graph_network or isinstance(model, Sequential)


def _write(model: Any, folder: str, modes: list[str], include_optimizer: bool, as_text: bool) -> None:
    builder = SavedModelBuilder(folder)
    path = checkpoint_in(folder)
    ModelCheckpointFile(model).write(path, session=keras_session())
    write_state(os.path.dirname(path), os.path.abspath(path), [os.path.abspath(path)], save_relative_paths=True)
    builder.note_saved_variables()
    saved = {name for name, _ in list_variables(path)}
    training = compile_told(model)
    for mode in modes:
        with Graph().as_default():
            if _has_config(model):
                _add_clone(builder, model, mode, saved, training)
            else:
                _add_part(builder, model, saved)
    builder.write(as_text)
    if _has_config(model):
        told = {"class_name": type(model).__name__, "config": model.get_config(), **VERSION}
        if include_optimizer and training is not None:
            told["training_config"] = training
        assets = os.path.join(folder, names.ASSETS_DIRECTORY)
        os.makedirs(assets, exist_ok=True)
        atomic_write.replace_file(os.path.join(assets, _JSON), json.dumps(told, default=as_json).encode())
    else:
        log.warning("Skipped saving model JSON, subclassed model does not have get_config() defined.")


def _add_clone(builder: SavedModelBuilder, model: Any, mode: str, saved: set[str], training: dict[str, Any] | None) -> None:
    """Builds the model again for one mode ("serve", "train", "eval"), in the default graph, and adds that graph."""
    set_learning_phase(int(mode == "train"))
    clone = clone_model(model)
    inputs, outputs = dict(zip(clone.input_names, clone.inputs)), dict(zip(clone.output_names, clone.outputs))
    train_op = None
    if mode == "serve":
        signatures = {names.DEFAULT_SERVING_SIGNATURE_DEF_KEY: predict_signature_def(inputs, outputs)}
    else:
        optimizer = model.optimizer
        if training is not None:
            optimizer = type(optimizer).from_config(training["optimizer_config"]["config"])
        told = model._compile_arguments
        clone.compile(
            optimizer, model.loss, told["metrics"], loss_weights=model.loss_weights, weighted_metrics=told["weighted_metrics"]
        )
        if mode == "train":
            train_op = clone._function("train").updates_op
        signatures = {mode: _supervised(clone, inputs, outputs, _TRAINED[mode])}
        for metric in clone._measured:
            for variable in metric.variables:
                get_default_graph().add_to_collection(GraphKeys.LOCAL_VARIABLES, variable)
    variables = object_graph(ModelCheckpointFile(clone)).variables
    _add_graph(builder, mode, signatures, {key: one for key, one in variables.items() if key in saved}, train_op)


def _supervised(clone: Any, inputs: dict[str, Any], outputs: dict[str, Any], method: str) -> Any:
    """The signature of training or evaluation: inputs and targets; the loss, the outputs and the metrics."""
    targets = {f"{each.name}_target": each.target for each in clone._endpoints if each.is_trained}
    results = {"loss": clone.total_loss, **{f"predictions/{name}": tensor for name, tensor in outputs.items()}}
    for metric in clone.metrics:
        results[f"metrics/{metric.name}/update_op"] = metric._call_result  # before `result`, which sets it anew
        results[f"metrics/{metric.name}/value"] = metric.result()
    return build_signature_def(
        {name: build_tensor_info(tensor) for name, tensor in {**inputs, **targets}.items()},
        {name: build_tensor_info(tensor) for name, tensor in results.items()}, method,
    )  # fmt: skip


def _add_part(builder: SavedModelBuilder, model: Any, saved: set[str]) -> None:
    """Adds the part of a subclassed model's graph that gives its outputs, copied into the default graph."""
    graph = model.outputs[0].graph
    variables = {key: one for key, one in object_graph(ModelCheckpointFile(model)).variables.items() if key in saved}
    inputs, outputs = dict(zip(model.input_names, model.inputs)), dict(zip(model.output_names, model.outputs))
    definitions = [one.to_proto() for one in variables.values()]
    of_variables = [
        name.partition(":")[0]
        for each in definitions
        for name in (each.variable_name, each.initial_value_name, each.initializer_name, each.snapshot_name)
    ]
    of_results = [tensor.op.name for tensor in (*model.inputs, *model.outputs)]
    part = extract_sub_graph(graph.as_graph_def(), [*of_results, *of_variables])
    import_meta_graph(export_meta_graph(graph=graph, graph_def=part, clear_devices=True, collection_list=["variables"]))
    copies = {one.op.name: one for one in global_variables()}
    here = get_default_graph().get_tensor_by_name
    signature = predict_signature_def(
        {name: here(tensor.name) for name, tensor in inputs.items()},
        {name: here(tensor.name) for name, tensor in outputs.items()},
    )
    restored = {key: copies[one.op.name] for key, one in variables.items() if one.op.name in copies}
    _add_graph(builder, "serve", {names.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature}, restored, None)


def _add_graph(builder: SavedModelBuilder, tag: str, signatures: dict[str, Any], restored: dict[str, Any], train_op: Any) -> None:
    """Adds the default graph. restored: the variables by their keys in the checkpoint; a loader initializes the others."""
    known = {id(one) for one in restored.values()}
    rest = [one for one in global_variables() if id(one) not in known]
    init = group(variables_initializer(rest), local_variables_initializer(), tables_initializer(), name="init_op")
    saver = Saver(restored, sharded=True) if restored else Saver(allow_empty=True)
    builder.add_meta_graph([tag], signatures, main_op=init, clear_devices=True, saver=saver)
    if train_op is not None:
        builder.name_train_op(train_op)


# -- reading ---------------------------------------------------------------------------------------------------------------


def load_folder(path: Any, custom_objects: Any = None, compile: bool = True) -> Any:
    """The model of a folder that `model.save` wrote here or in TF 1.15 to 2.4, compiled as it was.

    Raises: OSError for a folder without a SavedModel; NotImplementedError for a model whose class is the program's own, and for
    a folder of later releases of Keras; DataLossError for a damaged folder; ValueError for layers that tfedu does not know.
    """
    told = _told(path)
    with with_custom_objects(custom_objects):
        model = model_from_config(told)
        training = told.get("training_config")
        if compile and training is not None:
            compile_as_told(model, training)
            if any(name.startswith("optimizer/") for name, _ in list_variables(checkpoint_in(path))):
                model._function("train")  # makes the optimizer's variables
    ModelCheckpointFile(model).load(checkpoint_in(path))
    return model


def load_from_saved_model(saved_model_path: Any, custom_objects: Any = None) -> Any:
    """The model of a folder that `export_saved_model` wrote, with its weights, not compiled.

    Raises: NotFoundError for a folder without the layers as JSON; DataLossError for a damaged one; ValueError for layers that
    tfedu does not know.
    """
    file = _json_file(saved_model_path)
    if not os.path.exists(file):
        raise NotFoundError(None, None, error_text(f"{file}; No such file or directory"))
    model = model_from_config(_read(file), custom_objects)
    ModelCheckpointFile(model).load(checkpoint_in(saved_model_path))
    return model


def _json_file(folder: Any) -> str:
    return os.path.join(os.fspath(folder), names.ASSETS_DIRECTORY, _JSON)


def _read(file: str) -> Any:
    with open(file, "rb") as stream:
        return _parsed(stream.read(), file)


def _parsed(text: Any, file: str) -> Any:
    try:
        told = json.loads(text)
        if not isinstance(told, dict) or not isinstance(told.get("config"), dict):
            raise ValueError("it is no configuration of a model")
    except (ValueError, RecursionError) as error:
        raise DataLossError(None, None, error_text(f"{file}: the model's layers are damaged: {error}")) from None
    return told


def _told(folder: Any) -> Any:
    """The configuration of a folder's model."""
    if os.path.exists(_json_file(folder)):
        return _read(_json_file(folder))
    message = parse_saved_model(folder)
    later = os.path.join(os.fspath(folder), "keras_metadata.pb")
    if os.path.exists(later):
        raise NotImplementedError(
            error_text(
                f"{os.fspath(folder)} was saved by Keras of TensorFlow 2.5 or later, whose folders tfedu does not read",
                fix='save the model there as an HDF5 file (save_format="h5"), or load the graph by tf.saved_model.load',
            )
        )
    nodes = [node for graph in message.meta_graphs for node in graph.object_graph_def.nodes[:1]]
    identifiers = [node.user_object.identifier for node in nodes]
    if any(name in ("_tf_keras_sequential", "_tf_keras_network") for name in identifiers):
        told = _parsed(nodes[0].user_object.metadata, os.fspath(folder))
        return {**told, **(told.get("model_config") or {})}
    what = "_tf_keras_model" in identifiers or os.path.exists(f"{checkpoint_in(folder)}.index")
    reason = _OF_CLASS.format(path=checkpoint_in(folder)) if what else "it has no variables of a Keras model"
    raise NotImplementedError(error_text(f"{os.fspath(folder)} is a SavedModel without the layers of a Keras model: {reason}"))


__all__ = ["checkpoint_in", "export_saved_model", "load_folder", "load_from_saved_model", "save_folder"]
