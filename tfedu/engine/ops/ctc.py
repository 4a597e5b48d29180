"""Connectionist temporal classification: CTCLoss, and decoders that read label sequences off the scores of each time step.

Scores are [time, n, classes]; the last class is the blank. A path names a class at each time step; without repetitions and
blanks it reads as a label sequence, whose probability is the sum over all its paths. No state.
Source: Graves et al., "Connectionist temporal classification" (2006).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import Shape
from ..op.callers import nodes
from ..op.define import AtLeast, Many, Sym, op, typevar
from ..op.gradient_rules import CHOICE
from ..op.shape_checks import invalid, kinds, of_rank, same, text_of

Float = typevar("T", kinds("float double"), default=dtypes.float32)


# -- CTC loss and its gradient ----------------------------------------------------------------------------------


@op("CTCLoss", out="loss gradient", fresh=True)
def ctc_loss(
    xp: Any,
    inputs: Float,
    labels_indices: dtypes.int64,
    labels_values: dtypes.int32,
    sequence_length: dtypes.int32,
    *,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
) -> tuple[Float, Float]:
    """-log of the probability of each label sequence, and its gradient for the scores: inputs [time, n, classes],
    labels_indices [labels, 2] and labels_values [labels] of a sparse tensor [n, longest], sequence_length [n] -> loss [n],
    gradient [time, n, classes].

    Raises: InvalidArgumentError for lengths or labels out of range, a row without labels, and more labels than time steps,
    unless such rows are ignored.
    Differs from TF: the loss of labels that are blanks alone is that of the blank path; TF reads beyond an array there.
    """
    _check_scores(inputs, sequence_length)
    for name, value, rank in (("labels_indices", labels_indices, 2), ("labels_values", labels_values, 1)):
        if np.ndim(value) != rank:
            raise invalid(f"{name} is not a {'matrix' if rank == 2 else 'vector'}")
    steps, count, classes = inputs.shape
    if len(sequence_length) != count:
        raise invalid(_unequal_lengths(sequence_length, count))
    if len(labels_indices) != len(labels_values):
        raise invalid(
            "labels_indices and labels_values must contain the same number of rows, but saw shapes: "
            f"{text_of(labels_indices.shape)} vs. {text_of(labels_values.shape)}"
        )
    if not count:
        raise invalid("batch_size must not be 0")
    rows = _label_rows(labels_indices, labels_values, count)
    lengths = sequence_length.astype(np.int64)
    _check_longest(lengths, steps, invalid)
    for row, labels in enumerate(rows):
        if not labels:
            raise invalid(f"Labels length is zero in batch {row}")
    sequences = []
    for row, labels in enumerate(rows):
        if lengths[row] < 0:
            raise invalid(f"seq_len({row}) < 0")
        sequences.append(_without_null(labels, classes, row, preprocess_collapse_repeated))
        if len(labels) > lengths[row]:
            if not ignore_longer_outputs_than_inputs:
                raise invalid(
                    f"Not enough time for target transition sequence (required: {len(labels)}, available: {lengths[row]}){row}"
                    "You can turn this error into a warning by using the flag ignore_longer_outputs_than_inputs"
                )
            lengths[row] = 0
    return _loss(inputs, sequences, lengths, ctc_merge_repeated)


def _check_scores(inputs: Any, sequence_length: Any) -> None:
    if np.ndim(inputs) != 3:
        raise invalid("inputs is not a 3-Tensor")
    if np.ndim(sequence_length) != 1:
        raise invalid("sequence_length is not a vector")


def _unequal_lengths(sequence_length: Any, count: int) -> str:
    return f"len(sequence_length) != batch_size.  len(sequence_length):  {len(sequence_length)} batch_size: {count}"


def _check_longest(lengths: Any, steps: int, error: Callable[[str], Exception]) -> None:
    if len(lengths) and lengths.max() > steps:
        raise error(f"sequence_length({int(np.argmax(lengths > steps))}) <= {steps}")


def _label_rows(indices: Any, values: Any, count: int) -> list[list[int]]:
    """The labels of each row, from the entries of a sparse tensor [count, longest], which must be inside and in order."""
    if indices.shape[1] != 2:
        raise invalid("Order length must be SparseTensor rank.")
    rows: list[list[int]] = [[] for _ in range(count)]
    width = int(indices[:, 1].max(initial=-1)) + 1
    before = [-1, -1]
    for at, (place, label) in enumerate(zip(indices.tolist(), values.tolist())):
        row, column = place
        where = f"label SparseTensor is not valid: indices[{at}] = {text_of(place)}"
        if not (0 <= row < count and column >= 0):
            raise invalid(f"{where} is out of bounds: need 0 <= index < {text_of((count, width))}")
        if place == before:
            raise invalid(f"{where} is repeated")
        if place < before:
            raise invalid(f"{where} is out of order. Many sparse ops require sorted indices.")
        rows[row].append(label)
        before = place
    return rows


def _without_null(labels: list[int], classes: int, row: int, collapses: bool) -> list[int]:
    """The labels up to the first that is the blank or beyond; without repetitions if `collapses`."""
    found: list[int] = []
    listed = ",".join(map(str, labels))
    before, is_over = None, False
    for label in labels:
        is_null = label >= classes - 1
        if is_over and not is_null:
            raise invalid(
                f"Saw a non-null label (index >= num_classes - 1) following a null label, batch: {row} num_classes: {classes} "
                f"labels: {listed} labels seen so far: {','.join(map(str, found))}"
            )
        if label < 0:
            raise invalid(f"All labels must be nonnegative integers, batch: {row} labels: {listed}")
        is_over = is_over or is_null
        if not is_null and not (collapses and label == before):
            found.append(label)
        before = label
    return found


def _loss(inputs: Any, sequences: list[list[int]], lengths: Any, merges: bool) -> tuple[Any, Any]:
    """CTCLoss of label sequences without blanks. merges: a label may stand for several time steps."""
    steps, count, classes = inputs.shape
    powers = np.exp(inputs - inputs.max(axis=2, keepdims=True, initial=-np.inf))
    chances = powers / powers.sum(axis=2, keepdims=True)
    logs = np.log(chances).astype(np.float64)
    # A path goes through the labels with a blank before, between and behind them; unused places at the end are blanks too.
    sizes = np.array([2 * len(labels) + 1 for labels in sequences])
    places = np.full((count, int(sizes.max())), classes - 1)
    for row, labels in enumerate(sequences):
        places[row, 1 : 2 * len(labels) : 2] = labels
    is_used = np.arange(places.shape[1]) < sizes[:, None]
    at_places = np.take_along_axis(logs, np.broadcast_to(places, (steps, *places.shape)), axis=2)
    forward = _path_sums(at_places, places, lengths, is_used, classes - 1, merges)
    turned = (sizes[:, None] - 1 - np.arange(places.shape[1])) % places.shape[1]
    backward = _path_sums(
        _turned(np.take_along_axis(at_places, np.broadcast_to(turned, at_places.shape), axis=2), lengths),
        np.take_along_axis(places, turned, axis=1), lengths, is_used, classes - 1, merges,
    )  # fmt: skip
    backward = np.take_along_axis(_turned(backward, lengths), np.broadcast_to(turned, at_places.shape), axis=2)
    # Both count the place of the time step itself.
    through = np.where(np.isneginf(at_places), -np.inf, forward + backward - at_places)
    is_run = np.arange(steps)[:, None] < lengths
    totals = np.where(lengths > 0, _log_sum(through[0], 1), 0.0) if steps else np.zeros(count)
    shares = np.zeros((steps, count, classes))
    with np.errstate(invalid="ignore"):
        share = np.where(np.isneginf(totals)[:, None], 0.0, np.exp(through - totals[:, None]))
    rows = np.arange(count)
    for place in range(places.shape[1]):
        shares[:, rows, places[:, place]] += share[:, :, place]
    gradient = np.where(is_run[..., None], chances - shares, 0.0)
    return (0 - totals).astype(inputs.dtype), gradient.astype(inputs.dtype)


def _path_sums(logs: Any, places: Any, lengths: Any, is_used: Any, blank: int, merges: bool) -> Any:
    """log of the sum over all paths from the beginning to each place at each time step: logs [time, n, places]."""
    is_label = places != blank
    # A path may pass over a blank that separates different labels; where labels do not merge, also equal ones.
    passes = is_label.copy()
    passes[:, :2] = False
    if merges:
        passes[:, 2:] &= places[:, 2:] != places[:, :-2]
    may_stay = np.where(merges | ~is_label, 0.0, -np.inf)
    sums = np.full(logs.shape, -np.inf)
    now = np.where(is_used & (np.arange(places.shape[1]) < 2), logs[0], -np.inf) if len(logs) else None
    for step in range(len(logs)):
        if step:
            before = np.pad(now, ((0, 0), (2, 0)), constant_values=-np.inf)
            ways = np.stack([now + may_stay, before[:, 1:-1], np.where(passes, before[:, :-2], -np.inf)])
            now = np.where(is_used, _log_sum(ways, 0) + logs[step], -np.inf)
        sums[step] = np.where((step < lengths)[:, None], now, -np.inf)
    return sums


def _log_sum(values: Any, axis: int) -> Any:
    """log of the sum of the exponentials along an axis, also where all are minus infinity."""
    largest = values.max(axis=axis, keepdims=True)
    shift = np.where(np.isneginf(largest), 0.0, largest)
    with np.errstate(divide="ignore"):
        return np.squeeze(shift, axis) + np.log(np.exp(values - shift).sum(axis=axis))


def _turned(values: Any, lengths: Any) -> Any:
    """values [time, n, ...] with the first lengths[i] time steps of each row in reverse order."""
    steps = np.arange(len(values))[:, None]
    order = np.where(steps < lengths, lengths - 1 - steps, steps)
    return values[order, np.arange(values.shape[1])]


@ctc_loss.shape
def _(inputs: Sym, labels_indices: Sym, labels_values: Sym, sequence_length: Sym, **_: bool) -> list[Shape]:
    steps, count, classes = of_rank(inputs.shape, 3)
    indices, (labels,) = of_rank(labels_indices.shape, 2), of_rank(labels_values.shape, 1)
    (rows,) = of_rank(sequence_length.shape, 1)
    same(indices[0], labels)
    count = same(count, rows)
    return [(count,), (steps, count, classes)]


@ctc_loss.grad
def _(op: Any, g: Any, g_of_gradient: Any) -> Any:
    rows = nodes.PreventGradient(
        op.outputs[1],
        message="Currently there is no way to take the second  derivative of ctc_loss due to the fused implementation's "
        "interaction  with tf.gradients()",
    )
    return nodes.ExpandDims(g, -1) * rows, None, None, None


# -- decoders ------------------------------------------------------------------------------------------------------


def _precondition(text: str) -> errors.FailedPreconditionError:
    return errors.FailedPreconditionError(None, None, text)


def _check_decoder(inputs: Any, sequence_length: Any) -> None:
    _check_scores(inputs, sequence_length)
    steps, count, classes = inputs.shape
    if not steps:
        raise invalid("max_time is 0")
    if len(sequence_length) != count:
        raise _precondition(_unequal_lengths(sequence_length, count))
    _check_longest(sequence_length, steps, _precondition)
    if not classes:
        raise invalid("num_classes is 0")


def _sparse(sequences: list[list[int]]) -> tuple[Any, Any, Any]:
    """indices [labels, 2], values [labels] and shape [2] of a sparse tensor with a row for each sequence."""
    places = [(row, column) for row, labels in enumerate(sequences) for column in range(len(labels))]
    indices = np.array(places, np.int64).reshape(-1, 2)
    values = np.array([label for labels in sequences for label in labels], np.int64)
    return indices, values, np.array([len(sequences), max(map(len, sequences), default=0)], np.int64)


@op("CTCGreedyDecoder", out="decoded_indices decoded_values decoded_shape log_probability", not_differentiable=CHOICE, fresh=True)
def ctc_greedy_decoder(
    xp: Any, inputs: Float, sequence_length: dtypes.int32, *, merge_repeated: bool = False
) -> tuple[dtypes.int64, dtypes.int64, dtypes.int64, Float]:  # type: ignore[valid-type]
    """The classes with the highest score at each time step, without blanks: inputs [time, n, classes], sequence_length [n] ->
    indices [labels, 2], values [labels] and shape [2] of a sparse tensor [n, longest], the negative sum of the scores [n, 1].
    merge_repeated: equal classes one after the other count once.

    Raises: InvalidArgumentError for no time steps, FailedPreconditionError for lengths that do not fit.
    """
    _check_decoder(inputs, sequence_length)
    steps, count, classes = inputs.shape
    # As TF compares: nothing is larger than NaN, and NaN is not larger than what came before it.
    ranks = np.where(np.isnan(inputs), -np.inf, inputs)
    ranks[..., 0] = np.where(np.isnan(inputs[..., 0]), np.inf, ranks[..., 0])
    best = ranks.argmax(axis=2)
    scores = np.take_along_axis(inputs, best[..., None], axis=2)[..., 0]
    is_run = np.arange(steps)[:, None] < sequence_length
    is_kept = is_run & (best != classes - 1)
    if merge_repeated:
        is_kept[1:] &= best[1:] != best[:-1]
    sequences = [best[is_kept[:, row], row].tolist() for row in range(count)]
    total = -np.where(is_run, scores, scores.dtype.type(0)).sum(axis=0, dtype=scores.dtype)
    return *_sparse(sequences), total[:, None] + scores.dtype.type(0)


@ctc_greedy_decoder.shape
def _(inputs: Sym, sequence_length: Sym, *, merge_repeated: bool) -> list[Shape]:
    count = same(of_rank(inputs.shape, 3)[1], of_rank(sequence_length.shape, 1)[0])
    return [(None, 2), (None,), (2,), (count, 1)]


class _Beams:
    """The most likely label sequences so far of one row, best first, and log of the probability of those of their paths that end
    in a blank (`blanks`) and in the last label (`ends`): [beams]. A sequence is a node of a tree of prefixes.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._parents, self._labels = [-1], [-1]
        self._children: dict[tuple[int, int], int] = {}
        self._nodes = [0]
        self.blanks, self.ends = np.zeros(1), np.full(1, -np.inf)

    @property
    def totals(self) -> Any:
        return np.logaddexp(self.blanks, self.ends)

    def step(self, logs: Any) -> None:
        """Goes on by one time step: logs [classes]."""
        labels = np.array([self._labels[node] for node in self._nodes])
        beam_of = {node: beam for beam, node in enumerate(self._nodes)}
        totals = self.totals
        # A sequence goes on as itself, or one label longer; a label follows itself only after a blank.
        longer = totals[:, None] + logs[:-1]
        repeats = np.flatnonzero(labels >= 0)
        longer[repeats, labels[repeats]] = self.blanks[repeats] + logs[labels[repeats]]
        blanks = totals + logs[-1]
        ends = np.where(labels >= 0, self.ends + logs[labels], -np.inf)
        longer_beams: list[list[int]] = [[] for _ in self._nodes]  # of each beam, those that are one label longer
        for beam, node in enumerate(self._nodes):
            parent = beam_of.get(self._parents[node])
            if parent is not None:
                ends[beam] = np.logaddexp(ends[beam], longer[parent, labels[beam]])
                longer_beams[parent].append(beam)
        scores = np.logaddexp(blanks, ends).tolist()
        kept = [(score, -beam, node) for (beam, node), score in zip(enumerate(self._nodes), scores)]
        heapq.heapify(kept)
        self._add_longer(kept, totals, longer, labels, longer_beams)
        kept.sort(reverse=True)
        self._nodes = [node for _, _, node in kept]
        # A beam that fell out and came back counts as new.
        beams = np.array([-order if order <= 0 else -1 for _, order, _ in kept])
        self.blanks = np.where(beams >= 0, blanks[beams], -np.inf)
        self.ends = np.where(beams >= 0, ends[beams], [score for score, _, _ in kept])

    def _add_longer(
        self, kept: list[tuple[float, int, int]], totals: Any, longer: Any, labels: Any, longer_beams: list[list[int]]
    ) -> None:
        """Puts sequences that are one label longer in place of the least likely in the heap `kept`: (score, order, node).

        As TF does, in order of the beams: one that fell out and was no candidate again is not made longer.
        """
        nodes_kept = {node for _, _, node in kept}
        is_lost = [False] * len(totals)
        for beam, node in enumerate(self._nodes):
            is_full = len(kept) == self._width
            if is_lost[beam] or (is_full and totals[beam] <= kept[0][0]):
                continue
            candidates = np.flatnonzero(longer[beam] > (kept[0][0] if is_full else -np.inf)).tolist()
            beam_with = {int(labels[other]): other for other in longer_beams[beam]}
            for label in sorted({*candidates, *beam_with}):
                child = self._child(node, label)
                if child in nodes_kept:
                    continue
                score = float(longer[beam, label])
                if len(kept) < self._width and score > -np.inf:
                    heapq.heappush(kept, (score, len(kept) + 1, child))
                elif score > kept[0][0]:
                    nodes_kept.remove(heapq.heapreplace(kept, (score, len(kept) + 1, child))[2])
                else:
                    if label in beam_with:
                        is_lost[beam_with[label]] = True
                    continue
                nodes_kept.add(child)

    def _child(self, node: int, label: int) -> int:
        child = self._children.setdefault((node, label), len(self._labels))
        if child == len(self._labels):
            self._parents.append(node)
            self._labels.append(label)
        return child

    def sequences(self, merges: bool) -> list[list[int]]:
        """The labels of each beam; of equal ones in a row only one if `merges`."""
        return [self._read(node, merges) for node in self._nodes]

    def _read(self, node: int, merges: bool) -> list[int]:
        labels: list[int] = []
        while node:
            label = self._labels[node]
            if not (merges and labels and labels[-1] == label):
                labels.append(label)
            node = self._parents[node]
        return labels[::-1]


@op(
    "CTCBeamSearchDecoder", out="decoded_indices decoded_values decoded_shape log_probability", not_differentiable=CHOICE,
    fresh=True,
)
def ctc_beam_search_decoder(
    xp: Any,
    inputs: Float,
    sequence_length: dtypes.int32,
    *,
    beam_width: AtLeast[1],  # type: ignore[valid-type]
    top_paths: AtLeast[1],  # type: ignore[valid-type]
    merge_repeated: bool = True,
) -> tuple[Many[dtypes.int64, "top_paths"], Many[dtypes.int64, "top_paths"], Many[dtypes.int64, "top_paths"], Float]:  # type: ignore[valid-type]  # noqa: F821
    """The most likely label sequences of each row, kept in a beam: inputs [time, n, classes], sequence_length [n] -> top_paths
    times indices [labels, 2], values [labels] and shape [2] of a sparse tensor [n, longest], log of the probabilities
    [n, top_paths]. merge_repeated: equal labels in a row of a sequence count once.

    Raises: InvalidArgumentError for more paths than the beam is wide or sequences there are, FailedPreconditionError for lengths
    that do not fit.
    Source: Graves, "Sequence transduction with recurrent neural networks" (2012).
    """
    _check_decoder(inputs, sequence_length)
    if top_paths > beam_width:
        raise invalid("requested more paths than the beam width.")
    count = inputs.shape[1]
    wide = inputs.astype(np.float64)
    logs = wide - _log_sum(wide, 2)[..., None]
    paths: list[list[list[int]]] = [[] for _ in range(top_paths)]
    scores = np.zeros((count, top_paths), inputs.dtype)
    for row in range(count):
        beams = _Beams(beam_width)
        for step in range(int(sequence_length[row])):
            beams.step(logs[step, row])
        found = beams.sequences(merge_repeated)
        if len(found) < top_paths:
            raise invalid("Less leaves in the beam search than requested.")
        scores[row] = beams.totals[:top_paths]
        for path, labels in zip(paths, found):
            path.append(labels)
    parts = [_sparse(path) for path in paths]
    return *map(list, zip(*parts)), scores


@ctc_beam_search_decoder.shape
def _(inputs: Sym, sequence_length: Sym, *, beam_width: int, top_paths: int, merge_repeated: bool) -> list[Shape]:
    count = same(of_rank(inputs.shape, 3)[1], of_rank(sequence_length.shape, 1)[0])
    return [*[(None, 2)] * top_paths, *[(None,)] * top_paths, *[(2,)] * top_paths, (count, top_paths)]
