"""Control flow under TensorFlow's other names: `tf.contrib.framework.smart_cond`, `tensorflow.python.ops.control_flow_ops`."""

from ...engine.lib.control.contexts import CondContext, ControlFlowContext, WhileContext
from ...engine.lib.control.grouping import with_dependencies
from ...engine.lib.control.primitives import merge, switch
from ...engine.lib.control.smart_cond import smart_case, smart_cond, smart_constant_value
from ...engine.lib.control.tensor_array import build_ta_with_new_flow

__all__ = [
    "CondContext", "ControlFlowContext", "WhileContext", "build_ta_with_new_flow", "merge", "smart_case",
    "smart_cond", "smart_constant_value", "switch", "with_dependencies",
]  # fmt: skip
