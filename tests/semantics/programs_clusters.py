"""Parameter servers by name: the devices that `replica_device_setter` gives to variables and to other nodes."""

from harness import attempt, program


def devices(tf):
    return [[op.name, op.device] for op in tf.get_default_graph().get_operations()]


@program
def variables_go_round_the_servers(tf, np):
    with tf.device(tf.train.replica_device_setter(ps_tasks=2)):
        for name in "abc":
            tf.Variable(1.0, name=name)
        tf.Variable(1.0, name="r", use_resource=True)
        tf.square(tf.constant(2.0, name="c"), name="s")
    return devices(tf)


@program
def a_cluster_tells_the_number_of_servers(tf, np):
    cluster = tf.train.ClusterSpec({"ps": ["p0:1", "p1:1"], "worker": ["w0:1"]})
    made = tf.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:7")
    with tf.device(made):
        tf.Variable(1.0, name="a")
        tf.Variable(1.0, name="b")
    with tf.device(tf.train.replica_device_setter(cluster={"ps": ["p0:1"]})):
        tf.Variable(1.0, name="c")
    return devices(tf)


@program
def without_servers_there_is_no_function(tf, np):
    f = tf.train.replica_device_setter
    return [f(), f(ps_tasks=0), f(cluster=tf.train.ClusterSpec({"worker": ["w:1"]})), attempt(lambda: f(cluster=3)).classes[0],
        attempt(lambda: f(ps_tasks=1, ps_strategy=3))]


@program
def inner_devices_win(tf, np):
    with tf.device(tf.train.replica_device_setter(ps_tasks=2)):
        with tf.device("/gpu:1"):
            tf.Variable(1.0, name="a")
        with tf.device("/job:other"):
            tf.Variable(1.0, name="b")
        with tf.device("/job:ps/task:1"):
            tf.Variable(1.0, name="c")
        tf.Variable(1.0, name="d")
    return devices(tf)


@program
def other_devices_ops_and_strategies(tf, np):
    seen = []

    def always_three(op):
        seen.append(op.name)
        return 3

    setter = tf.train.replica_device_setter(
        ps_tasks=5, ps_device="/job:store", worker_device="/job:w/task:1/gpu:0", ps_ops=["Const"], ps_strategy=always_three)
    with tf.device(setter):
        tf.Variable(1.0, name="a")
    with tf.device(tf.train.replica_device_setter(ps_tasks=1, ps_device="/device:CPU:0", worker_device="")):
        tf.Variable(1.0, name="b")
    return [devices(tf), seen]


@program
def clusters_name_their_tasks(tf, np):
    c = tf.train.ClusterSpec({"ps": ["p0:1", "p1:1"], "worker": {1: "w1:1", 3: "w3:1"}, "none": []})
    return [
        sorted(c.jobs), c.num_tasks("ps"), c.num_tasks("worker"), c.task_indices("worker"), c.task_address("worker", 3),
        c.job_tasks("worker"),
        c.job_tasks("ps"), c.as_dict(), bool(c), bool(tf.train.ClusterSpec({})),
        str(tf.train.ClusterSpec({"b": ["x:1"], "a": ["y:1"]})),
        c == tf.train.ClusterSpec(c), c == tf.train.ClusterSpec({}),
    ]  # fmt: skip


@program
def clusters_refused(tf, np):
    make = tf.train.ClusterSpec
    c = make({"ps": ["p0:1"]})
    return [attempt(f) for f in (
        lambda: make(3), lambda: make({"a": 3}), lambda: make({"a": [3]}),
        lambda: c.num_tasks("no"),
        lambda: c.task_address("ps", 4), lambda: c.task_indices("no"), lambda: c.job_tasks("no"),
    )]  # fmt: skip
