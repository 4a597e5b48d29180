"""What a rule computes, in one line of mathematics: `formula(op)`, the same in every language.

x is the input and y the output, a and b are two inputs; g is the gradient that arrived, dx, da, db are what is passed on.
[x > 0] is 1 where that holds and 0 elsewhere. Sums over repeated axes are left out: the nodes show them. No state.
"""

from __future__ import annotations

from typing import Final

from ..graph.nodes import Operation

FORMULAS: Final = {
    "dx = g": "Identity PreventGradient CheckNumerics Print",
    "dx = -g": "Neg",
    "dx = g · y": "Exp",
    "dx = g · exp(x)": "Expm1",
    "dx = g / x": "Log",
    "dx = g / (1 + x)": "Log1p",
    "dx = g · cos(x)": "Sin",
    "dx = -g · sin(x)": "Cos",
    "dx = g / cos(x)²": "Tan",
    "dx = g · cosh(x)": "Sinh",
    "dx = g · sinh(x)": "Cosh",
    "dx = g · (1 - y²)": "Tanh",
    "dx = g · y · (1 - y)": "Sigmoid",
    "dx = g / √(1 - x²)": "Asin",
    "dx = -g / √(1 - x²)": "Acos",
    "dx = g / (1 + x²)": "Atan",
    "dx = 2 · g · x": "Square",
    "dx = g / (2 · y)": "Sqrt",
    "dx = -g · y³ / 2": "Rsqrt",
    "dx = -g · y²": "Reciprocal Inv",
    "dx = g · sign(x)": "Abs",
    "dx = 0": "Sign",
    "dx = g · [x > 0]": "Relu",
    "dx = g · [0 < x] · [x < 6]": "Relu6",
    "dx = g / (1 + exp(-x))": "Softplus",
    "dx = g / (1 + |x|)²": "Softsign",
    "dx = g · (x > 0 ? 1 : y + 1)": "Elu",
    "dx = g · 2 / √π · exp(-x²)": "Erf",
    "dx = (g - Σ g · y) · y": "Softmax",
    "dx = g - Σ g · exp(y)": "LogSoftmax",
    "dx = cast(g)": "Cast",
    "dx = reshape(g)": "Reshape ExpandDims Squeeze",
    "dx = transpose(g)": "Transpose",
    "dx[i] = g": "Sum",
    "dx[i] = g / n": "Mean",
    "dx[i] = g · [x[i] = y] / n": "Max Min",
    "dx = g · x": "L2Loss",
    "da = g, db = g": "Add AddV2",
    "da = g, db = -g": "Sub",
    "da = g, db = Σ g": "BiasAdd",
    "da = g, db = g, …": "AddN",
    "da = g · b, db = g · a": "Mul",
    "da = g / b, db = -g · a / b²": "Div RealDiv",
    "da = g · b · a^(b - 1), db = g · y · log(a)": "Pow",
    "da = g · [a ≥ b], db = g · [a < b]": "Maximum",
    "da = g · [a ≤ b], db = g · [a > b]": "Minimum",
    "da = 2 · g · (a - b), db = -2 · g · (a - b)": "SquaredDifference",
    "da = g · bᵀ, db = aᵀ · g": "MatMul",
    "da = g · (softmax(a) - b), db = -g · log softmax(a)": "SoftmaxCrossEntropyWithLogits",
    "da = g · (softmax(a) - onehot(b))": "SparseSoftmaxCrossEntropyWithLogits",
}

_OF: Final = {op_type: text for text, types in FORMULAS.items() for op_type in types.split()}


def formula(op: Operation) -> str:
    """The formula of the node's own rule; "" where one line does not say it, or the program put another rule in its place."""
    if "_gradient_op_type" in op.attrs or op.attrs.get("transpose_a") or op.attrs.get("transpose_b"):
        return ""
    return _OF.get(op.type, "")


__all__ = ["FORMULAS", "formula"]
