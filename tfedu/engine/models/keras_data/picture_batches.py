"""Batches of pictures without end: `NumpyArrayIterator`, `DirectoryIterator`, `DataFrameIterator`.

    for x, y in ImageDataGenerator(rescale=1 / 255).flow_from_directory("flowers"): …

The order is drawn from `np.random`, which `seed` sets before each batch. State: an iterator's order and place in it.
"""

from __future__ import annotations

import os
import threading
import warnings
from typing import Any

import numpy as np

from ...base.errors import error_text
from ..keras_parts.keras_config import floatx, image_data_format
from .indexed_batches import Sequence
from .picture_arrays import array_to_img, img_to_array, load_img

_CHANNELS = {"rgb": 3, "rgba": 4, "grayscale": 1}


class Iterator(Sequence):
    """Batches of n samples without end; a subclass says what the samples of given numbers are.

    As a Sequence, which `fit` takes, it has ceil(n / batch_size) batches.
    """

    white_list_formats = ("png", "jpg", "jpeg", "bmp", "ppm", "tif", "tiff")

    def __init__(self, n: int, batch_size: int, shuffle: bool, seed: int | None) -> None:
        self.n, self.batch_size, self.shuffle, self.seed = n, batch_size, shuffle, seed
        self.batch_index = 0
        self.total_batches_seen = 0
        self.index_array: Any = None
        self.lock = threading.Lock()

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        """The batch of the samples of these numbers."""
        raise NotImplementedError(
            error_text(f"{type(self).__name__} does not define _get_batches_of_transformed_samples")
        )

    def _set_index_array(self) -> None:
        self.index_array = np.random.permutation(self.n) if self.shuffle else np.arange(self.n)

    def _begin_batch(self) -> None:
        if self.seed is not None:
            np.random.seed(self.seed + self.total_batches_seen)

    def __len__(self) -> int:
        return -(-self.n // self.batch_size)

    def __getitem__(self, index: int) -> Any:
        if index >= len(self):
            raise ValueError(
                error_text(f"Asked to retrieve element {index}, but the Sequence has length {len(self)}")
            )
        self._begin_batch()
        self.total_batches_seen += 1
        if self.index_array is None:
            self._set_index_array()
        begin = self.batch_size * index
        return self._get_batches_of_transformed_samples(self.index_array[begin : begin + self.batch_size])

    def on_epoch_end(self) -> None:
        """Draws another order."""
        self._set_index_array()

    def reset(self) -> None:
        """Begins again with the first batch."""
        self.batch_index = 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self.next()

    def next(self) -> Any:
        """The next batch; behind the last one comes the first of another order."""
        with self.lock:
            self._begin_batch()
            if self.batch_index == 0:
                self._set_index_array()
            begin = self.batch_index * self.batch_size % self.n if self.n else 0
            self.batch_index = self.batch_index + 1 if self.n > begin + self.batch_size else 0
            self.total_batches_seen += 1
            numbers = self.index_array[begin : begin + self.batch_size]
        return self._get_batches_of_transformed_samples(numbers)


class _PictureIterator(Iterator):
    """Batches of pictures that a generator changes and, on demand, writes to a folder."""

    image_data_generator: Any
    data_format: str
    save_to_dir: Any
    save_prefix: str
    save_format: str
    _hash_limit: int

    def _changed(self, x: Any) -> Any:
        """A picture after the generator's random transform and standardization."""
        generator = self.image_data_generator
        if generator is None:
            return x
        return generator.standardize(generator.apply_transform(x, generator.get_random_transform(x.shape)))

    def _save(self, batch: Any, numbers: Any) -> None:
        if not self.save_to_dir:
            return
        for picture, number in zip(batch, numbers):
            name = f"{self.save_prefix}_{number}_{np.random.randint(self._hash_limit)}.{self.save_format}"
            array_to_img(picture, self.data_format, scale=True).save(os.path.join(self.save_to_dir, name))


def _part(subset: str | None, text: str, validation_split: float) -> tuple[float, float]:
    """(begin, end) of a subset as parts of all samples."""
    parts = {None: (0.0, 1.0), "validation": (0.0, validation_split), "training": (validation_split, 1.0)}
    if subset not in parts:
        raise ValueError(error_text(text.format(subset)))
    return parts[subset]


class NumpyArrayIterator(_PictureIterator):
    """Batches of arrays: pictures x [n, h, w, channels], labels y [n, ...] and weights [n].

    x: also a pair (pictures, other inputs). subset: "training" or "validation", by the generator's validation_split.

    Raises: ValueError for arrays of different lengths, pictures of another rank, an unknown subset.
    """

    _hash_limit = 10**4

    def __init__(
        self, x: Any, y: Any, image_data_generator: Any, batch_size: int = 32, shuffle: bool = False, sample_weight: Any = None,
        seed: int | None = None, data_format: str | None = None, save_to_dir: Any = None, save_prefix: str = "",
        save_format: str = "png", subset: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self.image_data_generator, self.data_format = image_data_generator, data_format or image_data_format()
        self.save_to_dir, self.save_prefix, self.save_format = save_to_dir, save_prefix, save_format
        self.dtype = dtype or floatx()
        others: list[Any] = []
        if isinstance(x, (tuple, list)):
            others = [np.asarray(each) for each in (x[1] if isinstance(x[1], list) else [x[1]])]
            x = x[0]
        for each in others:
            if len(each) != len(x):
                raise ValueError(
                    error_text(
                        "All of the arrays in `x` should have the same length. Found a pair with: "
                        f"len(x[0]) = {len(x)}, len(x[?]) = {len(each)}"
                    )
                )
        for name, label, other in (
            ("y", "`y` (labels)", y),
            ("sample_weight", "`sample_weight`", sample_weight),
        ):
            if other is not None and len(other) != len(x):
                raise ValueError(
                    error_text(
                        f"`x` (images tensor) and {label} should have the same length. Found: x.shape = {np.asarray(x).shape}, "
                        f"{name}.shape = {np.asarray(other).shape}"
                    )
                )
        if subset is not None:
            text = "('Invalid subset name:', {!r}, '; expected \"training\" or \"validation\".')"
            begin, end = _part(subset, text, image_data_generator._validation_split)
            rows = slice(int(begin * len(x)), int(end * len(x)))
            at = int(image_data_generator._validation_split * len(x))
            if y is not None and not np.array_equal(np.unique(y[:at]), np.unique(y[at:])):
                raise ValueError(
                    error_text(
                        "Training and validation subsets have different number of classes after the split. If your numpy arrays "
                        "are sorted by the label, you might want to shuffle them."
                    )
                )
            x, y, others = x[rows], None if y is None else y[rows], [each[rows] for each in others]
        self.x, self.x_misc = np.asarray(x, dtype=self.dtype), others
        if self.x.ndim != 4:
            raise ValueError(
                error_text(
                    "('Input data in `NumpyArrayIterator` should have rank 4. You passed an array with shape', "
                    f"{self.x.shape})"
                )
            )
        self.y = None if y is None else np.asarray(y)
        self.sample_weight = None if sample_weight is None else np.asarray(sample_weight)
        _warn_of_channels(self.x.shape, self.data_format)
        super().__init__(len(self.x), batch_size, shuffle, seed)

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        batch = np.zeros((len(index_array), *self.x.shape[1:]), self.dtype)
        for place, number in enumerate(index_array):
            batch[place] = self._changed(self.x[number].astype(self.dtype))
        self._save(batch, index_array)
        inputs = [batch, *[each[index_array] for each in self.x_misc]] if self.x_misc else batch
        if self.y is None:
            return inputs
        weights = () if self.sample_weight is None else (self.sample_weight[index_array],)
        return (inputs, self.y[index_array], *weights)


def _warn_of_channels(shape: Any, data_format: str) -> None:
    axis = 3 if data_format == "channels_last" else 1
    if shape[axis] not in (1, 3, 4):
        warnings.warn(
            f'NumpyArrayIterator is set to use the data format convention "{data_format}" (channels on axis {axis}), i.e. '
            f"expected either 1, 3, or 4 channels on axis {axis}. However, it was passed an array with shape {shape} "
            f"({shape[axis]} channels).",
            stacklevel=4,
        )


class _FileIterator(_PictureIterator):
    """Batches of pictures in files."""

    _hash_limit = 10**7
    class_mode: str | None
    dtype: Any
    _filepaths: list[str]
    classes: Any
    class_indices: dict[str, int]
    sample_weight: Any = None

    def _set_processing(
        self, generator: Any, target_size: Any, color_mode: str, data_format: str | None, save: tuple[Any, str, str],
        subset: str | None, interpolation: str, dtype: Any,
    ) -> None:  # fmt: skip
        self.image_data_generator, self.target_size = generator, tuple(target_size)
        if color_mode not in _CHANNELS:
            raise ValueError(
                error_text(
                    f'(\'Invalid color mode:\', {color_mode!r}, \'; expected "rgb", "rgba", or "grayscale".\')'
                )
            )
        self.color_mode, self.interpolation, self.subset = color_mode, interpolation, subset
        self.data_format, self.dtype = data_format or image_data_format(), dtype or floatx()
        channels = (_CHANNELS[color_mode],)
        is_last = self.data_format == "channels_last"
        self.image_shape = self.target_size + channels if is_last else channels + self.target_size
        self.save_to_dir, self.save_prefix, self.save_format = save
        split = generator._validation_split if subset is not None and generator is not None else 0.0
        self.split = _part(subset, 'Invalid subset name: {};expected "training" or "validation"', split)

    @property
    def filepaths(self) -> list[str]:
        """The files, by sample."""
        return self._filepaths

    @property
    def labels(self) -> Any:
        """The labels, by sample."""
        return self.classes

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        batch = np.zeros((len(index_array), *self.image_shape), self.dtype)
        for place, number in enumerate(index_array):
            picture = load_img(
                self.filepaths[number], color_mode=self.color_mode, target_size=self.target_size,
                interpolation=self.interpolation,
            )  # fmt: skip
            batch[place] = self._changed(img_to_array(picture, data_format=self.data_format))
            picture.close()
        self._save(batch, index_array)
        targets = self._targets(batch, index_array)
        if targets is None:
            return batch
        weights = () if self.sample_weight is None else (self.sample_weight[index_array],)
        return (batch, targets, *weights)

    def _targets(self, batch: Any, numbers: Any) -> Any:
        """The targets of the samples; None for none."""
        if self.class_mode == "input":
            return batch.copy()
        if self.class_mode in ("binary", "sparse"):
            return np.array([self.classes[number] for number in numbers], self.dtype)
        if self.class_mode == "categorical":
            targets = np.zeros((len(batch), len(self.class_indices)), self.dtype)
            for place, number in enumerate(numbers):
                targets[place, self.classes[number]] = 1.0
            return targets
        if self.class_mode == "multi_output":
            return [output[numbers] for output in self.labels]
        return self.labels[numbers] if self.class_mode == "raw" else None


def _checked_mode(class_mode: Any, allowed: tuple[Any, ...]) -> Any:
    if class_mode not in allowed:
        raise ValueError(error_text(f"Invalid class_mode: {class_mode}; expected one of: {set(allowed)}"))
    return class_mode


class DirectoryIterator(_FileIterator):
    """Batches of the pictures in a folder with a folder for each class.

    class_mode: the targets: "categorical" one-hot, "binary" and "sparse" numbers, "input" the pictures themselves, None none.

    Raises: ValueError for an unknown class_mode, color_mode or subset.
    """

    allowed_class_modes = ("categorical", "binary", "sparse", "input", None)

    def __init__(
        self, directory: Any, image_data_generator: Any, target_size: Any = (256, 256), color_mode: str = "rgb",
        classes: Any = None, class_mode: str | None = "categorical", batch_size: int = 32, shuffle: bool = True,
        seed: int | None = None, data_format: str | None = None, save_to_dir: Any = None, save_prefix: str = "",
        save_format: str = "png", follow_links: bool = False, subset: str | None = None, interpolation: str = "nearest",
        dtype: Any = None,
    ) -> None:  # fmt: skip
        self._set_processing(
            image_data_generator, target_size, color_mode, data_format, (save_to_dir, save_prefix, save_format), subset,
            interpolation, dtype,
        )  # fmt: skip
        self.directory = directory
        self.class_mode = _checked_mode(class_mode, self.allowed_class_modes)
        names = list(
            classes
            or [
                each for each in sorted(os.listdir(directory)) if os.path.isdir(os.path.join(directory, each))
            ]
        )
        self.num_classes = len(names)
        self.class_indices = {name: number for number, name in enumerate(names)}
        self.filenames: list[str] = []
        numbers: list[int] = []
        for number, name in enumerate(names):
            found = self._files_below(name, follow_links)
            self.filenames += found
            numbers += [number] * len(found)
        self.samples = len(self.filenames)
        self.classes = np.array(numbers, "int32")
        print(f"Found {self.samples} images belonging to {self.num_classes} classes.")
        self._filepaths = [os.path.join(directory, name) for name in self.filenames]
        super().__init__(self.samples, batch_size, shuffle, seed)

    def _files_below(self, class_name: str, follow_links: bool) -> list[str]:
        """The pictures of a class in the subset, by their names from the folder on."""
        top = os.path.join(self.directory, class_name)
        found = []
        for folder, _, files in sorted(os.walk(top, followlinks=follow_links), key=lambda each: each[0]):
            for file in sorted(files):
                if file.lower().endswith(self.white_list_formats):
                    inside = os.path.relpath(os.path.join(folder, file), top)
                    found.append(os.path.join(os.path.basename(top), inside))
        return found[int(self.split[0] * len(found)) : int(self.split[1] * len(found))]


class DataFrameIterator(_FileIterator):
    """Batches of the pictures that the column x_col of a pandas DataFrame names, with targets from the column(s) y_col.

    directory: the folder of the files. validate_filenames: leaves out what is no file of a picture. class_mode: as of
    DirectoryIterator; "raw" the column's values, "multi_output" those of several columns. weight_col: a column of weights.

    Raises: ValueError and TypeError for columns that do not fit the class_mode.
    """

    allowed_class_modes = ("binary", "categorical", "input", "multi_output", "raw", "sparse", None)

    def __init__(
        self, dataframe: Any, directory: Any = None, image_data_generator: Any = None, x_col: str = "filename",
        y_col: Any = "class", weight_col: Any = None, target_size: Any = (256, 256), color_mode: str = "rgb", classes: Any = None,
        class_mode: str | None = "categorical", batch_size: int = 32, shuffle: bool = True, seed: int | None = None,
        data_format: str | None = None, save_to_dir: Any = None, save_prefix: str = "", save_format: str = "png",
        subset: str | None = None, interpolation: str = "nearest", dtype: Any = None, validate_filenames: bool = True,
    ) -> None:  # fmt: skip
        self._set_processing(
            image_data_generator, target_size, color_mode, data_format, (save_to_dir, save_prefix, save_format), subset,
            interpolation, dtype,
        )  # fmt: skip
        self.directory = directory or ""
        self.class_mode = _checked_mode(class_mode, self.allowed_class_modes)
        has_classes = class_mode in ("binary", "categorical", "sparse")
        self._check_columns(dataframe, x_col, y_col, weight_col, classes)
        names = [str(name) for name in dataframe[x_col]]
        kept = [
            number for number, name in enumerate(names) if not validate_filenames or self._is_picture(name)
        ]
        if len(kept) < len(names):
            warnings.warn(
                f'Found {len(names) - len(kept)} invalid image filename(s) in x_col="{x_col}". These filename(s) will be '
                "ignored.",
                stacklevel=2,
            )
        labels: list[Any] = []
        if has_classes:
            values = list(dataframe[y_col])
            kept, labels, classes = self._labels(kept, values, classes)
            self.class_indices = {name: number for number, name in enumerate(classes)}
        begin, end = int(self.split[0] * len(kept)), int(self.split[1] * len(kept))
        kept, labels = kept[begin:end], labels[begin:end]
        chosen = dataframe.iloc[kept]
        if has_classes:
            self.classes = [
                [self.class_indices[each] for each in label]
                if isinstance(label, (list, tuple))
                else self.class_indices[label]
                for label in labels
            ]
        if class_mode == "multi_output":
            self.classes = [np.array(chosen[column].tolist()) for column in y_col]
        if class_mode == "raw":
            self.classes = chosen[y_col].values
        self.sample_weight = chosen[weight_col].values if weight_col else None
        self.filenames = [names[number] for number in kept]
        self.samples = len(self.filenames)
        checked = "validated" if validate_filenames else "non-validated"
        of_classes = f" belonging to {len(self.class_indices)} classes" if has_classes else ""
        print(f"Found {self.samples} {checked} image filenames{of_classes}.")
        self._filepaths = [os.path.join(self.directory, name) for name in self.filenames]
        super().__init__(self.samples, batch_size, shuffle, seed)

    def _is_picture(self, name: str) -> bool:
        return name.lower().endswith(self.white_list_formats) and os.path.isfile(
            os.path.join(self.directory, name)
        )

    def _check_columns(self, frame: Any, x_col: str, y_col: Any, weight_col: Any, classes: Any) -> None:
        mode = self.class_mode
        if mode == "multi_output" and not isinstance(y_col, list):
            raise TypeError(
                error_text(f'If class_mode="{mode}", y_col must be a list. Received {type(y_col).__name__}.')
            )
        if not all(isinstance(name, str) for name in frame[x_col]):
            raise TypeError(error_text(f"All values in column x_col={x_col} must be strings."))
        if mode in ("binary", "sparse") and not all(isinstance(label, str) for label in frame[y_col]):
            raise TypeError(
                error_text(f'If class_mode="{mode}", y_col="{y_col}" column values must be strings.')
            )
        if mode == "binary":
            if classes and len(set(classes)) != 2:
                raise ValueError(
                    error_text(
                        f'If class_mode="binary" there must be 2 classes. {len(set(classes))} class/es were given.'
                    )
                )
            count = len(set(frame[y_col]))
            if not classes and count != 2:
                raise ValueError(
                    error_text(f'If class_mode="binary" there must be 2 classes. Found {count} classes.')
                )
        if mode == "categorical" and not all(isinstance(label, (str, list, tuple)) for label in frame[y_col]):
            raise TypeError(
                error_text(
                    f'If class_mode="{mode}", y_col="{y_col}" column values must be type string, list or tuple.'
                )
            )
        if classes and mode not in ("binary", "categorical", "sparse"):
            warnings.warn(f'`classes` will be ignored given the class_mode="{mode}"', stacklevel=3)
        if weight_col and not issubclass(frame[weight_col].dtype.type, np.number):
            raise TypeError(error_text(f"Column weight_col={weight_col} must be numeric."))

    @staticmethod
    def _labels(kept: list[int], values: list[Any], classes: Any) -> tuple[list[int], list[Any], list[Any]]:
        """(the samples with a label, their labels, the classes)."""
        if not classes:
            flat = [each for number in kept for each in _as_list(values[number])]
            return kept, [values[number] for number in kept], sorted(set(flat))
        wanted = set(classes)
        found = []
        for number in kept:
            label = values[number]
            few = [each for each in _as_list(label) if each in wanted]
            if few:
                found.append((number, few if isinstance(label, (list, tuple)) else label))
        return [number for number, _ in found], [label for _, label in found], sorted(wanted)


def _as_list(label: Any) -> list[Any]:
    return list(label) if isinstance(label, (list, tuple)) else [label]


__all__ = ["DataFrameIterator", "DirectoryIterator", "Iterator", "NumpyArrayIterator"]
