"""`tf.nn`: activations and what else neural networks are built of, as far as tfedu has it."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.arrays.selection import in_top_k, top_k
from .engine.lib.arrays.blocks import depth_to_space, space_to_batch, space_to_depth
from .engine.lib.math.clip import l2_normalize
from .engine.lib.math.math import l2_loss, sigmoid, tanh
from .engine.lib.math.counting import zero_fraction
from .engine.lib.nn.activations import (
    elu, leaky_relu, log_softmax, relu, relu6, selu, softmax, softplus, softsign, swish,
)  # fmt: skip
from .engine.lib.nn.atrous import atrous_conv2d, atrous_conv2d_transpose, convolution, with_space_to_batch
from .engine.lib.nn.average_loss import compute_average_loss, scale_regularization_loss
from .engine.lib.nn.convolution import (
    conv1d, conv1d_transpose, conv2d, conv2d_backprop_filter, conv2d_backprop_input, conv2d_transpose, conv3d,
    conv3d_backprop_filter, conv3d_backprop_filter_v2, conv3d_transpose, conv_transpose,
)  # fmt: skip
from .engine.lib.nn.candidate_sampling import (
    all_candidate_sampler, compute_accidental_hits, fixed_unigram_candidate_sampler, learned_unigram_candidate_sampler,
    log_uniform_candidate_sampler, uniform_candidate_sampler,
)  # fmt: skip
from .engine.lib.nn.cross_entropy import (
    log_poisson_loss, sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2, sparse_softmax_cross_entropy_with_logits, weighted_cross_entropy_with_logits,
)  # fmt: skip
from .engine.lib.nn.ctc import (
    collapse_repeated, ctc_beam_search_decoder, ctc_beam_search_decoder_v2, ctc_greedy_decoder, ctc_loss, ctc_unique_labels,
)  # fmt: skip
from .engine.models.dense_ctc import ctc_loss_v2
from .engine.lib.nn.embeddings import embedding_lookup, embedding_lookup_sparse, safe_embedding_lookup_sparse
from .engine.lib.nn.depthwise import (
    depthwise_conv2d, depthwise_conv2d_backprop_filter, depthwise_conv2d_backprop_input, depthwise_conv2d_native,
    depthwise_conv2d_native_backprop_filter, depthwise_conv2d_native_backprop_input, separable_conv2d,
)  # fmt: skip
from .engine.lib.nn.morphology import dilation2d, erosion2d
from .engine.models.rnn.dynamic_rnn import bidirectional_dynamic_rnn, dynamic_rnn
from .engine.models.rnn.raw_rnn import raw_rnn
from .engine.models.rnn.static_rnn import static_bidirectional_rnn, static_rnn, static_state_saving_rnn
from .engine.lib.nn.moments import moments, normalize_moments, sufficient_statistics, weighted_moments
from .engine.lib.nn.sampled_losses import nce_loss, sampled_softmax_loss
from .engine.lib.nn.nn import bias_add, crelu, dropout, relu_layer, xw_plus_b
from .engine.lib.nn.normalization import (
    batch_norm_with_global_normalization, batch_normalization, fused_batch_norm, local_response_normalization, lrn,
)  # fmt: skip
from .engine.lib.nn.pooling import (
    avg_pool, avg_pool1d, avg_pool2d, avg_pool3d, avg_pool_v2, fractional_avg_pool, fractional_max_pool, max_pool, max_pool1d,
    max_pool2d, max_pool3d, max_pool_v2, max_pool_with_argmax, pool,
)  # fmt: skip
from .engine.lib.nn.quantization import quantized_avg_pool, quantized_conv2d, quantized_max_pool, quantized_relu_x
from .legacy.modules import rnn_cell

__all__ = [
    "all_candidate_sampler", "atrous_conv2d", "atrous_conv2d_transpose", "avg_pool", "avg_pool1d",
    "avg_pool2d", "avg_pool3d", "avg_pool_v2", "batch_norm_with_global_normalization",
    "batch_normalization", "bias_add", "bidirectional_dynamic_rnn", "collapse_repeated",
    "compute_accidental_hits", "compute_average_loss", "conv1d", "conv1d_transpose", "conv2d",
    "conv2d_backprop_filter", "conv2d_backprop_input", "conv2d_transpose", "conv3d",
    "conv3d_backprop_filter", "conv3d_backprop_filter_v2", "conv3d_transpose", "conv_transpose",
    "convolution", "crelu", "ctc_beam_search_decoder", "ctc_beam_search_decoder_v2", "ctc_greedy_decoder",
    "ctc_loss", "ctc_loss_v2", "ctc_unique_labels", "depth_to_space", "depthwise_conv2d",
    "depthwise_conv2d_backprop_filter", "depthwise_conv2d_backprop_input", "depthwise_conv2d_native",
    "depthwise_conv2d_native_backprop_filter", "depthwise_conv2d_native_backprop_input", "dilation2d",
    "dropout", "dynamic_rnn", "elu", "embedding_lookup", "embedding_lookup_sparse", "erosion2d",
    "fixed_unigram_candidate_sampler", "fractional_avg_pool", "fractional_max_pool", "fused_batch_norm",
    "in_top_k", "l2_loss", "l2_normalize", "leaky_relu", "learned_unigram_candidate_sampler",
    "local_response_normalization", "log_poisson_loss", "log_softmax", "log_uniform_candidate_sampler",
    "lrn", "max_pool", "max_pool1d", "max_pool2d", "max_pool3d", "max_pool_v2", "max_pool_with_argmax",
    "moments", "nce_loss", "normalize_moments", "pool", "quantized_avg_pool", "quantized_conv2d",
    "quantized_max_pool", "quantized_relu_x", "raw_rnn", "relu", "relu6", "relu_layer", "rnn_cell",
    "safe_embedding_lookup_sparse", "sampled_softmax_loss", "scale_regularization_loss", "selu",
    "separable_conv2d", "sigmoid", "sigmoid_cross_entropy_with_logits", "softmax",
    "softmax_cross_entropy_with_logits", "softmax_cross_entropy_with_logits_v2", "softplus", "softsign",
    "space_to_batch", "space_to_depth", "sparse_softmax_cross_entropy_with_logits",
    "static_bidirectional_rnn", "static_rnn", "static_state_saving_rnn", "sufficient_statistics", "swish",
    "tanh", "top_k", "uniform_candidate_sampler", "weighted_cross_entropy_with_logits",
    "weighted_moments", "with_space_to_batch", "xw_plus_b", "zero_fraction",
]  # fmt: skip
