"""Variable scopes and stores: what they leave behind, what they say, and what TensorFlow 1.15 alone did."""

import inspect
import threading

import pytest

import tfedu as tf


def names():
    return [op.name for op in tf.get_default_graph().get_operations()]


KINDS = pytest.mark.parametrize("resource", [False, True], ids=["reference", "resource"])


@KINDS
@pytest.mark.parametrize("partitioner", [None, tf.fixed_size_partitioner(2)], ids=["whole", "parts"])
def test_a_get_variable_that_fails_leaves_nothing_behind(resource, partitioner):
    def wrong(variable):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        tf.get_variable("v", [4], use_resource=resource, partitioner=partitioner, regularizer=wrong)
    assert names() == []
    assert tf.global_variables() == tf.trainable_variables() == []
    made = tf.get_variable("v", [4], use_resource=resource, partitioner=partitioner)
    assert made.name.removesuffix(":0") == "v"


def test_a_failure_around_it_takes_a_variable_out_of_the_store():
    def outer(getter, name, *args, **kwargs):
        getter(name, *args, **kwargs)
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        tf.get_variable("v", [1], custom_getter=outer)
    assert names() == []
    assert tf.get_variable("v", [1]).name == "v:0"


def test_a_name_that_is_taken_says_who_took_it():
    tf.get_variable("v", [1])
    with pytest.raises(ValueError, match="Variable v already exists, disallowed") as caught:
        tf.get_variable("v", [1])
    text = str(caught.value)
    assert "Originally defined at:\n\n" in text
    first, second = (line for line in text.split("\n") if "test_variable_scope.py" in line)
    assert 'tf.get_variable("v", [1])' in first
    assert second.startswith("  where: ")


def test_a_cell_that_is_run_again_is_told_how_to_begin_afresh():
    import linecache

    source = 'tf.get_variable("w", [1])'
    for cell in ("<cell 1>", "<cell 2>"):
        linecache.cache[cell] = (len(source), None, [source + "\n"], cell)
    run = [compile(source, cell, "exec") for cell in ("<cell 1>", "<cell 2>")]
    exec(run[0], {"tf": tf, "__name__": "__main__"})
    with pytest.raises(ValueError, match=r"tf\.reset_default_graph\(\) starts an empty one"):
        exec(run[1], {"tf": tf, "__name__": "__main__"})
    with pytest.raises(ValueError) as caught:
        exec(run[0], {"tf": tf, "__name__": "__main__"})
    assert "fix:" not in str(caught.value)


def test_a_missing_variable_is_told_with_the_users_line():
    with tf.variable_scope("s", reuse=True), pytest.raises(ValueError, match="Variable s/v does not exist") as caught:
        tf.get_variable("v", [1])
    assert "test_variable_scope.py" in str(caught.value)


def test_variable_takes_its_arguments_by_position_as_in_1_15():
    v = tf.Variable(1.0, False, ["mine"], True, None, "named", None, tf.float64)
    w = tf.Variable(1.0, True, None, True, None, "w", None, tf.float32, None, None, None, True)
    assert repr(v) == "<tf.Variable 'named:0' shape=() dtype=float64_ref>"
    assert repr(w) == "<tf.Variable 'w:0' shape=() dtype=float32>"
    assert tf.get_collection("mine") == [v]
    assert not v.trainable
    assert [*inspect.signature(tf.Variable).parameters][:4] == [
        "initial_value", "trainable", "collections", "validate_shape",
    ]  # fmt: skip


def test_variable_refuses_what_it_does_not_know():
    with pytest.raises(TypeError, match="unexpected keyword argument 'wrong'"):
        tf.Variable(1.0, wrong=1)
    with pytest.raises(NotImplementedError, match=r"ResourceVariable does not implement set_shape\(\)"):
        tf.Variable(1.0, use_resource=True).set_shape([])


def test_an_identity_initializer_makes_matrices_alone():
    for shape in ([2], [2, 2, 2], []):
        with pytest.raises(ValueError, match="Identity matrix initializer can only be used for 2D matrices"):
            tf.initializers.identity()(shape)


def test_scopes_must_be_left_in_order():
    caught = []

    def work():  # what stays open stays open in this thread alone
        outer = tf.variable_scope("a")
        outer.__enter__()
        tf.variable_scope("b").__enter__()
        try:
            outer.__exit__(None, None, None)
        except RuntimeError as error:
            caught.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [text.split("\n")[0] for text in caught] == ["Improper nesting of variable_scope."]


def test_threads_open_scopes_without_seeing_each_others():
    graph, seen = tf.get_default_graph(), {}
    barrier = threading.Barrier(4)

    def work(i):
        with graph.as_default(), tf.variable_scope(f"s{i}", reuse=tf.AUTO_REUSE):
            barrier.wait()
            seen[i] = tf.get_variable("v", [1]).name

    threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {i: f"s{i}/v:0" for i in range(4)}


def test_a_template_that_fails_says_where_it_was_made():
    def f():
        raise ValueError("mine")

    template = tf.make_template("t", f)
    with pytest.raises(ValueError, match=r"^mine\n\noriginally defined at:\n") as caught:
        template()
    assert 'tf.make_template("t", f)' in str(caught.value)


def test_parts_know_which_part_an_initializer_fills():
    from tfedu.engine.lib.variables.partitioned import PartitionInfo

    info = PartitionInfo([4, 3], [2, 0])
    assert (info.single_slice_dim([2, 3]), info.single_offset([2, 3])) == (0, 2)
    assert PartitionInfo([4, 3], [0, 0]).single_slice_dim([4, 3]) is None
    for shape, text in (([2], "Expected equal length"), ([3, 3], "would exceed"), ([2, 2], "could be either dimension")):
        with pytest.raises(ValueError, match=text):
            info.single_slice_dim(shape)


def test_a_variable_in_parts_is_made_of_parts_that_belong_together():
    whole = tf.get_variable("v", [4], partitioner=tf.fixed_size_partitioner(2))
    parts = list(whole)
    make = type(whole)
    again = make("w", [4], tf.float32, parts[::-1], [2])
    assert list(again) == parts
    for arguments, kind, text in (
        (("w", [4], tf.float32, 3, [2]), TypeError, "variable_list is not a list or tuple"),
        (("w", [4], tf.float32, parts, 2), TypeError, "partitions is not a list or tuple"),
        (("w", [4], tf.float32, parts, [0]), ValueError, "partition values must be positive"),
        (("w", [4], tf.float32, [], [2]), ValueError, "variable_list may not be empty"),
        (("w", [4, 1], tf.float32, parts, [2]), ValueError, r"len\(shape\) != len\(partitions\)"),
        (("w", [5], tf.float32, parts, [2]), ValueError, "full shapes must match shape"),
        (("w", [4], tf.float32, [tf.Variable(1.0)], [2]), ValueError, "must have a save_slice_info"),
    ):
        with pytest.raises(kind, match=text):
            make(*arguments)
    with pytest.raises(ValueError, match="to type 'int32' for variable of type 'float32'"):
        tf.convert_to_tensor(whole, tf.int32)
