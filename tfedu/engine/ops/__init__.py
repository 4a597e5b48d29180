"""The op library: importing it fills the registry with the op types that most programs use.

`define.REGISTRY["MatMul"]` is the record of an op type; each table is one family. The tables in `SELDOM` are imported when
a type of theirs is looked up, or by the function that builds one.
"""

from ..op.attach import attach
from ..op.definition import REGISTRY
from . import array, basic, control_flow, joining, logic, math, random, reduce, scatter, sequences, state

# The registry reads them in this order when it looks a type up: first those that gradients often use.
SELDOM = (
    "gradient_ops", "activations", "nn", "convolution", "depthwise", "morphology", "complex_numbers", "bitwise", "blocks",
    "counting", "diagonals", "einsum", "gradient_ops_special", "gradient_ops_sparse", "session_handles", "linalg", "ragged",
    "ragged_variants", "saving", "py_func", "sets", "solve", "sparse", "sparse_math", "special", "spectral", "value_stacks",
    "strings", "summary", "tensor_array", "text_conversion", "optimizer_steps", "unicode", "decompositions", "unique",
    "pooling", "batch_norm", "local_response", "argmax_pooling", "fractional_pooling", "recurrent", "mutex", "sampling",
    "summary_writers", "ctc", "queues", "older_queues", "accumulators", "staging", "map_staging", "tables", "parsing",
    "parsing_sequences", "records", "message_fields", "whole_files", "sparse_maps", "readers", "serialized_sparse",
    "pipeline.sources", "pipeline.files", "pipeline.rows", "pipeline.order", "pipeline.batches", "pipeline.example_batches",
    "pipeline.maps", "pipeline.choices", "pipeline.statistics", "pipeline.cardinality", "pipeline.iterators", "images.resizing",
    "images.colours", "images.boxes", "images.distorted_boxes", "images.suppression", "images.patches", "images.codecs",
    "beams", "crosses", "audio", "transfers", "clustering", "barriers", "quantization", "fake_quantization", "quantized_nn",
)  # fmt: skip

REGISTRY.unread = [f"{__name__}.{table}" for table in SELDOM]
attach()

__all__ = [
    "SELDOM", "array", "basic", "control_flow", "joining", "logic", "math", "random", "reduce", "scatter", "sequences", "state",
]  # fmt: skip
