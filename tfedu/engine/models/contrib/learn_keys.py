"""Names of modes, problems, tasks and predictions, as programs of `tf.contrib.learn` use them. No state."""

from __future__ import annotations

from ...base.errors import error_text


class ModeKeys:
    """What a model is built for."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises: ValueError for what is no mode."""
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError(error_text(f"Invalid mode {key}.", fix="one of 'train', 'eval', 'infer'"))


class ProblemType:
    """What a model learns."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3


class PredictionKey:
    """Keys of a model's predictions."""

    CLASSES = "classes"
    PROBABILITIES = "probabilities"
    LOGITS = "logits"
    LOGISTIC = "logistic"
    SCORES = "scores"
    TOP_K = "top_k"
    GENERIC = "output"


class TaskType:
    """What a process of a cluster is there for."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"


class NotFittedError(ValueError, AttributeError):
    """A model is asked before it has been trained."""


__all__ = ["ModeKeys", "NotFittedError", "PredictionKey", "ProblemType", "TaskType"]
