"""`multi_gpu_model` on simulated GPUs, and the radial constraint of even sizes, which 1.15 cannot run."""

import numpy as np
import pytest

import tfedu as tf


@pytest.fixture
def two_gpus():
    with tf.Graph().as_default():
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": 2})) as session:
            tf.keras.backend.set_session(session)
            yield session
    tf.keras.backend.clear_session()


def model_on_the_cpu():
    with tf.device("/cpu:0"):
        return tf.keras.Sequential(
            [
                tf.keras.layers.Dense(4, activation="relu", input_shape=(3,), name="a"),
                tf.keras.layers.Dense(2, name="b"),
            ]
        )


def test_replicas_divide_a_batch_and_share_weights(two_gpus):
    model = model_on_the_cpu()
    parallel = tf.keras.utils.multi_gpu_model(model, 2)
    x = np.linspace(-1, 1, 21, dtype="float32").reshape(7, 3)
    np.testing.assert_allclose(parallel.predict(x), model.predict(x), rtol=1e-6)
    graph = tf.get_default_graph()
    devices = [graph.get_operation_by_name(f"replica_{i}/sequential/a/MatMul").device for i in (0, 1)]
    assert devices == ["/device:GPU:0", "/device:GPU:1"]
    assert graph.get_operation_by_name("b_1/concat").device == "/device:CPU:0"
    parallel.compile("sgd", "mse")
    losses = parallel.fit(x, np.ones((7, 2)), epochs=4, verbose=0).history["loss"]
    assert losses == sorted(losses, reverse=True)
    np.testing.assert_allclose(parallel.predict(x), model.predict(x), rtol=1e-6)
    moved = tf.keras.utils.multi_gpu_model(model, [1, 0], cpu_merge=False, cpu_relocation=True)
    assert moved.output_shape == (None, 2)


def test_gpus_that_are_not_there_are_told(two_gpus):
    model = model_on_the_cpu()
    before = len(tf.get_default_graph().get_operations())
    for gpus, text in ((1, "`gpus >= 2`"), ([0], "`len\\(gpus\\) >= 2`"), (3, "this machine only has")):
        with pytest.raises(ValueError, match=text):
            tf.keras.utils.multi_gpu_model(model, gpus)
    assert len(tf.get_default_graph().get_operations()) == before


def test_a_radial_kernel_has_one_value_a_ring():
    kernel = np.arange(16.0, dtype="float32").reshape(4, 4, 1, 1)
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(tf.keras.constraints.RadialConstraint()(tf.constant(kernel)))[:, :, 0, 0]
        with pytest.raises(ValueError, match="kernels that are square"):
            tf.keras.constraints.RadialConstraint()(tf.ones([2, 3, 1, 1]))
    assert found[1:3, 1:3].tolist() == [[5, 5], [5, 5]]
    assert {*found[0], *found[3], *found[:, 0], *found[:, 3]} == {15.0}
