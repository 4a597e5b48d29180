"""`BasicDecoder`: a cell whose next input a helper chooses: the true one in training, its own last output otherwise."""

from __future__ import annotations

import collections
from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...lib.framework import nest
from ...lib.framework.scope_blocks import named
from ..layers.layer import Layer
from ..rnn.steps import assert_like_rnncell
from .dynamic_decoding import Decoder
from .helpers import Helper


class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """A step's output [n, size], and what the helper drew from it [n]."""

    __slots__ = ()


class BasicDecoder(Decoder):
    """A cell from initial_state on, whose inputs a helper gives. output_layer: a layer that changes the cell's outputs.

    Raises: TypeError for something that is no cell, no Helper or no layer.
    """

    def __init__(self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None) -> None:
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(error_text(f"helper must be a Helper, received: {type(helper)}"))
        if output_layer is not None and not isinstance(output_layer, Layer):
            raise TypeError(error_text(f"output_layer must be a Layer, received: {type(output_layer)}"))
        self._cell, self._helper = cell, helper
        self._initial_state, self._output_layer = initial_state, output_layer

    @property
    def batch_size(self) -> Any:
        """The number of the helper's sequences."""
        return self._helper.batch_size

    def _rnn_output_size(self) -> Any:
        size = self._cell.output_size
        if self._output_layer is None:
            return size
        batched = nest.map_structure(lambda s: TensorShape([None]).concatenate(s), size)
        return nest.map_structure(lambda s: s[1:], self._output_layer.compute_output_shape(batched))

    @property
    def output_size(self) -> Any:
        """The size of the cell's output, and of what the helper draws."""
        return BasicDecoderOutput(rnn_output=self._rnn_output_size(), sample_id=self._helper.sample_ids_shape)

    @property
    def output_dtype(self) -> Any:
        """The dtype of the state, and of what the helper draws."""
        dtype = nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(
            nest.map_structure(lambda _: dtype, self._rnn_output_size()), self._helper.sample_ids_dtype
        )

    def initialize(self, name: str | None = None) -> Any:
        """(which sequences have ended [n], the first inputs, initial_state)."""
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """(BasicDecoderOutput, the next state, the next inputs, which sequences have ended [n])."""
        with named(name, "BasicDecoderStep", nest.flatten((time, inputs, state))):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            sample_ids = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, next_inputs, next_state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )
        return BasicDecoderOutput(outputs, sample_ids), next_state, next_inputs, finished


__all__ = ["BasicDecoder", "BasicDecoderOutput"]
