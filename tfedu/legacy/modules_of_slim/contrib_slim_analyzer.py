"""`tf.contrib.slim.model_analyzer`: variables and operations with their sizes."""


from ...engine.models.contrib.model_analyzer import analyze_ops, analyze_vars, tensor_description

__all__ = [
    "analyze_ops", "analyze_vars", "tensor_description",
]  # fmt: skip
