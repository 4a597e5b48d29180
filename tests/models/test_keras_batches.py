"""Batches of tf.keras: threads that prepare them, the order of a Sequence, pictures that a table names."""

import random
import threading

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import threads


class Numbers(tf.keras.utils.Sequence):
    """Batches 0, 1, … of one sample each."""

    def __init__(self, count=5):
        self.count, self.passes, self.threads = count, 0, set()

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        self.threads.add(threading.get_ident())
        return np.full((1, 1), index, "float32"), np.zeros((1, 1), "float32")

    def on_epoch_end(self):
        self.passes += 1


def first_inputs(sequence, **options):
    """The batches in the order in which `fit` takes them."""
    taken = []
    ask = sequence.__getitem__

    class Spy(Numbers):
        def __getitem__(self, index):
            taken.append(index)
            return ask(index)

    spy = Spy(len(sequence))
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
    model.compile("sgd", "mse")
    model.fit_generator(spy, verbose=0, **options)
    return taken, spy.passes


def test_fit_asks_a_sequence_in_the_order_that_random_draws():
    random.seed(3)
    order = list(range(5))
    random.shuffle(order)
    expected = list(order)
    random.shuffle(order)
    expected += order
    random.seed(3)
    assert first_inputs(Numbers(), epochs=2) == (expected, 2)
    assert first_inputs(Numbers(), epochs=2, shuffle=False) == ([0, 1, 2, 3, 4] * 2, 2)


def test_steps_go_on_through_a_sequence():
    assert first_inputs(Numbers(), epochs=2, steps_per_epoch=3, shuffle=False) == ([0, 1, 2, 3, 4, 0], 1)


def test_without_workers_a_sequence_is_asked_in_turn_and_hears_of_no_epoch():
    assert first_inputs(Numbers(3), epochs=2, workers=0) == ([0, 1, 2] * 2, 0)


def test_threads_prepare_the_same_batches_in_the_same_order():
    sequence = Numbers()
    queue = tf.keras.utils.OrderedEnqueuer(sequence)
    queue.start(workers=3, max_queue_size=4)
    assert queue.is_running()
    batches = queue.get()
    assert [float(next(batches)[0][0, 0]) for _ in range(12)] == [0, 1, 2, 3, 4] * 2 + [0, 1]
    queue.stop()
    assert not queue.is_running()
    assert list(batches) == []
    assert threading.get_ident() not in sequence.threads
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,), kernel_initializer="ones")])
    model.compile("sgd", "mse")
    assert model.predict_generator(Numbers(), workers=4).tolist() == [[0.0], [1.0], [2.0], [3.0], [4.0]]
    assert not [thread for thread in threading.enumerate() if "ThreadPool" in thread.name]


def test_a_generator_ends_its_queue_and_its_error_comes_out():
    queue = tf.keras.utils.GeneratorEnqueuer(iter([1, None, 2]))
    queue.start(workers=2)
    assert list(queue.get()) == [1, 2]

    def fails():
        yield 1
        raise OSError("no disk")

    queue = tf.keras.utils.GeneratorEnqueuer(fails())
    queue.start()
    with pytest.raises(OSError, match="no disk"):
        list(queue.get())
    assert not queue.is_running()
    with pytest.raises(TypeError, match="an iterator, not list"):
        tf.keras.utils.GeneratorEnqueuer([1])


def test_without_threads_fit_asks_a_sequence_itself(monkeypatch):
    monkeypatch.setattr(threads, "exist", lambda: False)
    assert first_inputs(Numbers(3), workers=4, shuffle=False) == ([0, 1, 2], 1)
    with pytest.raises(tf.errors.UnimplementedError, match="A queue of batches needs threads"):
        tf.keras.utils.OrderedEnqueuer(Numbers()).start()


class Table:
    """What `flow_from_dataframe` asks of a pandas DataFrame."""

    def __init__(self, **columns):
        self.columns = {name: np.array(values, dtype=object) for name, values in columns.items()}
        self.iloc = self

    def __getitem__(self, key):
        if isinstance(key, str):
            values = self.columns[key]
            return Column(values.astype(float) if isinstance(values[0], float) else values)
        if all(isinstance(each, str) for each in key) and key:
            return Table(**{name: self.columns[name] for name in key})
        return Table(**{name: values[key] for name, values in self.columns.items()})


class Column(list):
    def __init__(self, values):
        super().__init__(values)
        self.values, self.dtype = values, values.dtype

    def tolist(self):
        return list(self)


@pytest.fixture
def pictures(tmp_path):
    for i in range(4):
        tf.keras.preprocessing.image.save_img(
            tmp_path / f"{i}.png", np.full((2, 2, 3), i * 10.0), scale=False
        )
    names = ["0.png", "1.png", "2.png", "3.png", "4.png"]
    return tmp_path, Table(
        filename=names, kind=["a", "b", "a", "b", "a"], size=[0.0, 1.0, 2.0, 3.0, 4.0], weight=[1.0, 2.0, 3.0, 4.0, 5.0]
    )  # fmt: skip


def flow(pictures, **options):
    folder, table = pictures
    generator = tf.keras.preprocessing.image.ImageDataGenerator(validation_split=options.pop("split", 0.0))
    return generator.flow_from_dataframe(
        table, str(folder), target_size=(2, 2), shuffle=False, y_col="kind", **options
    )


def test_a_table_names_pictures_and_classes(pictures, capsys):
    with pytest.warns(UserWarning, match="1 invalid image filename"):
        batches = flow(pictures, weight_col="weight")
    x, y, weights = next(batches)
    assert capsys.readouterr().out == "Found 4 validated image filenames belonging to 2 classes.\n"
    assert x[:, 0, 0, 0].tolist() == [0, 10, 20, 30]
    assert y.tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]
    assert weights.tolist() == [1, 2, 3, 4]
    with pytest.warns(UserWarning, match="invalid"):
        few = flow(pictures, classes=["b"], class_mode="sparse")
    assert few.filenames == ["1.png", "3.png"]
    assert next(few)[1].tolist() == [0, 0]
    with pytest.warns(UserWarning, match="invalid"):
        assert flow(pictures, split=0.5, subset="validation").filenames == ["0.png", "1.png"]


def test_a_table_that_does_not_fit_is_told(pictures):
    folder, table = pictures
    generator = tf.keras.preprocessing.image.ImageDataGenerator()
    for error, text, options in (
        (ValueError, "Invalid class_mode: x", {"class_mode": "x"}),
        (TypeError, "y_col must be a list. Received str", {"class_mode": "multi_output"}),
        (TypeError, "column values must be strings", {"class_mode": "sparse", "y_col": "size"}),
        (TypeError, "All values in column x_col=size must be strings", {"x_col": "size"}),
        (TypeError, "Column weight_col=kind must be numeric", {"weight_col": "kind", "y_col": "kind"}),
        (TypeError, "unexpected keyword argument 'foo'", {"foo": 1}),
    ):
        with pytest.raises(error, match=text):
            generator.flow_from_dataframe(table, str(folder), **{"y_col": "kind", **options})
