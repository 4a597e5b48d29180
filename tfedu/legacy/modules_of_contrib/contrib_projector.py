"""`tf.contrib.tensorboard.plugins.projector`: vectors for TensorBoard's projector."""

from ...engine.base.proto import EmbeddingInfo, ProjectorConfig, SpriteMetadata
from ...engine.interop.projector import visualize_embeddings

__all__ = [
    "EmbeddingInfo", "ProjectorConfig", "SpriteMetadata", "visualize_embeddings",
]  # fmt: skip
