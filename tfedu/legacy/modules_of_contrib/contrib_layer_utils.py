"""`tensorflow.contrib.layers.python.layers.utils`, and `slim.utils`: collections of outputs, shapes, sizes."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.contrib.collected_outputs import (
    NamedOutputs, append_tensor_alias, channel_dimension, collect_named_outputs, constant_value,
    convert_collection_to_dict, gather_tensors_aliases, get_tensor_aliases, get_variable_collections, last_dimension,
    n_positive_integers, smart_cond, static_cond, two_element_tuple,
)  # fmt: skip

__all__ = [
    "NamedOutputs", "append_tensor_alias", "channel_dimension", "collect_named_outputs", "constant_value",
    "convert_collection_to_dict", "gather_tensors_aliases", "get_tensor_aliases",
    "get_variable_collections", "last_dimension", "n_positive_integers", "smart_cond", "static_cond",
    "two_element_tuple",
]  # fmt: skip
