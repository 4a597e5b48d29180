"""`tf.nn.rnn_cell`: the recurrent cells and their wrappers."""

from ...engine.models.rnn.basic_cells import BasicRNNCell, GRUCell
from ...engine.models.rnn.cell import LSTMStateTuple, RNNCell
from ...engine.models.rnn.lstm_cells import BasicLSTMCell, LSTMCell
from ...engine.models.rnn.wrappers import DeviceWrapper, DropoutWrapper, MultiRNNCell, ResidualWrapper

__all__ = [
    "BasicLSTMCell", "BasicRNNCell", "DeviceWrapper", "DropoutWrapper", "GRUCell", "LSTMCell",
    "LSTMStateTuple", "MultiRNNCell", "RNNCell", "ResidualWrapper",
]  # fmt: skip
