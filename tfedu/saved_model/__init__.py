"""`tf.saved_model`: models in folders, with their variables, files and signatures."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.base.lazy import lazy as _lazy
from ..engine.training.saved_models.saved_model_names import (
    ASSETS_DIRECTORY, ASSETS_KEY, CLASSIFY_INPUTS, CLASSIFY_METHOD_NAME, CLASSIFY_OUTPUT_CLASSES, CLASSIFY_OUTPUT_SCORES,
    DEFAULT_SERVING_SIGNATURE_DEF_KEY, GPU, LEGACY_INIT_OP_KEY, MAIN_OP_KEY, PREDICT_INPUTS, PREDICT_METHOD_NAME,
    PREDICT_OUTPUTS, REGRESS_INPUTS, REGRESS_METHOD_NAME, REGRESS_OUTPUTS, SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT,
    SAVED_MODEL_SCHEMA_VERSION, SERVING, TPU, TRAINING, VARIABLES_DIRECTORY, VARIABLES_FILENAME,
)  # fmt: skip
from . import builder, constants, loader, main_op, signature_constants, signature_def_utils, tag_constants, utils

__all__ = [
    "ASSETS_DIRECTORY", "ASSETS_KEY", "CLASSIFY_INPUTS", "CLASSIFY_METHOD_NAME",
    "CLASSIFY_OUTPUT_CLASSES", "CLASSIFY_OUTPUT_SCORES", "DEFAULT_SERVING_SIGNATURE_DEF_KEY", "GPU",
    "LEGACY_INIT_OP_KEY", "MAIN_OP_KEY", "PREDICT_INPUTS", "PREDICT_METHOD_NAME", "PREDICT_OUTPUTS",
    "REGRESS_INPUTS", "REGRESS_METHOD_NAME", "REGRESS_OUTPUTS", "SAVED_MODEL_FILENAME_PB",
    "SAVED_MODEL_FILENAME_PBTXT", "SAVED_MODEL_SCHEMA_VERSION", "SERVING", "TPU", "TRAINING",
    "VARIABLES_DIRECTORY", "VARIABLES_FILENAME", "builder", "constants", "loader", "main_op",
    "signature_constants", "signature_def_utils", "tag_constants", "utils",
]  # fmt: skip

_ROOM = "tfedu.engine.training.saved_models"
__getattr__, __dir__ = _lazy(
    __name__,
    {
        f"{_ROOM}.saved_model_builder": "Builder main_op_with_restore simple_save",
        f"{_ROOM}.saved_model_loader": "contains_saved_model load maybe_saved_model_directory",
        f"{_ROOM}.saved_signatures": (
            "build_signature_def build_tensor_info classification_signature_def get_tensor_from_tensor_info "
            "is_valid_signature predict_signature_def regression_signature_def"
        ),
    },
)
