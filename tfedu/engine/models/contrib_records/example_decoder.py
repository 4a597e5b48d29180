"""`tf.contrib.slim.tfexample_decoder`: what the features of a record mean, as handlers; `TFExampleDecoder` applies them.

    decoder = TFExampleDecoder(
        {"image/encoded": tf.FixedLenFeature((), tf.string), "image/format": …, "label": tf.FixedLenFeature([], tf.int64)},
        {"image": Image(shape=[28, 28, 1], channels=1), "label": Tensor("label")},
    )

No state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...data.parsing.examples import parse_single_example
from ...data.parsing.features import FixedLenFeature
from ...graph.atomic import atomic
from ...graph.nodes import Tensor as GraphTensor
from ...lib.arrays import array, slicing
from ...lib.control.case import case
from ...lib.control.cond import cond
from ...lib.control.functional import map_fn
from ...lib.images import image_files
from ...lib.math import math, reductions
from ...lib.sparse import sparse
from ...ops import text_conversion
from ...ops.images import codecs


class DataDecoder:
    """What makes items out of a record: `list_items` and `decode`, which a derived class writes."""

    def decode(self, data: Any, items: Any) -> list[Any]:
        """The items, in their order, of a record."""
        raise NotImplementedError(error_text(f"{type(self).__name__}.decode is not implemented."))

    def list_items(self) -> list[str]:
        """The names of the items that the decoder makes."""
        raise NotImplementedError(error_text(f"{type(self).__name__}.list_items is not implemented."))


class ItemHandler:
    """Makes one item out of the features `keys`; a derived class writes `tensors_to_item`."""

    def __init__(self, keys: Any) -> None:
        self._keys = list(keys) if isinstance(keys, list | tuple) else [keys]

    @property
    def keys(self) -> list[Any]:
        """The features that the item needs."""
        return self._keys

    def tensors_to_item(self, keys_to_tensors: Mapping[str, Any]) -> Any:
        """The item, from the features by name."""
        raise NotImplementedError(error_text(f"{type(self).__name__}.tensors_to_item is not implemented."))


class ItemHandlerCallback(ItemHandler):
    """An item that func makes out of the features by name."""

    def __init__(self, keys: Any, func: Callable[[dict[str, Any]], Any]) -> None:
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: Mapping[str, Any]) -> Any:
        return self._func(dict(keys_to_tensors))


class BoundingBox(ItemHandler):
    """Boxes [n, 4] out of four features, by default prefix + ymin, xmin, ymax, xmax. Raises: ValueError for other than four."""

    def __init__(self, keys: Any = None, prefix: str = "") -> None:
        keys = ["ymin", "xmin", "ymax", "xmax"] if keys is None else keys
        if len(keys) != 4:
            raise ValueError(error_text(f"BoundingBox expects 4 keys but got {len(keys)}"))
        self._prefix = prefix
        super().__init__([prefix + key for key in keys])

    def tensors_to_item(self, keys_to_tensors: Mapping[str, Any]) -> GraphTensor:
        sides = []
        for key in self._keys:
            side = keys_to_tensors[key]
            side = side.values if isinstance(side, sparse.SparseTensor) else side
            sides.append(array.expand_dims(side, 0))
        return array.transpose(array.concat(sides, 0))  # type: ignore[no-any-return]


def _dense(value: Any, **options: Any) -> Any:
    """A feature as a dense tensor."""
    return sparse.to_dense(value, **options) if isinstance(value, sparse.SparseTensor) else value


class Tensor(ItemHandler):
    """The feature tensor_key, dense, in its own shape, the static `shape`, or that which the features shape_keys hold.

    default_value: where a sparse feature has nothing. Raises: ValueError for both shape_keys and shape.
    """

    def __init__(
        self, tensor_key: str, shape_keys: Any = None, shape: Any = None, default_value: Any = 0
    ) -> None:
        if shape_keys and shape is not None:
            raise ValueError(error_text("Cannot specify both shape_keys and shape parameters."))
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key = tensor_key
        self._shape_keys = shape_keys
        self._shape = shape
        self._default_value = default_value
        super().__init__([tensor_key, *(shape_keys or ())])

    def tensors_to_item(self, keys_to_tensors: Mapping[str, Any]) -> Any:
        tensor, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            sizes = [_dense(keys_to_tensors[key]) for key in self._shape_keys]
            shape = array.reshape(array.stack(sizes), [-1])
        if isinstance(tensor, sparse.SparseTensor):
            if shape is not None:
                tensor = sparse.reshape(tensor, shape)
            return sparse.to_dense(tensor, self._default_value)
        return tensor if shape is None else array.reshape(tensor, shape)


class LookupTensor(Tensor):
    """As Tensor, and then its entries looked up in a table."""

    def __init__(
        self, tensor_key: str, table: Any, shape_keys: Any = None, shape: Any = None, default_value: Any = ""
    ) -> None:
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors: Mapping[str, Any]) -> Any:
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """The item of handler, or that of backup where the first one is empty.

    Raises: ValueError for arguments that are no handlers.
    """

    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None:
        if not isinstance(handler, ItemHandler):
            raise ValueError(error_text(f"Primary handler is of type {type(handler)} instead of ItemHandler"))
        if not isinstance(backup, ItemHandler):
            raise ValueError(error_text(f"Backup handler is of type {type(backup)} instead of ItemHandler"))
        self._handler = handler
        self._backup = backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors: Mapping[str, Any]) -> Any:
        item = self._handler.tensors_to_item(keys_to_tensors)
        empty = math.equal(reductions.reduce_prod(array.shape(item)), 0)
        return cond(empty, lambda: self._backup.tensors_to_item(keys_to_tensors), lambda: item)


class SparseTensor(ItemHandler):
    """A sparse tensor out of its indices along the last axis and its values; densify: as a dense one.

    shape: static, or that which the feature shape_key holds.
    """

    def __init__(
        self, indices_key: str | None = None, values_key: str | None = None, shape_key: str | None = None, shape: Any = None,
        densify: bool = False, default_value: Any = 0,
    ) -> None:  # fmt: skip
        self._indices_key = indices_key or "indices"
        self._values_key = values_key or "values"
        self._shape_key = shape_key
        self._shape = shape
        self._densify = densify
        self._default_value = default_value
        keys = [self._indices_key, self._values_key]
        super().__init__([*keys, shape_key] if shape_key else keys)

    def tensors_to_item(self, keys_to_tensors: Mapping[str, Any]) -> Any:
        indices, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = keys_to_tensors[self._shape_key]
            shape = shape.values if isinstance(shape, sparse.SparseTensor) else shape
        else:
            shape = self._shape if self._shape else indices.dense_shape
        rank = array.shape(indices.indices)[1]
        last = array.reshape(math.cast(indices.values, dtypes.int64), [-1, 1])
        others = slicing.slice(indices.indices, [0, 0], array.stack([-1, rank - 1]))
        tensor = sparse.SparseTensor(array.concat([others, last], 1), values.values, shape)
        return sparse.to_dense(tensor, self._default_value) if self._densify else tensor


class Image(ItemHandler):
    """Pixels [h, w, channels] out of the bytes and the format of a picture: "jpeg", "png", …, or "raw", the samples themselves.

    shape: the static shape. dtype: of raw samples and of what is no JPEG. repeated: a vector of pictures of equal shape.
    """

    def __init__(
        self, image_key: str | None = None, format_key: str | None = None, shape: Any = None, channels: int | None = 3,
        dtype: Any = dtypes.uint8, repeated: bool = False, dct_method: str = "",
    ) -> None:  # fmt: skip
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape = shape
        self._channels = channels
        self._dtype = dtype
        self._repeated = repeated
        self._dct_method = dct_method

    def tensors_to_item(self, keys_to_tensors: Mapping[str, Any]) -> GraphTensor:
        contents, form = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return map_fn(lambda one: self._decoded(one, form), contents, dtype=self._dtype)  # type: ignore[no-any-return]
        return self._decoded(contents, form)

    def _decoded(self, contents: Any, form: Any) -> GraphTensor:
        def picture() -> GraphTensor:
            return image_files.decode_image(contents, channels=self._channels)

        def jpeg() -> GraphTensor:
            return codecs.decode_jpeg(contents, channels=self._channels or 0, dct_method=self._dct_method)  # type: ignore[no-any-return]

        def of_file() -> GraphTensor:
            if self._dtype == dtypes.uint8:
                return cond(image_files.is_jpeg(contents), jpeg, picture, name="cond_jpeg")  # type: ignore[no-any-return]
            return image_files.decode_image(contents, channels=self._channels, dtype=self._dtype)

        def samples() -> GraphTensor:
            return text_conversion.decode_raw(contents, out_type=self._dtype)  # type: ignore[no-any-return]

        raw = math.logical_or(math.equal(form, "raw"), math.equal(form, "RAW"))
        image = case({raw: samples}, default=of_file, exclusive=True)
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else array.reshape(image, self._shape)


class TFExampleDecoder(DataDecoder):
    """Items out of a serialized `tf.train.Example`: keys_to_features says how to parse it,
    items_to_handlers what to make of it.
    """

    def __init__(
        self, keys_to_features: Mapping[str, Any], items_to_handlers: Mapping[str, ItemHandler]
    ) -> None:
        self._keys_to_features = keys_to_features
        self._items_to_handlers = items_to_handlers

    def list_items(self) -> list[str]:
        return list(self._items_to_handlers)

    @atomic
    def decode(self, serialized_example: Any, items: Any = None) -> list[Any]:
        """The items, by default all, in their order, of a record, a string scalar."""
        parsed = parse_single_example(serialized_example, self._keys_to_features)
        for key in sorted(self._keys_to_features):
            feature = self._keys_to_features[key]
            if isinstance(feature, FixedLenFeature):
                parsed[key] = array.reshape(parsed[key], feature.shape)
        handlers = [self._items_to_handlers[item] for item in (items or self._items_to_handlers)]
        return [handler.tensors_to_item({key: parsed[key] for key in handler.keys}) for handler in handlers]
