"""`tf.image`'s boxes: drawing, cutting out, random ones, suppression of overlapping ones; patches and glimpses. No state.

A box is (y1, x1, y2, x2) in parts of the image: (0, 0, 1, 1) is the whole image.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...ops.images import boxes as ops
from ...ops.images import distorted_boxes, patches, suppression
from ..framework.renamed_arguments import renamed
from ..framework.scope_blocks import named

NO_THRESHOLD = float("-inf")


def draw_bounding_boxes(images: Any, boxes: Any, name: str | None = None, colors: Any = None) -> Tensor:
    """The images with the edges of boxes drawn: images [n, h, w, 1, 3 or 4], boxes [n, count, 4] -> [n, h, w, channels].

    colors: [count, channels], used in turn; ten colours of TF's by default.
    """
    if colors is None:
        return ops.draw_bounding_boxes(images, boxes, name=name)  # type: ignore[no-any-return]
    return ops.draw_bounding_boxes_v2(images, boxes, colors, name=name)  # type: ignore[no-any-return]


def crop_and_resize(
    image: Any,
    boxes: Any,
    box_ind: Any = None,
    crop_size: Any = None,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    name: str | None = None,
    box_indices: Any = None,
) -> Tensor:
    """Parts of images, each resized to the same size: image [n, h, w, c], boxes [count, 4], box_indices [count] (which image each
    box is of; box_ind: its older name), crop_size [2] -> float32 [count, height, width, c].

    method: "bilinear" or "nearest". extrapolation_value: of pixels outside the image.
    """
    box_ind = renamed("box_indices", box_indices, "box_ind", box_ind)
    return ops.crop_and_resize(  # type: ignore[no-any-return]
        image, boxes, box_ind, crop_size, method=method, extrapolation_value=float(extrapolation_value), name=name
    )


@atomic
def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: int | None = None,
    seed2: int | None = None,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Sequence[float] | None = None,
    area_range: Sequence[float] | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> Any:
    """A random part of an image that covers enough of at least one of its objects: image_size [3], bounding_boxes [1, count, 4]
    -> begin [3] and size [3] for tf.slice, and the box [1, 1, 4]; the whole image after max_attempts (100).

    min_object_covered: the part of an object that counts as enough. aspect_ratio_range: width / height (0.75 to 1.33).
    area_range: parts of the image (0.05 to 1). The seeds are the node's own: without one, each run of the program draws others.
    """
    optional = {
        "aspect_ratio_range": aspect_ratio_range,
        "area_range": area_range,
        "max_attempts": max_attempts,
        "use_image_if_no_bounding_boxes": use_image_if_no_bounding_boxes,
    }
    with named(name, "sample_distorted_bounding_box"):
        return distorted_boxes.sample_distorted_bounding_box_v2(
            image_size,
            bounding_boxes,
            min_object_covered,
            seed=seed or 0,
            seed2=seed2 or 0,
            name=name,
            **{key: value for key, value in optional.items() if value is not None},
        )


# -- suppression ---------------------------------------------------------------------------------------------------------


@atomic
def non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = NO_THRESHOLD,
    name: str | None = None,
) -> Tensor:
    """The boxes that stay when each goes that overlaps a better one much: boxes [n, 4], scores [n], max_output_size a scalar ->
    int32 [m], best score first.

    iou_threshold: intersection over union, 0 to 1, that counts as much. score_threshold: a box stays only above it.
    """
    with named(name, "non_max_suppression"):
        iou_threshold = convert_to_tensor(iou_threshold, name="iou_threshold")
        score_threshold = convert_to_tensor(score_threshold, name="score_threshold")
        return suppression.non_max_suppression_v3(  # type: ignore[no-any-return]
            boxes, scores, max_output_size, iou_threshold, score_threshold
        )


@atomic
def non_max_suppression_with_scores(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = NO_THRESHOLD,
    soft_nms_sigma: Any = 0.0,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`non_max_suppression` with the scores [m] of the boxes that stay. soft_nms_sigma > 0: a box lowers the scores of those that
    overlap it. Source: Bodla et al., 2017.
    """
    with named(name, "non_max_suppression_with_scores"):
        iou_threshold = convert_to_tensor(iou_threshold, name="iou_threshold")
        score_threshold = convert_to_tensor(score_threshold, name="score_threshold")
        soft_nms_sigma = convert_to_tensor(soft_nms_sigma, name="soft_nms_sigma")
        indices, left, _ = suppression.non_max_suppression_v5(
            boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma, pad_to_max_output_size=False
        )
        return indices, left


@atomic
def non_max_suppression_padded(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = NO_THRESHOLD,
    pad_to_max_output_size: bool = False,
    name: str | None = None,
) -> Any:
    """`non_max_suppression` and how many boxes stay, a scalar. pad_to_max_output_size: zeros follow, up to max_output_size."""
    with named(name, "non_max_suppression_padded"):
        iou_threshold = convert_to_tensor(iou_threshold, name="iou_threshold")
        score_threshold = convert_to_tensor(score_threshold, name="score_threshold")
        return suppression.non_max_suppression_v4(
            boxes, scores, max_output_size, iou_threshold, score_threshold, pad_to_max_output_size=pad_to_max_output_size
        )


@atomic
def non_max_suppression_overlaps(
    overlaps: Any,
    scores: Any,
    max_output_size: Any,
    overlap_threshold: Any = 0.5,
    score_threshold: Any = NO_THRESHOLD,
    name: str | None = None,
) -> Tensor:
    """`non_max_suppression` by any measure: overlaps [n, n] says how alike each two boxes are."""
    with named(name, "non_max_suppression_overlaps"):
        overlap_threshold = convert_to_tensor(overlap_threshold, name="overlap_threshold")
        return suppression.non_max_suppression_with_overlaps(  # type: ignore[no-any-return]
            overlaps, scores, max_output_size, overlap_threshold, score_threshold
        )


@atomic
def combined_non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = NO_THRESHOLD,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> Any:
    """Suppression in each class of each image: boxes [n, boxes, q, 4] (q: 1, or one box for each class), scores [n, boxes,
    classes] -> boxes [n, total, 4], scores and classes [n, total], best score first, and how many of them count [n].
    """
    with named(name, "combined_non_max_suppression"):
        iou_threshold = convert_to_tensor(iou_threshold, name="iou_threshold")
        score_threshold = convert_to_tensor(score_threshold, name="score_threshold")
        return suppression.combined_non_max_suppression(
            boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold,
            pad_per_class=pad_per_class, clip_boxes=clip_boxes,
        )  # fmt: skip


# -- patches and glimpses ------------------------------------------------------------------------------------------------

extract_glimpse, extract_volume_patches = patches.extract_glimpse, patches.extract_volume_patches


def extract_patches(
    images: Any, sizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None
) -> Tensor:
    """Each window of the images as one vector: images [n, h, w, c] -> [n, places, places, kh · kw · c].

    sizes, strides, rates: [1, y, x, 1]; rates: how far apart the pixels of a window are. padding: "SAME" or "VALID".
    """
    return patches.extract_image_patches(  # type: ignore[no-any-return]
        images, ksizes=sizes, strides=strides, rates=rates, padding=padding, name=name
    )


def extract_image_patches(
    images: Any,
    ksizes: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    sizes: Any = None,
) -> Tensor:
    """`extract_patches`; ksizes is the older name of sizes."""
    return extract_patches(images, renamed("sizes", sizes, "ksizes", ksizes), strides, rates, padding, name)


__all__ = [
    "combined_non_max_suppression", "crop_and_resize", "draw_bounding_boxes", "extract_glimpse", "extract_image_patches",
    "extract_patches", "extract_volume_patches", "non_max_suppression", "non_max_suppression_overlaps",
    "non_max_suppression_padded", "non_max_suppression_with_scores", "sample_distorted_bounding_box",
]  # fmt: skip
