"""`tf.contrib.slim.evaluation`: metrics of a model at its checkpoints."""


from ...engine.models.training_of_contrib.slim_evaluation import evaluate_once, evaluation_loop
from ...engine.training.checkpoints.checkpoint_state import checkpoints_iterator, wait_for_new_checkpoint
from ..modules_of_contrib import contrib_training as evaluation

__all__ = [
    "checkpoints_iterator", "evaluate_once", "evaluation", "evaluation_loop", "wait_for_new_checkpoint",
]  # fmt: skip
