"""oracle: no"""
import tensorflow as tf
from tensorflow.contrib.framework import nest as contrib_nest
from tensorflow.contrib.framework.python.ops import arg_scope
from tensorflow.contrib.util import make_tensor_proto
from tensorflow.core.framework import graph_pb2
from tensorflow.python.client import device_lib
from tensorflow.python.framework import constant_op, dtypes, tensor_shape, tensor_util
from tensorflow.python.lib.io import file_io
from tensorflow.python.ops import array_ops, control_flow_ops, gradients, math_ops, standard_ops, variables
from tensorflow.python.ops import variable_scope as vs
from tensorflow.python.platform import gfile, tf_logging
from tensorflow.python.platform.test import TestCase
from tensorflow.python.training.moving_averages import assign_moving_average
from tensorflow.python.util import compat, nest

x = constant_op.constant([[1.0, 2.0]], dtype=dtypes.float32)
y = math_ops.reduce_sum(array_ops.reshape(x, [2]))
z = control_flow_ops.cond(math_ops.equal(y, 3.0), lambda: y, lambda: -y)
v = variables.Variable(0.0)
moved = assign_moving_average(v, 1.0, 0.5)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(float(sess.run(y)), float(sess.run(z)), float(sess.run(moved)))
print(tensor_shape.scalar(), tensor_shape.TensorShape([1, None]), tensor_util.constant_value(x))
print([d.name for d in device_lib.list_local_devices()], compat.as_bytes("a"), nest.flatten([1, [2]]), contrib_nest.is_sequence([1]))
print(gfile.Exists("/"), file_io.file_exists("/"), tf_logging.INFO, issubclass(TestCase, tf.test.TestCase))
print(len(make_tensor_proto([1, 2]).tensor_content), len(graph_pb2.GraphDef().node))
print(callable(arg_scope), callable(gradients.gradients), vs.get_variable_scope().name == "", callable(vs.variable_scope))
print(x._shape, x._rank(), vs.variable(1.0, name="w"), standard_ops.multiply(2, 3).op.type)
