"""Iterators in checkpoints: `make_saveable_from_iterator` and CheckpointInputPipelineHook, with which a training goes on at the
element where it was.
"""

from __future__ import annotations

from typing import Any

from ...base import log
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...op.callers import nodes
from ...training.checkpoints.checkpoint_state import latest_checkpoint
from ...training.checkpoints.saveables import SaveableObject, SaveSpec
from ...training.checkpoints.saver import Saver
from ...training.sessions.hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from ...training.sessions.saving_hooks import CheckpointSaverHook
from .iterators import GLOBAL_ITERATORS, Iterator


class IteratorSaveable(SaveableObject):
    """The saveable of an iterator's resource: the iterator's position, `<name>-state` in the checkpoint."""

    def __init__(self, iterator_resource: Tensor) -> None:
        name = iterator_resource.name
        spec = SaveSpec(nodes.SerializeIterator(iterator_resource), "", f"{name}-state")
        super().__init__(iterator_resource, [spec], name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: Any) -> Operation:
        with get_default_graph().colocate_with(self.op):
            return nodes.DeserializeIterator(self.op, restored_tensors[0])  # type: ignore[no-any-return]


def make_saveable_from_iterator(iterator: Iterator) -> IteratorSaveable:
    """The saveable of an iterator's position: add it to the collection SAVEABLE_OBJECTS, or to a Saver's var_list."""
    return IteratorSaveable(iterator._iterator_resource)


class CheckpointInputPipelineHook(SessionRunHook):
    """Saves the positions of the graph's iterators as often as an estimator saves the model; the first run restores them.

    estimator: an object with `model_dir` and `config` (save_checkpoints_secs, save_checkpoints_steps, num_worker_replicas,
    task_type, task_id). Initialize the iterators in TABLE_INITIALIZERS.
    """

    def __init__(self, estimator: Any) -> None:
        config = estimator.config
        prefix = "input"
        if getattr(config, "num_worker_replicas", 1) > 1:
            prefix = f"input_{config.task_type}_{config.task_id}"
        self._latest_filename = f"checkpoint_{prefix}"
        # Held, not derived from: programs find the hook that saves the model by the class CheckpointSaverHook.
        self._hook = CheckpointSaverHook(
            estimator.model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
            checkpoint_basename=f"{prefix}.ckpt",
        )  # fmt: skip
        self._folder = estimator.model_dir
        self._is_first_run = True

    def begin(self) -> None:
        iterators = get_default_graph().get_collection(GLOBAL_ITERATORS)
        if not iterators:
            raise RuntimeError(error_text("No iterators to save.", fix="make an iterator of a dataset before the session"))
        self._saver = _Saver([IteratorSaveable(each) for each in iterators], self._latest_filename)
        self._hook._saver = self._saver
        self._hook.begin()

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        # after_create_session is too early: other hooks initialize iterators in it.
        if self._is_first_run:
            self._is_first_run = False
            self._restore_or_save(run_context.session)
        return self._hook.before_run(run_context)

    def _restore_or_save(self, session: Any) -> None:
        path = latest_checkpoint(self._folder, self._latest_filename)
        if path:
            log.info("Restoring input pipeline from %s.", path)
            self._saver.restore(session, path)
        else:
            step = session.run(self._hook._step)
            self._hook._save(session, step)
            self._hook._timer.update_last_triggered_step(step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self._hook.after_run(run_context, run_values)

    def end(self, session: Any) -> None:
        self._hook.end(session)


class _Saver(Saver):
    """A Saver whose list of checkpoints is a file of its own, apart from that of the model."""

    def __init__(self, saveables: list[IteratorSaveable], latest_filename: str) -> None:
        super().__init__(saveables)
        self._latest_filename = latest_filename

    def save(self, *args: Any, **kwargs: Any) -> Any:
        return super().save(*args, **{"latest_filename": self._latest_filename, **kwargs})


__all__ = ["CheckpointInputPipelineHook", "IteratorSaveable", "make_saveable_from_iterator"]
