"""GatherTree, which follows the parents of beams back from their ends. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape
from ..op.define import Sym, op
from ..op.shape_checks import invalid, of_rank, scalar, text_of


@op("GatherTree", out="beams", fresh=True)
def gather_tree(
    xp: Any, step_ids: dtypes.int32, parent_ids: dtypes.int32, max_sequence_lengths: dtypes.int32, end_token: dtypes.int32
) -> dtypes.int32:
    """Whole sequences of beams: step_ids and parent_ids [t, n, beams], max_sequence_lengths [n], end_token a scalar -> [t, n,
    beams]. parent_ids: which beam of the step before each word follows. After the longest sequence of a row, and after the first
    end_token of a beam, there is end_token.

    Raises: InvalidArgumentError for shapes that do not belong together, and for a parent that is no beam.
    """
    if step_ids.ndim != 3:
        raise invalid(f"step_ids must be a 3-tensor, saw shape: {text_of(step_ids.shape)}")
    if step_ids.shape != parent_ids.shape:
        both = f"{text_of(step_ids.shape)} and {text_of(parent_ids.shape)}"
        raise invalid(f"step_ids.shape must match parent_ids.shape.  but shapes are: {both}")
    steps, batch, beams = step_ids.shape
    if max_sequence_lengths.shape != (batch,):
        raise invalid(
            "batch size dimensions step_ids.shape[1] and max_sequence_lengths.shape[0] must match.  but shapes are: "
            f"{text_of(step_ids.shape)} and {text_of(max_sequence_lengths.shape)}"
        )
    out = np.full(step_ids.shape, end_token, np.int32)
    for row in range(batch):
        length = min(steps, int(max_sequence_lengths[row]))
        if length <= 0:
            continue
        parents = np.arange(beams)
        for time in range(length - 1, -1, -1):
            outside = np.flatnonzero((parents < 0) | (parents >= beams))
            if outside.size:
                beam = outside[0]
                raise invalid(f"Saw invalid parent id {parents[beam]} at (batch, time, beam) == ({row}, {time}, {beam})")
            out[time, row] = step_ids[time, row, parents]
            parents = parent_ids[time, row, parents]
        has_ended = np.logical_or.accumulate(out[:length, row] == end_token)
        out[:length, row][has_ended] = end_token
    return out


@gather_tree.shape
def _(step_ids: Sym, parent_ids: Sym, max_sequence_lengths: Sym, end_token: Sym) -> Shape:
    of_rank(step_ids.shape, 3)
    of_rank(parent_ids.shape, 3)
    of_rank(max_sequence_lengths.shape, 1)
    scalar(end_token)
    return step_ids.shape
