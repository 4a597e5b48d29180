import tensorflow as tf
from tensorflow.python.framework import ops

ops.reset_default_graph()
with tf.name_scope("inputs"):
    a = tf.constant([1.0, 2.0], name="a")
    b = tf.placeholder(tf.float32, shape=(2,), name="b")
with tf.control_dependencies([a]):
    c = tf.identity(b, name="c")
graph = tf.get_default_graph()
for op in graph.get_operations():
    print(op.name, op.type, [str(i.name) for i in op.inputs], [d.name for d in op.control_inputs])
print(graph.get_tensor_by_name("inputs/a:0") is a, ops.get_default_graph() is graph)
g = tf.Graph()
with g.as_default():
    d = tf.constant(1)
print(d.graph is g, tf.get_default_graph() is g)
print(ops.convert_to_tensor([1, 2]).dtype, isinstance(graph, ops.Graph))
