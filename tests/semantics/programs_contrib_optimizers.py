"""tf.contrib.opt: further optimizers, weight decay beside the gradient, wrappers, SciPy's algorithms."""

from harness import attempt, fresh, node_line, program, signature_text

NAMES = (
    "AdaMaxOptimizer", "AdamWOptimizer", "AddSignOptimizer", "DecoupledWeightDecayExtension", "ExternalOptimizerInterface",
    "LARSOptimizer", "LazyAdamOptimizer", "MomentumWOptimizer", "MultitaskOptimizerWrapper", "NadamOptimizer",
    "PowerSignOptimizer", "RegAdagradOptimizer", "ScipyOptimizerInterface", "VariableClippingOptimizer",
)  # fmt: skip
OPTIMIZERS = {
    "PowerSign": lambda o, tf: o.PowerSignOptimizer(0.1),
    "PowerSign that decays": lambda o, tf: o.PowerSignOptimizer(0.1, 2.0, sign_decay_fn=lambda s: 1.0 / (tf.cast(s, tf.float32) + 2.0)),
    "AddSign": lambda o, tf: o.AddSignOptimizer(0.1, 1.5),
    "AdaMax": lambda o, tf: o.AdaMaxOptimizer(0.1),
    "Nadam": lambda o, tf: o.NadamOptimizer(0.1),
    "LazyAdam": lambda o, tf: o.LazyAdamOptimizer(0.1),
    "AdamW": lambda o, tf: o.AdamWOptimizer(0.01, 0.1),
    "MomentumW": lambda o, tf: o.MomentumWOptimizer(0.01, 0.1, 0.9, use_nesterov=True),
    "extended": lambda o, tf: o.extend_with_decoupled_weight_decay(tf.train.GradientDescentOptimizer)(0.01, learning_rate=0.1),
    "LARS": lambda o, tf: o.LARSOptimizer(0.1),
    "LARS by Nesterov": lambda o, tf: o.LARSOptimizer(0.1, use_nesterov=True, eeta=0.5),
    "LARS that skips": lambda o, tf: o.LARSOptimizer(0.1, skip_list=["v"]),
    "RegAdagrad": lambda o, tf: o.RegAdagradOptimizer(0.1),
}
WITH_NODES = ("AdaMax", "Nadam", "AdamW", "MomentumW", "RegAdagrad")


def variables(tf, resource):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v", use_resource=resource)
    return v, tf.train.get_or_create_global_step()


def gradient_of(tf, v, rows):
    values = tf.constant([[0.5, -1.0], [2.0, 0.25]])
    return tf.IndexedSlices(values, tf.constant([1, 1]), tf.constant([2, 2])) if rows else values


def trained(tf, make, resource, rows, graph=False):
    def one():
        v, step = variables(tf, resource)
        gradient = gradient_of(tf, v, rows)
        optimizer = make(tf.contrib.opt, tf)
        since = len(tf.get_default_graph().get_operations())
        train = optimizer.apply_gradients([(gradient, v)], global_step=step)
        nodes = [node_line(op) for op in tf.get_default_graph().get_operations()[since:]] if graph else []
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                session.run(train)
            names = [variable.name for variable in tf.global_variables()]
            slots = {name: session.run(optimizer.get_slot(v, name)) for name in optimizer.get_slot_names()}
            return [session.run(v), session.run(step), names, sorted(slots.items()), nodes]

    return fresh(tf, one)


@program
def signatures(tf, np):
    o = tf.contrib.opt
    return [
        [[name, signature_text(getattr(o, name).__init__)] for name in NAMES],
        [signature_text(o.clip_gradients_by_global_norm), signature_text(o.extend_with_decoupled_weight_decay)],
        [signature_text(o.AdamWOptimizer.minimize), signature_text(o.AdamWOptimizer.apply_gradients)],
        signature_text(o.ScipyOptimizerInterface.minimize),
    ]


@program
def steps(tf, np):
    return [
        [trained(tf, make, resource, False, label in WITH_NODES) for resource in (False, True)]
        for label, make in OPTIMIZERS.items()
    ]


@program
def steps_of_rows(tf, np):
    # 1.15 refuses rows of resource variables for the first three
    return [
        [trained(tf, make, resource, True) for resource in ((False,) if "Sign" in label else (False, True))]
        for label, make in OPTIMIZERS.items()
    ]


@program
def some_variables_decay(tf, np):
    def one():
        v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable([3.0], name="w")
        loss = tf.reduce_sum(v) + tf.reduce_sum(w)
        optimizer = tf.contrib.opt.AdamWOptimizer(0.5, 0.1)
        first = optimizer.apply_gradients(optimizer.compute_gradients(loss), decay_var_list=[v])
        second = optimizer.apply_gradients(optimizer.compute_gradients(loss), decay_var_list=[w])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(first)
            values = session.run([v, w])
            session.run(second)
            return [values, session.run([v, w])]

    return fresh(tf, one)


@program
def slots_that_stay(tf, np):
    def one():
        v = tf.Variable([1.0, 2.0])
        optimizer = tf.contrib.opt.RegAdagradOptimizer(0.1)
        step = optimizer.minimize(tf.reduce_sum(v * [1.0, 3.0]))
        with optimizer.avoid_updating_slots():
            other = optimizer.minimize(tf.reduce_sum(v * [2.0, 5.0]))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
            first = session.run([v, optimizer.get_slot(v, "accumulator")])
            session.run(other)
            return [first, session.run([v, optimizer.get_slot(v, "accumulator")])]

    return fresh(tf, one)


@program
def clipped_variables(tf, np):
    def of(resource, rows):
        def one():
            v, step = variables(tf, resource)
            optimizer = tf.contrib.opt.VariableClippingOptimizer(tf.train.MomentumOptimizer(0.1, 0.5), {v: [1]}, 0.5)
            train = optimizer.apply_gradients([(gradient_of(tf, v, rows), v)], global_step=step)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for _ in range(2):
                    session.run(train)
                return [session.run(v), session.run(step), optimizer.get_slot_names(), train.name]

        return fresh(tf, one)

    return [of(resource, rows) for resource in (False, True) for rows in (False, True)]


@program
def tasks(tf, np):
    """A variable whose whole gradient is 0 keeps its momentum."""

    def of(gradient, wrapped):
        def one():
            v = tf.Variable([1.0, 2.0], name="v")
            optimizer = tf.train.MomentumOptimizer(0.1, 0.5)
            optimizer = tf.contrib.opt.MultitaskOptimizerWrapper(optimizer) if wrapped else optimizer
            first = optimizer.apply_gradients([(tf.constant([1.0, 1.0]), v)])
            second = optimizer.apply_gradients([(tf.constant(gradient), v)])
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                session.run(first)
                session.run(second)
                return [session.run(v), session.run(optimizer.get_slot(v, "momentum"))]

        return fresh(tf, one)

    return [of(g, wrapped) for g in ([0.0, 0.0], [0.0, 1.0]) for wrapped in (False, True)]


@program
def by_scipy(tf, np):
    def run(make, feed=None):
        def one():
            v = tf.Variable([7.0, 7.0], name="v")
            w = tf.Variable(3.0, name="w")
            seen = []
            interface = make(v, w)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                interface.minimize(
                    session, feed_dict=feed, fetches=[w], loss_callback=lambda value: seen.append(value), step_callback=None
                )
                values = session.run([v, w])
            return [[np.round(value.astype(np.float64), 2).tolist() for value in values], len(seen) > 1]

        return fresh(tf, one)

    def loss(v, w):
        return tf.reduce_sum(tf.square(v - [1.0, -2.0])) + tf.square(w - v[0])

    o = tf.contrib.opt
    return [
        run(lambda v, w: o.ScipyOptimizerInterface(loss(v, w), options={"maxiter": 100})),
        run(lambda v, w: o.ScipyOptimizerInterface(loss(v, w), var_list=[v], method="CG")),
        run(lambda v, w: o.ScipyOptimizerInterface(loss(v, w), var_to_bounds={v: ([2.0, -1.0], np.inf)})),
        run(lambda v, w: o.ScipyOptimizerInterface(
            loss(v, w), equalities=[v[0] + v[1]], inequalities=[w - 2.0], method="SLSQP"
        )),
        [
            fresh(tf, lambda call=call: call() and None)
            for call in (
                lambda: o.ExternalOptimizerInterface(tf.reduce_sum(tf.Variable([1.0]))).minimize(tf.Session()),
                lambda: o.MultitaskOptimizerWrapper(5),
                lambda: o.LARSOptimizer(0.1, momentum=-1.0),
            )
        ],
    ]  # fmt: skip


@program
def wrong_arguments_of_scipy(tf, np):
    def refused(**options):
        def one():
            v = tf.Variable([1.0])
            interface = tf.contrib.opt.ScipyOptimizerInterface(tf.reduce_sum(v * v), **options)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                return attempt(lambda: interface.minimize(session))

        return fresh(tf, one)

    return [refused(bounds=[(0, 1)]), refused(jac=False), refused(constraints=[])]
