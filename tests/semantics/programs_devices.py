"""Devices: their names, merged blocks, and colocations."""

from harness import Failure, attempt, fresh, program


def parts(spec):
    return [spec.job, spec.replica, spec.task, spec.device_type, spec.device_index, spec.to_string()]


def placed(tf, *blocks, make=None):
    """The device of a constant made in those blocks, the first one outermost."""
    with tf.Graph().as_default():
        entered = [tf.device(b) for b in blocks]
        try:
            for block in entered:
                block.__enter__()
            return (make or (lambda: tf.constant(1.0, name="c")))().device
        finally:
            for block in reversed(entered):
                block.__exit__(None, None, None)


@program
def a_spec_of_its_parts(tf, np):
    spec = tf.DeviceSpec
    return [
        parts(spec()),
        parts(spec(job="ps")),
        parts(spec("ps", 1, 2, "GPU", 3)),
        parts(spec(task=5, device_type="cpu")),
        parts(spec(device_type="gpu", device_index="2")),
        parts(spec(device_type="TPU", device_index=0)),
        parts(spec(device_index=1)),
        parts(spec(job=3, task="4")),
        attempt(lambda: spec(task="x")),
        attempt(lambda: spec(replica=[])),
        attempt(lambda: spec(nonsense=1)).classes,
    ]


@program
def specs_read_from_text(tf, np):
    texts = [
        "", "/", "/cpu:0", "/CPU:1", "/gpu:*", "/gpu", "cpu", "/device:GPU:0", "/device:gpu:1", "/device:TPU:*", "/job:ps",
        "/job:ps/replica:1/task:2/device:CPU:3", "/job:ps/task:0/cpu:0", "/task:1/job:a", "job:b/task:2", "//cpu:0//",
        "/device:XLA_CPU:0", "/job:a/job:b", "/nonsense:1", "/job", "/job:a:b",
        "/task:x", "/cpu:x", "/device:CPU", "/device:CPU:x", "/device", "/replica:-1", "/Job:a", "/job:A b",
    ]  # fmt: skip
    return [[t, attempt(lambda t=t: parts(tf.DeviceSpec.from_string(t)))] for t in texts]


@program
def a_spec_can_be_changed(tf, np):
    spec = tf.DeviceSpec(job="a")
    steps = [parts(spec)]
    spec.job = "b"
    steps.append(parts(spec))
    spec.task = "3"
    steps.append(parts(spec))
    spec.device_type = "cpu"
    spec.device_index = 1
    spec.replica = 0
    steps.append(parts(spec))
    spec.device_index = None
    spec.job = None
    steps.append(parts(spec))
    return [steps, attempt(lambda: setattr(spec, "task", "x"))]


@program
def parsing_into_a_spec_forgets_what_it_was(tf, np):
    spec = tf.DeviceSpec(job="a", task=1)
    same = spec.parse_from_string("/replica:2/gpu:1")
    return [same is spec, parts(spec), attempt(lambda: spec.parse_from_string("/what:1")), parts(spec)]


@program
def specs_merge(tf, np):
    def merged(a, b):
        one, other = tf.DeviceSpec.from_string(a), tf.DeviceSpec.from_string(b)
        new = one.make_merged_spec(other)
        answer = one.merge_from(other)
        return [parts(new), parts(one), answer, parts(other), new is one]

    return [
        merged("", "/cpu:0"),
        merged("/job:a", "/job:b/task:1"),
        merged("/job:a/cpu:1", "/gpu:*"),
        merged("/gpu:2", "/device:CPU:0"),
        merged("/job:a/replica:1/task:2/cpu:3", ""),
    ]


@program
def specs_replace(tf, np):
    spec = tf.DeviceSpec(job="a", device_type="CPU", device_index=1)
    return [
        parts(spec.replace(job="b")),
        parts(spec.replace(device_type="gpu", device_index=None)),
        parts(spec.replace()),
        spec.replace() is spec,
        parts(spec),
        attempt(lambda: spec.replace(nothing=1)).classes,
    ]


@program
def specs_compare(tf, np):
    a, b = tf.DeviceSpec.from_string("/cpu:0"), tf.DeviceSpec(device_type="CPU", device_index=0)
    before = [a == b, hash(a) == hash(b), a != b, a == "/device:CPU:0", a == tf.DeviceSpec(), len({a, b})]
    b.task = 1
    return [before, a == b, hash(a) == hash(b)]


@program
def blocks_merge_field_by_field(tf, np):
    return [
        placed(tf, "/job:w", "/task:1"),
        placed(tf, "/job:w/task:1/gpu:0", "/cpu:1"),
        placed(tf, "/gpu:0", "/job:ps"),
        placed(tf, "/job:a/replica:0", "/replica:3/device:GPU:2"),
        placed(tf, "/gpu:1", "/device:CPU:*"),
        placed(tf, "/gpu:1", "/cpu"),
        placed(tf, "/job:a", "", "/task:1"),
        placed(tf, "/job:a", "/"),
    ]


@program
def none_ignores_what_is_outside(tf, np):
    return [
        placed(tf, "/job:a", None),
        placed(tf, "/job:a", None, "/cpu:0"),
        placed(tf, "/job:a", None, "/cpu:0", None),
        placed(tf, lambda op: "/gpu:0", None),
        placed(tf, None, "/cpu:0"),
        placed(tf, lambda op: "/gpu:0", None, lambda op: "/cpu:1"),
    ]


@program
def a_block_takes_a_spec(tf, np):
    spec = tf.DeviceSpec(job="w", device_type="GPU", device_index=1)
    late = tf.DeviceSpec(job="w")
    with tf.Graph().as_default(), tf.device(late):
        late.task = 7
        changed = tf.constant(1.0).device
    return [placed(tf, spec), placed(tf, spec, "/task:2"), placed(tf, "/cpu:0", spec), placed(tf, tf.DeviceSpec()), changed]


@program
def functions_see_the_operation(tf, np):
    seen = []

    def choose(op):
        seen.append([op.type, op.name, op.device, len(op.inputs)])
        return "/gpu:0" if op.type == "Add" else "/cpu:0"

    with tf.device(choose):
        a = tf.constant(1.0, name="a")
        b = tf.constant(2.0, name="b")
        c = tf.add(a, b, name="c")
    return [[t.device for t in (a, b, c)], seen]


@program
def functions_are_asked_innermost_first(tf, np):
    order = []

    def say(name, answer):
        def choose(op):
            order.append([name, op.device])
            return answer

        return choose

    return [
        placed(tf, say("outer", "/job:o"), say("inner", "/task:1")),
        placed(tf, say("outer", "/job:o/gpu:0"), "/cpu:0"),
        placed(tf, "/job:s", say("inner", "/task:1")),
        placed(tf, "/job:s", say("empty", "")),
        placed(tf, say("outer", ""), "/cpu:1"),
        order,
    ]


@program
def what_a_function_may_answer(tf, np):
    def with_answer(answer):
        return attempt(lambda: placed(tf, lambda op: answer))

    return [
        with_answer(tf.DeviceSpec(job="j")),
        with_answer("/job:x/task:1/device:CPU:0"),
        with_answer(None),
        with_answer(""),
    ]


@program
def a_function_may_merge_by_itself(tf, np):
    def onto_ps(op):
        spec = tf.DeviceSpec.from_string(op.device or "")
        base = tf.DeviceSpec(job="ps", task=3)
        return base.make_merged_spec(spec).to_string()

    return [placed(tf, onto_ps), placed(tf, onto_ps, "/cpu:1"), placed(tf, onto_ps, "/task:9")]


@program
def names_that_are_none(tf, np):
    return [attempt(lambda t=t: placed(tf, t)) for t in ("/what:0", "nonsense", "/cpu:x", "/job:a/what")]


@program
def a_failed_block_leaves_nothing(tf, np):
    with tf.device("/job:a"):
        attempt(lambda: tf.device("/what:0").__enter__())
        inside = tf.constant(1.0).device
    return [inside, tf.constant(1.0).device]


@program
def blocks_belong_to_a_graph(tf, np):
    g = tf.Graph()
    with tf.device("/cpu:0"):
        here = tf.constant(1.0)
        with g.as_default():
            there = tf.constant(1.0)
            with g.device("/gpu:0"):
                inside = tf.constant(1.0)
    with g.device("/job:x"):
        outside = tf.constant(1.0)
    return [t.device for t in (here, there, inside, outside)]


@program
def an_operation_keeps_its_device(tf, np):
    with tf.device("/cpu:0"):
        a = tf.constant(1.0, name="a")
    b = tf.identity(a)
    a.op._set_device("/job:w/gpu:1")
    made = [a.device, a.op.device, b.device]
    b.op._set_device(tf.DeviceSpec(task=2))
    return [made, b.device]


@program
def devices_of_variables(tf, np):
    with tf.device("/gpu:0"):
        v = tf.Variable(1.0, name="v")
        r = tf.Variable(1.0, name="r", use_resource=True)
    with tf.device("/cpu:0"):
        v.assign_add(1.0, name="bump")
        r.assign_add(1.0, name="rbump")
        v + 1.0
    return [[op.name, op.device] for op in tf.get_default_graph().get_operations()]


def located(op):
    return [op.name, op.device, [g.decode() for g in op.colocation_groups()]]


@program
def colocation_is_flattened_and_sorted(tf, np):
    z, a, m = (tf.constant(1.0, name=n) for n in "zam")
    with tf.colocate_with(z), tf.colocate_with(a):
        both = tf.constant(1.0, name="both")
        with tf.colocate_with(m):
            three = tf.constant(1.0, name="three")
    with tf.colocate_with(three):
        follows = tf.constant(1.0, name="follows")
    with tf.colocate_with(both), tf.colocate_with(m):
        again = tf.constant(1.0, name="again")
    with tf.colocate_with(a), tf.colocate_with(a):
        once = tf.constant(1.0, name="once")
    return [located(t.op) for t in (z, a, m, both, three, follows, again, once)]


@program
def colocation_and_devices(tf, np):
    with tf.device("/gpu:1"):
        a = tf.constant(1.0, name="a")
    b = tf.constant(1.0, name="b")
    made = []
    with tf.device("/job:w"):
        with tf.colocate_with(a):
            made.append(tf.constant(1.0, name="c"))
            with tf.device("/cpu:0"):
                made.append(tf.constant(1.0, name="d"))
            with tf.colocate_with(b):
                made.append(tf.constant(1.0, name="e"))
        with tf.colocate_with(b):
            made.append(tf.constant(1.0, name="f"))
        with tf.colocate_with(None, ignore_existing=True):
            made.append(tf.constant(1.0, name="g"))
        made.append(tf.constant(1.0, name="h"))
    return [located(t.op) for t in made]


@program
def colocation_with_variables(tf, np):
    with tf.device("/cpu:0"):
        v = tf.Variable(1.0, name="v")
        r = tf.Variable(1.0, name="r", use_resource=True)
    with tf.colocate_with(v):
        a = tf.constant(1.0, name="a")
    with tf.colocate_with(r):
        b = tf.constant(1.0, name="b")
    with tf.colocate_with(v.op):
        c = tf.constant(1.0, name="c")
    return [located(t.op) for t in (a, b, c)]


@program
def colocation_attribute(tf, np):
    a = tf.constant(1.0, name="a")
    with tf.colocate_with(a):
        b = tf.constant(1.0, name="b")
    return [
        b.op.get_attr("_class"),
        attempt(lambda: a.op.get_attr("_class")),
        a.op.colocation_groups(),
        b.op.colocation_groups(),
    ]


@program
def what_can_be_colocated_with(tf, np):
    tf.constant(1.0, name="a")

    def with_(op, **more):
        def make():
            with tf.colocate_with(op, **more):
                return located(tf.constant(1.0, name="n").op)

        return attempt(make)

    with tf.Graph().as_default():
        foreign = tf.constant(1.0, name="foreign")
    return [with_("a"), with_("a:0"), with_(3), with_(None), with_(None, ignore_existing=True), with_("nothing"),
        attempt(lambda: with_(foreign))]


@program
def colocation_keeps_dependencies(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(1.0, name="b")
    with tf.control_dependencies([b]), tf.colocate_with(a):
        c = tf.constant(1.0, name="c")
    return [[x.name for x in c.op.control_inputs], located(c.op)]


@program
def devices_in_a_session(tf, np):
    with tf.Session() as sess:
        found = sess.list_devices()
        first = found[0]
        return [first.name, first.device_type, first.memory_limit_bytes > 0, type(first.name).__name__]


@program
def blocks_left_in_the_wrong_order(tf, np):
    def left(outer, inner, seen):
        outer.__enter__()
        inner.__enter__()
        steps = []
        for block in (outer, inner):
            failed = attempt(lambda b=block: b.__exit__(None, None, None) and None)
            steps.append([failed.classes[0] if isinstance(failed, Failure) else None, seen()])
        return steps

    def of_devices():
        return left(tf.device("/cpu:0"), tf.device("/gpu:1"), lambda: tf.constant(1.0).device)

    def of_control_inputs():
        x, y = tf.constant(1.0, name="x"), tf.constant(1.0, name="y")
        blocks = tf.control_dependencies([x]), tf.control_dependencies([y])
        return left(*blocks, lambda: sorted(op.name for op in tf.constant(1.0).op.control_inputs))

    def message():
        outer, inner = tf.device("/cpu:0"), tf.device("/gpu:1")
        outer.__enter__()
        inner.__enter__()
        outer.__exit__(None, None, None)

    return [fresh(tf, f) for f in (of_devices, of_control_inputs, message)]
