"""`tf.keras.callbacks`: what the training loop calls at each epoch and batch."""
from ..engine.models.keras_models.event_callback import TensorBoard
from ..engine.models.keras_models.training_callbacks import (
    BaseLogger,
    Callback,
    CSVLogger,
    EarlyStopping,
    History,
    LambdaCallback,
    LearningRateScheduler,
    ModelCheckpoint,
    ProgbarLogger,
    ReduceLROnPlateau,
    TerminateOnNaN,
)

__all__ = [
    "BaseLogger", "CSVLogger", "Callback", "EarlyStopping", "History", "LambdaCallback",
    "LearningRateScheduler", "ModelCheckpoint", "ProgbarLogger", "ReduceLROnPlateau", "TensorBoard",
    "TerminateOnNaN",
]  # fmt: skip
