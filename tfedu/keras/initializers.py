"""`tf.keras.initializers`: the first values of weights."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.lib.variables.initializers import Constant, Initializer, Ones, Zeros
from ..engine.lib.variables.scaled_initializers import (
    GlorotNormal as glorot_normal, GlorotUniform as glorot_uniform, Identity, Orthogonal, VarianceScaling, he_normal, he_uniform,
    lecun_normal, lecun_uniform,
)  # fmt: skip
from ..engine.models.keras_layers.identifiers import initializer_named as get
from ..engine.models.keras_layers.serialization import initializer_as_data as serialize, initializer_from as deserialize
from ..engine.models.keras_layers.keras_initializers import RandomNormal, RandomUniform, TruncatedNormal

constant = Constant
identity = Identity
normal = RandomNormal
ones = Ones
orthogonal = Orthogonal
random_normal = RandomNormal
random_uniform = RandomUniform
truncated_normal = TruncatedNormal
uniform = RandomUniform
zeros = Zeros

__all__ = [
    "Constant", "Identity", "Initializer", "Ones", "Orthogonal", "RandomNormal", "RandomUniform",
    "TruncatedNormal", "VarianceScaling", "Zeros", "constant", "deserialize", "get", "glorot_normal",
    "glorot_uniform", "he_normal", "he_uniform", "identity", "lecun_normal", "lecun_uniform", "normal",
    "ones", "orthogonal", "random_normal", "random_uniform", "serialize", "truncated_normal", "uniform",
    "zeros",
]  # fmt: skip
