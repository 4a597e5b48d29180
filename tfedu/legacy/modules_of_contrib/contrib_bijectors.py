"""`tf.contrib.distributions.bijectors`: invertible transformations of random events."""

from ...engine.lib.bijectors.affine import Affine, AffineLinearOperator
from ...engine.lib.bijectors.bijector import Bijector, ConditionalBijector
from ...engine.lib.bijectors.composed import Chain, Identity, Inline, Invert
from ...engine.lib.bijectors.elementwise import (
    AbsoluteValue,
    Exp,
    PowerTransform,
    Sigmoid,
    Softplus,
    Softsign,
    Square,
)
from ...engine.lib.bijectors.matrices import (
    CholeskyOuterProduct,
    FillTriangular,
    MatrixInverseTriL,
    ScaleTriL,
    TransformDiagonal,
)
from ...engine.lib.bijectors.parametric import AffineScalar, Gumbel, Kumaraswamy, SinhArcsinh
from ...engine.lib.bijectors.vectors import Ordered, Permute, Reshape, SoftmaxCentered

__all__ = [
    "AbsoluteValue", "Affine", "AffineLinearOperator", "AffineScalar", "Bijector", "Chain",
    "CholeskyOuterProduct", "ConditionalBijector", "Exp", "FillTriangular", "Gumbel", "Identity",
    "Inline", "Invert", "Kumaraswamy", "MatrixInverseTriL", "Ordered", "Permute", "PowerTransform",
    "Reshape", "ScaleTriL", "Sigmoid", "SinhArcsinh", "SoftmaxCentered", "Softplus", "Softsign", "Square",
    "TransformDiagonal",
]  # fmt: skip
