"""`tf.saved_model.signature_def_utils`: signatures of a model."""

from ..engine.base.lazy import lazy as _lazy

_NAMES = (
    "build_signature_def classification_signature_def is_valid_signature predict_signature_def "
    "regression_signature_def"
)

__getattr__, __dir__ = _lazy(__name__, {"tfedu.engine.training.saved_models.saved_signatures": _NAMES})
