"""The checkpoints of a folder: `latest_checkpoint("/tmp/model")`, and the file `checkpoint` that lists them.

checkpoint_reader.py reads the tensors of one checkpoint. No state but the files.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from ...base import errors, log, proto
from ...base.errors import error_text
from ...files import atomic_write, gfile

_V2 = proto.SaverDef.V2


def _state_path(folder: Any, latest_filename: str | None) -> str:
    return os.path.join(os.fspath(folder), "checkpoint" if latest_filename is None else latest_filename)


def generate_checkpoint_state_proto(
    save_dir: Any,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Any = None,
    all_model_checkpoint_timestamps: Any = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """A CheckpointState with the newest checkpoint and all retained ones, oldest first.

    Paths are relative to the folder if that is relative.
    Raises: ValueError unless there are as many timestamps as paths.
    """
    folder = os.fspath(save_dir)
    paths = list(all_model_checkpoint_paths or [])
    if not paths or paths[-1] != model_checkpoint_path:
        log.info("%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path)
        paths.append(model_checkpoint_path)
    times = all_model_checkpoint_timestamps
    if times and len(times) != len(paths):
        raise ValueError(
            error_text(
                f"Checkpoint timestamps, if provided, must match checkpoint paths (got paths {paths} and timestamps {times})"
            )
        )
    if not os.path.isabs(folder):
        paths = [_relative(path, folder) for path in paths]
        model_checkpoint_path = _relative(model_checkpoint_path, folder)
    state = proto.CheckpointState(
        model_checkpoint_path=model_checkpoint_path,
        all_model_checkpoint_paths=paths,
        all_model_checkpoint_timestamps=times,
    )
    if last_preserved_timestamp is not None:
        state.last_preserved_timestamp = last_preserved_timestamp
    return state


def _relative(path: str, folder: str) -> str:
    return path if os.path.isabs(path) else os.path.relpath(path, folder or ".")


def update_checkpoint_state(
    save_dir: Any,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Any = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Any = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Writes the file `checkpoint` of a folder, see generate_checkpoint_state_proto.

    Raises: RuntimeError when a checkpoint has the name of that file.
    """
    write_state(
        save_dir, model_checkpoint_path, all_model_checkpoint_paths, latest_filename, False,
        all_model_checkpoint_timestamps, last_preserved_timestamp,
    )  # fmt: skip


def write_state(
    save_dir: Any,
    newest: str,
    retained: Any = None,
    latest_filename: str | None = None,
    save_relative_paths: bool = False,
    times: Any = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """As update_checkpoint_state; save_relative_paths: stores absolute paths, too, relative to the folder."""
    folder = os.fspath(save_dir)
    path = _state_path(folder, latest_filename)
    save_path = newest
    if save_relative_paths:
        newest, *retained = (
            os.path.relpath(p, folder or ".") if os.path.isabs(p) else p for p in (newest, *(retained or []))
        )
    state = generate_checkpoint_state_proto(folder, newest, retained, times, last_preserved_timestamp)
    if path == state.model_checkpoint_path:
        raise RuntimeError(
            error_text(
                f"Save path '{save_path}' conflicts with path used for checkpoint state.  Please use a different save path."
            )
        )
    try:
        atomic_write.replace_file(path, proto.text_format.MessageToString(state).encode("utf-8"))
    except OSError as error:
        raise gfile.op_error(path, error) from None


def get_checkpoint_state(checkpoint_dir: Any, latest_filename: str | None = None) -> Any:
    """The file `checkpoint` of a folder as CheckpointState; None when it is missing or cannot be read.

    Raises: ValueError when it names no checkpoint.
    """
    folder = os.fspath(checkpoint_dir)
    path = _state_path(folder, latest_filename)
    if not os.path.exists(path):
        return None
    state = proto.CheckpointState()
    try:
        with gfile.File(path, "rb") as file:
            proto.text_format.Merge(file.read().decode("utf-8"), state)
    except (errors.OpError, proto.text_format.ParseError, ValueError, RecursionError) as error:
        log.warn("%s: %s", type(error).__name__, str(error).split("\n", 1)[0])
        log.warn("%s: Checkpoint ignored", path)
        return None
    if not state.model_checkpoint_path:
        raise ValueError(error_text(f"Invalid checkpoint state loaded from {folder}"))
    state.model_checkpoint_path = os.path.join(folder, state.model_checkpoint_path)
    for i, path in enumerate(state.all_model_checkpoint_paths):
        state.all_model_checkpoint_paths[i] = os.path.join(folder, path)
    return state


def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The newest checkpoint of a folder, or None."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    path: str = state.model_checkpoint_path
    if checkpoint_exists(path):
        return path
    log.error("Couldn't match files for checkpoint %s", path)
    return None


def checkpoint_exists(checkpoint_prefix: Any) -> bool:
    """Whether a checkpoint with this prefix exists."""
    prefix = os.fspath(checkpoint_prefix)
    return bool(gfile.glob(f"{prefix}.index") or gfile.glob(prefix))


def get_checkpoint_mtimes(checkpoint_prefixes: Any) -> list[float]:
    """When each checkpoint was written, in seconds since 1970; skips missing checkpoints."""
    times = []
    for prefix in checkpoint_prefixes:
        files = gfile.glob(f"{prefix}.index") or gfile.glob(prefix)
        if files:
            times.append(gfile.stat(files[0]).mtime_nsec / 1e9)
    return times


def remove_checkpoint(
    checkpoint_prefix: Any, checkpoint_format_version: int = _V2, meta_graph_suffix: str = "meta"
) -> None:
    """Deletes the files of a checkpoint, its graph first."""
    prefix = os.fspath(checkpoint_prefix)
    patterns = [meta_graph_filename(prefix, meta_graph_suffix)]
    if checkpoint_format_version == _V2:
        patterns += [f"{prefix}.index", f"{prefix}.data-?????-of-?????"]
    else:
        patterns.append(prefix)
    for pattern in patterns:
        for path in gfile.glob(pattern):
            gfile.remove(path)


def folders_of_parts(prefix: str) -> set[str]:
    """The folders to which a sharded save writes its parts before it joins them."""
    return set(gfile.glob(f"{prefix}_temp_{'[0-9a-f]' * 32}"))


def meta_graph_filename(checkpoint_filename: str, meta_graph_suffix: str = "meta") -> str:
    """The file of a checkpoint's graph; the shards of one checkpoint share it."""
    return re.sub(r"-[\d\?]+-of-\d+$", "", checkpoint_filename) + f".{meta_graph_suffix}"


def checkpoints_iterator(
    checkpoint_dir: Any,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """Yields the newest checkpoint of a folder, each time a new one appears.

    timeout: seconds to wait for a new one; after that the iteration ends, unless `timeout_fn` returns False.
    """
    last: str | None = None
    while True:
        path = wait_for_new_checkpoint(checkpoint_dir, last, timeout=timeout)
        if path is None:
            if timeout_fn is None or timeout_fn():
                log.info("Timed-out waiting for a checkpoint.")
                return
            continue
        start = time.monotonic()
        last = path
        yield path
        time.sleep(max(0.0, start + min_interval_secs - time.monotonic()))


def wait_for_new_checkpoint(
    checkpoint_dir: Any, last_checkpoint: str | None = None, seconds_to_sleep: float = 1, timeout: float | None = None
) -> str | None:
    """Waits until the newest checkpoint of a folder differs from last_checkpoint; None after `timeout` seconds."""
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        path = latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            return path
        if end is not None and time.monotonic() + seconds_to_sleep > end:
            return None
        time.sleep(seconds_to_sleep)


__all__ = [
    "checkpoint_exists", "checkpoints_iterator", "generate_checkpoint_state_proto", "get_checkpoint_mtimes",
    "get_checkpoint_state", "latest_checkpoint", "meta_graph_filename", "remove_checkpoint", "update_checkpoint_state",
    "wait_for_new_checkpoint", "write_state",
]  # fmt: skip
