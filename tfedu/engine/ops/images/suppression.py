"""Non-maximum suppression: of boxes that overlap much, only the one with the best score stays. No state.

A box is (y1, x1, y2, x2), in any unit and with its corners in any order. Source of soft suppression: Bodla et al., 2017.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...base import dtypes
from ...base.shapes import Shape
from ...op.define import Sym, op, typevar
from ...op.gradient_rules import CHOICE
from ...op.shape_checks import invalid, kinds, of_rank, same, scalar, text_of, with_value

float32, int32 = dtypes.float32, dtypes.int32
HALF_OR_FLOAT: Final = kinds("half float")
Box = typevar("T", HALF_OR_FLOAT, default=float32)
Threshold = typevar("T_threshold", HALF_OR_FLOAT, default=float32)

Similarity = Callable[[int, "list[int]"], Any]


def _overlaps(boxes: Any) -> Similarity:
    """The function (box, others) -> how much each of the others overlaps the box: intersection over union, float32."""
    boxes = boxes.astype(np.float32, copy=False)
    top, bottom = np.minimum(boxes[:, 0], boxes[:, 2]), np.maximum(boxes[:, 0], boxes[:, 2])
    left, right = np.minimum(boxes[:, 1], boxes[:, 3]), np.maximum(boxes[:, 1], boxes[:, 3])
    areas = (bottom - top) * (right - left)
    zero = np.float32(0)

    def overlaps(box: int, others: list[int]) -> Any:
        height = np.minimum(bottom[box], bottom[others]) - np.maximum(top[box], top[others])
        width = np.minimum(right[box], right[others]) - np.maximum(left[box], left[others])
        both = np.maximum(height, zero) * np.maximum(width, zero)
        has_area = (areas[others] > 0) & (areas[box] > 0)
        union = np.where(has_area, areas[box] + areas[others] - both, np.float32(1))
        return np.where(has_area, both / union, zero)

    return overlaps


class _Waiting:
    """The boxes that wait for their turn, as (score, box, seen), the highest score first.

    A binary heap with the moves of the C++ standard library: they say which of equal scores comes first in TF 1.15.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[Any, int, int]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, item: tuple[Any, int, int]) -> None:
        self._heap.append(item)
        self._rise(len(self._heap) - 1, item)

    def pop(self) -> tuple[Any, int, int]:
        heap = self._heap
        last = heap.pop()
        if not heap:
            return last
        first, hole, end = heap[0], 0, len(heap)
        while (child := 2 * hole + 2) <= end:
            if child == end or heap[child][0] < heap[child - 1][0]:
                child -= 1
            heap[hole] = heap[child]
            hole = child
        self._rise(hole, last)
        return first

    def _rise(self, hole: int, item: tuple[Any, int, int]) -> None:
        heap = self._heap
        while hole and heap[(hole - 1) // 2][0] < item[0]:
            heap[hole] = heap[(hole - 1) // 2]
            hole = (hole - 1) // 2
        heap[hole] = item


def suppressed(
    scores: Any, count: int, similarity: Similarity, threshold: Any, least: Any, sigma: Any = 0.0
) -> tuple[list[int], list[Any]]:
    """The boxes that stay, best score first, at most `count` (all for a negative one), and their scores.

    A box whose score is not above `least` never stays, nor one that is as similar as the threshold to a box that stays. sigma >
    0: besides, each box that stays lowers the scores of those like it by exp(-similarity² / (2 · sigma)).
    As in TF 1.15 a box that stays waits once more: if it is not similar to itself, it stays again and again.
    """
    scores = scores.astype(np.float32, copy=False)
    factor = np.float32(-0.5) / np.float32(sigma) if sigma > 0 else None
    waiting = _Waiting()
    for box, score in enumerate(scores):
        if score > least:
            waiting.push((score, box, 0))
    staying: list[int] = []
    with_scores: list[Any] = []
    while waiting and len(staying) != count:
        old, box, seen = waiting.pop()
        score = old
        if seen < len(staying):  # the boxes that began to stay since its score was last lowered
            like = similarity(box, staying[seen:])[::-1]
            if (like >= threshold).any():
                continue
            if factor is not None:
                for weight in np.exp(factor * like * like):
                    score = score * weight
        seen = len(staying)
        if score == old:
            staying.append(box)
            with_scores.append(score)
        if score > least:
            waiting.push((score, box, seen))
    return staying, with_scores


# -- checks and shapes ---------------------------------------------------------------------------------------------------


def _check(boxes: Any, scores: Any, max_output_size: Any, threshold: Any, name: str = "iou_threshold") -> int:
    if max_output_size.ndim:
        raise invalid(f"max_output_size must be 0-D, got shape {text_of(max_output_size.shape)}")
    if np.ndim(threshold):
        raise invalid(f"{name} must be 0-D, got shape {text_of(threshold.shape)}")
    if name == "iou_threshold" and not 0 <= threshold <= 1:
        raise invalid("iou_threshold must be in [0, 1]")
    if boxes.ndim != 2:
        raise invalid(f"{'boxes' if name == 'iou_threshold' else 'overlaps'} must be 2-D{text_of(boxes.shape)}")
    if name == "iou_threshold" and boxes.shape[1] != 4:
        raise invalid("boxes must have 4 columns")
    if name != "iou_threshold" and boxes.shape[0] != boxes.shape[1]:
        raise invalid(f"overlaps must be square{text_of(boxes.shape)}")
    if scores.ndim != 1:
        raise invalid(f"scores must be 1-D{text_of(scores.shape)}")
    if len(scores) != len(boxes):
        raise invalid("scores has incompatible shape")
    return int(max_output_size)


def _check_shapes(boxes: Sym, scores: Sym, *rest: Sym) -> None:
    shape = of_rank(boxes.shape, 2)
    same(shape[0], of_rank(scores.shape, 1)[0])
    with_value(shape[1], 4)
    for sym in rest:
        scalar(sym)


def _indices_shape(boxes: Sym, scores: Sym, *rest: Sym, **_: Any) -> Shape:
    _check_shapes(boxes, scores, *rest)
    return (None,)


def _padded_shape(max_output_size: Sym, is_padded: bool) -> Shape:
    size = max_output_size.value
    return (int(size) if is_padded and size is not None else None,)


_LOWEST = np.finfo(np.float32).min

# -- the ops -------------------------------------------------------------------------------------------------------------


@op("NonMaxSuppression", out="selected_indices", shape=_indices_shape, fresh=True, not_differentiable=CHOICE)
def non_max_suppression(
    xp: Any, boxes: float32, scores: float32, max_output_size: int32, *, iou_threshold: float = 0.5
) -> int32:
    """The boxes that stay, best score first: boxes [n, 4], scores [n], max_output_size a scalar -> int32 [m]."""
    count = _check(boxes, scores, max_output_size, np.float32(iou_threshold))
    return np.array(suppressed(scores, count, _overlaps(boxes), np.float32(iou_threshold), _LOWEST)[0], np.int32)


@op("NonMaxSuppressionV2", out="selected_indices", shape=_indices_shape, fresh=True, not_differentiable=CHOICE)
def non_max_suppression_v2(xp: Any, boxes: Box, scores: Box, max_output_size: int32, iou_threshold: Threshold) -> int32:
    """NonMaxSuppression with the threshold as an input, a scalar."""
    count = _check(boxes, scores, max_output_size, iou_threshold)
    return np.array(suppressed(scores, count, _overlaps(boxes), iou_threshold, _LOWEST)[0], np.int32)


@op("NonMaxSuppressionV3", out="selected_indices", shape=_indices_shape, fresh=True)
def non_max_suppression_v3(
    xp: Any, boxes: Box, scores: Box, max_output_size: int32, iou_threshold: Threshold, score_threshold: Threshold
) -> int32:
    """NonMaxSuppressionV2 in which a box stays only if its score is above score_threshold, a scalar."""
    count = _check(boxes, scores, max_output_size, iou_threshold)
    return np.array(suppressed(scores, count, _overlaps(boxes), iou_threshold, score_threshold)[0], np.int32)


@op(
    "NonMaxSuppressionV4", out="selected_indices valid_outputs",
    shape=lambda boxes, scores, size, *rest, pad_to_max_output_size: (
        _check_shapes(boxes, scores, size, *rest), [_padded_shape(size, pad_to_max_output_size), ()],
    )[1],
    fresh=True,
)
def non_max_suppression_v4(
    xp: Any, boxes: Box, scores: Box, max_output_size: int32, iou_threshold: Threshold, score_threshold: Threshold,
    *, pad_to_max_output_size: bool = False,
) -> tuple[int32, int32]:
    """NonMaxSuppressionV3 and how many boxes stay, a scalar; pad_to_max_output_size: zeros follow up to max_output_size."""
    count = _check(boxes, scores, max_output_size, iou_threshold)
    staying, _ = suppressed(scores, count, _overlaps(boxes), iou_threshold, score_threshold)
    return _filled(staying, count, pad_to_max_output_size, np.int32), np.int32(len(staying))


def _filled(values: list[Any], count: int, is_padded: bool, dtype: Any) -> Any:
    return np.array(values + [0] * (count - len(values) if is_padded else 0), dtype)


@op(
    "NonMaxSuppressionV5", out="selected_indices selected_scores valid_outputs",
    shape=lambda boxes, scores, size, *rest, pad_to_max_output_size: (
        _check_shapes(boxes, scores, size, *rest), [_padded_shape(size, pad_to_max_output_size)] * 2 + [()],
    )[1],
    fresh=True,
)
def non_max_suppression_v5(
    xp: Any, boxes: Box, scores: Box, max_output_size: int32, iou_threshold: Box, score_threshold: Box, soft_nms_sigma: Box,
    *, pad_to_max_output_size: bool = False,
) -> tuple[int32, Box, int32]:
    """NonMaxSuppressionV4 with the scores [m] of the boxes that stay; soft_nms_sigma, a scalar: above 0 each box that stays also
    lowers the scores of those that overlap it.
    """
    count = _check(boxes, scores, max_output_size, iou_threshold)
    if soft_nms_sigma < 0:
        raise invalid("soft_nms_sigma_val should be >= 0")
    staying, left = suppressed(scores, count, _overlaps(boxes), iou_threshold, score_threshold, soft_nms_sigma)
    return (
        _filled(staying, count, pad_to_max_output_size, np.int32),
        _filled(left, count, pad_to_max_output_size, scores.dtype),
        np.int32(len(staying)),
    )


@op(
    "NonMaxSuppressionWithOverlaps", out="selected_indices",
    shape=lambda overlaps, scores, *_: (same(of_rank(overlaps.shape, 2)[0], of_rank(scores.shape, 1)[0]), (None,))[1],
    fresh=True, not_differentiable=CHOICE,
)
def non_max_suppression_with_overlaps(
    xp: Any, overlaps: float32, scores: float32, max_output_size: int32, overlap_threshold: float32, score_threshold: float32
) -> int32:
    """NonMaxSuppressionV3 with overlaps [n, n], how alike each two boxes are by any measure, in place of the boxes."""
    count = _check(overlaps, scores, max_output_size, overlap_threshold, "overlap_threshold")
    like: Similarity = lambda box, others: overlaps[box, others]
    return np.array(suppressed(scores, count, like, overlap_threshold, score_threshold)[0], np.int32)


def _combined_shape(
    boxes: Sym, scores: Sym, per_class: Sym, total: Sym, *rest: Sym, pad_per_class: bool, clip_boxes: bool
) -> list[Shape]:
    n = of_rank(boxes.shape, 4)[0]
    same(n, of_rank(scores.shape, 3)[0])
    same(of_rank(boxes.shape, 4)[1], of_rank(scores.shape, 3)[1])
    with_value(of_rank(boxes.shape, 4)[3], 4)
    for sym in (per_class, total, *rest):
        scalar(sym)
    count: int | None = None if total.value is None else int(total.value)
    classes = of_rank(scores.shape, 3)[2]
    if pad_per_class and count is not None:
        if per_class.value is None or classes is None:
            count = None
        else:
            count = min(count, int(per_class.value) * classes)
    return [(n, count, 4), (n, count), (n, count), (n,)]


@op("CombinedNonMaxSuppression", out="nmsed_boxes nmsed_scores nmsed_classes valid_detections", shape=_combined_shape, fresh=True)
def combined_non_max_suppression(
    xp: Any,
    boxes: float32,
    scores: float32,
    max_output_size_per_class: int32,
    max_total_size: int32,
    iou_threshold: float32,
    score_threshold: float32,
    *,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
) -> tuple[float32, float32, float32, int32]:
    """Non-maximum suppression in each class of each image: boxes [n, boxes, q, 4] (q: 1, or one box for each class), scores [n,
    boxes, classes] -> boxes [n, total, 4], scores and classes [n, total], best score first, and how many of them count [n]; zeros
    follow. clip_boxes: what stays is clipped to 0 to 1.
    """
    if boxes.ndim != 4:
        raise invalid(f"boxes must be 4-D{text_of(boxes.shape)}")
    if scores.ndim != 3:
        raise invalid(f"scores must be 3-D{text_of(scores.shape)}")
    per_class, total = int(max_output_size_per_class), int(max_total_size)
    if per_class <= 0:
        raise invalid("max_size_per_class must be positive")
    if total <= 0:
        raise invalid("max_total_size must be > 0")
    if not 0 <= iou_threshold <= 1:
        raise invalid("iou_threshold must be in [0, 1]")
    n, _boxes, classes = scores.shape
    if boxes.shape[2] not in (1, classes):
        raise invalid("third dimension of boxes must be either 1 or num classes")
    count = min(total, per_class * classes) if pad_per_class else total
    out_boxes, out_scores = np.zeros((n, count, 4), np.float32), np.zeros((n, count), np.float32)
    out_classes, valid = np.zeros((n, count), np.float32), np.zeros(n, np.int32)
    for i in range(n):
        found: list[tuple[float, int, Any]] = []
        for c in range(classes):
            own = boxes[i, :, min(c, boxes.shape[2] - 1)]
            staying, left = suppressed(scores[i, :, c], per_class, _overlaps(own), iou_threshold, score_threshold)
            found += [(score, c, own[box]) for box, score in zip(staying, left)]
        found.sort(key=lambda each: -each[0])
        valid[i] = min(len(found), count)
        for k, (score, c, box) in enumerate(found[:count]):
            out_scores[i, k], out_classes[i, k] = score, c
            out_boxes[i, k] = np.clip(box, 0, 1) if clip_boxes else box
    return out_boxes, out_scores, out_classes, valid
