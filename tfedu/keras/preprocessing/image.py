"""`tf.keras.preprocessing.image`: pictures as arrays, changed at random, in batches."""

from ...engine.models.keras_data.affine_transforms import (
    apply_affine_transform,
    apply_brightness_shift,
    apply_channel_shift,
    random_brightness,
    random_channel_shift,
    random_rotation,
    random_shear,
    random_shift,
    random_zoom,
)  # fmt: skip
from ...engine.models.keras_data.picture_arrays import array_to_img, img_to_array, load_img, save_img
from ...engine.models.keras_data.picture_batches import DirectoryIterator, Iterator, NumpyArrayIterator
from ...engine.models.keras_data.picture_generator import ImageDataGenerator

__all__ = [
    "DirectoryIterator", "ImageDataGenerator", "Iterator", "NumpyArrayIterator", "apply_affine_transform",
    "apply_brightness_shift", "apply_channel_shift", "array_to_img", "img_to_array", "load_img",
    "random_brightness", "random_channel_shift", "random_rotation", "random_shear", "random_shift",
    "random_zoom", "save_img",
]  # fmt: skip
