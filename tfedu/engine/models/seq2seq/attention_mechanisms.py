"""Attention: how much each step of a memory [n, t, size] counts for a query [n, units], and what that was at the step before.

Sources: Bahdanau et al., "Neural Machine Translation by Jointly Learning to Align and Translate" (2015); Luong et al., "Effective
Approaches to Attention-based Neural Machine Translation" (2015); Raffel et al., "Online and Linear-Time Attention by Enforcing
Monotonic Alignments" (2017).
"""

from __future__ import annotations

import abc
import functools
import math as numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, constructors, selection, sequences
from ...lib.checks import asserts
from ...lib.control.functional import scan
from ...lib.framework import nest
from ...lib.framework.scope_blocks import control_dependencies, named
from ...lib.math import clip, math, products, random, reductions
from ...lib.nn import activations
from ...lib.variables.initializers import Constant, Ones, Zeros
from ...lib.variables.variable_scope import get_variable, variable_scope
from ..layers.core_layers import Dense
from ..layers.layer import Layer
from ..rnn import sizes

ProbabilityFunction = Callable[[Any], Any]


class AttentionMechanism(abc.ABC):  # noqa: B024 - TF's class has no abstract methods either
    """The base of all attention."""

    @property
    def alignments_size(self) -> Any:
        """The length of the memory."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """The size of the state that the mechanism keeps from step to step."""
        raise NotImplementedError


def _size(tensor: Tensor, axis: int) -> Any:
    known = tensor.shape[axis].value
    return array.shape(tensor)[axis] if known is None else known


def _prepared(memory: Any, lengths: Any, check_inner_dims_defined: bool) -> Any:
    """The memory as tensors, 0 after the end of each sequence."""
    memory = nest.map_structure(lambda m: convert_to_tensor(m, name="memory"), memory)
    if lengths is not None:
        lengths = convert_to_tensor(lengths, name="memory_sequence_length")
    if check_inner_dims_defined:
        for m in nest.flatten(memory):
            if not m.shape[2:].is_fully_defined():
                text = f"Expected memory {m.name} to have fully defined inner dims, but saw shape: {m.shape}"
                raise ValueError(error_text(text, [m]))
    if lengths is None:
        return memory
    first = nest.flatten(memory)[0]
    mask = constructors.sequence_mask(lengths, maxlen=array.shape(first)[1], dtype=first.dtype)

    def masked(m: Tensor) -> Any:
        rank = m.shape.ndims
        ones = array.ones((array.rank(m) if rank is None else rank) - 2, dtype=dtypes.int32)
        return m * array.reshape(mask, array.concat((array.shape(mask), ones), 0))

    return nest.map_structure(masked, memory)


def _masked_score(score: Any, lengths: Any, value: Any) -> Any:
    """The score [n, t], `value` after the end of each sequence. Raises at run time for a sequence without steps."""
    if lengths is None:
        return score
    message = "All values in memory_sequence_length must be greater than zero."
    with control_dependencies([asserts.assert_positive(lengths, message=message)]):
        mask = constructors.sequence_mask(lengths, maxlen=array.shape(score)[1])
    return selection.where(mask, score, value * array.ones_like(score))


class _WithMemory(AttentionMechanism):
    """The memory, its keys, and the function that makes alignments of scores.

    Raises: TypeError for layers that are none, and a probability function that is none; ValueError for a memory whose inner
    sizes are not known statically.
    """

    def __init__(
        self,
        query_layer: Any,
        memory: Any,
        probability_fn: Callable[[Any, Any], Any],
        memory_sequence_length: Any = None,
        memory_layer: Any = None,
        check_inner_dims_defined: bool = True,
        score_mask_value: Any = None,
        custom_key_value_fn: Any = None,
        name: str | None = None,
    ) -> None:
        for layer, what in ((query_layer, "query_layer"), (memory_layer, "memory_layer")):
            if layer is not None and not isinstance(layer, Layer):
                raise TypeError(error_text(f"{what} is not a Layer: {type(layer).__name__}"))
        if not callable(probability_fn):
            raise TypeError(error_text(f"probability_fn must be callable, saw type: {type(probability_fn).__name__}"))
        self._query_layer, self._memory_layer = query_layer, memory_layer
        self.dtype = memory_layer.dtype
        if score_mask_value is None:
            score_mask_value = dtypes.as_dtype(self.dtype).as_numpy_dtype(-np.inf)
        self._probability_fn = lambda score, before: probability_fn(
            _masked_score(score, memory_sequence_length, score_mask_value), before
        )
        with named(name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self._values = _prepared(memory, memory_sequence_length, check_inner_dims_defined)
            self._keys = memory_layer(self._values) if memory_layer else self._values
            if custom_key_value_fn:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            self._batch_size, self._alignments_size = _size(self._keys, 0), _size(self._keys, 1)

    @property
    def memory_layer(self) -> Any:
        """The layer that makes keys of the memory."""
        return self._memory_layer

    @property
    def query_layer(self) -> Any:
        """The layer that changes queries, or None."""
        return self._query_layer

    @property
    def values(self) -> Any:
        """The memory [n, t, size]."""
        return self._values

    @property
    def keys(self) -> Any:
        """The keys [n, t, units]."""
        return self._keys

    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
        return self._batch_size

    @property
    def alignments_size(self) -> Any:
        """The length of the memory."""
        return self._alignments_size

    @property
    def state_size(self) -> Any:
        """The length of the memory: the state is the last alignments."""
        return self._alignments_size

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros [n, t]."""
        return sizes.zero_state(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The first alignments [n, t]."""
        return self.initial_alignments(batch_size, dtype)


def _ignoring_state(probability_fn: ProbabilityFunction | None) -> Callable[[Any, Any], Any]:
    function = activations.softmax if probability_fn is None else probability_fn
    return lambda score, _: function(score)


# -- Luong ---------------------------------------------------------------------------------------------------------------


def _luong_score(query: Any, keys: Any, scale: Any) -> Any:
    """The products of query [n, units] and keys [n, t, units]: [n, t]."""
    depth, units = query.shape[-1], keys.shape[-1]
    if depth != units:
        text = (
            f"Incompatible or unknown inner dimensions between query and keys.  Query ({query}) has units: {depth}.  Keys "
            f"({keys}) have units: {units}.  Perhaps you need to set num_units to the keys' dimension ({units})?"
        )
        raise ValueError(error_text(text, [query, keys]))
    score = products.matmul(array.expand_dims(query, 1), keys, transpose_b=True)
    score = array.squeeze(score, [1])
    return score if scale is None else scale * score


def _memory_layer(num_units: int, dtype: Any) -> Dense:
    return Dense(num_units, name="memory_layer", use_bias=False, dtype=dtype)


class LuongAttention(_WithMemory):
    """The product of the query [n, num_units] and the keys. scale: a variable scales the scores.

    memory_sequence_length: lengths [n]; what follows does not count. probability_fn: makes alignments of scores [n, t], softmax
    by default. score_mask_value: the score of what does not count, minus infinity by default. custom_key_value_fn: f(keys,
    values) -> both, changed.

    Raises: TypeError, ValueError for memories, layers and functions that do not fit.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        probability_fn: ProbabilityFunction | None = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Any = None,
        name: str = "LuongAttention",
    ) -> None:
        super().__init__(
            None, memory, _ignoring_state(probability_fn), memory_sequence_length,
            _memory_layer(num_units, dtype or dtypes.float32), True, score_mask_value, custom_key_value_fn, name,
        )  # fmt: skip
        self._num_units, self._scale, self._name = num_units, scale, name

    def __call__(self, query: Any, state: Any) -> tuple[Any, Any]:
        """(alignments [n, t], the next state) of query [n, num_units]."""
        with variable_scope(None, "luong_attention", [query]):
            scale = get_variable("attention_g", dtype=query.dtype, initializer=Ones, shape=()) if self._scale else None
            score = _luong_score(query, self._keys, scale)
        alignments = self._probability_fn(score, state)
        return alignments, alignments


# -- Bahdanau ------------------------------------------------------------------------------------------------------------


def _bahdanau_score(query: Any, keys: Any, num_units: int, normalize: bool) -> Any:
    """v · tanh(keys + query), with variables of the open scope: query [n, units], keys [n, t, units] -> [n, t]."""
    scorer = get_variable("attention_v", [num_units], dtype=query.dtype)
    if not normalize:
        return reductions.reduce_sum(scorer * math.tanh(keys + array.expand_dims(query, 1)), [2])
    gain = get_variable(
        "attention_g", dtype=query.dtype, initializer=Constant(numbers.sqrt(1.0 / num_units)), shape=()
    )
    shift = get_variable("attention_b", [num_units], dtype=query.dtype, initializer=Zeros())
    query = array.expand_dims(query, 1)
    normed = gain * scorer * math.rsqrt(reductions.reduce_sum(math.square(scorer)))
    return reductions.reduce_sum(normed * math.tanh(keys + query + shift), [2])


class BahdanauAttention(_WithMemory):
    """v · tanh(keys + the query, both [.., num_units]). normalize: v has a length that is a variable.

    The other arguments are LuongAttention's.

    Raises: TypeError, ValueError for memories, layers and functions that do not fit.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        probability_fn: ProbabilityFunction | None = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Any = None,
        name: str = "BahdanauAttention",
    ) -> None:
        dtype = dtype or dtypes.float32
        super().__init__(
            Dense(num_units, name="query_layer", use_bias=False, dtype=dtype), memory, _ignoring_state(probability_fn),
            memory_sequence_length, _memory_layer(num_units, dtype), True, score_mask_value, custom_key_value_fn, name,
        )  # fmt: skip
        self._num_units, self._normalize, self._name = num_units, normalize, name

    def __call__(self, query: Any, state: Any) -> tuple[Any, Any]:
        """(alignments [n, t], the next state) of query [n, size]."""
        with variable_scope(None, "bahdanau_attention", [query]):
            processed = self._query_layer(query) if self._query_layer else query
            score = _bahdanau_score(processed, self._keys, self._num_units, self._normalize)
        alignments = self._probability_fn(score, state)
        return alignments, alignments


# -- monotonic attention -------------------------------------------------------------------------------------------------


@atomic
def safe_cumprod(x: Any, *args: Any, **kwargs: Any) -> Tensor:
    """`tf.cumprod` of numbers in 0 to 1 by logarithms, whose gradient is finite at 0."""
    with named(None, "SafeCumprod", [x]):
        x = convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        logarithms = math.log(clip.clip_by_value(x, tiny, 1))
        return math.exp(sequences.cumsum(logarithms, *args, **kwargs))  # type: ignore[no-any-return]


@atomic
def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: str) -> Any:
    """Alignments [n, t] that only move forward: p_choose_i [n, t] is the probability to stop at each step of the memory.

    mode: "recursive" (exact), "parallel" (faster; inexact for probabilities near 1), or "hard" (they are 0 or 1).

    Raises: ValueError for another mode.
    """
    p_choose_i = convert_to_tensor(p_choose_i, name="p_choose_i")
    previous_attention = convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        batch = _size(p_choose_i, 0)
        passed = array.concat([array.ones((batch, 1)), 1 - p_choose_i[:, :-1]], 1)
        reached = scan(
            lambda x, yz: array.reshape(yz[0] * x + yz[1], (batch,)),
            [array.transpose(passed), array.transpose(previous_attention)],
            array.zeros((batch,)),
        )
        return p_choose_i * array.transpose(reached)
    if mode == "parallel":
        passed = safe_cumprod(1 - p_choose_i, axis=1, exclusive=True)
        return p_choose_i * passed * sequences.cumsum(
            previous_attention / clip.clip_by_value(passed, 1e-10, 1.0), axis=1
        )  # fmt: skip
    if mode == "hard":
        p_choose_i *= sequences.cumsum(previous_attention, axis=1)
        return p_choose_i * sequences.cumprod(1 - p_choose_i, axis=1, exclusive=True)
    raise ValueError(error_text("mode must be 'recursive', 'parallel', or 'hard'."))


def _monotonic(score: Any, before: Any, noise: float, mode: str, seed: int | None) -> Any:
    if noise > 0:
        score += noise * random.random_normal(array.shape(score), dtype=score.dtype, seed=seed)
    chosen = math.cast(score > 0, score.dtype) if mode == "hard" else math.sigmoid(score)
    return monotonic_attention(chosen, before, mode)


class _Monotonic(_WithMemory):
    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """[n, t]: all attention is at the first step."""
        first = array.zeros((batch_size,), dtype=dtypes.int32)
        return constructors.one_hot(first, self._alignments_size, dtype=dtype)


class BahdanauMonotonicAttention(_Monotonic):
    """BahdanauAttention that only moves forward. score_bias_init: the first value of a variable that is added to all scores.
    sigmoid_noise: the deviation of noise on the scores. mode: as for `monotonic_attention`.

    Raises: TypeError, ValueError for memories, layers and functions that do not fit.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "BahdanauMonotonicAttention",
    ) -> None:
        dtype = dtype or dtypes.float32
        super().__init__(
            Dense(num_units, name="query_layer", use_bias=False, dtype=dtype), memory,
            functools.partial(_monotonic, noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed), memory_sequence_length,
            _memory_layer(num_units, dtype), True, score_mask_value, None, name,
        )  # fmt: skip
        self._num_units, self._normalize, self._bias, self._name = num_units, normalize, score_bias_init, name

    def __call__(self, query: Any, state: Any) -> tuple[Any, Any]:
        """(alignments [n, t], the next state) of query [n, size]."""
        with variable_scope(None, "bahdanau_monotonic_attention", [query]):
            processed = self._query_layer(query) if self._query_layer else query
            score = _bahdanau_score(processed, self._keys, self._num_units, self._normalize)
            score += _score_bias(processed.dtype, self._bias)
        alignments = self._probability_fn(score, state)
        return alignments, alignments


def _score_bias(dtype: Any, first: float) -> Any:
    return get_variable("attention_score_bias", dtype=dtype, initializer=first)


class LuongMonotonicAttention(_Monotonic):
    """LuongAttention that only moves forward; the arguments are BahdanauMonotonicAttention's.

    Raises: TypeError, ValueError for memories, layers and functions that do not fit.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "LuongMonotonicAttention",
    ) -> None:
        dtype = dtype or dtypes.float32
        super().__init__(
            None, memory, functools.partial(_monotonic, noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed),
            memory_sequence_length, _memory_layer(num_units, dtype), True, score_mask_value, None, name,
        )  # fmt: skip
        self._num_units, self._scale, self._bias, self._name = num_units, scale, score_bias_init, name

    def __call__(self, query: Any, state: Any) -> tuple[Any, Any]:
        """(alignments [n, t], the next state) of query [n, num_units]."""
        with variable_scope(None, "luong_monotonic_attention", [query]):
            scale = get_variable("attention_g", dtype=query.dtype, initializer=Ones, shape=()) if self._scale else None
            score = _luong_score(query, self._keys, scale)
            score += _score_bias(query.dtype, self._bias)
        alignments = self._probability_fn(score, state)
        return alignments, alignments


@atomic
def hardmax(logits: Any, name: str | None = None) -> Tensor:
    """1 at the largest element of each row, 0 elsewhere: [..., k]."""
    with named(name, "Hardmax", [logits]):
        logits = convert_to_tensor(logits, name="logits")
        return constructors.one_hot(reductions.argmax(logits, -1), _size(logits, -1), dtype=logits.dtype)


__all__ = [
    "AttentionMechanism", "BahdanauAttention", "BahdanauMonotonicAttention", "LuongAttention", "LuongMonotonicAttention",
    "hardmax", "monotonic_attention", "safe_cumprod",
]  # fmt: skip
