"""Loads a model from a folder that SavedModelBuilder, here or in TensorFlow, has written.

    meta_graph = load(session, ["serve"], "/tmp/model")
    session.run("y:0", {"x:0": [[1.0, 2.0]]})

State of a SavedModelLoader: the parsed message of its folder.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable
from typing import Any

from ...base import errors, log, proto
from ...base.errors import error_text
from ...files import gfile
from ...graph.graph import Graph
from ...interop.message_files import load_message
from ...interop.scope_names import prepended
from ..checkpoints.saveables import all_saveable_objects
from ..checkpoints.saver import Saver, import_meta_graph
from . import saved_model_names as names


def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Whether the folder has a file `saved_model.pb` or `saved_model.pbtxt`."""
    folder = os.fsdecode(export_dir)
    return any(
        gfile.exists(os.path.join(folder, name))
        for name in (names.SAVED_MODEL_FILENAME_PBTXT, names.SAVED_MODEL_FILENAME_PB)
    )


def contains_saved_model(export_dir: Any) -> bool:
    """Whether the folder has a file `saved_model.pb` or `saved_model.pbtxt`."""
    return maybe_saved_model_directory(export_dir)


def parse_saved_model(export_dir: Any) -> Any:
    """The SavedModel in a folder.

    Raises: OSError for a folder without one, and for one that cannot be parsed.
    """
    folder = os.fsdecode(export_dir)
    for name in (names.SAVED_MODEL_FILENAME_PB, names.SAVED_MODEL_FILENAME_PBTXT):
        path = os.path.join(folder, name)
        if gfile.exists(path):
            try:
                return load_message(proto.SavedModel, path)
            except (errors.DataLossError, errors.InvalidArgumentError) as error:
                reason = str(error).split("\n", 1)[0]
                raise OSError(error_text(f"Cannot parse file {path}: {reason}.")) from None
    raise OSError(
        error_text(
            f"SavedModel file does not exist at: {folder}/"
            f"{{{names.SAVED_MODEL_FILENAME_PBTXT}|{names.SAVED_MODEL_FILENAME_PB}}}"
        )
    )


class SavedModelLoader:
    """A model in a folder, whose graph, variables and main op are loaded together (`load`) or one by one.

    Raises: OSError, see parse_saved_model.
    """

    def __init__(self, export_dir: Any) -> None:
        self._export_dir = os.fsdecode(export_dir)
        self._saved_model = parse_saved_model(export_dir)

    @property
    def export_dir(self) -> str:
        """The folder."""
        return self._export_dir

    @property
    def saved_model(self) -> Any:
        """The SavedModel message."""
        return self._saved_model

    @property
    def variables_path(self) -> str:
        """The path of the checkpoint."""
        return os.path.join(self._export_dir, names.VARIABLES_DIRECTORY, names.VARIABLES_FILENAME)

    def get_meta_graph_def_from_tags(self, tags: Iterable[str]) -> Any:
        """The MetaGraphDef that has exactly these tags.

        Raises: RuntimeError when there is none.
        """
        tags = tags if isinstance(tags, str) else list(tags)
        for meta_graph in self._saved_model.meta_graphs:
            if set(meta_graph.meta_info_def.tags) == set(tags):
                return meta_graph
        available = [_set_text(meta_graph.meta_info_def.tags) for meta_graph in self._saved_model.meta_graphs]
        raise RuntimeError(
            error_text(
                f"MetaGraphDef associated with tags {str(tags).strip('[]')} could not be found in SavedModel. To inspect "
                "available tag-sets in the SavedModel, please use the SavedModel CLI: `saved_model_cli`\n"
                f"available_tags: [{', '.join(available)}]"
            )
        )

    def load_graph(self, graph: Graph, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any) -> Any:
        """Adds the nodes of the MetaGraphDef to a graph; returns its Saver (None without variables).

        saver_kwargs: further arguments of import_meta_graph. Differs from TF: returns the Saver alone.
        """
        with graph.as_default():
            return import_meta_graph(self.get_meta_graph_def_from_tags(tags), import_scope=import_scope, **saver_kwargs)

    def restore_variables(self, sess: Any, saver: Saver | None, import_scope: str | None = None) -> None:
        """Loads the values of the variables into the session.

        Raises: ValueError without a Saver when the graph has variables; NotFoundError or DataLossError for a missing or damaged
        checkpoint.
        """
        with sess.graph.as_default():
            if saver is None and not all_saveable_objects(scope=import_scope):
                log.info("The specified SavedModel has no variables; no checkpoints were restored.")
            elif isinstance(saver, Saver):
                saver.restore(sess, self.variables_path)
            else:
                raise ValueError(
                    error_text(
                        "No tf.train.Saver object was passed to the function SavedModelLoader.restore_variables. Since there "
                        "are variables in the graph, a saver is required."
                    )
                )

    def run_init_ops(self, sess: Any, tags: Iterable[str], import_scope: str | None = None) -> None:
        """Runs the main op of the MetaGraphDef, if it has one; feeds the paths of its assets."""
        meta_graph = self.get_meta_graph_def_from_tags(tags)
        name = _init_op_name(meta_graph)
        if name is not None:
            feeds = _asset_feeds(self._export_dir, meta_graph, import_scope)
            sess.run(sess.graph.as_graph_element(prepended(name, import_scope)), feed_dict=feeds)

    def load(self, sess: Any, tags: Iterable[str], import_scope: str | None = None, **saver_kwargs: Any) -> Any:
        """load_graph, restore_variables and run_init_ops; returns the MetaGraphDef."""
        tags = tags if isinstance(tags, str) else list(tags)
        saver = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
        self.restore_variables(sess, saver, import_scope)
        self.run_init_ops(sess, tags, import_scope)
        return self.get_meta_graph_def_from_tags(tags)


def load(sess: Any, tags: Iterable[str], export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any) -> Any:
    """Adds the graph of these tags to the session's graph, loads its variables and runs its main op; returns its MetaGraphDef.

    import_scope: a name scope for all nodes. saver_kwargs: further arguments of import_meta_graph.
    Raises: OSError for a folder without a model, RuntimeError for tags that the model does not have; see SavedModelLoader.
    """
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)


def _set_text(tags: Iterable[str]) -> str:
    return f"{{{', '.join(repr(tag) for tag in sorted(set(tags)))}}}" if tags else "set()"


def _init_op_name(meta_graph: Any) -> str | None:
    """The name of the operation that a loader runs: that of a signature, of the main op or of the older init op."""
    signatures = meta_graph.signature_def
    if names.INIT_OP_SIGNATURE_KEY in signatures:
        found: str = signatures[names.INIT_OP_SIGNATURE_KEY].outputs[names.INIT_OP_SIGNATURE_KEY].name
        return found
    for key in (names.MAIN_OP_KEY, names.LEGACY_INIT_OP_KEY):
        if key in meta_graph.collection_def:
            ops = list(meta_graph.collection_def[key].node_list.value)
            if len(ops) != 1:
                raise RuntimeError(
                    error_text(f"Expected exactly one SavedModel init op. Found: {ops}")
                )
            return str(ops[0])
    return None


def _asset_feeds(export_dir: str, meta_graph: Any, import_scope: str | None) -> dict[str, str]:
    """The paths of the assets' files by the names of their tensors.

    Raises: DataLossError for a damaged entry, InvalidArgumentError for a file outside the folder of assets.
    """
    assets = list(meta_graph.asset_file_def)
    if not assets and names.ASSETS_KEY in meta_graph.collection_def:
        for entry in meta_graph.collection_def[names.ASSETS_KEY].any_list.value:
            try:
                assets.append(proto.AssetFileDef.FromString(entry.value))
            except proto.DecodeError:
                raise errors.DataLossError(
                    None, None, error_text(f"Collection '{names.ASSETS_KEY}' holds what is no AssetFileDef")
                ) from None
    feeds = {}
    for asset in assets:
        inside = posixpath.normpath(asset.filename.replace("\\", "/"))
        if inside.startswith(("/", "..")) or ":" in inside.partition("/")[0]:
            raise errors.InvalidArgumentError(
                None, None, error_text(f"The asset {asset.filename!r} is outside the folder of assets")
            )
        feeds[prepended(asset.tensor_info.name, import_scope)] = os.path.join(
            export_dir, names.ASSETS_DIRECTORY, asset.filename
        )
    return feeds


__all__ = ["SavedModelLoader", "contains_saved_model", "load", "maybe_saved_model_directory", "parse_saved_model"]
