"""Writes a model into a folder: `SavedModelBuilder`, and `simple_save` for a model with one signature.

    builder = SavedModelBuilder("/tmp/model")
    builder.add_meta_graph_and_variables(session, ["serve"], {"serving_default": signature})
    builder.save()

The folder then has `saved_model.pb` (a graph for each set of tags, with signatures), `variables/` (a checkpoint) and
`assets/` (copies of files). State of a builder: its message, and whether its variables are written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from ...base import dtypes, errors, log, proto
from ...base.errors import error_text
from ...files import gfile
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...interop import message_files
from ...lib.control.grouping import group
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import control_dependencies
from ...lib.framework.static_value import get_static_value
from ...lib.variables.initialization import global_variables_initializer, local_variables_initializer
from ...lib.variables.resources import tables_initializer
from ..checkpoints.saver import Saver
from . import saved_model_names as names
from .saved_signatures import predict_signature_def

ASSET_TYPE_URL: Final = "type.googleapis.com/tensorflow.AssetFileDef"


class SavedModelBuilder:
    """Writes graphs, their variables and their files into a folder that does not exist yet, or is empty.

    Raises: AssertionError (as TF) for a folder with files.
    """

    def __init__(self, export_dir: Any) -> None:
        self._saved_model = proto.SavedModel(saved_model_schema_version=names.SAVED_MODEL_SCHEMA_VERSION)
        self._export_dir = os.fsdecode(export_dir)
        if not gfile.exists(self._export_dir):
            gfile.makedirs(self._export_dir)
        elif gfile.listdir(self._export_dir):
            raise AssertionError(
                error_text(
                    "Export directory already exists, and isn't empty. Please choose a different export directory, or delete "
                    f"all the contents of the specified directory: {self._export_dir}"
                )
            )
        self._has_saved_variables = False

    def add_meta_graph_and_variables(
        self,
        sess: Any,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Any = None,
        legacy_init_op: Operation | None = None,
        clear_devices: bool = False,
        main_op: Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph under these tags, and writes its variables' values in the session and its files.

        signature_def_map: SignatureDefs by name. assets_collection: constants that are the paths of files. main_op (older
        name legacy_init_op): an operation that a loader runs. clear_devices, strip_default_attrs: without devices, without
        attributes at their defaults. saver: by default a sharded one of all variables.
        Raises: AssertionError when the variables are written already or a TensorInfo has no name or dtype; KeyError for a
        reserved name of a signature; TypeError for a main_op that is no operation and an asset that is no constant;
        ValueError when the graph has a main op; NotFoundError for a missing asset. The graph is then as it was.
        """
        if self._has_saved_variables:
            raise AssertionError(
                error_text(
                    "Graph state including variables and assets has already been saved. Please invoke `add_meta_graph()` "
                    "instead."
                )
            )
        _check_signatures(signature_def_map)

        def added() -> Any:
            assets = _add_collections(assets_collection, legacy_init_op if main_op is None else main_op)
            used = saver or _default_saver()
            folder = os.path.join(self._export_dir, names.VARIABLES_DIRECTORY)
            gfile.makedirs(folder)
            path = os.path.join(folder, names.VARIABLES_FILENAME)
            used.save(sess, path, write_meta_graph=False, write_state=False)
            self._copy_assets(assets)
            return used.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)

        self._add(get_default_graph().attempt(added), tags, signature_def_map)
        self._has_saved_variables = True

    def add_meta_graph(
        self,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Any = None,
        legacy_init_op: Operation | None = None,
        clear_devices: bool = False,
        main_op: Operation | None = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Adds the default graph under other tags; it shares the variables that add_meta_graph_and_variables wrote.

        Arguments and errors are those of add_meta_graph_and_variables; AssertionError when it was not called before.
        """
        if not self._has_saved_variables:
            raise AssertionError(
                error_text(
                    "Graph state including variables and assets has not been saved yet. Please invoke "
                    "`add_meta_graph_and_variables()` first."
                )
            )
        _check_signatures(signature_def_map)

        def added() -> Any:
            assets = _add_collections(assets_collection, legacy_init_op if main_op is None else main_op)
            self._copy_assets(assets)
            used = saver or _default_saver()
            return used.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)

        self._add(get_default_graph().attempt(added), tags, signature_def_map)

    def name_train_op(self, train_op: Operation) -> None:
        """Writes the name of the operation that takes one step of training into the signature of the last graph added."""
        signature = self._saved_model.meta_graphs[-1].signature_def[names.TRAIN_OP_SIGNATURE_KEY]
        signature.outputs[names.TRAIN_OP_SIGNATURE_KEY].name = train_op.name

    def note_saved_variables(self) -> None:
        """Notes that the caller has written the variables into the folder: add_meta_graph then needs no session."""
        self._has_saved_variables = True

    def save(self, as_text: bool = False) -> bytes:
        """Writes the file `saved_model.pb` (as_text: `saved_model.pbtxt`); returns its path, as bytes like TF.

        Raises: ResourceExhaustedError for a full disk, and other OpErrors; the file is then as it was.
        """
        path = self.write(as_text)
        log.info("SavedModel written to: %s", path)
        return os.fsencode(path)

    def write(self, as_text: bool) -> str:
        """Writes the file as `save` does, without a line in the log; returns its path as text."""
        name = names.SAVED_MODEL_FILENAME_PBTXT if as_text else names.SAVED_MODEL_FILENAME_PB
        return str(message_files.write_graph(self._saved_model, self._export_dir, name, as_text=as_text))

    def _add(self, meta_graph: Any, tags: Iterable[str], signatures: Mapping[str, Any] | None) -> None:
        meta_graph.meta_info_def.tags.extend(tags)
        for key, signature in (signatures or {}).items():
            meta_graph.signature_def[key].MergeFromString(signature.SerializeToString())
        self._saved_model.meta_graphs.append(meta_graph)

    def _copy_assets(self, assets: dict[str, str]) -> None:
        """Copies files (name in the saved model -> path) into the folder of assets."""
        folder = os.path.join(self._export_dir, names.ASSETS_DIRECTORY)
        for name, path in assets.items():
            gfile.makedirs(folder)
            gfile.copy(path, os.path.join(folder, name), overwrite=True)


Builder = SavedModelBuilder


def _default_saver() -> Saver:
    return Saver(sharded=True, allow_empty=True)


def _check_signatures(signatures: Mapping[str, Any] | None) -> None:
    for signature in (signatures or {}).values():
        if not (isinstance(signature, proto.Message) and type(signature).DESCRIPTOR.name == "SignatureDef"):
            raise AttributeError(
                error_text(
                    f"'{type(signature).__name__}' object has no attribute 'inputs'",
                    fix="the values of signature_def_map are SignatureDefs, as tf.saved_model.predict_signature_def makes them",
                )
            )
        for info in (*signature.inputs.values(), *signature.outputs.values()):
            if info.WhichOneof("encoding") is None:
                raise AssertionError(
                    error_text(
                        "All TensorInfo protos used in the SignatureDefs must have one of the 'encoding' fields (e.g., name or "
                        f"coo_sparse) set: {info}"
                    )
                )
            if not info.dtype:
                raise AssertionError(
                    error_text(f"All TensorInfo protos used in the SignatureDefs must have the dtype field set: {info}")
                )
    for key, purpose in ((names.INIT_OP_SIGNATURE_KEY, "initialization"), (names.TRAIN_OP_SIGNATURE_KEY, "the train op")):
        if key in (signatures or {}):
            raise KeyError(
                error_text(f'SignatureDef map key "{key}" is reserved for {purpose}. Please use a different key.')
            )


def _add_collections(assets_collection: Any, main_op: Any) -> dict[str, str]:
    """Adds the assets and the main op to the graph's collections; returns the assets' paths by their names in the model."""
    graph = get_default_graph()
    assets: dict[str, str] = {}
    for tensor in assets_collection or ():
        path = _asset_path(tensor)
        name = _asset_name(path, assets)
        assets[name] = path
        definition = proto.AssetFileDef(filename=name)
        definition.tensor_info.name = tensor.name
        graph.add_to_collection(
            names.ASSETS_KEY, proto.AnyMessage(type_url=ASSET_TYPE_URL, value=definition.SerializeToString())
        )
    if main_op is not None:
        if not isinstance(main_op, Operation):
            raise TypeError(error_text(f"main_op needs to be an Operation: {main_op!r}"))
        for key in (names.MAIN_OP_KEY, names.LEGACY_INIT_OP_KEY):
            if graph.get_collection(key):
                raise ValueError(
                    error_text(f"Graph already contains one or more main ops under the collection {key}.")
                )
        graph.add_to_collection(names.MAIN_OP_KEY, main_op)
    return assets


def _asset_path(tensor: Any) -> str:
    if not isinstance(tensor, Tensor):
        raise TypeError(error_text("Asset path tensor must be a Tensor."))
    if tensor.op.definition is None or tensor.op.definition.role != "constant":
        raise TypeError(error_text("Asset path tensor must be of type constant."))
    if tensor.dtype != dtypes.string:
        raise TypeError(error_text("Asset path tensor must be of dtype string."))
    value = np.asarray(get_static_value(tensor))
    if value.size != 1:
        raise TypeError(error_text("Asset path tensor must be a scalar."))
    path = os.fsdecode(value.reshape(-1)[0])
    if not path:
        raise ValueError(error_text(f"Invalid asset filepath tensor {tensor}"))
    if not gfile.exists(path):
        raise errors.NotFoundError(None, None, error_text(f"{path}; No such file or directory"))
    return path


def _asset_name(path: str, assets: dict[str, str]) -> str:
    """The file's own name; with a number when another file has it."""
    base = name = os.path.basename(path)
    number = 0
    while assets.get(name, path) != path:
        number += 1
        name = f"{base}_{number}"
    return name


def main_op() -> Operation:
    """An operation that initializes global variables, local variables and tables."""
    init = global_variables_initializer()
    local = local_variables_initializer()
    return group(init, local, tables_initializer())


def main_op_with_restore(restore_op_name: Any) -> Operation:
    """An operation that runs `restore_op_name` (an operation or tensor, in spite of its name) after `main_op`."""
    with control_dependencies([main_op()]):
        return group(restore_op_name)


def simple_save(
    session: Any, export_dir: Any, inputs: Mapping[str, Any], outputs: Mapping[str, Any], legacy_init_op: Operation | None = None
) -> None:
    """Writes the default graph and the session's variables as a model with one signature, `serving_default`.

    Its tag is `serve`.

    Raises: see SavedModelBuilder and predict_signature_def.
    """
    signatures = {names.DEFAULT_SERVING_SIGNATURE_DEF_KEY: predict_signature_def(inputs, outputs)}
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session,
        [names.SERVING],
        signatures,
        assets_collection=get_default_graph().get_collection(GraphKeys.ASSET_FILEPATHS),
        main_op=legacy_init_op,
        clear_devices=True,
    )
    builder.save()


__all__ = ["ASSET_TYPE_URL", "Builder", "SavedModelBuilder", "main_op", "main_op_with_restore", "simple_save"]
