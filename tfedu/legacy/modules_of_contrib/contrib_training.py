"""`tf.contrib.training`: hyperparameters, training and evaluation in one call, parameter servers, buckets."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.data.queues.buckets import bucket, bucket_by_sequence_length
from ...engine.data.queues.state_savers import (
    NextQueuedSequenceBatch, SequenceQueueingStateSaver, batch_sequences_with_states,
)  # fmt: skip
from ...engine.data.queues.sampling import rejection_sample, resample_at_rate, stratified_sample, weighted_resample
from ...engine.base.proto import HParamDef
from ...engine.lib.devices.ps_strategies import GreedyLoadBalancingStrategy, RandomStrategy, byte_size_load_fn
from ...engine.training.checkpoints.checkpoint_state import checkpoints_iterator, wait_for_new_checkpoint
from ...engine.training.sessions.evaluation import (
    StopAfterNEvalsHook, SummaryAtEndHook, evaluate_once, evaluate_repeatedly, get_or_create_eval_step,
)  # fmt: skip
from ...engine.training.sessions.hparams import PARAM_RE, HParams, parse_values
from ...engine.training.sessions.training_loops import (
    add_gradients_summaries, clip_gradient_norms, clip_gradient_norms_fn, create_train_op, multiply_gradients, train,
)  # fmt: skip

__all__ = [
    "GreedyLoadBalancingStrategy", "HParamDef", "HParams", "NextQueuedSequenceBatch", "PARAM_RE",
    "RandomStrategy", "SequenceQueueingStateSaver", "StopAfterNEvalsHook", "SummaryAtEndHook",
    "add_gradients_summaries", "batch_sequences_with_states", "bucket", "bucket_by_sequence_length",
    "byte_size_load_fn", "checkpoints_iterator", "clip_gradient_norms", "clip_gradient_norms_fn",
    "create_train_op", "evaluate_once", "evaluate_repeatedly", "get_or_create_eval_step",
    "multiply_gradients", "parse_values", "rejection_sample", "resample_at_rate", "stratified_sample",
    "train", "wait_for_new_checkpoint", "weighted_resample",
]  # fmt: skip
