"""`tf.contrib.slim.tfexample_decoder` and `data_decoder`: what the features of a record mean."""

from ...engine.models.contrib_records.example_decoder import (
    BackupHandler,
    BoundingBox,
    DataDecoder,
    Image,
    ItemHandler,
    ItemHandlerCallback,
    LookupTensor,
    SparseTensor,
    Tensor,
    TFExampleDecoder,
)  # fmt: skip

__all__ = [
    "BackupHandler", "BoundingBox", "DataDecoder", "Image", "ItemHandler", "ItemHandlerCallback",
    "LookupTensor", "SparseTensor", "TFExampleDecoder", "Tensor",
]  # fmt: skip
