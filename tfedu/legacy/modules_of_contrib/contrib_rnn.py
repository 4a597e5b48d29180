"""`tf.contrib.rnn`: the cells and loops of `tf.nn`, and more of them."""

# ruff: noqa: I001 - the names stand in paragraphs
from ...engine.models.cells_of_contrib.attention_cell import AttentionCellWrapper
from ...engine.models.cells_of_contrib.conv_lstm import Conv1DLSTMCell, Conv2DLSTMCell, Conv3DLSTMCell, ConvLSTMCell
from ...engine.models.cells_of_contrib.gated_cells import IntersectionRNNCell, NASCell, SRUCell, UGRNNCell
from ...engine.models.cells_of_contrib.grid_lstm import BidirectionalGridLSTMCell, GridLSTMCell, TimeFreqLSTMCell
from ...engine.models.cells_of_contrib.independent_cells import IndRNNCell, IndyGRUCell, IndyLSTMCell
from ...engine.models.cells_of_contrib.lstm_variants import GLSTMCell, PhasedLSTMCell
from ...engine.models.cells_of_contrib.normalized_lstm import CoupledInputForgetGateLSTMCell, LayerNormBasicLSTMCell
from ...engine.models.cells_of_contrib.projection_wrappers import (
    EmbeddingWrapper, HighwayWrapper, InputProjectionWrapper, OutputProjectionWrapper,
)  # fmt: skip
from ...engine.models.rnn.basic_cells import BasicRNNCell, GRUCell
from ...engine.models.rnn.block_cells import (
    GRUBlockCell, GRUBlockCellV2, LSTMBlockCell, LSTMBlockFusedCell, LSTMBlockWrapper,
)  # fmt: skip
from ...engine.models.rnn.cell import LayerRNNCell, LSTMStateTuple, RNNCell
from ...engine.models.rnn.fused_cells import FusedRNNCell, FusedRNNCellAdaptor, TimeReversedFusedRNN
from ...engine.models.rnn.lstm_cells import BasicLSTMCell, LSTMCell
from ...engine.models.rnn.sizes import best_effort_input_batch_size, transpose_batch_time
from ...engine.models.rnn.stacked_rnn import stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn
from ...engine.models.rnn.static_rnn import static_bidirectional_rnn, static_rnn, static_state_saving_rnn
from ...engine.models.rnn.steps import ASSERT_LIKE_RNNCELL_ERROR_REGEXP, assert_like_rnncell
from ...engine.models.rnn.wrappers import DeviceWrapper, DropoutWrapper, MultiRNNCell, ResidualWrapper

__all__ = [
    "ASSERT_LIKE_RNNCELL_ERROR_REGEXP", "AttentionCellWrapper", "BasicLSTMCell", "BasicRNNCell",
    "BidirectionalGridLSTMCell", "Conv1DLSTMCell", "Conv2DLSTMCell", "Conv3DLSTMCell", "ConvLSTMCell",
    "CoupledInputForgetGateLSTMCell", "DeviceWrapper", "DropoutWrapper", "EmbeddingWrapper",
    "FusedRNNCell", "FusedRNNCellAdaptor", "GLSTMCell", "GRUBlockCell", "GRUBlockCellV2", "GRUCell",
    "GridLSTMCell", "HighwayWrapper", "IndRNNCell", "IndyGRUCell", "IndyLSTMCell",
    "InputProjectionWrapper", "IntersectionRNNCell", "LSTMBlockCell", "LSTMBlockFusedCell",
    "LSTMBlockWrapper", "LSTMCell", "LSTMStateTuple", "LayerNormBasicLSTMCell", "LayerRNNCell",
    "MultiRNNCell", "NASCell", "OutputProjectionWrapper", "PhasedLSTMCell", "RNNCell", "ResidualWrapper",
    "SRUCell", "TimeFreqLSTMCell", "TimeReversedFusedRNN", "UGRNNCell", "assert_like_rnncell",
    "best_effort_input_batch_size", "stack_bidirectional_dynamic_rnn", "stack_bidirectional_rnn",
    "static_bidirectional_rnn", "static_rnn", "static_state_saving_rnn", "transpose_batch_time",
]  # fmt: skip
