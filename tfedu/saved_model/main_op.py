"""`tf.saved_model.main_op`: the operation that a loader of the model runs."""

from ..engine.base.lazy import lazy as _lazy

__getattr__, __dir__ = _lazy(__name__, {"tfedu.engine.training.saved_models.saved_model_builder": "main_op main_op_with_restore"})
