"""Caches in files: `cached_in_file(name, dtypes, elements)` passes over a cache file, or writes it while it passes on elements.

The file `name.tfrecord` has a record for each element, which names its arrays' dtypes and shapes; a file `name_0.lockfile` stands
beside it while it is written. TF's own cache is a checkpoint, which only the program that wrote it reads. No state.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence

import numpy as np

from ...base import errors
from ...base.dtypes import DType
from ...files import gfile
from ...files.tfrecord import TFRecordWriter, tf_record_iterator
from .values import Element, Elements, Failure


def cached_in_file(name: str, kinds: Sequence[DType], elements: Callable[[], Elements]) -> Elements:
    """The elements of the file, if it is whole, else those of `elements`, which the file has once they are all passed.

    Raises: AlreadyExistsError when another pass is writing the file; OpErrors of the file system.
    """
    path, lock = gfile.local(f"{name}.tfrecord"), gfile.local(f"{name}_0.lockfile")
    if os.path.exists(path):
        for record in tf_record_iterator(path):
            yield _element(record, kinds, path)
        return
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        yield Failure(errors.AlreadyExistsError(None, None, _BUSY.format(lock)))
        return
    except OSError as cause:
        raise gfile.op_error(lock, cause) from None
    unfinished = f"{path}.part"
    try:
        whole = True
        with TFRecordWriter(unfinished) as writer:
            for element in elements():
                if type(element) is Failure:
                    whole = False
                else:
                    writer.write(_record(element))
                yield element
        if whole:
            os.replace(unfinished, path)
    finally:
        for left in (unfinished, lock):
            if os.path.exists(left):
                os.remove(left)


_BUSY = (
    "There appears to be a concurrent caching iterator running - cache lockfile already exists ('{}'). If you are sure no other "
    "running TF computations are using this cache prefix, delete the lockfile and re-initialize the iterator."
)


def _record(element: Element) -> bytes:
    """The element: a line of JSON with the shape and the lengths of each component's parts, then their bytes."""
    head, parts = [], []
    for value in element:
        array = np.asarray(value, object if isinstance(value, bytes) else None)
        if array.dtype == object:
            items = array.ravel().tolist()
            if not all(isinstance(item, bytes) for item in items):
                raise errors.UnimplementedError(None, None, "A cache in a file holds no sparse tensors and datasets.")
            head.append([array.shape, [len(item) for item in items]])
            parts += items
        else:
            head.append([array.shape, None])
            parts.append(np.ascontiguousarray(array).tobytes())
    return b"\n".join((json.dumps(head).encode(), b"".join(parts)))


def _element(record: bytes, kinds: Sequence[DType], path: str) -> Element:
    head, _, rest = record.partition(b"\n")
    try:
        described = json.loads(head)
        values, at = [], 0
        for (shape, lengths), kind in zip(described, kinds, strict=True):
            if lengths is None:
                dtype = np.dtype(kind.as_numpy_dtype)
                end = at + dtype.itemsize * int(np.prod(shape, dtype=np.int64))
                values.append(np.frombuffer(rest[at:end], dtype).reshape(shape)[()])
                at = end
                continue
            out = np.empty(len(lengths), object)
            for i, length in enumerate(lengths):
                out[i] = rest[at : at + length]
                at += length
            values.append(out.reshape(shape)[()])
        return tuple(values)
    except (ValueError, TypeError) as cause:
        text = f"The cache file {path} does not hold elements of these dtypes: {cause}"
        raise errors.DataLossError(None, None, text) from None


__all__ = ["cached_in_file"]
