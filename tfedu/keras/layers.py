"""`tf.keras.layers`: the layers that models are made of."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.models.feature_columns.feature_layers import DenseFeatures
from ..engine.models.keras_recurrent.bidirectional_layer import Bidirectional
from ..engine.models.keras_layers.activation_layers import ELU, LeakyReLU, PReLU, ReLU, Softmax, ThresholdedReLU
from ..engine.models.keras_layers.attention_layers import AdditiveAttention, Attention
from ..engine.models.keras_layers.base_layer import KerasLayer as Layer
from ..engine.models.keras_images.depthwise_layer import DepthwiseConv2D
from ..engine.models.keras_layers.embedding_layer import Embedding
from ..engine.models.keras_images.global_pooling import (
    GlobalAveragePooling1D, GlobalAveragePooling2D, GlobalAveragePooling3D, GlobalMaxPooling1D, GlobalMaxPooling2D,
    GlobalMaxPooling3D,
)  # fmt: skip
from ..engine.models.keras_layers.input_layer import Input, InputLayer
from ..engine.models.keras_layers.input_spec import InputSpec
from ..engine.models.keras_images.keras_convolution import Conv1D, Conv2D, Conv3D
from ..engine.models.keras_layers.keras_core import Dense, Dropout, Flatten
from ..engine.models.keras_layers.keras_normalization import BatchNormalization
from ..engine.models.keras_images.keras_pooling import (
    AveragePooling1D, AveragePooling2D, AveragePooling3D, MaxPooling1D, MaxPooling2D, MaxPooling3D,
)  # fmt: skip
from ..engine.models.keras_images.keras_separable import SeparableConv1D, SeparableConv2D
from ..engine.models.keras_images.keras_transposed import Conv2DTranspose, Conv3DTranspose
from ..engine.models.keras_layers.known_layers import deserialize, serialize
from ..engine.models.keras_layers.layer_normalization import LayerNormalization
from ..engine.models.keras_images.locally_connected import LocallyConnected1D, LocallyConnected2D
from ..engine.models.keras_layers.merge_layers import (
    Add, Average, Concatenate, Dot, Maximum, Minimum, Multiply, Subtract, add, average, concatenate, dot, maximum, minimum,
    multiply, subtract,
)  # fmt: skip
from ..engine.models.keras_layers.noise_layers import (
    AlphaDropout, GaussianDropout, GaussianNoise, SpatialDropout1D, SpatialDropout2D, SpatialDropout3D,
)  # fmt: skip
from ..engine.models.keras_recurrent.convolutional_lstm import ConvLSTM2D
from ..engine.models.keras_recurrent.cudnn_layers import CuDNNGRU, CuDNNLSTM
from ..engine.models.keras_recurrent.recurrent_cells import (
    AbstractRNNCell, GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells,
)  # fmt: skip
from ..engine.models.keras_recurrent.recurrent_layers import GRU, LSTM, RNN, SimpleRNN
from ..engine.models.keras_images.resizing_layers import (
    Cropping1D, Cropping2D, Cropping3D, UpSampling1D, UpSampling2D, UpSampling3D, ZeroPadding1D, ZeroPadding2D, ZeroPadding3D,
)  # fmt: skip
from ..engine.models.keras_layers.shape_layers import (
    Activation, ActivityRegularization, Lambda, Masking, Permute, RepeatVector, Reshape,
)  # fmt: skip
from ..engine.models.keras_layers.wrapper_layers import TimeDistributed, Wrapper

AvgPool1D = AveragePooling1D
AvgPool2D = AveragePooling2D
AvgPool3D = AveragePooling3D
Convolution1D = Conv1D
Convolution2D = Conv2D
Convolution2DTranspose = Conv2DTranspose
Convolution3D = Conv3D
Convolution3DTranspose = Conv3DTranspose
GlobalAvgPool1D = GlobalAveragePooling1D
GlobalAvgPool2D = GlobalAveragePooling2D
GlobalAvgPool3D = GlobalAveragePooling3D
GlobalMaxPool1D = GlobalMaxPooling1D
GlobalMaxPool2D = GlobalMaxPooling2D
GlobalMaxPool3D = GlobalMaxPooling3D
MaxPool1D = MaxPooling1D
MaxPool2D = MaxPooling2D
MaxPool3D = MaxPooling3D
SeparableConvolution1D = SeparableConv1D
SeparableConvolution2D = SeparableConv2D

__all__ = [
    "AbstractRNNCell", "Activation", "ActivityRegularization", "Add", "AdditiveAttention", "AlphaDropout",
    "Attention", "Average", "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "AvgPool1D",
    "AvgPool2D", "AvgPool3D", "BatchNormalization", "Bidirectional", "Concatenate", "Conv1D", "Conv2D",
    "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "ConvLSTM2D", "Convolution1D", "Convolution2D",
    "Convolution2DTranspose", "Convolution3D", "Convolution3DTranspose", "Cropping1D", "Cropping2D",
    "Cropping3D", "CuDNNGRU", "CuDNNLSTM", "Dense", "DenseFeatures", "DepthwiseConv2D", "Dot", "Dropout",
    "ELU", "Embedding", "Flatten", "GRU", "GRUCell", "GaussianDropout", "GaussianNoise",
    "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAveragePooling3D", "GlobalAvgPool1D",
    "GlobalAvgPool2D", "GlobalAvgPool3D", "GlobalMaxPool1D", "GlobalMaxPool2D", "GlobalMaxPool3D",
    "GlobalMaxPooling1D", "GlobalMaxPooling2D", "GlobalMaxPooling3D", "Input", "InputLayer", "InputSpec",
    "LSTM", "LSTMCell", "Lambda", "Layer", "LayerNormalization", "LeakyReLU", "LocallyConnected1D",
    "LocallyConnected2D", "Masking", "MaxPool1D", "MaxPool2D", "MaxPool3D", "MaxPooling1D",
    "MaxPooling2D", "MaxPooling3D", "Maximum", "Minimum", "Multiply", "PReLU", "Permute", "RNN", "ReLU",
    "RepeatVector", "Reshape", "SeparableConv1D", "SeparableConv2D", "SeparableConvolution1D",
    "SeparableConvolution2D", "SimpleRNN", "SimpleRNNCell", "Softmax", "SpatialDropout1D",
    "SpatialDropout2D", "SpatialDropout3D", "StackedRNNCells", "Subtract", "ThresholdedReLU",
    "TimeDistributed", "UpSampling1D", "UpSampling2D", "UpSampling3D", "Wrapper", "ZeroPadding1D",
    "ZeroPadding2D", "ZeroPadding3D", "add", "average", "concatenate", "deserialize", "dot", "maximum",
    "minimum", "multiply", "serialize", "subtract",
]  # fmt: skip
