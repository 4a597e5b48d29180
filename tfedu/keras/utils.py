"""`tf.keras.utils`: labels, files, names of objects, progress bars, pictures of models."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.models.keras_data.arrays_of_labels import normalize, to_categorical
from ..engine.models.keras_data.batch_queues import GeneratorEnqueuer, OrderedEnqueuer, SequenceEnqueuer
from ..engine.models.keras_data.cached_files import get_file
from ..engine.models.keras_data.indexed_batches import Sequence
from ..engine.models.keras_models.hdf5_matrix import HDF5Matrix
from ..engine.models.keras_models.model_tools import convert_all_kernels_in_model, get_source_inputs
from ..engine.models.keras_models.replicas import multi_gpu_model
from ..engine.models.keras_parts.keras_objects import (
    CustomObjectScope, custom_object_scope, deserialize_keras_object, get_custom_objects, serialize_keras_object,
)  # fmt: skip
from ..engine.models.keras_parts.progress_bar import Progbar
from ..view.model_picture import model_to_dot, plot_model

__all__ = [
    "CustomObjectScope", "GeneratorEnqueuer", "HDF5Matrix", "OrderedEnqueuer", "Progbar", "Sequence",
    "SequenceEnqueuer", "convert_all_kernels_in_model", "custom_object_scope", "deserialize_keras_object",
    "get_custom_objects", "get_file", "get_source_inputs", "model_to_dot", "multi_gpu_model", "normalize",
    "plot_model", "serialize_keras_object", "to_categorical",
]  # fmt: skip
