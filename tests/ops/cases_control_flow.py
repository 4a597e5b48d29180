"""Rows of the op types that loops are made of; whole loops are in tests/semantics/programs_while.py and programs_loops.py."""

from typing import Any

import numpy as np
from cases import case, form
from harness import raw

A = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
N, YES, NO = np.array(3, np.int32), np.array(True), np.array(False)


def in_and_out(is_constant: bool) -> Any:
    """x through a frame without iterations."""

    def call(tf: Any, x: Any) -> Any:
        inside = raw(tf, "Enter", "enter", data=x, frame_name="frame", is_constant=is_constant, parallel_iterations=2)
        return raw(tf, "Exit", "exit", data=inside)

    return call


form("raw_ops.Enter", "form", in_and_out(False), A)
form("raw_ops.Enter", "constant", in_and_out(True), A)
for dtype in ("string", "bool", "complex64", "int64"):
    value = np.array([b"a", b"b"], object) if dtype == "string" else A.astype(dtype)
    case("raw_ops.Enter", f"dtype {dtype}", in_and_out(False), value)
BAD = {
    "no frame name": {}, "a number as name": {"frame_name": 3}, "None as name": {"frame_name": None},
    "constant text": {"frame_name": "f", "is_constant": "yes"}, "half iterations": {"frame_name": "f", "parallel_iterations": 1.5},
    "unexpected": {"frame_name": "f", "no_such_argument": 1},
}  # fmt: skip
for label, given in BAD.items():
    case("raw_ops.Enter", label, lambda tf, x, given=given: raw(tf, "Enter", data=x, **given), A)
for symbol in ("RefEnter", "RefExit", "RefNextIteration"):
    frame = {"frame_name": "f"} if symbol == "RefEnter" else {}
    case(f"raw_ops.{symbol}", "a value", lambda tf, x, s=symbol, f=frame: raw(tf, s, data=x, **f), A)
for symbol in ("Enter", "Exit", "NextIteration"):
    frame = {"frame_name": "f"} if symbol == "Enter" else {}
    for label, value in (("None", None), ("an object", {})):
        case(f"raw_ops.{symbol}", label, lambda tf, s=symbol, f=frame, v=value: raw(tf, s, data=v, **f))
form("raw_ops.LoopCond", "form", lambda tf, p: raw(tf, "LoopCond", "mine", input=p), YES)
case("raw_ops.LoopCond", "int32", lambda tf, x: raw(tf, "LoopCond", input=x), N)
case("raw_ops.LoopCond", "vector", lambda tf, p: raw(tf, "LoopCond", input=p), np.array([True]))


def counted(tf: Any, n: Any, x: Any) -> Any:
    """i and x after n rounds of i + 1 and x * 2, made of the raw ops."""
    limit = raw(tf, "Enter", "limit", data=n, frame_name="frame", is_constant=True)
    merges = []
    for k, start in enumerate((tf.constant(0), x)):
        inside = raw(tf, "Enter", f"in{k}", data=start, frame_name="frame")
        merges.append(raw(tf, "Merge", f"merge{k}", inputs=[inside, inside])[0])
    goes_on = raw(tf, "LoopCond", "goes_on", input=tf.less(merges[0], limit))
    ends = []
    for k, merged in enumerate(merges):
        end, body = raw(tf, "Switch", f"switch{k}", data=merged, pred=goes_on)
        with tf.control_dependencies([body]):
            one = tf.constant(1, name="one") if k == 0 else body
        merged.op._update_input(1, raw(tf, "NextIteration", f"next{k}", data=tf.add(body, one)))
        ends.append(raw(tf, "Exit", f"end{k}", data=end))
    return ends


form("raw_ops.NextIteration", "a loop", counted, N, A)
case("raw_ops.NextIteration", "no round", counted, np.array(0, np.int32), A)
case("raw_ops.Exit", "dead", lambda tf, x, p: raw(tf, "Exit", "exit", data=raw(
    tf, "Enter", "enter", data=raw(tf, "Switch", "switch", data=x, pred=p)[0], frame_name="frame")), A, YES)  # fmt: skip


def reference_round(tf: Any, n: Any) -> Any:
    """A variable that goes round as a reference, counted up to n."""
    v = raw(tf, "VariableV2", "v", shape=[], dtype=tf.int32)
    with tf.control_dependencies([tf.assign(v, 0)]):
        start = raw(tf, "RefIdentity", "start", input=v)
    inside = raw(tf, "RefEnter", "enter", data=start, frame_name="frame")
    merged = raw(tf, "RefMerge", "merge", inputs=[inside, inside])[0]
    limit = raw(tf, "Enter", "limit", data=n, frame_name="frame", is_constant=True)
    goes_on = raw(tf, "LoopCond", "goes_on", input=tf.less(tf.identity(merged), limit))
    end, body = raw(tf, "RefSwitch", "switch", data=merged, pred=goes_on)
    with tf.control_dependencies([body]):
        one = tf.constant(1, name="one")
    after = raw(tf, "AssignAdd", "up", ref=body, value=one)
    merged.op._update_input(1, raw(tf, "RefNextIteration", "next", data=after))
    return tf.identity(raw(tf, "RefExit", "exit", data=end))


for symbol in ("RefEnter", "RefExit", "RefNextIteration"):
    form(f"raw_ops.{symbol}", "a loop", reference_round, N)


def two_variables(tf: Any, second: Any = (2, 3)) -> Any:
    """Two variables, and what gives them x and zeros."""
    one = raw(tf, "VariableV2", "one", shape=[2, 3], dtype=tf.float32)
    return one, raw(tf, "VariableV2", "other", shape=second, dtype=tf.float32)


def selected(index: Any) -> Any:
    """One of two variables, which hold x and zeros."""

    def call(tf: Any, both: Any, x: Any) -> Any:
        with tf.control_dependencies([tf.assign(both[0], x), tf.assign(both[1], tf.zeros(both[1].shape))]):
            return tf.identity(raw(tf, "RefSelect", "mine", index=index, inputs=list(both)))

    return call


for index in (0, 1, 2, -1):
    case("raw_ops.RefSelect", f"number {index}", selected(index), A, nodes=True, before=two_variables)
case("raw_ops.RefSelect", "another shape", selected(1), A, nodes=True, before=lambda tf: two_variables(tf, [4]))
case("raw_ops.RefSelect", "vector", lambda tf, both: raw(tf, "RefSelect", index=[1], inputs=list(both)), before=two_variables)
case("raw_ops.RefSelect", "no variables", lambda tf: raw(tf, "RefSelect", index=0, inputs=[]))


def triggered(tf: Any, x: Any, p: Any) -> Any:
    """x after a trigger that waits for a value that may be dead."""
    with tf.control_dependencies([tf.identity(raw(tf, "Switch", data=x, pred=p)[1])]):
        trigger = raw(tf, "ControlTrigger", "trigger")
    with tf.control_dependencies([trigger]):
        return tf.identity(x)


for label, p in (("alive", YES), ("dead", NO)):
    form("raw_ops.ControlTrigger", label, triggered, A, p)


def beside_an_abort(tf: Any, x: Any) -> Any:
    """x, beside a node that would end the program; nobody runs it."""
    raw(tf, "Abort", "abort")
    raw(tf, "Abort", "quiet", error_msg="mine", exit_without_error=True)
    return tf.identity(x)


form("raw_ops.Abort", "not run", beside_an_abort, A)
