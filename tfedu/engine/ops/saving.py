"""Checkpoints: SaveV2, RestoreV2 and MergeV2Checkpoints write, read and join them; ShardedFilename names their parts.

The format is in base/bundle. No state but the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape, ShapeMismatch, merge
from .define import AtLeast, Each, Sym, op
from .rules import as_array, invalid, scalar, text_of, unwrapped, vector, with_value
from .strings import only, shown

string = dtypes.string


def _prefix(value: Any, what: str) -> str:
    return only(value, f"Input {what} should be a scalar tensor, got shape: ").decode("utf-8", "surrogateescape")


def _texts(value: Any) -> list[bytes]:
    return [bytes(text) for text in as_array(value).reshape(-1)]


def _part(spec: bytes) -> Any:
    from ..base import bundle

    return bundle.parsed(shown(spec)) if spec else None


@op("SaveV2", stateful=True)
def save_v2(
    run: Any, prefix: string, tensor_names: string, shape_and_slices: string, tensors: Each["dtypes"]
) -> None:
    """Writes the tensors as one checkpoint, in the order of their names; a slice says of which whole a tensor is a part."""
    from ..base import bundle

    names, specs = _texts(tensor_names), _texts(shape_and_slices)
    if not len(names) == len(specs) == len(tensors):
        raise invalid(f"Got {len(names)} names and {len(specs)} slices for {len(tensors)} tensors")
    kinds = [t.dtype.base_dtype for t in run.node.inputs[3:]]
    with bundle.Writer(_prefix(prefix, "prefix")) as writer:
        for i in sorted(range(len(names)), key=names.__getitem__):
            part = _part(specs[i])
            if part is not None and part.shape != np.shape(tensors[i]):
                raise invalid(
                    "Slice in shape_and_slice specification does not match the shape of the tensor to  save: "
                    f"{shown(specs[i])}, tensor: {text_of(np.shape(tensors[i]))}"
                )
            writer.add(names[i], tensors[i], kinds[i], part)
        writer.finish()
    return ()  # type: ignore[return-value]


@save_v2.shape
def _(prefix: Sym, tensor_names: Sym, shape_and_slices: Sym, tensors: Sequence[Sym]) -> list[Any]:
    scalar(prefix)
    for sym in (tensor_names, shape_and_slices):
        with_value(vector(sym), len(tensors))
    return []


@op("RestoreV2", out="tensors", stateful=True)
def restore_v2(
    run: Any, prefix: string, tensor_names: string, shape_and_slices: string, *, dtypes: AtLeast[1, list[DType]]
) -> Each["dtypes"]:
    """Reads tensors, or slices of them, from a checkpoint."""
    from ..base import bundle

    names, specs = _texts(tensor_names), _texts(shape_and_slices)
    if not len(names) == len(specs) == len(dtypes):
        raise invalid(f"Got {len(names)} names and {len(specs)} slices for {len(dtypes)} tensors")
    out: list[Any] = []
    with bundle.Bundle(_prefix(prefix, "prefix")) as found:
        missing = [name for name in names if name not in found]
        if missing:
            raise errors.NotFoundError(None, None, f"Key {shown(min(missing))} not found in checkpoint")
        for name, spec, dtype in zip(names, specs, dtypes):
            entry = found.entry(name)
            if entry.dtype is not dtype.base_dtype:
                raise invalid(
                    f"tensor_name = {shown(name)}; expected dtype {runtime_name(dtype.base_dtype)} does not equal original "
                    f"dtype {runtime_name(entry.dtype)}"
                )
            part = _part(spec)
            if part is not None and part.full_shape != entry.shape:
                raise invalid(
                    f"tensor_name = {shown(name)}; shape in shape_and_slice spec {text_of(part.full_shape)} does not match "
                    f"the shape stored in checkpoint: {text_of(entry.shape)}"
                )
            out.append(unwrapped(found.read(name, None if part is None else part.slice)))
    return out  # type: ignore[return-value]


@restore_v2.shape
def _(prefix: Sym, tensor_names: Sym, shape_and_slices: Sym, *, dtypes: list[DType]) -> list[Shape]:
    scalar(prefix)
    vector(tensor_names)
    vector(shape_and_slices)
    merge(tensor_names.shape, shape_and_slices.shape)
    specs = shape_and_slices.value
    if specs is None or len(specs) != len(dtypes):
        return [None] * len(dtypes)
    found: list[Shape] = []
    for spec in specs:
        try:
            part = _part(bytes(spec))
        except (errors.InvalidArgumentError, errors.InternalError) as error:
            raise ShapeMismatch(error.message) from None
        found.append(None if part is None else part.shape)
    return found


@op("MergeV2Checkpoints", stateful=True)
def merge_v2_checkpoints(
    run: Any, checkpoint_prefixes: string, destination_prefix: string, *, delete_old_dirs: bool = True
) -> None:
    """Makes one checkpoint of several, and deletes the folders that they were in."""
    from ..base import bundle

    prefixes = [text.decode("utf-8", "surrogateescape") for text in _texts(checkpoint_prefixes)]
    bundle.merge(prefixes, _prefix(destination_prefix, "destination_prefix"), delete_old_dirs)
    return ()  # type: ignore[return-value]


@merge_v2_checkpoints.shape
def _(checkpoint_prefixes: Sym, destination_prefix: Sym, *, delete_old_dirs: bool) -> list[Any]:
    vector(checkpoint_prefixes)
    scalar(destination_prefix)
    return []


def _scalars(*given: Sym) -> Shape:
    for sym in given:
        scalar(sym)
    return ()


@op("ShardedFilename", out="filename", shape=_scalars)
def sharded_filename(xp: Any, basename: string, shard: dtypes.int32, num_shards: dtypes.int32) -> string:
    """The name of one of several files: name-00003-of-00007."""
    return bytes(basename) + f"-{int(shard):05d}-of-{int(num_shards):05d}".encode()  # type: ignore[return-value, call-overload, arg-type]


@op("ShardedFilespec", out="filename", shape=_scalars)
def sharded_filespec(xp: Any, basename: string, num_shards: dtypes.int32) -> string:
    """The pattern of the names of several files: name-?????-of-00007."""
    return bytes(basename) + f"-?????-of-{int(num_shards):05d}".encode()  # type: ignore[return-value, call-overload, arg-type]
