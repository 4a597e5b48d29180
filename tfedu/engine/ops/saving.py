"""Checkpoints: SaveV2, RestoreV2 and MergeV2Checkpoints write, read and join them; ShardedFilename names their parts.

Save and SaveSlices write the older format, which Restore and RestoreSlice read tensor by tensor. files/bundle knows the
formats. No state but the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.dtypes import DType, runtime_name
from ..base.shapes import Shape, ShapeMismatch, merge
from ..op.define import AtLeast, Each, Sym, op
from ..op.shape_checks import as_array, invalid, scalar, text_of, unwrapped, vector, with_value
from .strings import display_text, only

string = dtypes.string


def _prefix(value: Any, what: str) -> str:
    return only(value, f"Input {what} should be a scalar tensor, got shape: ").decode("utf-8", "surrogateescape")


def _texts(value: Any) -> list[bytes]:
    return [bytes(text) for text in as_array(value).reshape(-1)]


def _part(spec: bytes) -> Any:
    from ..files import bundle

    return bundle.parse_spec(display_text(spec)) if spec else None


@op("SaveV2", stateful=True, access={"prefix": "write"}, resource="file")
def save_v2(
    run: Any, prefix: string, tensor_names: string, shape_and_slices: string, tensors: Each["dtypes"]
) -> None:
    """Writes the tensors as one checkpoint: prefix scalar, tensor_names [n], shape_and_slices [n], n tensors of any
    shape; a slice says which part of a larger tensor the tensor is, "" that it is all.

    Raises: InvalidArgumentError for a slice of another shape.
    """
    from ..files import bundle

    names, specs = _texts(tensor_names), _texts(shape_and_slices)
    if not len(names) == len(specs) == len(tensors):
        raise invalid(f"Got {len(names)} names and {len(specs)} slices for {len(tensors)} tensors")
    kinds = [t.dtype.base_dtype for t in run.node.inputs[3:]]
    with bundle.Writer(_prefix(prefix, "prefix")) as writer:
        for i in sorted(range(len(names)), key=names.__getitem__):
            writer.add(names[i], tensors[i], kinds[i], _checked_part(specs[i], tensors[i]))
        writer.finish()
    return ()  # type: ignore[return-value]


def _checked_part(spec: bytes, tensor: Any) -> Any:
    """The slice of a larger tensor that `tensor` is by its spec; None if it is all of it. Raises: InvalidArgumentError."""
    part = _part(spec)
    if part is not None and part.shape != np.shape(tensor):
        raise invalid(
            "Slice in shape_and_slice specification does not match the shape of the tensor to  save: "
            f"{display_text(spec)}, tensor: {text_of(np.shape(tensor))}"
        )
    return part


@save_v2.shape
def _(prefix: Sym, tensor_names: Sym, shape_and_slices: Sym, tensors: Sequence[Sym]) -> list[Any]:
    scalar(prefix)
    for sym in (tensor_names, shape_and_slices):
        with_value(vector(sym), len(tensors))
    return []


@op("RestoreV2", out="tensors", stateful=True, access={"prefix": "read"}, resource="file", commutes=True)
def restore_v2(
    run: Any, prefix: string, tensor_names: string, shape_and_slices: string, *, dtypes: AtLeast[1, list[DType]]
) -> Each["dtypes"]:
    """Reads tensors, or slices of them, from a checkpoint: prefix scalar, tensor_names [n], shape_and_slices [n] -> n
    tensors of any shape.

    Raises: NotFoundError for a name that the checkpoint lacks, InvalidArgumentError for another dtype or shape.
    """
    from ..files import bundle

    names, specs = _texts(tensor_names), _texts(shape_and_slices)
    if not len(names) == len(specs) == len(dtypes):
        raise invalid(f"Got {len(names)} names and {len(specs)} slices for {len(dtypes)} tensors")
    out: list[Any] = []
    with bundle.open_checkpoint(_prefix(prefix, "prefix")) as checkpoint:
        missing = [name for name in names if name not in checkpoint]
        if missing:
            checkpoint.entry(min(missing))  # raises NotFoundError
        out.extend(_read(checkpoint, *one) for one in zip(names, specs, dtypes))
    return out  # type: ignore[return-value]


def _read(checkpoint: Any, name: bytes, spec: bytes, dtype: DType) -> Any:
    """A tensor of a checkpoint, or a slice of one."""
    entry = checkpoint.entry(name)
    if entry.dtype is not dtype.base_dtype:
        expected, actual = runtime_name(dtype.base_dtype), runtime_name(entry.dtype)
        if checkpoint.is_v1:
            text = f"Expected to restore a tensor of type {expected}, got a tensor of type {actual} instead: "
            raise invalid(f"{text}tensor_name = {display_text(name)}")
        raise invalid(f"tensor_name = {display_text(name)}; expected dtype {expected} does not equal original dtype {actual}")
    part = _part(spec)
    if part is not None and part.full_shape != entry.shape:
        own, stored = text_of(part.full_shape), text_of(entry.shape)
        if checkpoint.is_v1:
            text = "Shape in shape_and_slice spec does not match the shape in the save file: "
            raise invalid(f"{text}{own}, save file shape: {stored}")
        raise invalid(
            f"tensor_name = {display_text(name)}; shape in shape_and_slice spec {own} does not match the shape stored in "
            f"checkpoint: {stored}"
        )
    return unwrapped(checkpoint.read(name, None if part is None else part.slice))


@restore_v2.shape
def _(prefix: Sym, tensor_names: Sym, shape_and_slices: Sym, *, dtypes: list[DType]) -> list[Shape]:
    scalar(prefix)
    vector(tensor_names)
    vector(shape_and_slices)
    merge(tensor_names.shape, shape_and_slices.shape)
    specs = shape_and_slices.value
    if specs is None or len(specs) != len(dtypes):
        return [None] * len(dtypes)
    return _shapes_of(specs)


def _shapes_of(specs: Any) -> list[Shape]:
    """The shapes in slice specs, None for an empty spec."""
    slice_shapes: list[Shape] = []
    for spec in specs:
        try:
            part = _part(bytes(spec))
        except (errors.InvalidArgumentError, errors.InternalError) as error:
            raise ShapeMismatch(error.message) from None
        slice_shapes.append(None if part is None else part.shape)
    return slice_shapes


@op(
    "MergeV2Checkpoints", stateful=True,
    access={"checkpoint_prefixes": "read", "destination_prefix": "write"}, resource="file",
)
def merge_v2_checkpoints(
    run: Any, checkpoint_prefixes: string, destination_prefix: string, *, delete_old_dirs: bool = True
) -> None:
    """Joins checkpoints into one and deletes their folders if delete_old_dirs: checkpoint_prefixes [n],
    destination_prefix scalar.
    """
    from ..files import bundle

    prefixes = [text.decode("utf-8", "surrogateescape") for text in _texts(checkpoint_prefixes)]
    bundle.merge(prefixes, _prefix(destination_prefix, "destination_prefix"), delete_old_dirs)
    return ()  # type: ignore[return-value]


@merge_v2_checkpoints.shape
def _(checkpoint_prefixes: Sym, destination_prefix: Sym, *, delete_old_dirs: bool) -> list[Any]:
    vector(checkpoint_prefixes)
    scalar(destination_prefix)
    return []


# -- the older format ----------------------------------------------------------------------------------------------


def _save_older(run: Any, filename: Any, names: list[bytes], specs: list[bytes], tensors: Sequence[Any]) -> None:
    from ..files import bundle

    if not len(names) == len(specs) == len(tensors):
        raise invalid(f"Got {len(names)} names and {len(specs)} slices for {len(tensors)} tensors")
    kinds = [t.dtype.base_dtype for t in run.node.inputs[-len(tensors) :]]
    parts = [_checked_part(spec, tensor) for spec, tensor in zip(specs, tensors)]
    bundle.checkpoint_v1.write(_prefix(filename, "filename"), zip(names, parts, tensors, kinds))


@op("Save", stateful=True, access={"filename": "write"}, resource="file")
def save(run: Any, filename: string, tensor_names: string, data: Each["T"]) -> None:  # noqa: F821
    """Writes the tensors as one file of the older format: filename scalar, tensor_names [n], n tensors of any shape."""
    names = _texts(tensor_names)
    _save_older(run, filename, names, [b""] * len(names), data)
    return ()  # type: ignore[return-value]


@save.shape
def _(filename: Sym, tensor_names: Sym, data: Sequence[Sym]) -> list[Any]:
    scalar(filename)
    with_value(vector(tensor_names), len(data))
    return []


@op("SaveSlices", stateful=True, access={"filename": "write"}, resource="file")
def save_slices(
    run: Any, filename: string, tensor_names: string, shapes_and_slices: string, data: Each["T"]  # noqa: F821
) -> None:
    """Writes tensors, or slices of them, as one file of the older format: filename scalar, tensor_names [n],
    shapes_and_slices [n], n tensors of any shape.
    """
    _save_older(run, filename, _texts(tensor_names), _texts(shapes_and_slices), data)
    return ()  # type: ignore[return-value]


@save_slices.shape
def _(filename: Sym, tensor_names: Sym, shapes_and_slices: Sym, data: Sequence[Sym]) -> list[Any]:
    scalar(filename)
    for sym in (tensor_names, shapes_and_slices):
        with_value(vector(sym), len(data))
    return []


def _restored(file_pattern: Any, tensor_name: Any, spec: bytes, dtype: DType) -> Any:
    from ..files import bundle

    patterns, names = _texts(file_pattern), _texts(tensor_name)
    if len(patterns) != 1:
        raise invalid(f"Input 0 (file_pattern) must be a string scalar; got a tensor of {len(patterns)} elements")
    with bundle.open_checkpoint(patterns[0].decode("utf-8", "surrogateescape")) as checkpoint:
        return _read(checkpoint, names[0], spec, dtype)


@op("Restore", out="tensor", stateful=True, access={"file_pattern": "read"}, resource="file", commutes=True)
def restore(
    run: Any, file_pattern: string, tensor_name: string, *, dt: DType, preferred_shard: int = -1
) -> "dt":  # noqa: F821
    """Reads a tensor from a checkpoint: file_pattern and tensor_name scalars -> any shape. preferred_shard has no
    effect.

    Raises: NotFoundError for a name that the checkpoint lacks.
    """
    return _restored(file_pattern, tensor_name, b"", dt)  # type: ignore[no-any-return]


@restore.shape
def _(file_pattern: Sym, tensor_name: Sym, *, dt: DType, preferred_shard: int) -> Shape:
    scalar(file_pattern)
    scalar(tensor_name)
    return None


@op("RestoreSlice", out="tensor", stateful=True, access={"file_pattern": "read"}, resource="file", commutes=True)
def restore_slice(
    run: Any,
    file_pattern: string,
    tensor_name: string,
    shape_and_slice: string,
    *,
    dt: DType,
    preferred_shard: int = -1,
) -> "dt":  # noqa: F821
    """Reads a slice of a tensor from a checkpoint: file_pattern, tensor_name and shape_and_slice scalars -> the slice's
    shape, any shape. preferred_shard has no effect.

    Raises: NotFoundError for a name that the checkpoint lacks.
    """
    spec = only(shape_and_slice, "Input shape_and_slice should be a scalar tensor, got shape: ")
    return _restored(file_pattern, tensor_name, spec, dt)  # type: ignore[no-any-return]


@restore_slice.shape
def _(file_pattern: Sym, tensor_name: Sym, shape_and_slice: Sym, *, dt: DType, preferred_shard: int) -> Shape:
    for sym in (file_pattern, tensor_name, shape_and_slice):
        scalar(sym)
    return None if shape_and_slice.value is None else _shapes_of([shape_and_slice.value])[0]


def _scalars(*symbols: Sym) -> Shape:
    for sym in symbols:
        scalar(sym)
    return ()


@op("ShardedFilename", out="filename", shape=_scalars)
def sharded_filename(xp: Any, basename: string, shard: dtypes.int32, num_shards: dtypes.int32) -> string:
    """The name of one of several files, as name-00003-of-00007: three scalars -> scalar."""
    return bytes(basename) + f"-{int(shard):05d}-of-{int(num_shards):05d}".encode()  # type: ignore[return-value, call-overload, arg-type]


@op("ShardedFilespec", out="filename", shape=_scalars)
def sharded_filespec(xp: Any, basename: string, num_shards: dtypes.int32) -> string:
    """The pattern of the names of several files, as name-?????-of-00007: two scalars -> scalar."""
    return bytes(basename) + f"-?????-of-{int(num_shards):05d}".encode()  # type: ignore[return-value, call-overload, arg-type]
