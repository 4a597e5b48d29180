"""Bad calls of functions that train, save and log: the class and the first line of each error."""

import functools
import os

from harness import attempt, fresh, in_folder, program


def refused(tf, calls):
    """What each call does, in a graph of its own."""
    return {name: fresh(tf, call) for name, call in calls.items()}


def in_its_folder(f):
    """The program f(tf, np, folder)."""

    @functools.wraps(f)
    def run(tf, np):
        return in_folder(lambda folder: f(tf, np, folder))

    return run


@program
def gradients(tf, np):
    x = lambda: tf.constant([1.0, 2.0])

    def pair():
        a = x()
        return a, a * 2.0

    return refused(tf, {
        "nothing": lambda: tf.gradients([], []),
        "no xs": lambda: tf.gradients(x() * 2.0, []),
        "a number": lambda: tf.gradients(1.0, x()),
        "a name": lambda: tf.gradients("y", x()),
        "of integers": lambda: tf.gradients(tf.constant(1) * 2, tf.constant(1)),
        "of text": lambda: tf.gradients(tf.constant("a"), x()),
        "unconnected": lambda: tf.gradients(x() * 2.0, x()),
        "grad_ys too many": lambda: (lambda a, y: tf.gradients(y, a, grad_ys=[x(), x()]))(*pair()),
        "grad_ys of integers": lambda: (lambda a, y: tf.gradients(y, a, grad_ys=[tf.constant([1, 2])]))(*pair()),
        "no such aggregation": lambda: (lambda a: tf.gradients([a * 2.0, a * 3.0], a, aggregation_method=17))(x()),
        "unconnected word": lambda: (lambda a, y: tf.gradients(y, a, unconnected_gradients="nope"))(*pair()),
        "stop at a number": lambda: (lambda a, y: tf.gradients(y, a, stop_gradients=[1.0]))(*pair()),
        "stop at a tensor": lambda: (lambda a, y: tf.gradients(y, a, stop_gradients=a))(*pair()),
        "an x in a list in a list": lambda: (lambda a, y: tf.gradients(y, [[a]]))(*pair()),
        "an x in a tuple in a list": lambda: (lambda a, y: tf.gradients(y, [(a, a)]))(*pair()),
        "not differentiable": lambda: (lambda a: tf.gradients(tf.floor(a), a))(x()),
        "no gradient written": lambda: (lambda a: tf.gradients(tf.nn.top_k(a, 1).indices, a))(x()),
        "stop_gradient of nothing": lambda: tf.stop_gradient(None),
        "custom without pair": lambda: tf.custom_gradient(lambda a: a)(x()),
        "register twice": lambda: [tf.RegisterGradient("MatMul")(lambda op, g: g)],
        "register a number": lambda: tf.RegisterGradient(3),
        "not differentiable number": lambda: tf.NotDifferentiable(3),
        "override with a list": lambda: tf.get_default_graph().gradient_override_map([1]).__enter__(),
        "override with a number": lambda: tf.get_default_graph().gradient_override_map({"Exp": 3}).__enter__(),
        "override a number": lambda: tf.get_default_graph().gradient_override_map({3: "Exp"}).__enter__(),
        "overridden by nobody": overridden(tf),
    })  # fmt: skip


def overridden(tf):
    def call():
        a = tf.constant([1.0, 2.0])
        with tf.get_default_graph().gradient_override_map({"Exp": "NobodyWroteThis"}):
            y = tf.exp(a)
        return tf.gradients(y, a)

    return call


OPTIMIZERS = {
    "GradientDescentOptimizer": (0.1,),
    "MomentumOptimizer": (0.1, 0.9),
    "AdamOptimizer": (),
    "AdagradOptimizer": (0.1,),
    "AdadeltaOptimizer": (),
    "RMSPropOptimizer": (0.1,),
    "FtrlOptimizer": (0.1,),
    "ProximalGradientDescentOptimizer": (0.1,),
    "ProximalAdagradOptimizer": (0.1,),
}


@program
def optimizers(tf, np):
    found = {}
    for name, arguments in OPTIMIZERS.items():
        make = functools.partial(getattr(tf.train, name), *arguments)

        def minimize(make=make, loss=lambda v: v * v, **options):
            return make().minimize(loss(tf.Variable([1.0, 2.0], name="v")), **options)

        found[name] = refused(tf, {
            "loss None": lambda make=make: [tf.Variable(1.0), make().minimize(None)],
            "loss a number": lambda make=make: [tf.Variable(1.0), make().minimize(1.0)],
            "loss of integers": lambda m=minimize: m(loss=lambda v: tf.cast(v, tf.int32)),
            "var_list of tensors": lambda make=make: (lambda c: attempt(lambda: make().minimize(c * c, var_list=[c])).classes)(tf.constant(1.0)),
            "not connected": lambda m=minimize: m(loss=lambda v: tf.constant(1.0)),
            "name": lambda make=make: make(name=None),
            "steps": lambda m=minimize: attempt(lambda: m(global_step=3)).classes,
            "step of floats": lambda m=minimize: m(global_step=tf.Variable(1.0)).type,
            "slot": lambda make=make: make().get_slot(tf.Variable(1.0), "nothing"),
            "pairs": lambda make=make: make().apply_gradients(None),
            "a pair of one": lambda make=make: make().apply_gradients([(tf.constant(1.0),)]),
            "shape": lambda make=make: make().apply_gradients([(tf.ones([3]), tf.Variable([1.0, 2.0]))]),
            "dtype": lambda make=make: make().apply_gradients([(tf.ones([2], tf.float64), tf.Variable([1.0, 2.0]))]),
            "text": lambda make=make: make().apply_gradients([("text", tf.Variable([1.0, 2.0]))]),
        })  # fmt: skip
    t = tf.train
    found["rates"] = refused(tf, {
        "text": lambda: t.GradientDescentOptimizer("fast").minimize(tf.Variable(1.0) * 2.0),
        "vector": lambda: t.GradientDescentOptimizer([0.1, 0.2]).minimize(tf.Variable(1.0) * 2.0),
        "none": lambda: t.GradientDescentOptimizer(None).minimize(tf.Variable(1.0) * 2.0),
        "no momentum": lambda: t.MomentumOptimizer(0.1),
        "adagrad accumulator": lambda: t.AdagradOptimizer(0.1, -1.0),
        "proximal accumulator": lambda: t.ProximalAdagradOptimizer(0.1, 0.0),
        "da accumulator": lambda: t.AdagradDAOptimizer(0.1, tf.Variable(0, dtype=tf.int64), 0.0),
        "da no step": lambda: t.AdagradDAOptimizer(0.1),
        "ftrl accumulator": lambda: t.FtrlOptimizer(0.1, initial_accumulator_value=-1.0),
        "ftrl power": lambda: t.FtrlOptimizer(0.1, learning_rate_power=0.5),
        "ftrl l1": lambda: t.FtrlOptimizer(0.1, l1_regularization_strength=-1.0),
        "ftrl l2": lambda: t.FtrlOptimizer(0.1, l2_regularization_strength=-1.0),
        "ftrl shrinkage": lambda: t.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=-1.0),
        "average decay": lambda: t.ExponentialMovingAverage("much").apply([tf.Variable(1.0)]),
        "average of integers": lambda: t.ExponentialMovingAverage(0.5).apply([tf.Variable(1)]),
        "average of numbers": lambda: t.ExponentialMovingAverage(0.5).apply([1.0]),
        "average twice": lambda: (lambda a, v: [a.apply([v]), a.apply([v])])(t.ExponentialMovingAverage(0.5), tf.Variable(1.0)),
        "decay without step": lambda: t.exponential_decay(0.1, None, 10, 0.5),
        "polynomial without step": lambda: t.polynomial_decay(0.1, None, 10),
        "cosine without step": lambda: t.cosine_decay(0.1, None, 10),
        "inverse without step": lambda: t.inverse_time_decay(0.1, None, 10, 0.5),
        "natural without step": lambda: t.natural_exp_decay(0.1, None, 10, 0.5),
        "linear without step": lambda: t.linear_cosine_decay(0.1, None, 10),
        "restarts without step": lambda: t.cosine_decay_restarts(0.1, None, 10),
        "noisy without step": lambda: t.noisy_linear_cosine_decay(0.1, None, 10),
        "decay of text": lambda: t.exponential_decay("fast", tf.constant(1), 10, 0.5),
        "global step of text": lambda: t.assert_global_step("step"),
        "step of another graph": lambda: t.get_global_step(3),
    })  # fmt: skip
    return found


@program
@in_its_folder
def checkpoints(tf, np, folder):
    t = tf.train

    def here(name):
        return os.path.join(folder, name)

    with tf.Graph().as_default(), tf.Session() as session:
        tf.Variable([1.0, 2.0], name="w")
        tf.Variable([[1, 2]], name="n")
        session.run(tf.global_variables_initializer())
        t.Saver().save(session, here("m"))

    def restored(path, **variables):
        def call():
            for name, value in variables.items():
                tf.Variable(value, name=name)
            with tf.Session() as session:
                saver = t.Saver()
                session.run(tf.global_variables_initializer())
                return saver.restore(session, path)

        return call

    os.mkdir(here("empty"))
    with open(here("text.index"), "w") as file:
        file.write("no table at all, but as long as a table would be\n" * 4)
    with open(here("m.index"), "rb") as file:
        index = file.read()
    for name, content in (("short", index[:-9]), ("nothing", b""), ("alone", index)):
        with open(here(f"{name}.index"), "wb") as file:
            file.write(content)
    wrong = {
        "no such": here("gone"),
        "a folder": here("empty"),
        "text": here("text"),
        "short": here("short"),
        "nothing": here("nothing"),
        "without data": here("alone"),
        "the data": here("m.data-00000-of-00001"),
        "empty": "",
    }
    found = {}
    for name, path in wrong.items():
        found[name] = refused(tf, {
            "restore": restored(path, w=[0.0, 0.0]),
            "exists": lambda path=path: t.checkpoint_exists(path),
            "latest": lambda path=path: t.latest_checkpoint(path),
            "state": lambda path=path: t.get_checkpoint_state(path),
            "reader": lambda path=path: sorted(t.NewCheckpointReader(path).get_variable_to_shape_map().items()),
            "tensor": lambda path=path: t.load_variable(path, "w"),
            "list": lambda path=path: t.list_variables(path),
            "init": lambda path=path: t.init_from_checkpoint(path, {"/": "/"}),
            "meta": lambda path=path: os.path.isfile(path) or t.import_meta_graph(path),
        })  # fmt: skip
    found["restored"] = refused(tf, {
        "another shape": restored(here("m"), w=[1.0, 2.0, 3.0]),
        "another rank": restored(here("m"), w=1.0),
        "another dtype": restored(here("m"), n=[[1.0, 2.0]]),
        "another name": restored(here("m"), v=[1.0, 2.0]),
        "None": restored(None, w=[1.0, 2.0]),
        "a number": restored(3, w=[1.0, 2.0]),
    })  # fmt: skip
    found["readers"] = refused(tf, {
        "another": lambda: t.load_variable(here("m"), "v"),
        "None": lambda: attempt(lambda: t.load_variable(here("m"), None)).classes[:1],
        "no path": lambda: attempt(lambda: t.load_checkpoint(None)).classes[:1],
        "map to no variable": lambda: t.init_from_checkpoint(here("m"), {"w": "v"}),
        "map from no name": lambda: (
            tf.get_variable("v", [2]), attempt(lambda: t.init_from_checkpoint(here("m"), {"x": "v"})).classes
        ),
        "map of another shape": lambda: (tf.get_variable("v", [3]), t.init_from_checkpoint(here("m"), {"w": "v"})),
        "map of another dtype": lambda: initialized(tf, here("m")),
        "map to a scope": lambda: (tf.get_variable("v", [2]), t.init_from_checkpoint(here("m"), {"w": "v/"})),
    })  # fmt: skip
    return found


def initialized(tf, path):
    v = tf.get_variable("v", [2], tf.float64)
    tf.train.init_from_checkpoint(path, {"w": v})
    with tf.Session() as session:
        session.run(v.initializer)


@program
@in_its_folder
def saves(tf, np, folder):
    t = tf.train

    def saved(path, step=None, closed=False, **options):
        def call():
            tf.Variable(1.0, name="w")
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                saver = t.Saver()
                if closed:
                    session.close()
                return saver.save(session, path, step, **options)

        return call

    with open(os.path.join(folder, "file"), "w"):
        pass
    return refused(tf, {
        "into no folder": saved(os.path.join(folder, "gone", "deep", "m")),
        "into a file": saved(os.path.join(folder, "file", "m")),
        "None": saved(None),
        "empty": saved(""),
        "a number": saved(3),
        "a closed session": saved(os.path.join(folder, "m"), closed=True),
        "a step of text": saved(os.path.join(folder, "m"), "many"),
        "a step of floats": saved(os.path.join(folder, "m"), 1.5),
        "no session": lambda: (tf.Variable(1.0), t.Saver().save(None, os.path.join(folder, "m"))),
        "not initialized": lambda: (tf.Variable(1.0, name="w"), t.Saver().save(tf.Session(), os.path.join(folder, "m"))),
        "state a path": saved(os.path.join(folder, "m"), latest_filename="a/b"),
        "state the name": saved(os.path.join(folder, "m"), latest_filename="m"),
        "to keep": lambda: (tf.Variable(1.0), t.Saver(max_to_keep="many")),
        "a dict of numbers": lambda: t.Saver({"a": 1.0}),
        "a number ": lambda: t.Saver(3.0),
        "keys": lambda: t.Saver({3: tf.Variable(1.0)}),
    })  # fmt: skip


@program
@in_its_folder
def summaries(tf, np, folder):
    s = tf.summary
    with open(os.path.join(folder, "file"), "w"):
        pass
    return refused(tf, {
        "scalar of a vector": lambda: tf.Session().run(s.scalar("a", [1.0, 2.0])),
        "scalar of text": lambda: s.scalar("a", "text"),
        "scalar name None": lambda: s.scalar(None, 1.0),
        "scalar name a number": lambda: s.scalar(3, 1.0),
        "scalar of complex": lambda: s.scalar("a", 1j),
        "histogram of text": lambda: s.histogram("a", ["x"]),
        "histogram of nan": lambda: tf.Session().run(s.histogram("a", [1.0, float("nan")])),
        "histogram of nothing": lambda: len(tf.Session().run(s.histogram("a", tf.zeros([0])))),
        "image of rank 3": lambda: s.image("a", tf.zeros([2, 2, 3])),
        "image of 2 channels": lambda: tf.Session().run(s.image("a", tf.zeros([1, 2, 2, 2]))),
        "image of float64": lambda: s.image("a", tf.zeros([1, 2, 2, 3], tf.float64)),
        "no images": lambda: s.image("a", tf.zeros([1, 2, 2, 3]), max_outputs=0),
        "audio of rank 1": lambda: s.audio("a", tf.zeros([10]), 44100.0),
        "audio of integers": lambda: s.audio("a", tf.zeros([1, 10], tf.int32), 44100.0),
        "text of numbers": lambda: s.text("a", tf.constant(1.0)),
        "merge nothing": lambda: s.merge([]),
        "merge a number": lambda: s.merge([1.0]),
        "merge all of none": lambda: s.merge_all(),
        "writer into a file": lambda: s.FileWriter(os.path.join(folder, "file")),
        "writer of text": lambda: s.FileWriter(os.path.join(folder, "a"), graph="graph"),
        "add a number": lambda: s.FileWriter(os.path.join(folder, "b")).add_summary(3),
        "add text": lambda: s.FileWriter(os.path.join(folder, "c")).add_summary("no message"),
        "add a graph": lambda: s.FileWriter(os.path.join(folder, "e")).add_graph("graph"),
        "add a meta graph": lambda: s.FileWriter(os.path.join(folder, "f")).add_meta_graph("graph"),
        "metadata twice": lambda: twice(tf, os.path.join(folder, "g")),
        "iterate nothing": lambda: list(tf.train.summary_iterator(os.path.join(folder, "gone"))),
    })  # fmt: skip


def twice(tf, folder):
    writer = tf.summary.FileWriter(folder)
    for _ in range(2):
        writer.add_run_metadata(tf.RunMetadata(), "tag", 1)


@program
@in_its_folder
def sessions(tf, np, folder):
    t = tf.train
    return refused(tf, {
        "hook no hook": lambda: t.MonitoredSession(hooks=[3]),
        "stop no steps": lambda: t.StopAtStepHook(),
        "stop both": lambda: t.StopAtStepHook(1, 2),
        "checkpoint both": lambda: t.CheckpointSaverHook("", save_secs=1, save_steps=1),
        "checkpoint none": lambda: t.CheckpointSaverHook(""),
        "checkpoint saver and scaffold": lambda: t.CheckpointSaverHook("", saver=t.Saver([tf.Variable(1.0)]), scaffold=t.Scaffold()),
        "summary neither": lambda: t.SummarySaverHook(save_steps=1),
        "summary both": lambda: t.SummarySaverHook(save_steps=1, scaffold=t.Scaffold(), summary_op=tf.no_op()),
        "logging none": lambda: t.LoggingTensorHook({"a": "a"}),
        "logging both": lambda: t.LoggingTensorHook({"a": "a"}, every_n_iter=1, every_n_secs=1),
        "logging negative": lambda: t.LoggingTensorHook({"a": "a"}, every_n_iter=0),
        "logging unknown": lambda: t.MonitoredSession(hooks=[t.LoggingTensorHook(["gone"], every_n_iter=1)]),
        "timer both": lambda: t.SecondOrStepTimer(every_secs=1.0, every_steps=1),
        "timer none": lambda: t.SecondOrStepTimer(),
        "nan of a name": lambda: t.MonitoredSession(hooks=[t.NanTensorHook("gone")]),
        "nan": lambda: t.MonitoredSession(hooks=[t.NanTensorHook(tf.constant(float("nan")))]).run(tf.no_op()),
        "step counter both": lambda: t.StepCounterHook(every_n_steps=1, every_n_secs=1),
        "step counter no step": lambda: t.MonitoredSession(hooks=[t.StepCounterHook()]),
        "stop no step": lambda: t.MonitoredSession(hooks=[t.StopAtStepHook(num_steps=1)]),
        "profiler none": lambda: t.ProfilerHook(),
        "profiler both": lambda: t.ProfilerHook(save_steps=1, save_secs=1),
        "training session": lambda: t.MonitoredTrainingSession(save_checkpoint_secs=1, save_checkpoint_steps=1, checkpoint_dir="x"),
        "run None": lambda: t.MonitoredSession().run(None),
        "run a number": lambda: t.MonitoredSession().run(3),
        "scaffold args": lambda: t.Scaffold(init_op=3).finalize(),
        "supervisor no dir": lambda: t.Supervisor().save_path,
        "loop": lambda: t.basic_train_loop(None, None),
    })  # fmt: skip
