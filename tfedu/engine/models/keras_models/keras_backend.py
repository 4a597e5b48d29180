"""tf.keras.backend: the functions in which Keras' own layers are written. State: as of the session and the learning phase."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph, reset_default_graph
from ...lib.arrays import array, selection
from ...lib.arrays import sequences as ranges
from ...lib.arrays.constructors import one_hot as one_hot_of
from ...lib.control import functional
from ...lib.control.cond import cond
from ...lib.framework.placeholders import placeholder as graph_placeholder
from ...lib.math import math, random, reductions
from ...lib.math.clip import clip_by_value
from ...lib.math.clip import l2_normalize as normalized
from ...lib.nn import nn
from ...lib.sparse.composite_values import SparseTensor, sparse_placeholder
from ...lib.sparse.sparse import to_dense as sparse_to_dense
from ...lib.variables.variables import Variable
from ...op.constant import constant as graph_constant
from ..keras_layers.batch_products import batch_dot
from ..keras_layers.call_context import choose_by_training, chosen_phase, learning_phase, set_learning_phase
from ..keras_layers.layer_names import name_counts
from ..keras_layers.layer_nodes import is_keras_tensor, static_shape
from ..keras_parts.biases import bias_add
from ..keras_parts.image_arguments import checked_data_format
from ..keras_parts.keras_config import floatx
from ..keras_parts.keras_losses import (
    binary_crossentropy_of,
    categorical_crossentropy_of,
)
from ..keras_parts.keras_session import forget_session, keras_session, note_variable, use_session
from ..keras_recurrent.recurrent_cells import dot

# -- sessions and names ----------------------------------------------------------------------------------------------------


def backend() -> str:
    """The name of the library below."""
    return "tensorflow"


def get_session() -> Any:
    """The session that Keras runs models in, with its variables initialized."""
    return keras_session()


def set_session(session: Any) -> None:
    """Lets Keras run models in a session of the program's."""
    use_session(session)


def clear_session() -> None:
    """Forgets the default graph, its layers' names and Keras' session; the new graph has a learning phase from the start."""
    forget_session()
    reset_default_graph()
    learning_phase()


def get_uid(prefix: str = "") -> int:
    """How often a prefix was asked for, in the default graph."""
    counts = name_counts()
    counts[prefix] = counts.get(prefix, 0) + 1
    return counts[prefix]


def reset_uids() -> None:
    """Forgets the names of the default graph's layers."""
    name_counts().clear()


@contextlib.contextmanager
def learning_phase_scope(value: int) -> Iterator[None]:
    """`with learning_phase_scope(1):` layers made inside behave as in training."""
    before = chosen_phase()
    set_learning_phase(value)
    try:
        yield
    finally:
        if before is not None:
            set_learning_phase(before)
        else:
            get_default_graph().get_collection_ref(("__learning_phase",)).clear()


# -- tensors and variables -------------------------------------------------------------------------------------------------


def placeholder(shape: Any = None, ndim: int | None = None, dtype: Any = None, sparse: bool = False, name: Any = None) -> Any:
    """A tensor that a run feeds."""
    if shape is None and ndim is not None:
        shape = [None] * ndim
    make = sparse_placeholder if sparse else graph_placeholder
    return make(as_dtype(dtype or floatx()), shape=shape, name=name)


def variable(value: Any, dtype: Any = None, name: str | None = None, constraint: Any = None) -> Variable:
    """A resource variable with that value, which Keras' session initializes."""
    made = Variable(
        np.asarray(value, as_dtype(dtype or floatx()).as_numpy_dtype), dtype=as_dtype(dtype or floatx()), name=name,
        constraint=constraint, use_resource=True,
    )  # fmt: skip
    note_variable(made)
    return made


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Any:
    """A constant [...]."""
    return graph_constant(value, dtype=dtype or floatx(), shape=shape, name=name or "Const")


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of zeros [shape]."""
    return variable(np.zeros(shape), dtype, name)


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of ones [shape]."""
    return variable(np.ones(shape), dtype, name)


def eye(size: int, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of the unit matrix [size, size]."""
    return variable(np.eye(size), dtype, name)


def random_uniform_variable(shape: Any, low: float, high: float, dtype: Any = None, name: Any = None, seed: Any = None) -> Any:
    """A variable of uniform random numbers [shape]."""
    return _random_variable(random.random_uniform, shape, dtype, name, minval=low, maxval=high, seed=seed)


def random_normal_variable(shape: Any, mean: float, scale: float, dtype: Any = None, name: Any = None, seed: Any = None) -> Any:
    """A variable of normal random numbers [shape]."""
    return _random_variable(random.random_normal, shape, dtype, name, mean=mean, stddev=scale, seed=seed)


def _random_variable(draw: Any, shape: Any, dtype: Any, name: Any, **options: Any) -> Variable:
    kind = as_dtype(dtype or floatx())
    made = Variable(lambda: draw(shape, dtype=kind, **options), dtype=kind, name=name, use_resource=True)
    note_variable(made)
    return made


def count_params(x: Any) -> int:
    """The number of elements of a tensor or variable of known shape."""
    return int(np.prod(x.shape.as_list()))


def dtype(x: Any) -> str:
    """The name of the dtype."""
    return str(x.dtype.base_dtype.name)


def int_shape(x: Any) -> Any:
    """The shape as a tuple, None for unknown sizes; None for an unknown rank."""
    return static_shape(x)


def ndim(x: Any) -> Any:
    """The number of axes, None if unknown."""
    return x.shape.ndims


def eval(x: Any) -> Any:
    """The value of a tensor or variable in Keras' session."""
    return keras_session().run(x)


def get_value(x: Any) -> Any:
    """The value of a variable in Keras' session."""
    return keras_session().run(x)


def batch_get_value(tensors: Any) -> list[Any]:
    """The values of variables in Keras' session."""
    return keras_session().run(list(tensors)) if tensors else []


def set_value(x: Any, value: Any) -> None:
    """Sets the value of a variable in Keras' session."""
    x.load(np.asarray(value, x.dtype.base_dtype.as_numpy_dtype), keras_session())


def batch_set_value(tuples: Any) -> None:
    """Sets variables in Keras' session. tuples: pairs (variable, value)."""
    for x, value in tuples:
        set_value(x, value)


def is_sparse(tensor: Any) -> bool:
    """Whether a tensor is a SparseTensor."""
    return isinstance(tensor, SparseTensor)


def to_dense(tensor: Any) -> Any:
    """A SparseTensor as a Tensor; others as they are."""
    return sparse_to_dense(tensor) if is_sparse(tensor) else tensor


# -- numbers ---------------------------------------------------------------------------------------------------------------


def _as_numbers(x: Any) -> Any:
    return math.cast(x, floatx()) if x.dtype.base_dtype.name == "bool" else x


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean along the axes."""
    return reductions.reduce_mean(_as_numbers(x), axis, keepdims)


def var(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The variance along the axes."""
    return reductions.reduce_variance(_as_numbers(x), axis=axis, keepdims=keepdims)


def std(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The standard deviation along the axes."""
    return reductions.reduce_std(_as_numbers(x), axis=axis, keepdims=keepdims)


def clip(x: Any, min_value: Any, max_value: Any) -> Any:
    """x [...] limited to min_value … max_value."""
    if max_value is not None and max_value < min_value:
        max_value = min_value
    high = np.inf if max_value is None else max_value
    limits = [graph_constant(limit, x.dtype.base_dtype) for limit in (min_value, high)]
    return clip_by_value(x, *limits)


def sqrt(x: Any) -> Any:
    """√x, of negative numbers 0."""
    return math.sqrt(clip_by_value(x, graph_constant(0.0, x.dtype.base_dtype), graph_constant(np.inf, x.dtype.base_dtype)))


def l2_normalize(x: Any, axis: Any = None) -> Any:
    """x / √Σ x² along the axis."""
    return normalized(x, axis=axis)


def concatenate(tensors: Any, axis: int = -1) -> Any:
    """The tensors one after another along the axis."""
    rank = tensors[0].shape.ndims
    if axis < 0:
        axis = axis % rank if rank else 0
    return array.concat([to_dense(x) for x in tensors], axis)


def permute_dimensions(x: Any, pattern: Any) -> Any:
    """The axes in another order."""
    return array.transpose(x, perm=pattern)


def repeat(x: Any, n: int) -> Any:
    """[k, c] -> [k, n, c]."""
    return array.tile(array.expand_dims(x, 1), array.stack([1, n, 1]))


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: str = "int32") -> Any:
    """The numbers from start up to stop."""
    if stop is None and start < 0:
        start = 0
    found = ranges.range(start, limit=stop, delta=step, name="arange")
    return math.cast(found, dtype) if dtype != "int32" else found


def tile(x: Any, n: Any) -> Any:
    """x n times along each axis."""
    return array.tile(x, [n] if isinstance(n, int) else n)


def flatten(x: Any) -> Any:
    """[...] -> [k]."""
    return array.reshape(x, [-1])


def squeeze(x: Any, axis: int) -> Any:
    """x without an axis of size 1."""
    return array.squeeze(x, [axis])


def temporal_padding(x: Any, padding: Any = (1, 1)) -> Any:
    """Zeros before and after the steps: [n, steps, c] -> [n, t, c]."""
    return array.pad(x, [[0, 0], list(padding), [0, 0]])


def spatial_2d_padding(x: Any, padding: Any = ((1, 1), (1, 1)), data_format: Any = None) -> Any:
    """Zeros around images: [n, h, w, c] -> [n, t, u, c].

    Raises: ValueError for an unknown data_format.
    """
    around = [list(pair) for pair in padding]
    first = checked_data_format(data_format) == "channels_first"
    return array.pad(x, [[0, 0], [0, 0], *around] if first else [[0, 0], *around, [0, 0]])


def spatial_3d_padding(x: Any, padding: Any = ((1, 1), (1, 1), (1, 1)), data_format: Any = None) -> Any:
    """Zeros around volumes: [n, d, h, w, c] -> [n, t, u, v, c].

    Raises: ValueError for an unknown data_format.
    """
    return spatial_2d_padding(x, padding, data_format)


def one_hot(indices: Any, num_classes: int) -> Any:
    """[...] -> [..., num_classes]."""
    return one_hot_of(indices, depth=num_classes, axis=-1)


def reverse(x: Any, axes: Any) -> Any:
    """x backwards along the axes."""
    return array.reverse(x, [axes] if isinstance(axes, int) else axes)


def gather(reference: Any, indices: Any) -> Any:
    """Rows of the reference."""
    return selection.gather(reference, indices)


def stop_gradient(variables: Any) -> Any:
    """The same, through which no gradient passes."""
    if isinstance(variables, (list, tuple)):
        return [array.stop_gradient(each) for each in variables]
    return array.stop_gradient(variables)


def update(x: Any, new_x: Any) -> Any:
    """The op that assigns."""
    return x.assign(new_x)


def update_add(x: Any, increment: Any) -> Any:
    """The op that adds to a variable."""
    return x.assign_add(increment)


def update_sub(x: Any, decrement: Any) -> Any:
    """The op that subtracts from a variable."""
    return x.assign_sub(decrement)


def moving_average_update(x: Any, value: Any, momentum: Any) -> Any:
    """The op that moves a variable towards a value: x · momentum + value · (1 - momentum)."""
    return x.assign_sub((x - value) * (1 - momentum))


# -- training and choice ---------------------------------------------------------------------------------------------------


def _as_function(value: Any) -> Any:
    """A function that gives the value, or the function itself."""
    return value if callable(value) else lambda: value


@atomic
def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """One of two values, or of the results of two functions; a condition of fewer axes counts for whole rows.

    Raises: ValueError for a condition of more axes than the values.
    """
    condition = convert_to_tensor(condition)
    if condition.dtype.base_dtype.name != "bool":
        condition = math.cast(condition, "bool")
    if condition.shape.ndims == 0:
        return cond(condition, _as_function(then_expression), _as_function(else_expression))
    first, second = [each() if callable(each) else each for each in (then_expression, else_expression)]
    ranks = condition.shape.ndims, first.shape.ndims
    if ranks[0] > ranks[1]:
        raise ValueError(
            error_text(
                "Rank of `condition` should be less than or equal to rank of `then_expression` and `else_expression`. "
                f"ndim(condition)={ranks[0]}, ndim(then_expression)={ranks[1]}"
            )
        )
    if ranks[0] > 1:
        condition = _spread(condition, first, ranks[1] - ranks[0])
    return selection.where(condition, first, second)


def _spread(condition: Any, value: Any, missing: int) -> Any:
    """A condition in the shape of a value that has `missing` axes more."""
    sizes = array.concat([array.shape(condition), [1] * missing], axis=0)
    condition = array.reshape(condition, sizes)
    wanted = array.shape(value)
    return array.tile(condition, selection.where(wanted - sizes > 0, wanted, array.ones_like(wanted)))


def in_train_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """x in training, else alt; values or functions that give them."""
    return choose_by_training(training, _as_function(x), _as_function(alt))


def in_test_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """alt in training, else x."""
    return in_train_phase(alt, x, training)


def dropout(x: Any, level: float, noise_shape: Any = None, seed: Any = None) -> Any:
    """A random part `level` of x as 0, the others larger."""
    return nn.dropout(x, rate=level, noise_shape=noise_shape, seed=seed)


def random_normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Normal random numbers [shape]."""
    return random.random_normal(shape, mean=mean, stddev=stddev, dtype=as_dtype(dtype or floatx()), seed=seed)


def random_uniform(shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Uniform random numbers [shape]."""
    return random.random_uniform(shape, minval=minval, maxval=maxval, dtype=as_dtype(dtype or floatx()), seed=seed)


def random_binomial(shape: Any, p: float = 0.0, dtype: Any = None, seed: Any = None) -> Any:
    """1 with probability p, else 0 [shape]."""
    kind = as_dtype(dtype or floatx())
    draws = random.random_uniform(shape, dtype=kind, seed=seed)
    return selection.where(draws <= p, array.ones(shape, dtype=kind), array.zeros(shape, dtype=kind))


def truncated_normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Normal random numbers within two standard deviations [shape]."""
    return random.truncated_normal(shape, mean, stddev, dtype=as_dtype(dtype or floatx()), seed=seed)


# -- loops -----------------------------------------------------------------------------------------------------------------


def map_fn(fn: Any, elems: Any, name: str | None = None, dtype: Any = None) -> Any:
    """The function of each element along the first axis."""
    return functional.map_fn(fn, elems, name=name, dtype=dtype)


def foldl(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """The elements along the first axis, combined from the first on."""
    return functional.foldl(fn, elems, initializer=initializer, name=name)


def foldr(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """The elements along the first axis, combined from the last on."""
    return functional.foldr(fn, elems, initializer=initializer, name=name)


def manual_variable_initialization(value: bool) -> None:
    """Raises: NotImplementedError for True: Keras' session initializes what no program has."""
    if value:
        raise NotImplementedError(
            error_text("manual_variable_initialization(True)", fix="initialize the variables before the model runs")
        )


__all__ = [
    "arange", "backend", "batch_dot", "batch_get_value", "batch_set_value", "bias_add",
    "binary_crossentropy_of", "categorical_crossentropy_of", "clear_session", "clip", "concatenate", "constant",
    "count_params", "dot", "dropout", "dtype", "eval", "eye", "flatten", "foldl", "foldr", "gather", "get_session", "get_uid",
    "get_value", "in_test_phase", "in_train_phase", "int_shape", "is_keras_tensor", "is_sparse", "l2_normalize",
    "learning_phase", "learning_phase_scope", "manual_variable_initialization", "map_fn", "mean", "moving_average_update",
    "ndim", "one_hot", "ones", "permute_dimensions", "placeholder", "random_binomial", "random_normal",
    "random_normal_variable", "random_uniform", "random_uniform_variable", "repeat", "reset_uids", "reverse",
    "set_learning_phase", "set_session", "set_value", "spatial_2d_padding",
    "spatial_3d_padding", "sqrt", "squeeze", "std", "stop_gradient", "switch", "temporal_padding", "tile", "to_dense",
    "truncated_normal", "update", "update_add", "update_sub", "var", "variable", "zeros",
]  # fmt: skip
