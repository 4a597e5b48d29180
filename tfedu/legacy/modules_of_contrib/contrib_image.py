"""`tf.contrib.image`: pictures that are turned, moved and warped."""

from ...engine.lib.images.projective_transforms import (
    angles_to_projective_transforms,
    compose_transforms,
    flat_transforms_to_matrices,
    matrices_to_flat_transforms,
    rotate,
    transform,
    translate,
    translations_to_projective_transforms,
)
from ...engine.lib.images.warps import dense_image_warp, interpolate_spline, sparse_image_warp

__all__ = [
    "angles_to_projective_transforms", "compose_transforms", "dense_image_warp",
    "flat_transforms_to_matrices", "interpolate_spline", "matrices_to_flat_transforms", "rotate",
    "sparse_image_warp", "transform", "translate", "translations_to_projective_transforms",
]  # fmt: skip
