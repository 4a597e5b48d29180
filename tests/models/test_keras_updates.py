"""What optimizers and metrics of tf.keras hold beyond what the oracle recorded: the order of updates, errors, several graphs."""

import numpy as np
import pytest

import tfedu as tf


class Walks(tf.keras.metrics.Metric):
    """Doubles its variable, notes it, and adds 1."""

    def __init__(self, returned=False):
        super().__init__(name="walks")
        self.at = self.add_weight("at", initializer="ones")
        self.seen = self.add_weight("seen", initializer="zeros")
        self.returned = returned

    def update_state(self, values):
        self.at.assign(self.at * 2.0)
        self.seen.assign(self.at)
        last = self.at.assign_add(values)
        return last if self.returned else None

    def result(self):
        return self.at


@pytest.mark.parametrize("returned", [False, True])
def test_writes_of_update_state_run_in_the_order_of_the_code(returned):
    with tf.Graph().as_default(), tf.Session() as session:
        metric = Walks(returned)
        value = metric(tf.constant(1.0))
        session.run(tf.variables_initializer(metric.variables))
        assert session.run(value) == 3.0
        assert session.run(value) == 7.0
        assert session.run(metric.seen) == 6.0


def test_an_update_in_a_branch_stays_in_the_branch():
    class Positive(tf.keras.metrics.Metric):
        def __init__(self):
            super().__init__(name="positive")
            self.number = self.add_weight("number", initializer="zeros")

        def update_state(self, value):
            added = tf.cond(value > 0, lambda: tf.identity(self.number.assign_add(1.0)), lambda: tf.constant(0.0))
            return added

        def result(self):
            return self.number

    with tf.Graph().as_default(), tf.Session() as session:
        metric = Positive()
        value = tf.placeholder(tf.float32, [])
        number = metric(value)
        session.run(tf.variables_initializer(metric.variables))
        assert [session.run(number, {value: v}) for v in (1.0, -1.0, 2.0)] == [1.0, 1.0, 2.0]


def test_constant_outputs_outside_0_to_1_are_refused_when_the_graph_is_built():
    with tf.Graph().as_default():
        metric = tf.keras.metrics.Precision()
        with pytest.raises(tf.errors.InvalidArgumentError, match="predictions must be <= 1"):
            metric(tf.constant([1.0, 0.0]), tf.constant([2.0, 0.5]))


def test_a_failed_update_leaves_the_graph_as_it_was():
    with tf.Graph().as_default() as graph:
        metric = tf.keras.metrics.TruePositives()
        before = len(graph.get_operations())
        with pytest.raises(ValueError, match="incompatible"):
            metric([1.0, 2.0], [1.0, 2.0, 3.0])
        assert len(graph.get_operations()) == before
        assert metric.updates == []


def test_a_tensor_as_loss_of_minimize_names_the_way_out():
    with tf.Graph().as_default():
        w = tf.Variable(1.0, use_resource=True)
        with pytest.raises(TypeError, match="not callable") as caught:
            tf.keras.optimizers.SGD().minimize(w * w, [w])
        assert "get_updates" in str(caught.value)


def test_a_failed_step_leaves_no_slots_behind():
    with tf.Graph().as_default() as graph:
        w = tf.Variable([1.0, 2.0], use_resource=True, constraint=tf.nn.relu)
        optimizer = tf.keras.optimizers.Adam()
        loss = tf.reduce_sum(tf.gather(w, [0]))
        before = len(graph.get_operations())
        with pytest.raises(RuntimeError, match="sparse variable"):
            optimizer.get_updates(loss, [w])
        assert len(graph.get_operations()) == before


def test_adam_takes_the_weights_of_an_adam_that_kept_largest_squares():
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable([1.0, 2.0], use_resource=True)
        optimizer = tf.keras.optimizers.Adam()
        optimizer.get_updates(tf.reduce_sum(w), [w])
        session.run(tf.global_variables_initializer())
        optimizer.set_weights([np.array(3), np.ones(2), np.full(2, 2.0), np.zeros(2)])
        assert [value.tolist() for value in optimizer.get_weights()] == [3, [1.0, 1.0], [2.0, 2.0]]
