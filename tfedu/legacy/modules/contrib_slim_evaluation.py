"""`tf.contrib.slim.evaluation`: metrics of a model at its checkpoints."""


from ...engine.models.contrib.slim_evaluation import evaluate_once, evaluation_loop
from ...engine.training.checkpoints.checkpoint_state import checkpoints_iterator, wait_for_new_checkpoint

__all__ = [
    "checkpoints_iterator", "evaluate_once", "evaluation_loop", "wait_for_new_checkpoint",
]  # fmt: skip
