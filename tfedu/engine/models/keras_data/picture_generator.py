"""`ImageDataGenerator`: pictures, changed at random and standardized, batch by batch.

    generator = ImageDataGenerator(rotation_range=20, horizontal_flip=True, rescale=1 / 255)
    model.fit(generator.flow(x, y, batch_size=32), epochs=10)

Numbers come from `np.random`, in the order of TF 1.15. State: what `fit` has found: mean, std, principal_components.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...base.errors import error_text
from ..keras_parts.keras_config import floatx, image_data_format
from .affine_transforms import (
    apply_affine_transform,
    apply_brightness_shift,
    apply_channel_shift,
    random_factors,
)
from .picture_batches import DataFrameIterator, DirectoryIterator, NumpyArrayIterator

_NOT_FIT = (
    "This ImageDataGenerator specifies `{}`, but it hasn't been fit on any training data. Fit it first by calling "
    "`.fit(numpy_data)`."
)
_OVERRIDES = "This ImageDataGenerator specifies `{}`, which overrides setting of `{}`."


class ImageDataGenerator:
    """What is done with each picture: random transforms, then standardization.

    featurewise_…: by the mean and deviation that `fit` found; samplewise_…: by those of the picture. rotation_range and
    shear_range in degrees; width_shift_range, height_shift_range: a part of the size below 1, pixels from 1 on, or a list of
    shifts; zoom_range: a number or (lower, upper); fill_mode, cval: what is beyond the edges; rescale: a factor for all pixels;
    preprocessing_function: from a picture to another, before the standardization; validation_split: the part of the samples
    that are the subset "validation".

    Raises: ValueError for an unknown data_format and for ranges that are no pair.
    """

    def __init__(
        self, featurewise_center: bool = False, samplewise_center: bool = False, featurewise_std_normalization: bool = False,
        samplewise_std_normalization: bool = False, zca_whitening: bool = False, zca_epsilon: float = 1e-6,
        rotation_range: float = 0, width_shift_range: Any = 0.0, height_shift_range: Any = 0.0, brightness_range: Any = None,
        shear_range: float = 0.0, zoom_range: Any = 0.0, channel_shift_range: float = 0.0, fill_mode: str = "nearest",
        cval: float = 0.0, horizontal_flip: bool = False, vertical_flip: bool = False, rescale: Any = None,
        preprocessing_function: Any = None, data_format: str | None = None, validation_split: float = 0.0, dtype: Any = None,
    ) -> None:  # fmt: skip
        self.data_format, self.dtype = data_format or image_data_format(), dtype or floatx()
        if self.data_format not in ("channels_last", "channels_first"):
            raise ValueError(
                error_text(
                    '`data_format` should be `"channels_last"` (channel after row and column) or `"channels_first"` (channel '
                    f"before row and column). Received: {self.data_format}"
                )
            )
        self.channel_axis, self.row_axis, self.col_axis = (
            (3, 1, 2) if self.data_format == "channels_last" else (1, 2, 3)
        )
        if validation_split and not 0 < validation_split < 1:
            raise ValueError(
                error_text(
                    f"`validation_split` must be strictly between 0 and 1.  Received: {validation_split}"
                )
            )
        if brightness_range is not None and not (
            isinstance(brightness_range, (tuple, list)) and len(brightness_range) == 2
        ):
            raise ValueError(
                error_text(
                    f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}"
                )
            )
        self.rotation_range, self.shear_range, self.brightness_range = (
            rotation_range,
            shear_range,
            brightness_range,
        )
        self.width_shift_range, self.height_shift_range = width_shift_range, height_shift_range
        self.zoom_range, self.channel_shift_range = _zooms(zoom_range), channel_shift_range
        self.fill_mode, self.cval, self.interpolation_order = fill_mode, cval, 1
        self.horizontal_flip, self.vertical_flip = horizontal_flip, vertical_flip
        self.rescale, self.preprocessing_function = rescale, preprocessing_function
        self.zca_whitening, self.zca_epsilon = zca_whitening, zca_epsilon
        self.featurewise_center, self.featurewise_std_normalization = (
            featurewise_center,
            featurewise_std_normalization,
        )
        self.samplewise_center, self.samplewise_std_normalization = (
            samplewise_center,
            samplewise_std_normalization,
        )
        self._validation_split = validation_split
        self.mean: Any = None
        self.std: Any = None
        self.principal_components: Any = None
        self._settle_conflicts()

    def _settle_conflicts(self) -> None:
        """Switches on what others need, and off what they replace, with a warning for each."""
        if self.zca_whitening:
            self._override("zca_whitening", "featurewise_center", True)
            self._override("zca_whitening", "featurewise_std_normalization", False)
        if self.featurewise_std_normalization:
            self._override("featurewise_std_normalization", "featurewise_center", True)
        if self.samplewise_std_normalization:
            self._override("samplewise_std_normalization", "samplewise_center", True)

    def _override(self, option: str, other: str, value: bool) -> None:
        if bool(getattr(self, other)) != value:
            setattr(self, other, value)
            warnings.warn(_OVERRIDES.format(option, other), stacklevel=4)

    # -- batches -------------------------------------------------------------------------------------------------------

    def flow(
        self, x: Any, y: Any = None, batch_size: int = 32, shuffle: bool = True, sample_weight: Any = None,
        seed: int | None = None, save_to_dir: Any = None, save_prefix: str = "", save_format: str = "png",
        subset: str | None = None,
    ) -> NumpyArrayIterator:  # fmt: skip
        """Batches of arrays. Raises: as NumpyArrayIterator."""
        return NumpyArrayIterator(
            x, y, self, batch_size=batch_size, shuffle=shuffle, sample_weight=sample_weight, seed=seed,
            data_format=self.data_format, save_to_dir=save_to_dir, save_prefix=save_prefix, save_format=save_format,
            subset=subset, dtype=self.dtype,
        )  # fmt: skip

    def flow_from_directory(
        self, directory: Any, target_size: Any = (256, 256), color_mode: str = "rgb", classes: Any = None,
        class_mode: str | None = "categorical", batch_size: int = 32, shuffle: bool = True, seed: int | None = None,
        save_to_dir: Any = None, save_prefix: str = "", save_format: str = "png", follow_links: bool = False,
        subset: str | None = None, interpolation: str = "nearest",
    ) -> DirectoryIterator:  # fmt: skip
        """Batches of the pictures in a folder with a folder for each class. Raises: as DirectoryIterator."""
        return DirectoryIterator(
            directory, self, target_size=target_size, color_mode=color_mode, classes=classes, class_mode=class_mode,
            data_format=self.data_format, batch_size=batch_size, shuffle=shuffle, seed=seed, save_to_dir=save_to_dir,
            save_prefix=save_prefix, save_format=save_format, follow_links=follow_links, subset=subset,
            interpolation=interpolation, dtype=self.dtype,
        )  # fmt: skip

    def flow_from_dataframe(
        self, dataframe: Any, directory: Any = None, x_col: str = "filename", y_col: Any = "class", weight_col: Any = None,
        target_size: Any = (256, 256), color_mode: str = "rgb", classes: Any = None, class_mode: str | None = "categorical",
        batch_size: int = 32, shuffle: bool = True, seed: int | None = None, save_to_dir: Any = None, save_prefix: str = "",
        save_format: str = "png", subset: str | None = None, interpolation: str = "nearest", validate_filenames: bool = True,
        **kwargs: Any,
    ) -> DataFrameIterator:  # fmt: skip
        """Batches of the pictures that a column of a pandas DataFrame names. Raises: as DataFrameIterator.

        kwargs: has_ext, sort and drop_duplicates of before 1.15 are ignored with a warning.
        """
        for name in kwargs:
            if name not in ("has_ext", "sort", "drop_duplicates"):
                raise TypeError(
                    error_text(f"flow_from_dataframe() got an unexpected keyword argument '{name}'")
                )
            warnings.warn(f"{name} is deprecated and has no effect", DeprecationWarning, stacklevel=2)
        if class_mode == "other":
            warnings.warn(
                '`class_mode` "other" is deprecated, please use `class_mode` "raw".',
                DeprecationWarning,
                stacklevel=2,
            )
            class_mode = "raw"
        return DataFrameIterator(
            dataframe, directory, self, x_col=x_col, y_col=y_col, weight_col=weight_col, target_size=target_size,
            color_mode=color_mode, classes=classes, class_mode=class_mode, data_format=self.data_format, batch_size=batch_size,
            shuffle=shuffle, seed=seed, save_to_dir=save_to_dir, save_prefix=save_prefix, save_format=save_format, subset=subset,
            interpolation=interpolation, validate_filenames=validate_filenames, dtype=self.dtype,
        )  # fmt: skip

    # -- one picture ---------------------------------------------------------------------------------------------------

    def standardize(self, x: Any) -> Any:
        """The picture after the preprocessing function, rescaling, centring and whitening; x itself may change."""
        if self.preprocessing_function:
            x = self.preprocessing_function(x)
        if self.rescale:
            x *= self.rescale
        if self.samplewise_center:
            x -= np.mean(x, keepdims=True)
        if self.samplewise_std_normalization:
            x /= np.std(x, keepdims=True) + 1e-6
        if self.featurewise_center and self._is_fit("featurewise_center", self.mean):
            x -= self.mean
        if self.featurewise_std_normalization and self._is_fit("featurewise_std_normalization", self.std):
            x /= self.std + 1e-6
        if self.zca_whitening and self._is_fit("zca_whitening", self.principal_components):
            x = np.reshape(np.reshape(x, (-1, np.prod(x.shape[-3:]))) @ self.principal_components, x.shape)
        return x

    def _is_fit(self, option: str, found: Any) -> bool:
        if found is None:
            warnings.warn(_NOT_FIT.format(option), stacklevel=3)
        return found is not None

    def get_random_transform(self, img_shape: Any, seed: int | None = None) -> dict[str, Any]:
        """What `apply_transform` does with a picture of that shape, drawn at random."""
        if seed is not None:
            np.random.seed(seed)
        theta = _within(self.rotation_range)
        tx = _shift(self.height_shift_range, img_shape[self.row_axis - 1])
        ty = _shift(self.width_shift_range, img_shape[self.col_axis - 1])
        shear = _within(self.shear_range)
        zx, zy = random_factors(self.zoom_range)
        flips = [bool(np.random.random() < 0.5) * flip for flip in (self.horizontal_flip, self.vertical_flip)]
        intensity = _within(self.channel_shift_range) if self.channel_shift_range else None
        brightness = None if self.brightness_range is None else np.random.uniform(*self.brightness_range)
        return {
            "theta": theta, "tx": tx, "ty": ty, "shear": shear, "zx": zx, "zy": zy, "flip_horizontal": flips[0],
            "flip_vertical": flips[1], "channel_shift_intensity": intensity, "brightness": brightness,
        }  # fmt: skip

    def apply_transform(self, x: Any, transform_parameters: dict[str, Any]) -> Any:
        """The picture after a transform: any of the entries of `get_random_transform`'s dict."""
        told = transform_parameters
        row, column, channel = self.row_axis - 1, self.col_axis - 1, self.channel_axis - 1
        x = apply_affine_transform(
            x, told.get("theta", 0), told.get("tx", 0), told.get("ty", 0), told.get("shear", 0), told.get("zx", 1),
            told.get("zy", 1), row_axis=row, col_axis=column, channel_axis=channel, fill_mode=self.fill_mode, cval=self.cval,
            order=self.interpolation_order,
        )  # fmt: skip
        if told.get("channel_shift_intensity") is not None:
            x = apply_channel_shift(x, told["channel_shift_intensity"], channel)
        if told.get("flip_horizontal", False):
            x = np.flip(x, column)
        if told.get("flip_vertical", False):
            x = np.flip(x, row)
        if told.get("brightness") is not None:
            x = apply_brightness_shift(x, told["brightness"])
        return x

    def random_transform(self, x: Any, seed: int | None = None) -> Any:
        """The picture after a random transform."""
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    # -- many pictures -------------------------------------------------------------------------------------------------

    def fit(self, x: Any, augment: bool = False, rounds: int = 1, seed: int | None = None) -> None:
        """Finds mean, deviation and principal components of pictures [n, h, w, channels], for the options that need them.

        augment: after random transforms, `rounds` of each picture.

        Raises: ValueError for another rank.
        """
        x = np.array(x, dtype=self.dtype)
        if x.ndim != 4:
            raise ValueError(
                error_text(f"Input to `.fit()` should have rank 4. Got array with shape: {x.shape}")
            )
        channels = x.shape[self.channel_axis]
        if channels not in (1, 3, 4):
            warnings.warn(
                f'Expected input to be images (as Numpy array) following the data format convention "{self.data_format}" '
                f"(channels on axis {self.channel_axis}), i.e. expected either 1, 3 or 4 channels on axis {self.channel_axis}. "
                f"However, it was passed an array with shape {x.shape} ({channels} channels).",
                stacklevel=2,
            )
        if seed is not None:
            np.random.seed(seed)
        if self.rescale:
            x *= self.rescale
        if augment:
            x = np.array(
                [self.random_transform(picture) for _ in range(rounds) for picture in x], dtype=self.dtype
            )
        axes = (0, self.row_axis, self.col_axis)
        if self.featurewise_center:
            self.mean = np.mean(x, axis=axes, keepdims=True)[0]
            x -= self.mean
        if self.featurewise_std_normalization:
            self.std = np.std(x, axis=axes, keepdims=True)[0]
            x /= self.std + 1e-6
        if self.zca_whitening:
            flat = x.reshape(len(x), -1)
            u, s, _ = np.linalg.svd(flat.T @ flat / len(flat))
            self.principal_components = (u * (1.0 / np.sqrt(s[None] + self.zca_epsilon))) @ u.T


def _within(limit: float) -> Any:
    """A number from -limit to limit; 0, without a draw, for limit 0."""
    return np.random.uniform(-limit, limit) if limit else 0


def _shift(limit: Any, size: int) -> Any:
    """A shift in pixels: one of a list or of the integers below `limit` with a sign, or a number up to ± limit."""
    if not limit:
        return 0
    if isinstance(limit, float):
        shift = np.random.uniform(-limit, limit)
    else:
        shift = np.random.choice(limit)
        shift = shift * np.random.choice([-1, 1])
    return shift * size if np.max(limit) < 1 else shift


def _zooms(zoom_range: Any) -> list[float]:
    """(lower, upper) of a zoom range. Raises: ValueError."""
    if isinstance(zoom_range, (int, float)):
        return [1 - zoom_range, 1 + zoom_range]
    if len(zoom_range) == 2 and all(isinstance(value, (int, float)) for value in zoom_range):
        return list(zoom_range)
    raise ValueError(
        error_text(f"`zoom_range` should be a float or a tuple or list of two floats. Received: {zoom_range}")
    )


__all__ = ["ImageDataGenerator"]
