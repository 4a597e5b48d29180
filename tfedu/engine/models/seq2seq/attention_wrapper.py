"""`AttentionWrapper`: a cell that also reads a memory, by attention. Its state holds the attention and the alignments."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.nodes import Tensor
from ...lib.arrays import array
from ...lib.checks import asserts
from ...lib.control.grouping import identity
from ...lib.control.tensor_array import TensorArray
from ...lib.framework import nest
from ...lib.framework.scope_blocks import control_dependencies, name_scope, named
from ...lib.math import products
from ..layers.core_layers import Dense
from ..rnn import sizes
from ..rnn.cell import RNNCell
from ..rnn.steps import assert_like_rnncell
from .attention_mechanisms import AttentionMechanism

_FIELDS = ("cell_state", "attention", "time", "alignments", "alignment_history", "attention_state")


class AttentionWrapperState(collections.namedtuple("AttentionWrapperState", _FIELDS)):
    """The state: cell_state, the last attention [n, size], time (a scalar), the last alignments [n, t], alignment_history (a
    TensorArray, or ()), and attention_state, of the mechanism. With several mechanisms, the last three are tuples.
    """

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """The state with other values for some fields, of the same shapes: `state.clone(cell_state=encoder_state)`.

        Raises: ValueError for another structure or shape.
        """
        return nest.map_structure(_of_shape, self, super()._replace(**kwargs))  # type: ignore[no-any-return]


def _of_shape(old: Any, new: Any) -> Any:
    """The new value, which has the old one's shape."""
    if isinstance(old, Tensor) and isinstance(new, Tensor):
        new.set_shape(old.shape)
    return new


def _attention(mechanism: Any, cell_output: Any, attention_state: Any, attention_layer: Any) -> tuple[Any, Any, Any]:
    """(the attention [n, size], the alignments [n, t], the mechanism's next state)."""
    alignments, next_state = mechanism(cell_output, state=attention_state)
    context = products.matmul(array.expand_dims(alignments, 1), mechanism.values)
    context = array.squeeze(context, [1])
    if attention_layer is not None:
        context = attention_layer(array.concat([cell_output, context], 1))
    return context, alignments, next_state


_BEAMS = "Are you using the BeamSearchDecoder?  "
_TILE = "via the tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width."
_NO_MATCH = "Non-matching batch sizes between the memory (encoder output) and "


class AttentionWrapper(RNNCell):
    """A cell that reads its input and the last attention, [n, d + size], and attends to the mechanism's memory with its output.

    attention_mechanism: one or a list of them. attention_layer_size: of a layer [cell output, context] -> attention, for each
    mechanism. attention_layer: such layers themselves; without them, the attention is the context. alignment_history: whether
    the state keeps all alignments. cell_input_fn: f(inputs, attention) -> what the cell reads. output_attention: whether the
    output is the attention, else the cell's. initial_cell_state: what `zero_state` begins with. attention_fn: computes attention,
    as `f(mechanism, cell_output, attention_state, attention_layer)`.

    Raises: TypeError, ValueError for cells, mechanisms and sizes that do not fit.
    """

    def __init__(
        self,
        cell: Any,
        attention_mechanism: Any,
        attention_layer_size: Any = None,
        alignment_history: bool = False,
        cell_input_fn: Callable[[Any, Any], Any] | None = None,
        output_attention: bool = True,
        initial_cell_state: Any = None,
        name: str | None = None,
        attention_layer: Any = None,
        attention_fn: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        assert_like_rnncell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        for mechanism in mechanisms:
            if not isinstance(mechanism, AttentionMechanism):
                what = "contain only instances of AttentionMechanism" if self._is_multi else _ONE_OR_SEVERAL
                raise TypeError(error_text(f"attention_mechanism must {what}, saw type: {type(mechanism).__name__}"))
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(error_text(f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}"))
        if attention_layer_size is not None and attention_layer is not None:
            raise ValueError(error_text("Only one of attention_layer_size and attention_layer should be set"))
        self._attention_layers: tuple[Any, ...] | None = None
        if attention_layer_size is not None:
            layer_sizes = _tuple_of(attention_layer_size)
            _check_count("attention_layer_size", "integer", layer_sizes, mechanisms)
            self._attention_layers = tuple(
                [
                    Dense(size, name="attention_layer", use_bias=False, dtype=mechanism.dtype)
                    for size, mechanism in zip(layer_sizes, mechanisms)
                ]
            )
            self._attention_layer_size = sum(layer_sizes)
        elif attention_layer is not None:
            self._attention_layers = _tuple_of(attention_layer)
            _check_count("attention_layer", "layer", self._attention_layers, mechanisms)
            self._attention_layer_size = sum(
                layer.compute_output_shape([None, cell.output_size + mechanism.values.shape[-1].value])[-1].value
                for layer, mechanism in zip(self._attention_layers, mechanisms)
            )
        else:
            self._attention_layer_size = sum(mechanism.values.shape[-1].value for mechanism in mechanisms)
        self._cell, self._mechanisms = cell, mechanisms
        self._cell_input_fn = cell_input_fn or (lambda inputs, attention: array.concat([inputs, attention], -1))
        self._attention_fn = attention_fn or _attention
        self._output_attention, self._alignment_history = output_attention, alignment_history
        with named(name, "AttentionWrapperInit"):
            self._initial_cell_state = None
            if initial_cell_state is not None:
                batch = _batch_of(nest.flatten(initial_cell_state)[-1])
                text = (
                    f"When constructing AttentionWrapper {self._base_name}: {_NO_MATCH}initial_cell_state.  {_BEAMS}You may "
                    f"need to tile your initial state {_TILE}"
                )
                with control_dependencies(self._batch_checks(batch, text)):
                    self._initial_cell_state = nest.map_structure(
                        lambda s: identity(s, name="check_initial_cell_state"), initial_cell_state
                    )

    def _batch_checks(self, batch: Any, text: str) -> list[Any]:
        return [asserts.assert_equal(batch, mechanism.batch_size, message=text) for mechanism in self._mechanisms]

    def _for_mechanisms(self, values: Any) -> Any:
        """A tuple with a value for each mechanism, or the one value."""
        values = tuple(values)
        return values if self._is_multi else values[0]

    @property
    def output_size(self) -> Any:
        """The size of the attention, or of the cell's output."""
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> Any:
        """The sizes of the state's fields, an AttentionWrapperState."""
        return AttentionWrapperState(
            cell_state=self._cell.state_size,
            time=TensorShape([]),
            attention=self._attention_layer_size,
            alignments=self._for_mechanisms(mechanism.alignments_size for mechanism in self._mechanisms),
            attention_state=self._for_mechanisms(mechanism.state_size for mechanism in self._mechanisms),
            alignment_history=self._for_mechanisms(
                mechanism.alignments_size if self._alignment_history else () for mechanism in self._mechanisms
            ),
        )

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The first state of a batch: initial_cell_state or the cell's zero state, no attention.

        Raises: ValueError, InvalidArgumentError for another batch size than the memory's.
        """
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            cell_state = self._initial_cell_state
            if cell_state is None:
                cell_state = self._cell.zero_state(batch_size, dtype)
            text = (
                f"When calling zero_state of AttentionWrapper {self._base_name}: {_NO_MATCH}the requested batch size.  {_BEAMS}"
                "If so, make sure your encoder output has been tiled to beam_width via tf.contrib.seq2seq.tile_batch, and the "
                "batch_size= argument passed to zero_state is batch_size * beam_width."
            )
            with control_dependencies(self._batch_checks(batch_size, text)):
                cell_state = nest.map_structure(lambda s: identity(s, name="checked_cell_state"), cell_state)
            first = [mechanism.initial_alignments(batch_size, dtype) for mechanism in self._mechanisms]
            return AttentionWrapperState(
                cell_state=cell_state,
                time=array.zeros([], dtype=dtypes.int32),
                attention=sizes.zero_state(self._attention_layer_size, batch_size, dtype),
                alignments=self._for_mechanisms(first),
                attention_state=self._for_mechanisms(
                    mechanism.initial_state(batch_size, dtype) for mechanism in self._mechanisms
                ),
                alignment_history=self._for_mechanisms(
                    TensorArray(dtype, size=0, dynamic_size=True, element_shape=alignment.shape)
                    if self._alignment_history
                    else ()
                    for alignment in first
                ),
            )

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:  # type: ignore[override]
        """(the attention or the cell's output, the next state) of inputs [n, d].

        Raises: TypeError for a state that is no AttentionWrapperState.
        """
        if not isinstance(state, AttentionWrapperState):
            text = f"Expected state to be instance of AttentionWrapperState. Received type {type(state)} instead."
            raise TypeError(error_text(text, fix="cell.zero_state(batch_size, dtype) gives one"))
        cell_output, cell_state = self._cell(self._cell_input_fn(inputs, state.attention), state.cell_state)
        text = (
            f"When applying AttentionWrapper {self.name}: {_NO_MATCH}the query (decoder output).  {_BEAMS}You may need to tile "
            f"your memory input {_TILE}"
        )
        with control_dependencies(self._batch_checks(_batch_of(cell_output), text)):
            cell_output = identity(cell_output, name="checked_cell_output")
        several = lambda value: value if self._is_multi else [value]
        layers = self._attention_layers or (None,) * len(self._mechanisms)
        attentions, alignments, states, histories = [], [], [], []
        for mechanism, layer, before, history in zip(
            self._mechanisms, layers, several(state.attention_state), several(state.alignment_history)
        ):
            attention, alignment, after = self._attention_fn(mechanism, cell_output, before, layer)
            histories.append(history.write(state.time, alignment) if self._alignment_history else ())
            attentions.append(attention)
            alignments.append(alignment)
            states.append(after)
        together = array.concat(attentions, 1)
        next_state = AttentionWrapperState(
            time=state.time + 1,
            cell_state=cell_state,
            attention=together,
            attention_state=self._for_mechanisms(states),
            alignments=self._for_mechanisms(alignments),
            alignment_history=self._for_mechanisms(histories),
        )
        return (together if self._output_attention else cell_output), next_state


_ONE_OR_SEVERAL = "be an AttentionMechanism or list of multiple AttentionMechanism instances"


def _tuple_of(values: Any) -> tuple[Any, ...]:
    return tuple(values) if isinstance(values, (list, tuple)) else (values,)


def _check_count(what: str, kind: str, values: tuple[Any, ...], mechanisms: tuple[Any, ...]) -> None:
    if len(values) != len(mechanisms):
        counts = f"{len(values)} vs {len(mechanisms)}"
        text = f"If provided, {what} must contain exactly one {kind} per attention_mechanism, saw: {counts}"
        raise ValueError(error_text(text))


def _batch_of(tensor: Tensor) -> Any:
    known = tensor.shape[0].value
    return array.shape(tensor)[0] if known is None else known


__all__ = ["AttentionWrapper", "AttentionWrapperState"]
