"""`tf.saved_model.loader`: loads a model from a folder."""

from ..engine.base.lazy import lazy as _lazy

_NAMES = "SavedModelLoader load maybe_saved_model_directory"

__getattr__, __dir__ = _lazy(__name__, {"tfedu.engine.training.saved_models.saved_model_loader": _NAMES})
