"""`tf.saved_model.builder`: writes a model into a folder."""

from ..engine.base.lazy import lazy as _lazy

__getattr__, __dir__ = _lazy(__name__, {"tfedu.engine.training.saved_models.saved_model_builder": "SavedModelBuilder"})
