"""Hooks, scaffolds, monitored sessions, session managers and supervisors."""

import os
import tempfile

from harness import attempt, fresh, graph_of, program, signature_text


def recorder(tf, name, said, before=None, after=None, at_end=None):
    """A hook that writes down what it is called with."""

    class Recorder(tf.train.SessionRunHook):
        def begin(self):
            said.append(f"{name} begin final={tf.get_default_graph().finalized}")

        def after_create_session(self, session, coord):
            said.append(f"{name} after_create_session final={tf.get_default_graph().finalized} stop={coord.should_stop()}")

        def before_run(self, run_context):
            args = run_context.original_args
            said.append(f"{name} before_run {args.fetches.name} {args.feed_dict} {args.options}")
            return before(run_context) if before else None

        def after_run(self, run_context, run_values):
            said.append([f"{name} after_run", run_values.results])
            if after:
                after(run_context, run_values)

        def end(self, session):
            said.append(f"{name} end")
            if at_end:
                at_end(session)

    return Recorder()


def counting(tf):
    """(global step, an op that counts it up)."""
    step = tf.train.get_or_create_global_step()
    return step, tf.assign_add(step, 1, name="count")


@program
def hooks_are_called_in_order(tf, np):
    def run(kind, steps):
        said = []
        step, count = counting(tf)
        hooks = [
            recorder(tf, "a", said, lambda context: tf.train.SessionRunArgs(step)),
            recorder(tf, "b", said),
            tf.train.StopAtStepHook(last_step=3),
        ]
        with kind(hooks=hooks) as session:
            said.append(f"made {session.graph is tf.get_default_graph()} {session.should_stop()}")
            for _ in range(steps):
                said.append([session.run(count), session.should_stop()])
        said.append([session.should_stop(), session.graph, tf.get_default_graph().finalized])
        return said

    t = tf.train
    return {
        "monitored": fresh(tf, lambda: run(t.MonitoredSession, 3)),
        "singular": fresh(tf, lambda: run(t.SingularMonitoredSession, 3)),
        "training": fresh(tf, lambda: run(t.MonitoredTrainingSession, 2)),
        "too long": fresh(tf, lambda: run(t.MonitoredSession, 4)),
    }


@program
def how_a_loop_ends(tf, np):
    def run(error, kind):
        said = []
        _, count = counting(tf)

        def raised():
            with kind(hooks=[recorder(tf, "hook", said)]) as session:
                session.run(count)
                raise error
            return "quiet"

        outcome = attempt(raised)
        return [outcome, said, tf.get_default_graph().finalized]

    errors = {
        "OutOfRange": tf.errors.OutOfRangeError(None, None, "at the end"),
        "StopIteration": StopIteration("enough"),
        "Aborted": tf.errors.AbortedError(None, None, "aborted"),
        "ValueError": ValueError("mine"),
    }
    return {
        f"{name} {kind.__name__}": fresh(tf, lambda e=e, k=kind: run(e, k))
        for name, e in errors.items()
        for kind in (tf.train.MonitoredSession, tf.train.SingularMonitoredSession)
    }


@program
def closed(tf, np):
    def run():
        _, count = counting(tf)
        session = tf.train.MonitoredSession()
        found = [session.run(count), session.should_stop(), tf.get_default_graph().finalized]
        session.close()
        return [*found, session.should_stop(), session.graph, attempt(session.close), tf.get_default_graph().finalized]

    def final():
        counting(tf)
        with tf.train.MonitoredSession():
            return attempt(lambda: tf.constant(1.0))

    return [fresh(tf, run), fresh(tf, final)]


@program
def feeds_and_fetches_of_hooks(tf, np):
    def run(mine, theirs, others=None):
        said = []
        x = tf.placeholder_with_default(1.0, [], name="x")
        y = tf.placeholder_with_default(2.0, [], name="y")
        total = tf.add(x, y, name="total")
        keys = {"x": x, "y": y}
        hooks = [
            recorder(tf, name, said, lambda context, f=f: tf.train.SessionRunArgs({"y": y, "all": [x, total]}, {keys[k]: v for k, v in f.items()}))
            for name, f in (("a", theirs), ("b", others))
            if f is not None
        ]  # fmt: skip
        with tf.train.MonitoredSession(hooks=hooks) as session:
            found = session.run(total, {keys[k]: v for k, v in mine.items()} or None)
        return [found, [s for s in said if "before_run" not in str(s)]]

    found = {
        "hook feeds": fresh(tf, lambda: run({}, {"x": 10.0})),
        "both feed": fresh(tf, lambda: run({"y": 5.0}, {"x": 10.0})),
        "two hooks": fresh(tf, lambda: run({}, {"x": 10.0}, {"y": 20.0})),
    }
    clashes = [fresh(tf, lambda: run({"x": 1.0}, {"x": 10.0})), fresh(tf, lambda: run({}, {"x": 1.0}, {"x": 10.0}))]
    return [found, [c.text.split("Conflict")[0] for c in clashes]]


@program
def an_abort_is_followed_by_a_new_session(tf, np):
    def run(error, kind):
        said = []
        v = tf.get_variable("v", initializer=1.0)
        more = tf.assign_add(v, 1.0, name="more")
        times = []

        def fail_once(context, values):
            times.append(values.results)
            if len(times) == 2:
                raise error

        hook = recorder(tf, "hook", said, after=fail_once)
        with kind(hooks=[hook]) as session:
            found = [session.run(more) for _ in range(3)]
        return [found, said]

    t, e = tf.train, tf.errors
    return [
        fresh(tf, lambda: run(e.AbortedError(None, None, "aborted"), t.MonitoredSession)),
        fresh(tf, lambda: run(e.UnavailableError(None, None, "gone"), t.MonitoredSession)),
        fresh(tf, lambda: run(e.AbortedError(None, None, "aborted"), t.SingularMonitoredSession)),
        fresh(tf, lambda: run(e.InternalError(None, None, "no"), t.MonitoredSession)),
    ]


@program
def a_recovery_starts_from_the_last_checkpoint(tf, np):
    def run():
        step, _ = counting(tf)
        v = tf.get_variable("v", initializer=0.0)
        with tf.control_dependencies([tf.assign_add(v, 10.0)]):
            train = tf.assign_add(step, 1, name="train")
        runs, said = [], []

        def fail_at_fifth(context, values):
            runs.append(1)
            if len(runs) == 5:
                raise tf.errors.AbortedError(None, None, "aborted")

        with tempfile.TemporaryDirectory() as folder:
            hooks = [recorder(tf, "hook", said, after=fail_at_fifth), tf.train.StopAtStepHook(last_step=6)]
            options = {"checkpoint_dir": folder, "save_checkpoint_steps": 2, "log_step_count_steps": None}
            with tf.train.MonitoredTrainingSession(hooks=hooks, **options) as session:
                values = []
                while not session.should_stop():
                    values.append(session.run(train))
            files = sorted(f for f in os.listdir(folder) if f.endswith(".index") or f in ("checkpoint", "graph.pbtxt"))
            latest = os.path.basename(tf.train.latest_checkpoint(folder))
            with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, save_checkpoint_secs=None, save_summaries_steps=None,
                                                   log_step_count_steps=None) as session:  # fmt: skip
                again = session.run([step, v])
        return [values, len(runs), files, latest, again]

    return fresh(tf, run)


@program
def what_a_scaffold_makes(tf, np):
    def run(**given):
        tf.get_variable("v", initializer=1.0)
        tf.get_variable("l", initializer=1.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        since = len(tf.get_default_graph().get_operations())
        scaffold = tf.train.Scaffold(**given)
        before = [scaffold.init_op, scaffold.ready_op, scaffold.local_init_op, scaffold.saver, scaffold.summary_op]
        scaffold.finalize()
        made = [scaffold.init_op, scaffold.ready_op, scaffold.ready_for_local_init_op, scaffold.local_init_op, scaffold.summary_op]
        graph = graph_of(tf, since=since)
        nodes = [n for n in graph["nodes"] if not n.startswith("save")]
        return [before, made, nodes, sorted(graph["collections"]), tf.get_default_graph().finalized]

    def several():
        for _ in range(2):
            tf.add_to_collection(tf.GraphKeys.INIT_OP, tf.no_op())
        with tf.train.MonitoredSession():
            return None

    return {
        "all": fresh(tf, run),
        "given": fresh(tf, lambda: run(init_op=tf.no_op("mine"), ready_op=tf.constant([], tf.string, name="all"))),
        "several": type(fresh(tf, several)).__name__,
        "copy": fresh(tf, lambda: tf.train.Scaffold(copy_from_scaffold=3)),
        "copied": fresh(tf, lambda: tf.train.Scaffold(copy_from_scaffold=tf.train.Scaffold(init_op=tf.no_op("x"))).init_op),
    }


@program
def a_scaffolds_functions(tf, np):
    def run():
        v, p = tf.get_variable("v", initializer=1.0), tf.placeholder(tf.float32, [], name="p")
        w = tf.Variable(p, name="w")
        set_v = tf.assign(v, 7.0)
        scaffold = tf.train.Scaffold(
            init_feed_dict={p: 5.0}, init_fn=lambda scaffold, session: session.run(set_v)
        )
        with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold)) as session:
            return session.run([v, w])

    def unready():
        v = tf.get_variable("v", initializer=1.0)
        scaffold = tf.train.Scaffold(init_op=tf.no_op("nothing"))
        with tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold)) as session:
            return session.run(v)

    return [fresh(tf, run), fresh(tf, unready)]


@program
def session_managers(tf, np):
    def prepared(**options):
        v = tf.get_variable("v", initializer=1.0)
        ready = tf.report_uninitialized_variables()
        manager = tf.train.SessionManager(ready_op=ready)
        init = tf.global_variables_initializer()
        given = {"init_op": {"init_op": init}, "init_fn": {"init_fn": lambda s: s.run(init)}, "nothing": {}, "no": {"init_op": tf.no_op("no")}}
        return manager.prepare_session("", **given[options["how"]]).run(v)

    def recovered(folder):
        v = tf.get_variable("v", initializer=1.0)
        saver = tf.train.Saver()
        manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
        missing, restored = manager.recover_session("", saver=saver, checkpoint_dir=folder)
        missing.run(tf.assign(v, 5.0))
        saver.save(missing, os.path.join(folder, "model"))
        again, also = manager.recover_session("", saver=saver, checkpoint_dir=folder)
        return [restored, also, again.run(v)]

    def waited():
        v = tf.get_variable("v", initializer=1.0)
        manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables(), recovery_wait_secs=1)
        return manager.wait_for_session("", max_wait_secs=0).run(v)

    def local():
        v = tf.get_variable("v", initializer=1.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        manager = tf.train.SessionManager(
            local_init_op=tf.local_variables_initializer(), ready_for_local_init_op=tf.constant([], tf.string)
        )
        return manager.prepare_session("").run(v)

    with tempfile.TemporaryDirectory() as folder:
        recovery = fresh(tf, lambda: recovered(folder))
    return {
        "prepared": [fresh(tf, lambda how=how: prepared(how=how)) for how in ("init_op", "init_fn", "nothing", "no")],
        "recovered": recovery,
        "waited": fresh(tf, waited),
        "local": fresh(tf, local),
        "both": fresh(tf, lambda: type(attempt(lambda: tf.train.SessionManager(ready_for_local_init_op=tf.no_op()))).__name__),
        "two sources": fresh(
            tf, lambda: tf.train.SessionManager().prepare_session("", saver=1, checkpoint_dir="a", checkpoint_filename_with_path="b")
        ),
    }


@program
def step_functions(tf, np):
    def run(how):
        said = []
        _, count = counting(tf)

        class Holder:
            def step(self, step_context):
                return step_context.run_with_hooks(count)

        def bare(step_context):
            return [step_context.session.run(count), type(step_context).__name__]

        def stopping(step_context):
            step_context.request_stop()

        functions = {"method": Holder().step, "bare": bare, "stop": stopping, "wrong": lambda x: x, "none": lambda: 1}
        with tf.train.MonitoredSession(hooks=[recorder(tf, "hook", said)]) as session:
            said.append(session.run_step_fn(functions[how]))
        return said

    return {how: fresh(tf, lambda how=how: run(how)) for how in ("method", "bare", "stop", "wrong", "none")}


@program
def basic_hooks(tf, np):
    t = tf.train

    def run(make, steps=4):
        step, count = counting(tf)
        loss = tf.identity(tf.cast(step, tf.float32) / (2.0 - tf.cast(step, tf.float32)) * 0.0, name="loss")
        hook = make(loss, count, step)
        done = []
        with t.MonitoredSession(hooks=[hook]) as session:
            for _ in range(steps):
                if session.should_stop():
                    break
                done.append(session.run(count))
        return [done, getattr(hook, "final_ops_values", None)]

    def fed():
        x = tf.placeholder(tf.float32, [], name="x")
        double = x * 2.0
        values = iter([1.0, 2.0, 3.0])
        with t.MonitoredSession(hooks=[t.FeedFnHook(lambda: {x: next(values)})]) as session:
            return [session.run(double) for _ in range(3)]

    return {
        "last_step": fresh(tf, lambda: run(lambda loss, count, step: t.StopAtStepHook(last_step=2))),
        "num_steps": fresh(tf, lambda: run(lambda loss, count, step: t.StopAtStepHook(num_steps=3))),
        "final": fresh(tf, lambda: run(lambda loss, count, step: t.FinalOpsHook([step, "loss:0"]), steps=1)),
        "waiter": fresh(tf, lambda: run(lambda loss, count, step: t.GlobalStepWaiterHook(0), steps=1)),
        "fed": fresh(tf, fed),
    }


@program
def not_a_number(tf, np):
    def run(fail):
        x = tf.placeholder(tf.float32, [], name="x")
        loss = tf.identity(x, name="loss")
        found = []
        with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(loss, fail_on_nan_loss=fail)]) as session:
            found.append([session.run(loss, {x: 1.0}), session.should_stop()])
            found.append([session.run(loss, {x: np.nan}), session.should_stop()])
        return found

    return [fresh(tf, lambda: run(True)), fresh(tf, lambda: run(False))]


@program
def timers(tf, np):
    timer = tf.train.SecondOrStepTimer(every_steps=3)
    found = [timer.last_triggered_step(), timer.should_trigger_for_step(1), timer.update_last_triggered_step(1)]
    found += [[timer.should_trigger_for_step(n) for n in (1, 2, 3, 4, 5)], timer.update_last_triggered_step(4)[1], timer.last_triggered_step()]
    timer.reset()
    slow = tf.train.SecondOrStepTimer(every_secs=1000.0)
    found += [timer.should_trigger_for_step(4), slow.should_trigger_for_step(1), slow.update_last_triggered_step(1)]
    return [*found, slow.should_trigger_for_step(1), slow.should_trigger_for_step(2)]


@program
def refused_hooks(tf, np):
    t = tf.train
    return [
        attempt(lambda: t.SecondOrStepTimer()),
        attempt(lambda: t.SecondOrStepTimer(1.0, 1)),
        attempt(lambda: t.LoggingTensorHook(["x"])),
        attempt(lambda: t.LoggingTensorHook(["x"], every_n_iter=1, every_n_secs=1)),
        attempt(lambda: t.LoggingTensorHook(["x"], every_n_iter=0)),
        attempt(lambda: t.StopAtStepHook()),
        attempt(lambda: t.StopAtStepHook(1, 1)),
        attempt(lambda: t.CheckpointSaverHook("x", save_steps=1, saver=1, scaffold=1)),
        attempt(lambda: t.CheckpointSaverHook("x")),
        attempt(lambda: t.StepCounterHook(None)),
        attempt(lambda: t.StepCounterHook(1, 1.0)),
        attempt(lambda: t.SummarySaverHook(save_steps=1)),
        attempt(lambda: t.SummarySaverHook(save_steps=1, scaffold=1, summary_op=1)),
        fresh(tf, lambda: t.MonitoredSession(hooks=[t.StopAtStepHook(last_step=1)])),
        fresh(tf, lambda: t.MonitoredSession(hooks=[t.StepCounterHook()])),
        fresh(tf, lambda: t.MonitoredSession(hooks=[t.SummarySaverHook(save_steps=1, summary_op=tf.no_op())])),
        fresh(tf, lambda: t.MonitoredSession(hooks=[t.GlobalStepWaiterHook(1)])),
        str(t.NanLossDuringTrainingError()),
    ]


@program
def supervised(tf, np):
    def run(error=None, steps=3, **options):
        _, count = counting(tf)
        sv = tf.train.Supervisor(**options)
        found = [tf.get_default_graph().finalized, sv.is_chief, sv.init_op.name, sv.save_path is None]
        with sv.managed_session() as session:
            for _ in range(steps):
                found.append([session.run(count), sv.should_stop()])
            if error:
                raise error
        return [*found, sv.should_stop()]

    def twice(folder):
        _, count = counting(tf)
        found = []
        for _ in range(2):
            with tf.Graph().as_default():
                _, count = counting(tf)
                sv = tf.train.Supervisor(logdir=folder, save_summaries_secs=0, save_model_secs=0)
                with sv.managed_session() as session:
                    found.append(session.run(count))
                    sv.saver.save(session, sv.save_path, global_step=sv.global_step)
        return [found, sorted(f for f in os.listdir(folder) if f.endswith((".index", ".pbtxt")) or f == "checkpoint")]

    with tempfile.TemporaryDirectory() as folder:
        again = fresh(tf, lambda: twice(folder))
    return {
        "usual": fresh(tf, run),
        "out of range": fresh(tf, lambda: run(tf.errors.OutOfRangeError(None, None, "end"))),
        "error": fresh(tf, lambda: run(ValueError("mine"))),
        "twice": again,
        "loop": fresh(tf, lambda: looped(tf)),
        "basic loop": fresh(tf, lambda: basic_loop(tf)),
        "services": fresh(tf, lambda: tf.train.Supervisor(is_chief=False).start_standard_services(None)),
        "summary": fresh(tf, lambda: tf.train.Supervisor().summary_computed(None, b"")),
    }


def basic_loop(tf):
    """Stops at 3; the second step aborts once."""
    _, count = counting(tf)
    sv = tf.train.Supervisor()
    said = []

    def step(session, text, last=0):
        said.append([text, int(session.run(count))])
        if len(said) == 2:
            raise tf.errors.AbortedError(None, None, "lost")
        if said[-1][1] == last:
            sv.request_stop()

    tf.train.basic_train_loop(sv, step, ("go",), {"last": 3})
    return said


def looped(tf):
    _, count = counting(tf)
    sv = tf.train.Supervisor()
    with sv.managed_session() as session:

        def once():
            session.run(count)
            sv.request_stop()

        sv.loop(None, once)
        sv.wait_for_stop()
    return sv.should_stop()


@program
def the_step_is_read_by_a_node_of_its_own(tf, np):
    step = tf.train.get_or_create_global_step()
    since = len(tf.get_default_graph().get_operations())
    hook = tf.train.StopAtStepHook(last_step=1)
    hook.begin()
    hook.begin()
    graph = graph_of(tf, since=since)
    return [graph["nodes"], [t.name for t in tf.get_collection("global_step_read_op_cache")], step.name]


CLASSES = """
    ChiefSessionCreator CheckpointSaverHook CheckpointSaverListener Coordinator FeedFnHook FinalOpsHook GlobalStepWaiterHook
    LoggingTensorHook LooperThread MonitoredSession MonitoredTrainingSession NanTensorHook ProfilerHook Scaffold SecondOrStepTimer
    SessionManager SessionRunArgs SessionRunContext SessionRunHook SessionRunValues SingularMonitoredSession StepCounterHook
    StopAtStepHook SummarySaverHook Supervisor WorkerSessionCreator basic_train_loop
"""
METHODS = """
    Coordinator.clear_stop Coordinator.join Coordinator.register_thread Coordinator.request_stop Coordinator.wait_for_stop
    CheckpointSaverListener.after_save CheckpointSaverListener.before_save CheckpointSaverListener.end LooperThread.loop
    MonitoredSession.run MonitoredSession.run_step_fn Scaffold.get_or_default SessionManager.prepare_session
    SessionManager.recover_session SessionManager.wait_for_session SessionRunHook.after_create_session SessionRunHook.after_run
    SessionRunHook.before_run SessionRunHook.end Supervisor.loop Supervisor.managed_session
    Supervisor.prepare_or_wait_for_session Supervisor.start_queue_runners Supervisor.start_standard_services Supervisor.stop
    Supervisor.summary_computed Supervisor.PrepareSession
"""


@program
def signatures(tf, np):
    found = {name: signature_text(getattr(tf.train, name)) for name in CLASSES.split()}
    for name in METHODS.split():
        owner, _, method = name.partition(".")
        found[name] = signature_text(getattr(getattr(tf.train, owner), method))
    return found
