"""`tf.keras.applications`: networks for pictures, with new weights or with weights from a file."""

# ruff: noqa: I001 - the names stand in paragraphs
from . import (
    densenet, imagenet_utils, inception_resnet_v2, inception_v3, mobilenet, mobilenet_v2, nasnet, resnet, resnet50, resnet_v2,
    vgg16, vgg19, xception,
)  # fmt: skip
from ...engine.models.keras_applications.dense_nets import DenseNet121, DenseNet169, DenseNet201
from ...engine.models.keras_applications.inception_nets import InceptionResNetV2, InceptionV3
from ...engine.models.keras_applications.mobile_nets import MobileNet, MobileNetV2
from ...engine.models.keras_applications.plain_nets import VGG16, VGG19
from ...engine.models.keras_applications.residual_nets import (
    ResNet50, ResNet50V2, ResNet101, ResNet101V2, ResNet152, ResNet152V2,
)  # fmt: skip
from ...engine.models.keras_applications.searched_nets import NASNetLarge, NASNetMobile
from ...engine.models.keras_applications.separable_nets import Xception

__all__ = [
    "DenseNet121", "DenseNet169", "DenseNet201", "InceptionResNetV2", "InceptionV3", "MobileNet",
    "MobileNetV2", "NASNetLarge", "NASNetMobile", "ResNet101", "ResNet101V2", "ResNet152", "ResNet152V2",
    "ResNet50", "ResNet50V2", "VGG16", "VGG19", "Xception", "densenet", "imagenet_utils",
    "inception_resnet_v2", "inception_v3", "mobilenet", "mobilenet_v2", "nasnet", "resnet", "resnet50",
    "resnet_v2", "vgg16", "vgg19", "xception",
]  # fmt: skip
