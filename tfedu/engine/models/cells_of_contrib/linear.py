"""What the cells of contrib.rnn share: a matrix product with weights of its own, weights in shards, a layer norm. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import as_raw, as_shape
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.framework.graph_keys import GraphKeys
from ...lib.math.products import matmul
from ...lib.nn.nn import bias_add
from ...lib.variables.initializers import Constant
from ...lib.variables.variable_scope import get_variable, get_variable_scope, variable_scope
from ...op.constant import constant
from ..contrib.norm_functions import layer_norm
from ..rnn.cell import LayerRNNCell


class Linear:
    """[inputs] · kernel + bias, of inputs [n, d] each: the weights are made when it is, in the scope that is open then.

    Raises: ValueError for an input that is not [n, d] with a known d.
    """

    def __init__(self, inputs: list[Any], output_size: int, has_bias: bool = True) -> None:
        shapes = [value.shape for value in inputs]
        for shape in shapes:
            if shape.ndims != 2:
                raise ValueError(error_text(f"linear is expecting 2D arguments: {shapes}", inputs))
            if shape[1].value is None:
                raise ValueError(
                    error_text(f"linear expects shape[1] to be provided for shape {shape}, but saw {shape[1]}", inputs)
                )
        depth, dtype = sum(shape[1].value for shape in shapes), inputs[0].dtype
        self._bias = None
        with variable_scope(get_variable_scope()):  # it takes the name of a name scope, as in TF, and no node is built in it
            self._kernel = get_variable("kernel", [depth, output_size], dtype=dtype)
            if has_bias:
                self._bias = get_variable("bias", [output_size], dtype=dtype, initializer=Constant(0.0, dtype=dtype))

    def __call__(self, inputs: list[Any]) -> Tensor:
        """[n, output_size] of inputs [n, d] each."""
        if len(inputs) > 1:
            one = constant(1, dtypes.int32)
            product = matmul(array.concat(inputs, one), self._kernel)
        else:
            product = matmul(inputs[0], self._kernel)
        return product if self._bias is None else bias_add(product, self._bias)


def known_depth(inputs: Any) -> int:
    """The d of inputs [n, d].

    Raises: ValueError when it is not known, and for another rank.
    """
    depth = inputs.shape.with_rank(2)[1].value
    if depth is None:
        raise ValueError(error_text("Could not infer input size from inputs.get_shape()[-1]", [inputs]))
    return depth  # type: ignore[no-any-return]


def depth_for_build(cell: LayerRNNCell, inputs_shape: Any) -> int:
    """The d of inputs [n, d], where a cell makes its variables.

    Raises: ValueError for an unknown d, or for weights that are neither floating nor complex.
    """
    shape = as_shape(inputs_shape)
    if shape[-1].value is None:
        raise ValueError(error_text(f"Expected inputs.shape[-1] to be known, saw shape: {shape}"))
    return cell._depth(shape)


def sharded_variable(name: str, shape: list[int], dtype: Any, num_shards: int) -> Any:
    """Concatenates num_shards variables "name_0", "name_1", … to one matrix [rows, columns]. The first shards have a row more. A
    second call in the scope gives the same tensor.

    Raises: ValueError for more shards than rows.
    """
    if num_shards > shape[0]:
        raise ValueError(error_text(f"Too many shards: shape={shape}, num_shards={num_shards}"))
    rows, more = divmod(shape[0], num_shards)
    parts = [
        get_variable(f"{name}_{part}", [rows + (part < more), *shape[1:]], dtype=dtype) for part in range(num_shards)
    ]
    if num_shards == 1:
        return parts[0]
    collection, full_name = GraphKeys.CONCATENATED_VARIABLES, f"{get_variable_scope().name}/{name}/concat:0"
    graph = get_default_graph()
    made = next((whole for whole in graph.get_collection(collection) if whole.name == full_name), None)
    if made is None:
        made = array.concat(parts, 0, name=f"{name}/concat")
        graph.add_to_collection(collection, made)
    return made


def normalized(inputs: Any, scope: str, gain: float, shift: float) -> Any:
    """Each row of inputs [n, d] with mean 0 and variance 1, times scope/gamma plus scope/beta, [d] each."""
    size = [as_raw(inputs.shape)[-1]]  # type: ignore[index]
    with variable_scope(scope):
        get_variable("gamma", shape=size, initializer=Constant(gain))
        get_variable("beta", shape=size, initializer=Constant(shift))
    return layer_norm(inputs, reuse=True, scope=scope)
