"""`tf.keras.wrappers.scikit_learn`: Keras models with the methods that scikit-learn calls."""
from ...engine.models.keras_models.scikit_learn_estimators import KerasClassifier, KerasRegressor

__all__ = [
    "KerasClassifier", "KerasRegressor",
]  # fmt: skip
