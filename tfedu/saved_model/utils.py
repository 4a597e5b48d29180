"""`tf.saved_model.utils`: descriptions of tensors."""

from ..engine.base.lazy import lazy as _lazy

_NAMES = "build_tensor_info get_tensor_from_tensor_info"

__getattr__, __dir__ = _lazy(__name__, {"tfedu.engine.training.saved_models.saved_signatures": _NAMES})
