"""`tf.contrib.learn`: what needs no estimator: repeated runs, columns of numbers, keys, the last steps of sequences."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.contrib.learn_keys import ModeKeys, NotFittedError, PredictionKey, ProblemType, TaskType
from ...engine.models.contrib.padded_sequences import apply_dropout, mask_activations_and_labels, select_last_activations
from ...engine.models.feature_columns_of_contrib.column_inputs import (
    infer_real_valued_columns_from_input, infer_real_valued_columns_from_input_fn,
)  # fmt: skip
from ...engine.data.queues.repeated_runs import run_feeds, run_n

__all__ = [
    "ModeKeys", "NotFittedError", "PredictionKey", "ProblemType", "TaskType", "apply_dropout",
    "infer_real_valued_columns_from_input", "infer_real_valued_columns_from_input_fn",
    "mask_activations_and_labels", "run_feeds", "run_n", "select_last_activations",
]  # fmt: skip
