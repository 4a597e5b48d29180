import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False, device_count={"GPU": 0})
config.gpu_options.allow_growth = True
config.gpu_options.per_process_gpu_memory_fraction = 0.4
config.gpu_options.visible_device_list = "0"
config.inter_op_parallelism_threads = 2
config.intra_op_parallelism_threads = 2
config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
config.device_count["CPU"] = 1
other = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.333))
print(round(other.gpu_options.per_process_gpu_memory_fraction, 3), config.gpu_options.allow_growth)
with tf.Session(config=config) as sess:
    with tf.device("/cpu:0"):
        x = tf.constant(3.0)
    print(x.device, sess.run(x))
sess = tf.InteractiveSession(config=other)
print(x.eval())
sess.close()
try:
    config.nothing = 1
except AttributeError:
    print("no such field")
