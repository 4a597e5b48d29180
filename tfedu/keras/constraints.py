"""`tf.keras.constraints`: what weights must be after each step."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.models.keras_layers.serialization import constraint_as_data as serialize, constraint_from as deserialize
from ..engine.models.keras_layers.penalties import (
    Constraint, MaxNorm, MinMaxNorm, NonNeg, RadialConstraint, UnitNorm, constraint_named as get,
)  # fmt: skip

max_norm = MaxNorm
min_max_norm = MinMaxNorm
non_neg = NonNeg
radial_constraint = RadialConstraint
unit_norm = UnitNorm

__all__ = [
    "Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "RadialConstraint", "UnitNorm", "deserialize", "get",
    "max_norm", "min_max_norm", "non_neg", "radial_constraint", "serialize", "unit_norm",
]  # fmt: skip
