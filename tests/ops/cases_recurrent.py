"""Rows of the op table: the fused recurrent cells and their gradients."""

import numpy as np
from cases import case, form
from harness import raw


def numbers(*shape, of=np.float32):
    """Numbers of both signs that differ from each other."""
    return (np.sin(np.arange(int(np.prod(shape)), dtype=np.float32) * 1.7 + len(shape)) / 2).reshape(shape).astype(of)


N, D, C, T = 2, 3, 4, 5
CELL = {
    "x": numbers(N, D), "cs_prev": numbers(N, C), "h_prev": numbers(N, C) / 2, "w": numbers(D + C, 4 * C),
    "wci": numbers(C), "wcf": numbers(C) / 3, "wco": numbers(C) * 2, "b": numbers(4 * C),
}  # fmt: skip
BLOCK = {**CELL, "x": numbers(T, N, D)}
GRU = {
    "x": numbers(N, D), "h_prev": numbers(N, C), "w_ru": numbers(D + C, 2 * C), "w_c": numbers(D + C, C),
    "b_ru": numbers(2 * C), "b_c": numbers(C),
}  # fmt: skip


def made(tf, op_type, names, tensors, **attrs):
    return list(raw(tf, op_type, **dict(zip(names, tensors)), **attrs))


def weighted(tf, outputs):
    """A number that depends on every element of each output, in a way of its own."""
    total = 0.0
    for y in outputs:
        count = int(np.prod(y.shape.as_list()))
        total += tf.reduce_sum(y * tf.constant(np.cos(np.arange(count)).reshape(y.shape.as_list()), y.dtype))
    return total


def rows(op_type, inputs, outputs=(1, 6), steps=None, **attrs):
    """A row for the op and one for its gradient. outputs: those that have gradients of their own."""
    names = list(inputs)
    label = ", ".join(f"{k} {v}" for k, v in attrs.items()) or "form"

    def call(tf, *tensors):
        tf.contrib.rnn.GRUBlockCell  # noqa: B018 - 1.15 registers some of the gradients when contrib is read
        fixed = {} if steps is None else {"seq_len_max": np.int64(steps)}
        return made(tf, op_type, names, tensors, **fixed, **attrs)

    def compared(tf, *tensors):
        made_now = call(tf, *tensors)
        return made_now if steps in (None, T) else [made_now[1], made_now[6]]  # the others are unset after the last step

    def slopes(tf, *tensors):
        made_now = call(tf, *tensors)
        found = tf.gradients(weighted(tf, [made_now[i] for i in outputs]), list(tensors))
        return [g for g in found if g is not None]

    label += "" if steps is None else f", {steps} steps"
    form(f"raw_ops.{op_type}", label, compared, *inputs.values())
    case(f"raw_ops.{op_type}", f"{label}, gradient", slopes, *inputs.values(), nodes=True)


rows("LSTMBlockCell", CELL)
rows("LSTMBlockCell", CELL, use_peephole=True, cell_clip=0.5, forget_bias=0.25)
rows("LSTMBlockCell", CELL, use_peephole=True, cell_clip=0.0)
rows("GRUBlockCell", GRU, outputs=(3,))
for steps in (T, 3, 0):
    rows("BlockLSTM", BLOCK, steps=steps)
    rows("BlockLSTM", BLOCK, steps=steps, use_peephole=True, cell_clip=0.0, forget_bias=0.5)

HALF = {name: value.astype(np.float16) for name, value in CELL.items()}
case("raw_ops.LSTMBlockCell", "half", lambda tf, *t: made(tf, "LSTMBlockCell", CELL, t), *HALF.values())

EMPTY = {**CELL, "x": CELL["x"][:0], "cs_prev": CELL["cs_prev"][:0], "h_prev": CELL["h_prev"][:0]}
case("raw_ops.LSTMBlockCell", "no rows", lambda tf, *t: made(tf, "LSTMBlockCell", CELL, t), *EMPTY.values())
case("raw_ops.GRUBlockCell", "no rows", lambda tf, *t: made(tf, "GRUBlockCell", GRU, t), GRU["x"][:0], GRU["h_prev"][:0], *list(GRU.values())[2:])

for op_type, inputs, given in (("LSTMBlockCell", CELL, {}), ("BlockLSTM", BLOCK, {"seq_len_max": np.int64(T)}), ("GRUBlockCell", GRU, {})):
    wrong = {
        f"short {name}": {**inputs, name: value[: len(value) - 1]}
        for name, value in inputs.items()
        if not (name == "x" and op_type == "BlockLSTM") and not (name.startswith("wc") and op_type == "LSTMBlockCell")
    }
    wrong.update({f"narrow {n}": {**inputs, n: v[..., :-1]} for n, v in inputs.items() if v.ndim > 1})
    if given:
        wrong["flat x"] = {**inputs, "x": inputs["x"][0]}
    for label, values in wrong.items():

        def call(tf, *tensors, op_type=op_type, inputs=inputs, given=given):
            return made(tf, op_type, inputs, tensors, **given)

        def unknown(tf, *tensors, call=call):
            return call(tf, *(tf.placeholder_with_default(t, None) for t in tensors))

        case(f"raw_ops.{op_type}", label, unknown, *values.values())
        case(f"raw_ops.{op_type}", f"{label}, known", call, *values.values())
