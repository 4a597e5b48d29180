"""tf.contrib.training, which 2.15 no longer has: hyperparameters, create_train_op and train, evaluation, parameter servers."""

import json

import numpy as np
import pytest

import tfedu as tf

training = tf.contrib.training


@pytest.fixture(autouse=True)
def fresh_graph():
    with tf.Graph().as_default():
        yield
    tf.summary.FileWriterCache.clear()


# -- hyperparameters --


def test_hyperparameters_keep_the_types_that_they_begin_with():
    settings = training.HParams(rate=0.1, units=[64, 32], name="a", on=True, nothing=None)
    assert settings.parse("rate=2,units=[1, 2],on=0, name=b") is settings
    assert settings.values() == {"rate": 2.0, "units": [1, 2], "name": "b", "on": False, "nothing": None}
    assert (settings.rate, "rate" in settings, "other" in settings) == (2.0, True, False)
    assert str(training.HParams(a=1, b=[2])) == "a=1,b=[2]"
    assert repr(training.HParams(b=[2], a=1)) == "HParams([('a', 1), ('b', [2])])"
    settings.set_hparam("nothing", 3)
    settings.override_from_dict({"rate": 1}).parse_json('{"name": "c"}')
    settings.del_hparam("on")
    assert json.loads(settings.to_json(sort_keys=True)) == {"name": "c", "nothing": 3, "rate": 1.0, "units": [1, 2]}
    assert (settings.get("rate"), settings.get("gone", 7), settings.get("rate", 2.0)) == (1.0, 7, 1.0)


def test_hyperparameters_go_through_a_message():
    settings = training.HParams(rate=0.5, units=[64, 32], name="a", texts=["x", "y"], on=True, flags=[True, False], steps=3)
    message = settings.to_proto()
    assert message.hparam["units"].int64_list.value == [64, 32]
    assert message.hparam["name"].bytes_value == b"a"
    again = training.HParams.from_proto(training.HParamDef.FromString(message.SerializeToString()))
    assert again.values() == settings.values()
    with pytest.raises(ValueError, match="mutually exclusive"):
        training.HParams(message, rate=1.0)
    with pytest.raises(ValueError, match="Unsupported parameter type"):
        training.HParams(what=object()).to_proto()


def test_text_is_parsed_into_values():
    kinds = {"x": int, "many": int, "part": float, "a.b": str}
    assert training.parse_values("x=5,many=[1,2],part[1]=3,part[0]=.5,a.b=c d", kinds) == {
        "x": 5, "many": [1, 2], "part": {1: 3.0, 0: 0.5}, "a.b": "c d",
    }  # fmt: skip
    assert training.parse_values("y=1,x=2", kinds, ignore_unknown=True) == {"x": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rate=a", "Could not parse hparam 'rate' of type 'float' with value 'a' in rate=a"),
        ("on=x", "Could not parse hparam 'on' of type 'bool' with value 'x' in on=x"),
        ("units=[a,b]", "Could not parse hparam 'units' of type 'int' with value 'a,b' in units=[a,b]"),
        ("nope=1", "Unknown hyperparameter type for nope"),
        ("units[0]=[1]", "Assignment of a list to a list index."),
        ("rate=1,rate=2", "Multiple assignments to variable 'rate' in rate=1,rate=2"),
        ("units[0]=1,units[0]=2", "Multiple assignments to variable 'units[0]' in units[0]=1,units[0]=2"),
        ("=3", "Malformed hyperparameter value: =3"),
        ("units=3", "Must pass a list for multi-valued parameter: units."),
        ("rate=[3]", "Must not pass a list for single-valued parameter: rate"),
    ],
)
def test_text_that_says_something_else_is_refused_in_1_15_s_words(text, message):
    settings = training.HParams(rate=0.1, units=[64, 32], on=True)
    with pytest.raises(ValueError) as caught:
        settings.parse(text)
    assert str(caught.value).splitlines()[0] == message
    assert "test_contrib_training.py" in str(caught.value)


def test_wrong_values_and_names_are_refused():
    settings = training.HParams(rate=0.1, units=[64, 32], on=True, name="a")
    for name, value in (("rate", "x"), ("rate", True), ("on", 1), ("name", 3), ("units", [1.5])):
        with pytest.raises(ValueError, match=f"Could not cast hparam '{name}' of type"):
            settings.set_hparam(name, value)
    for name in ("rate", "get", "parse"):
        with pytest.raises(ValueError, match="Hyperparameter name is reserved"):
            settings.add_hparam(name, 1)
    with pytest.raises(ValueError, match="cannot be empty"):
        training.HParams(none=[])
    with pytest.raises(KeyError, match="gone"):
        settings.override_from_dict({"gone": 1})
    for default in ("x", [1.0]):
        with pytest.raises(ValueError, match="Hparam 'rate' of type '<class 'float'>' is incompatible with default="):
            settings.get("rate", default)


# -- training --


def model():
    x = tf.constant(np.linspace(-1, 1, 12, dtype=np.float32).reshape(6, 2))
    w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
    return tf.reduce_mean(tf.square(tf.matmul(x, w) - 0.5)), w


def test_each_run_of_the_train_op_gives_the_loss_before_the_step():
    loss, _ = model()
    train = training.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1))
    assert train.name == "train_op/control_dependency:0"
    assert tf.get_collection(tf.GraphKeys.TRAIN_OP)[-1] is train
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(5):
            expected = session.run(loss)
            assert session.run(train) == pytest.approx(expected)
            assert session.run(tf.train.get_global_step()) == step + 1
        assert session.run(loss) < expected


def test_updates_run_before_the_loss(caplog):
    loss, _ = model()
    seen = tf.get_variable("seen", [], initializer=tf.zeros_initializer(), trainable=False)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_add(seen, 1.0))
    train = training.create_train_op(loss + seen, tf.train.GradientDescentOptimizer(0.0), global_step=None)
    assert tf.train.get_global_step() is None
    assert tf.get_default_graph().get_operation_by_name("update_barrier").type == "NoOp"
    other = training.create_train_op(loss, tf.train.GradientDescentOptimizer(0.0), update_ops=[])
    assert "does not contain all the update_ops" in caplog.text
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        base = session.run(loss)
        assert session.run([train, seen]) == pytest.approx([base + 1.0, 1.0])
        session.run(other)
        assert session.run(seen) == 1.0


def test_a_loss_that_is_no_number_stops_the_training():
    loss, _ = model()
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    checked = training.create_train_op(loss / 0.0, optimizer)
    unchecked = training.create_train_op(loss / 0.0, optimizer, check_numerics=False)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert np.isinf(session.run(unchecked))
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="LossTensor is inf or nan"):
            session.run(checked)


def test_gradients_are_clipped_multiplied_and_told():
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    rows = tf.get_variable("rows", [3, 2], initializer=tf.ones_initializer())
    lone = tf.get_variable("lone", [])
    loss = 10.0 * tf.reduce_sum(w) + tf.reduce_sum(tf.gather(rows, [0, 0]))
    pairs = tf.train.GradientDescentOptimizer(1.0).compute_gradients(loss, [w, rows, lone])
    clipped = training.clip_gradient_norms_fn(1.0)(pairs)
    twice = training.multiply_gradients(pairs, {w: 2.0, "rows": 3.0})
    assert isinstance(clipped[1][0], tf.IndexedSlices)
    assert clipped[2] == (None, lone)
    made = training.add_gradients_summaries(pairs)
    assert [s.op.type for s in made] == ["HistogramSummary", "ScalarSummary"] * 2
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert np.linalg.norm(session.run(clipped[0][0])) == pytest.approx(1.0)
        assert np.linalg.norm(session.run(clipped[1][0].values)) == pytest.approx(1.0)
        assert session.run(twice[0][0]).tolist() == [20.0, 20.0]
        assert session.run(twice[1][0].values).tolist() == [[3.0, 3.0]] * 2
        tags = [v.tag for text in session.run(made) for v in tf.Summary.FromString(text).value]
    assert tags == ["w_gradient", "w_gradient_norm", "rows_gradient", "rows_gradient_norm"]
    for wrong, text in (
        (lambda: training.multiply_gradients(tuple(pairs), {w: 2.0}), "`grads_and_vars` must be a list."),
        (lambda: training.multiply_gradients(pairs, {}), "`gradient_multipliers` is empty."),
        (lambda: training.multiply_gradients(pairs, [1]), "`gradient_multipliers` must be a dict."),
        (lambda: training.multiply_gradients(pairs, {lone: 1.0}), "Requested multiple of `None` gradient."),
    ):
        with pytest.raises(ValueError, match=text):
            wrong()


def test_nothing_to_train_is_refused():
    with pytest.raises(ValueError, match="no variables to train"):
        training.create_train_op(tf.constant(1.0), tf.train.GradientDescentOptimizer(1.0), global_step=None)
    assert [op.type for op in tf.get_default_graph().get_operations()] == ["Const"]


def test_training_and_evaluation_in_one_call_each(tmp_path, caplog):
    caplog.set_level("INFO", logger="tensorflow")
    loss, w = model()
    train = training.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1), summarize_gradients=True)
    last = training.train(train, str(tmp_path), hooks=[tf.train.StopAtStepHook(4)], save_summaries_steps=2)
    path = tf.train.latest_checkpoint(tmp_path)
    assert path.endswith("-4")
    tags = {v.tag for p in tmp_path.glob("events*") for e in tf.train.summary_iterator(str(p)) for v in e.summary.value}
    assert {"summarize_grads/w_gradient", "summarize_grads/w_gradient_norm"} <= tags
    with tf.Graph().as_default():
        loss, w = model()
        tf.summary.scalar("loss", loss)
        average, update = tf.metrics.mean(loss)
        found = training.evaluate_once(
            path,
            eval_ops=update,
            final_ops={"loss": average, "w": w},
            hooks=[training.StopAfterNEvalsHook(3), training.SummaryAtEndHook(str(tmp_path / "eval"))],
        )
        assert found["loss"] < last
        assert "Evaluation [3/3]" in caplog.text
        again = training.evaluate_repeatedly(
            str(tmp_path), eval_ops={"u": update}, final_ops=average, eval_interval_secs=0,
            hooks=[training.StopAfterNEvalsHook(2)], timeout=0.0, timeout_fn=lambda: True,
        )  # fmt: skip
        assert again == pytest.approx(found["loss"])
        assert training.get_or_create_eval_step() is training.get_or_create_eval_step()
    tf.summary.FileWriterCache.clear()
    (events,) = (tmp_path / "eval").glob("events*")
    assert [v.tag for e in tf.train.summary_iterator(str(events)) for v in e.summary.value] == ["loss"]
    with tf.Graph().as_default():
        model()
        with pytest.raises(ValueError, match="not a valid checkpoint"):
            training.evaluate_once(str(tmp_path / "gone"))


def test_wrong_arguments_of_training_and_evaluation_are_refused():
    for wrong, text in (
        ({}, "logdir cannot be None when save_summaries_steps is not None"),
        ({"save_summaries_steps": None}, "logdir cannot be None when save_checkpoint_secs is not None"),
    ):
        with pytest.raises(ValueError, match=text):
            training.train(tf.no_op(), None, **wrong)
    with pytest.raises(ValueError, match="One of log_dir or summary_writer should be used"):
        training.SummaryAtEndHook()


# -- parameter servers --


def test_variables_go_to_the_server_that_has_least():
    strategy = training.GreedyLoadBalancingStrategy(2, training.byte_size_load_fn)
    with tf.device(tf.train.replica_device_setter(ps_tasks=2, ps_strategy=strategy)):
        made = [tf.get_variable(f"v{i}", shape) for i, shape in enumerate(([10], [2], [3], [6], []))]
    assert [v.device[-1] for v in made] == ["0", "1", "1", "1", "0"]
    random = training.RandomStrategy(3, seed=1)
    assert [random(v.op) for v in made] == [random(v.op) for v in made]
    for wrong in (tf.split(tf.ones([2]), 2)[0].op, tf.placeholder(tf.float32).op):
        with pytest.raises(ValueError):
            training.byte_size_load_fn(wrong)
