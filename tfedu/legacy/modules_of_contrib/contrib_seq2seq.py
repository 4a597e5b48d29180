"""`tf.contrib.seq2seq`: decoders, their helpers, attention, and the loss of sequences."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.seq2seq.attention_mechanisms import (
    AttentionMechanism, BahdanauAttention, BahdanauMonotonicAttention, LuongAttention, LuongMonotonicAttention, hardmax,
    monotonic_attention, safe_cumprod,
)  # fmt: skip
from ...engine.models.seq2seq.attention_wrapper import AttentionWrapper, AttentionWrapperState
from ...engine.models.seq2seq.basic_decoder import BasicDecoder, BasicDecoderOutput
from ...engine.models.seq2seq.beam_search import (
    BeamSearchDecoder, BeamSearchDecoderOutput, BeamSearchDecoderState, FinalBeamSearchDecoderOutput, gather_tree, tile_batch,
)  # fmt: skip
from ...engine.models.seq2seq.dynamic_decoding import Decoder, dynamic_decode
from ...engine.models.seq2seq.helpers import (
    CustomHelper, GreedyEmbeddingHelper, Helper, InferenceHelper, SampleEmbeddingHelper, ScheduledEmbeddingTrainingHelper,
    ScheduledOutputTrainingHelper, TrainingHelper,
)  # fmt: skip
from ...engine.models.seq2seq.sequence_losses import sequence_loss

__all__ = [
    "AttentionMechanism", "AttentionWrapper", "AttentionWrapperState", "BahdanauAttention",
    "BahdanauMonotonicAttention", "BasicDecoder", "BasicDecoderOutput", "BeamSearchDecoder",
    "BeamSearchDecoderOutput", "BeamSearchDecoderState", "CustomHelper", "Decoder",
    "FinalBeamSearchDecoderOutput", "GreedyEmbeddingHelper", "Helper", "InferenceHelper",
    "LuongAttention", "LuongMonotonicAttention", "SampleEmbeddingHelper",
    "ScheduledEmbeddingTrainingHelper", "ScheduledOutputTrainingHelper", "TrainingHelper",
    "dynamic_decode", "gather_tree", "hardmax", "monotonic_attention", "safe_cumprod", "sequence_loss",
    "tile_batch",
]  # fmt: skip
