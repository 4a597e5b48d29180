"""Which public functions of dense tensors take ragged ones, and how; importing this module gives RaggedTensor its operators.

`tf.add(ragged, 3)` calls `add`, which refuses the ragged tensor and asks the rule of this table. State: the rules in
`framework/dispatch.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ..arrays import array, constructors, selection
from ..control import grouping
from ..framework.dispatch import rules
from ..math import clip, math, products, special
from ..nn import activations
from ..strings import strings
from . import ragged_arrays, ragged_gather, ragged_math
from .ragged_broadcast import elementwise
from .ragged_functions import map_flat_values
from .ragged_tensor import RaggedTensor, RaggedTensorValue

# The name that the dense function claims before it refuses, by which the ragged one's nodes count on: `Add_1`.
UNARY: dict[Callable[..., Any], str | None] = {
    array.check_numerics: "CheckNumerics", grouping.identity: "Identity", array.ones_like: "ones_like",
    array.zeros_like: "zeros_like", clip.clip_by_value: "clip_by_value", math.invert: "Invert", math.abs: "Abs",
    math.acos: "Acos", math.acosh: "Acosh", math.angle: "Angle", math.asin: "Asin", math.asinh: "Asinh",
    math.atan: "Atan", math.atanh: "Atanh", math.cast: "Cast", math.ceil: "Ceil", math.conj: "Conj", math.cos: "Cos",
    math.cosh: "Cosh", special.digamma: "Digamma", special.erf: "Erf", special.erfc: "Erfc", math.exp: "Exp",
    math.expm1: "Expm1", math.floor: "Floor", math.imag: "Imag", math.is_finite: "IsFinite", math.is_inf: "IsInf",
    math.is_nan: "IsNan", special.lgamma: "Lgamma", math.log: "Log", math.log1p: "Log1p",
    activations.log_sigmoid: "LogSigmoid", math.logical_not: "LogicalNot", math.negative: "Neg", math.real: "Real",
    math.reciprocal: "Reciprocal", math.rint: "Rint", math.round: None, math.rsqrt: "Rsqrt",
    math.saturate_cast: "saturate_cast", math.sign: "Sign", math.sin: "Sin", math.sinh: "Sinh", math.sqrt: "Sqrt",
    math.square: "Square", math.tan: "Tan", strings.decode_compressed: "DecodeCompressed",
    strings.as_string: "AsString", strings.decode_base64: "DecodeBase64", strings.encode_base64: "EncodeBase64",
    strings.regex_full_match: "StaticRegexFullMatch", strings.regex_replace: "StaticRegexReplace",
    strings.strip: "StringStrip", strings.to_hash_bucket_fast: "StringToHashBucketFast",
    strings.to_hash_bucket_strong: "StringToHashBucketStrong", strings.substr: "Substr",
    strings.length: "StringLength", strings.unicode_script: "UnicodeScript",
}  # fmt: skip
LISTS: dict[Callable[..., Any], str | None] = {products.add_n: None, strings.join: "StringJoin"}
BINARY: dict[Callable[..., Any], str | None] = {
    math.bitwise_and: "BitwiseAnd", math.bitwise_or: "BitwiseOr", math.bitwise_xor: "BitwiseXor",
    math.left_shift: "LeftShift", math.right_shift: "RightShift", math.add: "Add", math.atan2: "Atan2",
    math.complex: None, math.div_no_nan: "div_no_nan", math.divide: "truediv", math.equal: "Equal",
    math.floordiv: "floordiv", math.floormod: "FloorMod", math.greater: "Greater",
    math.greater_equal: "GreaterEqual", math.less: "Less", math.less_equal: "LessEqual",
    math.logical_and: "LogicalAnd", math.logical_or: "LogicalOr", math.logical_xor: None, math.maximum: "Maximum",
    math.minimum: "Minimum", math.multiply: "Mul", math.not_equal: "NotEqual", math.pow: "Pow",
    math.realdiv: "RealDiv", math.squared_difference: "SquaredDifference", math.subtract: "Sub",
    math.truediv: "truediv", math.truncatediv: "TruncateDiv", math.truncatemod: "TruncateMod",
}  # fmt: skip

# The ragged function, and the arguments that may be ragged; `[name]`: in a list.
OTHERS: dict[Callable[..., Any], tuple[Callable[..., Any], tuple[str, ...]]] = {
    selection.batch_gather: (ragged_gather.batch_gather, ("params", "indices")),
    array.concat: (ragged_arrays.concat, ("values",)),
    array.expand_dims: (ragged_arrays.expand_dims, ("input",)),
    selection.gather: (ragged_gather.gather, ("params", "indices")),
    selection.gather_nd: (ragged_gather.gather_nd, ("params", "indices")),
    constructors.one_hot: (ragged_arrays.one_hot, ("indices",)),
    array.rank: (ragged_arrays.rank, ("input",)),
    array.size: (ragged_arrays.size, ("input",)),
    array.squeeze: (ragged_arrays.squeeze, ("input",)),
    array.stack: (ragged_arrays.stack, ("[values]",)),
    array.tile: (ragged_arrays.tile, ("input",)),
    selection.where: (ragged_arrays.where, ("condition", "x", "y")),
    selection.dynamic_partition: (ragged_arrays.dynamic_partition, ("data", "partitions")),
    strings.reduce_join: (ragged_math.reduce_join, ("inputs",)),
    **{function: (ragged, ("data", "segment_ids")) for function, ragged in ragged_math.SEGMENTS.items()},
    **{function: (ragged, ("input_tensor",)) for function, ragged in ragged_math.REDUCTIONS.items()},
}
CLAIMED: dict[Callable[..., Any], str | None] = {
    selection.batch_gather: "BatchGather", array.concat: "concat", array.expand_dims: "ExpandDims",
    selection.gather: "GatherV2", selection.gather_nd: "GatherNd", constructors.one_hot: "one_hot", array.rank: "Rank",
    array.size: "Size", array.squeeze: "Squeeze", array.stack: None, array.tile: "Tile", selection.where: "Where",
    selection.dynamic_partition: "DynamicPartition", strings.reduce_join: "ReduceJoin",
    **{function: function.__name__.title().replace("_", "") for function in ragged_math.SEGMENTS},
    **{function: function.__name__.removeprefix("reduce_").title() for function in ragged_math.REDUCTIONS},
}  # fmt: skip


def _first_parameters(function: Callable[..., Any], count: int) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)[:count]


def _is_ragged(value: Any) -> bool:
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


def _has_ragged(given: dict[str, Any], argument: str) -> bool:
    name = argument.strip("[]")
    value = given.get(name)
    in_list = isinstance(value, (list, tuple)) and any(map(_is_ragged, value))
    return in_list or (name == argument and _is_ragged(value))


def _add_rule(
    function: Callable[..., Any], ragged: Callable[..., Any], arguments: tuple[str, ...], claimed: str | None
) -> None:
    """Lets `function` call `ragged` with the same arguments, when one of the named ones is ragged."""
    signature = inspect.signature(function)

    @atomic
    def rule(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:  # the dense function has said what is wrong with the arguments' names
            return NotImplemented
        if not any(_has_ragged(given, argument) for argument in arguments):
            return NotImplemented
        if claimed is not None:
            get_default_graph().unique_name(given.get("name") or claimed)
        return ragged(*args, **kwargs)

    rules[function] = rule


def _with_first(function: Callable[..., Any], apply: Callable[..., Any], names: tuple[str, ...]) -> Callable[..., Any]:
    """`apply(function, …)` with the parameters of these names by position."""

    def ragged(*args: Any, **kwargs: Any) -> Any:
        return apply(function, *args, *[kwargs.pop(name) for name in names[len(args) :]], **kwargs)

    return ragged


for _table, _apply, _count in ((UNARY, map_flat_values, 1), (LISTS, map_flat_values, 1), (BINARY, elementwise, 2)):
    for _function, _claimed in _table.items():
        _names = _first_parameters(_function, _count)
        _ragged = _with_first(_function, _apply, _names)
        _add_rule(_function, _ragged, tuple([f"[{n}]" for n in _names]) if _table is LISTS else _names, _claimed)
for _function, (_ragged, _names) in OTHERS.items():
    _add_rule(_function, _ragged, _names, CLAIMED[_function])


# -- operators -------------------------------------------------------------------------------------------------------


def _reversed(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: function(other, self)


_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": math.add, "and": math.logical_and, "div": math.div, "floordiv": math.floordiv, "mod": math.floormod,
    "mul": math.multiply, "or": math.logical_or, "pow": math.pow, "sub": math.subtract, "truediv": math.truediv,
    "xor": math.logical_xor,
}  # fmt: skip
_COMPARISONS: dict[str, Callable[..., Any]] = {
    "ge": math.greater_equal, "gt": math.greater, "le": math.less_equal, "lt": math.less,
}  # fmt: skip
_OF_ONE: dict[str, Callable[..., Any]] = {"abs": math.abs, "invert": math.logical_not, "neg": math.negative}

for _name, _function in _OPERATORS.items():
    setattr(RaggedTensor, f"__{_name}__", _function)
    setattr(RaggedTensor, f"__r{_name}__", _reversed(_function))
for _name, _function in {**_COMPARISONS, **_OF_ONE}.items():
    setattr(RaggedTensor, f"__{_name}__", _function)
