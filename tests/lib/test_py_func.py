"""Python functions in graphs: how long they live, what the user sees when they fail, and that both runners call them."""

import gc
import threading
import traceback
import weakref

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.ops.py_func import py_func as py_func_op


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def run(fetch, interpreted=False, **options):
    with tf.Session() as session:
        session.interpreted = interpreted
        return session.run(fetch, **options)


class Doubler:
    def __call__(self, x):
        return x * 2


def test_the_graph_keeps_the_function_alive():
    y = tf.py_func(Doubler(), [np.float32(2)], tf.float32)
    gc.collect()
    assert run(y) == 4


def test_a_graph_that_is_gone_lets_its_functions_go():
    function = Doubler()
    seen = weakref.ref(function)
    with tf.Graph().as_default():
        tf.py_func(function, [np.float32(2)], tf.float32)
    del function
    gc.collect()
    assert seen() is None


def test_a_refused_call_keeps_nothing(graph):
    function = Doubler()
    seen = weakref.ref(function)
    with pytest.raises(TypeError):
        tf.py_func(function, [object()], tf.float32)
    del function
    gc.collect()
    assert seen() is None
    assert graph.get_operations() == []


def test_each_function_has_a_token_of_its_own():
    made = [tf.py_func(Doubler(), [1.0], tf.float32) for _ in range(3)]
    tokens = [y.op.attrs["token"] for y in made]
    assert len(set(tokens)) == 3
    assert all(token.startswith("pyfunc_") for token in tokens)


@pytest.mark.parametrize("interpreted", [True, False])
def test_every_run_calls_it_once(interpreted):
    calls = []
    y = tf.py_func(lambda x: calls.append(x), [np.float32(1)], [])
    with tf.Session() as session:
        session.interpreted = interpreted
        for _ in range(4):
            session.run(y)
    assert calls == [1.0] * 4


@pytest.mark.parametrize("interpreted", [True, False])
def test_the_exception_stays_the_cause_and_its_lines_stand_in_the_message(interpreted):
    error = KeyError("nowhere")

    def look_up():
        raise error

    y = tf.py_func(look_up, [], tf.float32, name="lookup")
    with pytest.raises(tf.errors.UnknownError) as caught:
        run(y, interpreted)
    assert caught.value.__cause__ is error
    assert caught.value.op is y.op
    assert "in look_up" in caught.value.message
    assert "script.py" not in caught.value.message
    assert any(frame.name == "look_up" for frame in traceback.extract_tb(caught.value.__cause__.__traceback__))


def test_a_token_without_its_function_says_so():
    (y,) = py_func_op([], token="pyfunc_none", Tout=[tf.float32])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"callback pyfunc_none is not found\n.*no part of a saved graph"):
        run(y)


def test_the_function_may_change_what_it_is_given_and_keep_what_it_returns():
    kept = np.zeros(2, np.float32)

    def add_to(x):
        x += 1
        kept[:] += x
        return kept

    y = tf.py_func(add_to, [tf.constant([1.0, 2.0])], tf.float32)
    with tf.Session() as session:
        first, second = session.run(y), session.run(y)
    assert first.tolist() == [2.0, 3.0]
    assert second.tolist() == [4.0, 6.0]


def test_eager_functions_are_refused_with_what_to_use_instead():
    with pytest.raises(tf.errors.UnimplementedError, match=r"fix: tf\.py_func"):
        tf.py_function(lambda x: x, [1.0], tf.float32)


def test_a_graph_file_keeps_the_token_and_the_same_process_finds_the_function(graph):
    y = tf.py_func(Doubler(), [np.float32(3)], tf.float32, name="double")
    message = graph.as_graph_def()
    (node,) = [n for n in message.node if n.op == "PyFunc"]
    assert node.attr["token"].s.decode() == y.op.attrs["token"]
    with tf.Graph().as_default():
        (again,) = tf.import_graph_def(message, return_elements=["double:0"])
        assert run(again) == 6


@pytest.mark.parametrize("stateful", [True, False])
@pytest.mark.parametrize("interpreted", [True, False])
def test_functions_of_two_threads_do_not_wait_for_each_others_end(stateful, interpreted):
    both = threading.Barrier(2)

    def meet(x):
        both.wait(timeout=20)
        return x + 1

    x = tf.placeholder(tf.float32, [])
    nodes = [tf.py_func(meet, [x], tf.float32, stateful=stateful) for _ in range(2)]
    for pair in ((nodes[0], nodes[0]), nodes):
        with tf.Session() as session:
            session.interpreted = interpreted
            results = [None, None]

            def call(i, session=session, pair=pair, results=results):
                results[i] = session.run(pair[i], {x: i})

            for _ in range(2):
                threads = [threading.Thread(target=call, args=(i,)) for i in range(2)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                assert results == [1, 2]
