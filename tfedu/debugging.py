"""`tf.debugging`: checks before and during a run."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.lib.arrays.array import check_numerics
from .engine.lib.checks.asserts import (
    Assert, assert_equal, assert_greater, assert_greater_equal, assert_less, assert_less_equal,
    assert_near, assert_negative, assert_non_negative, assert_non_positive, assert_none_equal,
    assert_positive,
)  # fmt: skip
from .engine.lib.checks.type_asserts import (
    assert_integer, assert_proper_iterable, assert_rank, assert_rank_at_least, assert_rank_in,
    assert_same_float_dtype, assert_scalar, assert_type, is_numeric_tensor,
)  # fmt: skip
from .engine.lib.checks.finite_checks import verify_tensor_all_finite as assert_all_finite
from .engine.lib.checks.shape_asserts import assert_shapes
from .engine.lib.math.math import is_finite, is_inf, is_nan
from .engine.lib.arrays.sorting import is_non_decreasing, is_strictly_increasing

__all__ = [
    "Assert", "assert_all_finite", "assert_equal", "assert_greater", "assert_greater_equal",
    "assert_integer", "assert_less", "assert_less_equal", "assert_near", "assert_negative",
    "assert_non_negative", "assert_non_positive", "assert_none_equal", "assert_positive",
    "assert_proper_iterable", "assert_rank", "assert_rank_at_least", "assert_rank_in",
    "assert_same_float_dtype", "assert_scalar", "assert_shapes", "assert_type", "check_numerics",
    "is_finite", "is_inf", "is_nan", "is_non_decreasing", "is_numeric_tensor", "is_strictly_increasing",
]  # fmt: skip
