"""`tf.contrib.slim.nets`: networks for pictures."""

from ...engine.models.contrib_nets import (
    alexnet,
    inception_v1,
    inception_v2,
    inception_v3,
    overfeat,
    resnet_utils,
    resnet_v1,
    resnet_v2,
    vgg,
)  # fmt: skip
from . import contrib_slim_inception as inception

__all__ = [
    "alexnet", "inception", "inception_v1", "inception_v2", "inception_v3", "overfeat", "resnet_utils",
    "resnet_v1", "resnet_v2", "vgg",
]  # fmt: skip
