"""tf.contrib.slim: learning, evaluation, model_analyzer, losses and metrics under slim's names."""

import io
import os
from contextlib import redirect_stdout

from harness import attempt, fresh, graph_of, in_folder, program, signature_text


@program
def signatures(tf, np):
    slim = tf.contrib.slim
    rooms = {
        "learning": "add_gradients_summaries clip_gradient_norms create_train_op multiply_gradients train_step",
        "evaluation": "evaluate_once evaluation_loop",
        "model_analyzer": "analyze_ops analyze_vars tensor_description",
    }
    said = {f"{room}.{name}": signature_text(getattr(getattr(slim, room), name)) for room in rooms for name in rooms[room].split()}
    return [said, signature_text(slim.learning.train).replace("train_step", "f")]


@program
def the_same_functions_under_other_names(tf, np):
    slim, contrib = tf.contrib.slim, tf.contrib
    layers = "conv2d fully_connected batch_norm dropout flatten max_pool2d repeat stack l2_regularizer xavier_initializer one_hot_encoding softmax"
    framework = "arg_scope add_arg_scope model_variable get_variables assign_from_checkpoint_fn get_or_create_global_step variable"
    return [
        [getattr(slim, name) is getattr(contrib.layers, name) for name in layers.split()],
        [getattr(slim, name) is getattr(contrib.framework, name) for name in framework.split()],
        slim.losses.log_loss is contrib.losses.log_loss, slim.metrics.streaming_accuracy is contrib.metrics.streaming_accuracy,
        slim.layers.conv2d is slim.conv2d, hasattr(slim, "fully_conected"),
    ]  # fmt: skip


def model(tf, **options):
    v = tf.get_variable("w", [2], initializer=tf.constant_initializer([1.0, 2.0]))
    loss = tf.reduce_sum(tf.exp(v))  # the gradient needs the forward value, so that no update overtakes the loss
    tf.losses.add_loss(loss)
    tf.summary.scalar("loss", loss)
    return v, tf.contrib.slim.learning.create_train_op(tf.contrib.slim.losses.get_total_loss(), tf.train.GradientDescentOptimizer(0.1), **options)


@program
def create_train_op(tf, np):
    def run(multiply=False, **options):
        if multiply:
            options["gradient_multipliers"] = {"w": 2.0}
        v, op = model(tf, **options)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            losses = [session.run(op) for _ in range(3)]
            return [op, losses, session.run(v), graph_of(tf)]

    return {
        "plain": fresh(tf, run),
        "all": fresh(tf, lambda: run(clip_gradient_norm=0.5, multiply=True, summarize_gradients=True, check_numerics=False, global_step=None)),
    }


@program
def train(tf, np):
    slim = tf.contrib.slim

    def run(folder):
        steps = []

        def step(session, train_op, global_step, kwargs):
            loss, stop = slim.learning.train_step(session, train_op, global_step, kwargs)
            steps.append([loss, bool(stop), sorted(kwargs)])
            return loss, stop

        def once(number, **options):
            with tf.Graph().as_default() as graph:
                op = model(tf)[1]
                before = len(graph.get_operations())
                with tf.control_dependencies(None):
                    loss = slim.learning.train(op, folder + "/log", number_of_steps=number, log_every_n_steps=2, save_summaries_secs=60, **options)
                nodes = graph_of(tf, since=before)["nodes"]
                reader = tf.train.NewCheckpointReader(tf.train.latest_checkpoint(folder + "/log"))
                return [loss, reader.get_tensor("w"), reader.get_tensor("global_step"), [n for n in nodes if "init_ops" not in n]]

        found = [once(3, train_step_fn=step), once(5)]
        wanted = ("checkpoint", "graph.pbtxt", "model.ckpt-3.index", "model.ckpt-5.index")
        found.append([name for name in wanted if name in os.listdir(folder + "/log")])
        return found + [steps]

    return in_folder(run)


@program
def train_ends_with_its_inputs_and_needs_no_folder(tf, np):
    slim = tf.contrib.slim
    counts = []

    def step(session, train_op, global_step, kwargs):
        counts.append(session.run(train_op))
        if len(counts) == 3:
            raise tf.errors.OutOfRangeError(None, None, "no more")
        return counts[-1], False

    def restored(session):
        counts.append(session.run("w:0").tolist())

    op = model(tf)[1]
    loss = slim.learning.train(op, None, train_step_fn=step, init_fn=restored, session_wrapper=lambda session: session)
    return [loss, counts]


@program
def wrong_arguments_of_train(tf, np):
    train = tf.contrib.slim.learning.train
    multiply = tf.contrib.slim.learning.multiply_gradients

    def wrong(**options):
        return fresh(tf, lambda: train(tf.constant(1.0), None, **options))

    def pairs(make, **options):
        def run():
            v = tf.get_variable("w", [2])
            return make([(tf.constant([1.0, 2.0]), v)], v)

        return fresh(tf, run)

    return [
        fresh(tf, lambda: train(None, None)), wrong(summary_op=None), wrong(saver=3), wrong(trace_every_n_steps=3), wrong(number_of_steps=0),
        wrong(number_of_steps=-1), pairs(lambda p, v: multiply(p, {})), pairs(lambda p, v: multiply(tuple(p), {v: 2.0})),
        pairs(lambda p, v: multiply(p, [1])), pairs(lambda p, v: multiply([(None, v)], {v: 2.0})),
    ]  # fmt: skip


@program
def evaluation(tf, np):
    slim = tf.contrib.slim

    def variables():
        step = tf.train.get_or_create_global_step()
        return [tf.get_variable(name, [], initializer=tf.ones_initializer()) for name in ("w", "other")] + [step]

    def evaluated(evaluate, **options):
        with tf.Graph().as_default():
            v, other, step = variables()
            mean, update = slim.metrics.streaming_mean(v + other)
            tf.summary.scalar("mean", mean)
            if options.pop("in_part", False):
                options.update(variables_to_restore=[v, other, step], summary_op=None)
            return evaluate(eval_op=update, final_op=[mean, tf.contrib.training.get_or_create_eval_step()], **options)

    def run(folder):
        v = variables()[0]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(v.assign(3.0))
            path = tf.train.Saver().save(session, "m", global_step=3)
        once, loop = slim.evaluation.evaluate_once, slim.evaluation.evaluation_loop
        return [
            evaluated(lambda **options: once("", path, folder + "/log", num_evals=3, **options)),
            evaluated(lambda **options: once("", path, folder + "/log", **options), in_part=True),
            evaluated(lambda **options: loop("", ".", folder + "/log", num_evals=2, max_number_of_evaluations=1, eval_interval_secs=0, **options)),
            len(os.listdir(folder + "/log")) > 0,
        ]

    return in_folder(run)


@program
def model_analyzer(tf, np):
    analyzer = tf.contrib.slim.model_analyzer
    v, u = tf.get_variable("w", [2, 3]), tf.get_variable("s/b", [4], dtype=tf.float64)
    z = tf.get_variable("z", [], dtype=tf.int32, initializer=tf.zeros_initializer())
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    tf.add_n([x, x], name="y")
    printed = io.StringIO()
    with redirect_stdout(printed):
        sizes = analyzer.analyze_vars([v, u, z], print_info=True), analyzer.analyze_vars([v, u, z])
        operations = analyzer.analyze_ops(tf.get_default_graph(), print_info=True)
    return [
        sizes, operations, printed.getvalue(), analyzer.tensor_description(v), analyzer.tensor_description(x),
        attempt(lambda: analyzer.tensor_description(tf.placeholder(tf.float32))).classes,
    ]  # fmt: skip
