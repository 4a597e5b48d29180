"""Ctrl-C at any line of a building call leaves graph, blocks, stacks and registries as they were before the call.

The interrupt is raised by a trace function at each line of tfedu that the call runs, one after the other.
"""

import contextlib
import linecache
import sys
import threading

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.graph.stacks import per_thread
from tfedu.engine.lib.variables.scope_store import scopes_of


class Interrupt:
    """Raises KeyboardInterrupt at the line `at` of tfedu, counted from 0; None: only counts the lines."""

    def __init__(self, at):
        self.at, self.seen, self.where = at, 0, None

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self.call)
        return self

    def __exit__(self, *exc):
        sys.settrace(self.before)

    def call(self, frame, event, arg):
        if not frame.f_globals.get("__name__", "").startswith("tfedu."):
            return None
        own = frame.f_code.co_name == "__exit__" and not frame.f_back.f_globals.get("__name__", "").startswith("tfedu.")
        return self.later if own else self.line

    def later(self, frame, event, arg):
        """The line events of the end of a program's own block, but the first one.

        Python calls `__exit__` once: at an interrupt before its first instruction, a block of the program's own stays open.
        A block of a building call is closed by that call.
        """
        return self.line if event == "line" else self.later

    def line(self, frame, event, arg):
        # Python looks for signals at calls, jumps back and starts of functions: not before the C call that releases a lock.
        if event == "line" and "._lock:" not in linecache.getline(frame.f_code.co_filename, frame.f_lineno):
            if self.seen == self.at:
                self.where = f"{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name}"
                raise KeyboardInterrupt
            self.seen += 1
        return self.line


def fingerprint(graph):
    """All that a building call may change, but counters that only grow and empty dictionaries of caches."""
    scopes = scopes_of(graph)
    collections = {
        str(key): [str(getattr(item, "name", type(item).__name__)) for item in items]
        for key, items in graph._collections.items() if items
    }  # fmt: skip
    stores = [item for items in graph._collections.values() for item in items if hasattr(item, "_vars")]
    return {
        "nodes": [
            (op.name, op.type, [t.name for t in op.inputs], [w.name for w in op.control_inputs], op.device, str(dict(op.attrs)))
            for op in graph._nodes
        ],
        "by name": sorted(graph._by_name),
        "consumers": [sorted(c.name for c in t.consumers()) for op in graph._nodes for t in op.outputs],
        "waiting": [sorted(w.name for w in op.control_outputs) for op in graph._nodes],
        "contexts": [str(op._context) for op in graph._nodes],
        "names": dict(graph._names),
        "settings": graph._settings_now(),
        "journal": graph._journal,
        "stacks": (list(per_thread.graphs), list(per_thread.sessions)),
        "collections": collections,
        "variables": [sorted(store._vars) for store in stores],
        "scope": (getattr(scopes.current, "name", ""), {name: n for name, n in scopes.counts.items() if n}),
        "unfeedable": sorted(t.name for t in graph._unfeedable),
        "unfetchable": sorted(t.name for t in graph._unfetchable),
        "gradients": len(graph.history.gradients),
    }


def free(graph):
    """Whether another thread can take the graph's lock."""
    taken = []

    def take():
        taken.append(graph._lock.acquire(timeout=5))
        if taken[0]:
            graph._lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return taken == [True]


def setting():
    """The graph around each call."""
    tf.placeholder(tf.float32, [2], name="x")
    v = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
    tf.reduce_sum(tf.square(v), name="loss")
    tf.greater(tf.reduce_sum(v), 0.0, name="above")
    tf.constant(0.0, name="zero")
    tf.while_loop(lambda i: i < 3.0, lambda i: i * 2.0, [v[0]], name="loop")


def named(name):
    return tf.get_default_graph().get_tensor_by_name(f"{name}:0")


def x():
    return named("x")


def loss():
    return named("loss")


def blocks():
    with tf.name_scope("a"), tf.device("/cpu:0"), tf.control_dependencies([x()]), tf.variable_scope("s"):
        tf.identity(x())


def default_graph():
    tensor = x()
    with tf.Graph().as_default(), tf.name_scope("a", values=[tensor]):
        tf.identity(tensor)


def colocated():
    with tf.colocate_with(x().op), tf.variable_scope("t", reuse=tf.AUTO_REUSE):
        tf.get_variable("u", [2])


MESSAGE = tf.GraphDef()
with tf.Graph().as_default() as small:
    tf.while_loop(lambda i: i < 5, lambda i: i + 1, [tf.constant(0)])
    MESSAGE.CopyFrom(small.as_graph_def())

CALLS = {
    "op": lambda: tf.add(x(), 1.0, name="sum"),
    "op again": lambda: tf.identity(x()),
    "operator": lambda: x() * 2.0,
    "constant": lambda: tf.constant([1.0, 2.0]),
    "composite": lambda: tf.nn.dropout(x(), 0.5),
    "moments": lambda: tf.nn.moments(x(), [0]),
    "stack": lambda: tf.stack([x(), [1.0, 2.0]]),
    "a scope by itself": lambda: tf.name_scope("n").__enter__() and None,
    "Variable": lambda: tf.Variable([1.0], name="w"),
    "resource variable": lambda: tf.get_variable("r", [2], use_resource=True),
    "assign": lambda: tf.assign(tf.global_variables()[0], [1.0, 2.0]),
    "get_variable": lambda: tf.get_variable("g", [2]),
    "collection": lambda: tf.add_to_collection("mine", 1),
    "cond": lambda: tf.cond(named("above"), lambda: x() + 1.0, lambda: x() * 2.0),
    "while_loop": lambda: tf.while_loop(lambda i: i < 3.0, lambda i: i + x()[0], [named("zero")]),
    "gradients": lambda: tf.gradients(loss(), tf.global_variables()),
    "loop gradients": lambda: tf.gradients(named("loop/Exit"), tf.global_variables()),
    "minimize": lambda: tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss()),
    "colocate": lambda: tf.colocate_with(x().op).__enter__() and None,
    "import": lambda: tf.import_graph_def(MESSAGE, name="imported"),
    "summary": lambda: tf.summary.scalar("s", loss()),
    "init": tf.global_variables_initializer,
    "map_fn": lambda: tf.map_fn(lambda row: row * 2.0, x()),
}


def complete(call):
    """The state after the whole call."""
    with tf.Graph().as_default() as graph:
        setting()
        call()
        return fingerprint(graph)


def interrupted(call, at):
    """The differences that an interrupt at this place leaves, and the place.

    An interrupt when all is built, before the function returns, may leave all of it.
    """
    with tf.Graph().as_default() as graph:
        setting()
        before = fingerprint(graph)
        with Interrupt(at) as interrupt:
            try:
                call()
            except KeyboardInterrupt:
                pass
            else:
                return {}, None
        after = fingerprint(graph)
        found = {key: (before[key], after[key]) for key in before if before[key] != after[key]}
        if found and after["nodes"] == complete(call)["nodes"] and after["settings"] == before["settings"]:
            found = {}
        return found, interrupt.where


def lines_of(call):
    with tf.Graph().as_default():
        setting()
        with Interrupt(None) as counted:
            call()
    return counted.seen


def check(call, places):
    for at in places:
        found, where = interrupted(call, at)
        assert not found, f"interrupted at {where}: {list(found.items())[:3]}"


@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_at_a_line_leaves_everything_as_it_was(name):
    call = CALLS[name]
    tf.Graph().as_default()
    lines_of(call)  # what is imported on first use is imported now
    count = lines_of(call)
    check(call, np.unique(np.linspace(0, count - 1, 40).astype(int)).tolist())


@pytest.mark.long
@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_at_any_line_leaves_everything_as_it_was(name):
    lines_of(CALLS[name])
    check(CALLS[name], range(lines_of(CALLS[name])))


@pytest.mark.parametrize("program", [blocks, default_graph, colocated])
def test_an_interrupt_in_a_program_with_blocks_leaves_none_of_them_open(program):
    lines_of(program)
    for at in range(0, lines_of(program), 41):
        with tf.Graph().as_default() as graph:
            setting()
            before = fingerprint(graph)
            with Interrupt(at) as interrupt:
                with contextlib.suppress(KeyboardInterrupt):
                    program()
            after = fingerprint(graph)
            for key in ("journal", "stacks"):
                assert after[key] == before[key], (interrupt.where, key)
            assert after["scope"][0] == before["scope"][0], interrupt.where
            # The last setting counts the blocks of control dependencies that the program has had.
            assert after["settings"][:-1] == before["settings"][:-1], interrupt.where
            assert free(graph)


def test_an_interrupted_call_frees_the_graph_for_other_threads():
    with tf.Graph().as_default() as graph:
        setting()
        for at in range(0, 200, 7):
            with Interrupt(at):
                with contextlib.suppress(KeyboardInterrupt):
                    tf.add(x(), 1.0)
            assert free(graph)
            assert graph._journal is None
