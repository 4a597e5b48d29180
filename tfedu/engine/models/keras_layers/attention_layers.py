"""Attention and AdditiveAttention: means of values, weighted by how well their keys fit queries. No state but the weights."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...base.shapes import as_shape
from ...lib.arrays import array
from ...lib.arrays.sequences import cumsum
from ...lib.math import reductions
from ...lib.math.math import cast, greater_equal, logical_and, logical_not, tanh
from ...lib.math.products import matmul
from ...lib.nn.activations import softmax
from ..keras_parts.keras_config import floatx
from .base_layer import KerasLayer


class _Attention(KerasLayer):
    """What the layers share: queries [n, t, k], values [n, s, d] and keys [n, s, k] -> [n, t, d].

    causal: a query reads no value that stands after it. A subclass defines `scores`.
    """

    def __init__(self, use_scale: bool, **kwargs: Any) -> None:
        self.causal = kwargs.pop("causal", False)
        super().__init__(**kwargs)
        self.use_scale = use_scale
        self.supports_masking = True

    # -- what a call gets ----------------------------------------------------------------------------------------------

    def _checked(self, inputs: Any, mask: Any) -> tuple[list[Any], list[Any]]:
        """[query, value, key] and [query_mask, value_mask]; the key is the value, and masks are None, where there is none.

        Raises: ValueError for what is no list, and for lists of another length.
        """
        kind = type(self).__name__
        if not isinstance(inputs, list):
            raise ValueError(
                error_text(f"{kind} layer must be called on a list of inputs, namely [query, value] or [query, value, key].")
            )
        if len(inputs) not in (2, 3):
            raise ValueError(
                error_text(
                    f"{kind} layer accepts inputs list of length 2 or 3, namely [query, value] or [query, value, key]. Given "
                    f"length: {len(inputs)}"
                )
            )
        if mask is not None and not isinstance(mask, list):
            raise ValueError(error_text(f"{kind} layer mask must be a list, namely [query_mask, value_mask]."))
        if mask is not None and len(mask) != 2:
            raise ValueError(
                error_text(
                    f"{kind} layer mask must be a list of length 2, namely [query_mask, value_mask]. Given length: {len(mask)}"
                )
            )
        return [*inputs, *inputs[1:]][:3], mask or [None, None]

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def scores(self, query: Any, key: Any) -> Any:
        """How well a key fits a query: [n, t, k] and [n, s, k] -> [n, t, s]."""
        raise NotImplementedError

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """[query [n, t, k], value [n, s, d], key [n, s, k]] -> [n, t, d]. mask: [[n, t], [n, s]] of bool, either may be None."""
        (query, value, key), (query_mask, value_mask) = self._checked(inputs, mask)
        scores = self.scores(query, key)
        readable = None if value_mask is None else array.expand_dims(value_mask, axis=-2)
        if self.causal:
            before = _lower_triangle(scores)
            readable = before if readable is None else logical_and(readable, before)
        if readable is not None:
            scores -= 1e9 * cast(logical_not(readable), floatx())
        result = matmul(softmax(scores), value)
        if query_mask is not None:
            result *= cast(array.expand_dims(query_mask, axis=-1), result.dtype)
        return result

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the queries."""
        return self._checked(inputs, mask)[1][0]

    # -- as data -------------------------------------------------------------------------------------------------------

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {**super().get_config(), "causal": self.causal, "use_scale": self.use_scale}


def _lower_triangle(scores: Any) -> Any:
    """Whether a value stands no later than a query: bool [1, t, s] for scores [n, t, s]."""
    sizes = array.shape(scores)
    sizes = array.concat([array.ones_like(sizes[:-2]), sizes[-2:]], axis=0)
    rows = cumsum(array.ones(sizes, dtype="int32"), axis=-2)
    return greater_equal(rows, cumsum(array.ones(sizes, dtype="int32"), axis=-1))


class Attention(_Attention):
    """Attention by the products of queries and keys: [query [n, t, k], value [n, s, d], key [n, s, k]] -> [n, t, d]; without a
    key, the value is the key. Source: Luong et al., 2015.

    use_scale: multiplies the products by a weight `scale` [] that begins at 1. causal: a query reads no value that stands after
    it.

    Raises: ValueError for anything but a list of two or three inputs, a list of two masks, and sizes that do not fit.
    """

    def __init__(self, use_scale: bool = False, **kwargs: Any) -> None:
        super().__init__(use_scale, **kwargs)

    def build(self, input_shape: Any) -> None:
        """Creates scale []."""
        self.scale = self.add_weight("scale", (), initializer="ones", dtype=self.dtype) if self.use_scale else None
        self.built = True

    def scores(self, query: Any, key: Any) -> Any:
        """The products: [n, t, k] and [n, s, k] -> [n, t, s]."""
        products = matmul(query, key, transpose_b=True)
        return products if self.scale is None else products * self.scale


class AdditiveAttention(_Attention):
    """Attention by tanh(query + key): [query [n, t, k], value [n, s, d], key [n, s, k]] -> [n, t, d]; without a key, the value
    is the key. Source: Bahdanau et al., 2014.

    use_scale: multiplies the elements by a weight `scale` [k] before their sum. causal: a query reads no value that stands
    after it.

    Raises: ValueError for anything but a list of two or three inputs, a list of two masks, sizes that do not fit, and with
    use_scale an unknown k.
    """

    def __init__(self, use_scale: bool = True, **kwargs: Any) -> None:
        super().__init__(use_scale, **kwargs)

    def build(self, input_shape: Any) -> None:
        """Creates scale [k]."""
        self.scale = None
        if self.use_scale:
            size = as_shape((input_shape if isinstance(input_shape, list) else [input_shape])[-1]).as_list()[-1]
            if size is None:
                raise ValueError(error_text("AdditiveAttention with use_scale has to know the last size of its inputs"))
            self.scale = self.add_weight("scale", (size,), initializer="glorot_uniform", dtype=self.dtype)
        self.built = True

    def scores(self, query: Any, key: Any) -> Any:
        """Σ scale · tanh(query + key): [n, t, k] and [n, s, k] -> [n, t, s]."""
        both = tanh(array.expand_dims(query, axis=-2) + array.expand_dims(key, axis=-3))
        return reductions.reduce_sum((1.0 if self.scale is None else self.scale) * both, axis=-1)


__all__ = ["AdditiveAttention", "Attention"]
