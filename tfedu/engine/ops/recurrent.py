"""Fused recurrent cells: LSTMBlockCell, BlockLSTM (all steps at once), GRUBlockCell, and their gradients. No state.

One step of the LSTM, with inputs x [n, d] and the state cs, h [n, c]; wci, wcf and wco [c] are the peepholes:

    i, ci, f, o = [x, h] · w + b                      # n rows of four parts [c]
    i, f, ci = sigmoid(i + cs · wci), sigmoid(f + forget_bias + cs · wcf), tanh(ci)
    cs = ci · i + cs · f
    o, co = sigmoid(o + cs · wco), tanh(cs)
    h = co · o

One step of the GRU: r, u = sigmoid([x, h] · w_ru + b_ru); c = tanh([x, h · r] · w_c + b_c); h = (1 - u) · c + u · h.
"""

from __future__ import annotations

from typing import Any

from ..base import dtypes
from ..base.shapes import Shape, ShapeMismatch
from ..op import tensor_functions as functions
from ..op.callers import nodes
from ..op.define import Sym, op, typevar
from ..op.shape_checks import invalid, kinds, needs_rank, of_rank, same
from .math import sigmoid as _sigmoid_op

T = typevar("T", kinds("half float"))
Single = typevar("T", kinds("float"))
_LSTM = "i cs f o ci co h"
_sigmoid = _sigmoid_op.definition.kernel


def _check(*sizes: tuple[str, int, int]) -> None:
    """Raises: InvalidArgumentError for the first of the sizes that is not the expected one."""
    for name, size, wanted in sizes:
        if size != wanted:
            raise invalid(f"{name}: {size} vs. {wanted}")


def _check_lstm(x: Any, cs_prev: Any, h_prev: Any, w: Any, b: Any) -> None:
    for name, value, rank in (("cs_prev", cs_prev, 2), ("h_prev", h_prev, 2), ("w", w, 2), ("b", b, 1)):
        needs_rank(value, rank, f"{name} must be {rank}D")
    (n, d), c = x.shape[-2:], cs_prev.shape[1]
    _check(
        ("cs_prev.dims(0) != batch_size", len(cs_prev), n),
        ("h_prev.dims(0) != batch_size", len(h_prev), n),
        ("h_prev.dims(1) != cell_size", h_prev.shape[1], c),
        ("w.dim_size(0) != input_size + cell_size", len(w), d + c),
        ("w.dim_size(1) != cell_size * 4", w.shape[1], 4 * c),
        ("b.dim_size(0) != cell_size * 4", len(b), 4 * c),
    )


def _step(
    xp: Any, x: Any, cs: Any, h: Any, w: Any, peepholes: Any, b: Any, forget_bias: float, cell_clip: float,
) -> tuple[Any, ...]:
    """i, cs, f, o, ci, co, h of one step. peepholes: wci, wcf, wco, or None."""
    i, ci, f, o = xp.split(xp.concatenate([x, h], 1) @ w + b, 4, axis=1)
    f = f + x.dtype.type(forget_bias)
    if peepholes is not None:
        i, f = i + cs * peepholes[0], f + cs * peepholes[1]
    i, f, ci = _sigmoid(xp, i), _sigmoid(xp, f), xp.tanh(ci)
    cs = ci * i + cs * f
    if cell_clip > 0:
        cs = xp.clip(cs, x.dtype.type(-cell_clip), x.dtype.type(cell_clip))
    if peepholes is not None:
        o = o + cs * peepholes[2]
    o, co = _sigmoid(xp, o), xp.tanh(cs)
    return i, cs, f, o, ci, co, co * o


def _step_slopes(
    xp: Any, cs_prev: Any, peepholes: Any, saved: tuple[Any, ...], cs_grad: Any, h_grad: Any,
) -> tuple[Any, Any, tuple[Any, Any, Any]]:
    """The gradients of cs_prev [n, c], of the gates before their activation [n, 4 · c], and of i, f and o alone.

    saved: i, cs, f, o, ci, co of the step.
    """
    i, _, f, o, ci, co = saved
    do = h_grad * co * o * (1 - o)
    dcs = h_grad * o * (1 - co * co) + cs_grad
    if peepholes is not None:
        dcs = dcs + do * peepholes[2]
    dci, df, di = dcs * i * (1 - ci * ci), dcs * cs_prev * f * (1 - f), dcs * ci * i * (1 - i)
    dcs_prev = dcs * f
    if peepholes is not None:
        dcs_prev = dcs_prev + di * peepholes[0] + df * peepholes[1]
    return dcs_prev, xp.concatenate([di, dci, df, do], 1), (di, df, do)


# -- one step of the LSTM --------------------------------------------------------------------------------------------------


def _lstm_cell_shape(x: Sym, cs_prev: Sym, *_: Sym, **__: Any) -> list[Shape]:
    return [(of_rank(x.shape, 2)[0], of_rank(cs_prev.shape, 2)[1])] * 7


@op("LSTMBlockCell", out=_LSTM, shape=_lstm_cell_shape, fresh=True, multiplies=True)
def lstm_block_cell(
    xp: Any, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, *,
    forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False,
) -> tuple[T, T, T, T, T, T, T]:  # fmt: skip
    """One step of an LSTM: x [n, d], cs_prev, h_prev [n, c], w [d + c, 4 · c], wci, wcf, wco [c], b [4 · c] -> seven [n, c].

    cell_clip: a limit of |cs| where it is positive. The gates are those of the module's formula.

    Raises: InvalidArgumentError for sizes that do not fit.
    """
    needs_rank(x, 2, "x must be 2D")
    _check_lstm(x, cs_prev, h_prev, w, b)
    peepholes = (wci, wcf, wco) if use_peephole else None
    return _step(xp, x, cs_prev, h_prev, w, peepholes, b, forget_bias, cell_clip)


@lstm_block_cell.grad
def _(op: Any, *g: Any) -> Any:
    x, cs_prev, h_prev, w = op.inputs[:4]
    _, cs_grad, _, _, _, _, h_grad = g
    n, d = of_rank(x.raw_shape, 2)
    c = of_rank(cs_prev.raw_shape, 2)[1]
    dcs_prev, dgates, dwci, dwcf, dwco = nodes.LSTMBlockCellGrad(
        *op.inputs, *op.outputs[:6], cs_grad, h_grad, use_peephole=op.attrs["use_peephole"]
    )
    dxh = nodes.MatMul(dgates, w, transpose_b=True)
    rows = -1 if n is None else n
    dx = nodes.Slice(dxh, (0, 0), (rows, d))
    dh_prev = nodes.Slice(dxh, (0, d), (rows, c))
    dw = nodes.MatMul(functions.concat([x, h_prev], 1), dgates, transpose_a=True)
    return dx, dcs_prev, dh_prev, dw, dwci, dwcf, dwco, nodes.BiasAddGrad(dgates)


def _lstm_cell_grad_shape(x: Sym, cs_prev: Sym, *_: Sym, use_peephole: bool) -> list[Shape]:
    n, c = of_rank(x.shape, 2)[0], of_rank(cs_prev.shape, 2)[1]
    return [(n, c), (n, None if c is None else 4 * c), (c,), (c,), (c,)]


@op(
    "LSTMBlockCellGrad",
    out="cs_prev_grad dicfo wci_grad wcf_grad wco_grad",
    shape=_lstm_cell_grad_shape,
    fresh=True,
    multiplies=True,
)
def lstm_block_cell_grad(
    xp: Any, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T, o: T, ci: T, co: T,
    cs_grad: T, h_grad: T, *, use_peephole: bool,
) -> tuple[T, T, T, T, T]:  # fmt: skip
    """The gradients of an LSTMBlockCell, whose inputs and outputs it takes: of cs_prev [n, c], the gates [n, 4 · c] and the
    peepholes [c].
    """
    _check_lstm(x, cs_prev, h_prev, w, b)
    peepholes = (wci, wcf, wco) if use_peephole else None
    saved = (i, cs, f, o, ci, co)
    dcs_prev, dgates, (di, df, do) = _step_slopes(xp, cs_prev, peepholes, saved, cs_grad, h_grad)
    if peepholes is None:
        return dcs_prev, dgates, *(xp.zeros_like(wci) for _ in range(3))
    return dcs_prev, dgates, (di * cs_prev).sum(0), (df * cs_prev).sum(0), (do * cs).sum(0)


# -- all steps of the LSTM -------------------------------------------------------------------------------------------------


def _block_lstm_shape(seq_len_max: Sym, x: Sym, cs_prev: Sym, h_prev: Sym, w: Sym, wci: Sym, wcf: Sym, wco: Sym, b: Sym,
                      **_: Any) -> list[Shape]:  # fmt: skip
    t, n, _depth = of_rank(x.shape, 3)
    gates = of_rank(b.shape, 1)[0]
    if gates is not None and gates % 4:
        raise ShapeMismatch(f"Dimension size must be evenly divisible by 4 but is {gates}")
    return [(t, n, None if gates is None else gates // 4)] * 7


def _check_block(seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, peepholes: Any, b: Any) -> int:
    """The number of steps to compute.

    Raises: InvalidArgumentError for sizes that do not fit, and for more steps than x has.
    """
    needs_rank(x, 3, "x must be 3D")
    _check_lstm(x, cs_prev, h_prev, w, b)
    for name, vector in zip(("wci", "wcf", "wco"), peepholes):
        needs_rank(vector, 1, f"{name} must be 1D")
        _check((f"{name}.dim_size(0) != cell_size", len(vector), cs_prev.shape[1]))
    count = int(seq_len_max.reshape(-1)[0])
    if not 0 <= count <= len(x):
        raise invalid(f"seq_len_max must be between 0 and the number of steps, {len(x)}, but is {count}")
    return count


def _block_lstm(
    xp: Any, seq_len_max: Any, x: Any, cs: Any, h: Any, w: Any, peepholes: Any, b: Any, forget_bias: float, cell_clip: float,
    use_peephole: bool,
) -> tuple[Any, ...]:  # fmt: skip
    count = _check_block(seq_len_max, x, cs, h, w, peepholes, b)
    outputs = tuple(xp.zeros((len(x), *cs.shape), x.dtype) for _ in range(7))
    for t in range(count):
        values = _step(xp, x[t], cs, h, w, peepholes if use_peephole else None, b, forget_bias, cell_clip)
        for output, value in zip(outputs, values):
            output[t] = value
        cs, h = values[1], values[6]
    return outputs


def _block_lstm_slopes(
    xp: Any, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, peepholes: Any, b: Any, saved: tuple[Any, ...],
    h: Any, cs_grad: Any, h_grad: Any, use_peephole: bool,
) -> tuple[Any, ...]:  # fmt: skip
    """The gradients of x, cs_prev, h_prev, w, the peepholes and b, from the last step to the first."""
    count = _check_block(seq_len_max, x, cs_prev, h_prev, w, peepholes, b)
    d, cs = x.shape[2], saved[1]
    dx, dgates = xp.zeros_like(x), xp.zeros((*x.shape[:2], w.shape[1]), x.dtype)
    dpeepholes = [xp.zeros_like(vector) for vector in peepholes]
    dcs, dh = xp.zeros_like(cs_prev), xp.zeros_like(h_prev)
    for t in reversed(range(count)):
        before = cs[t - 1] if t else cs_prev
        step = tuple(part[t] for part in saved)
        dcs, dgates[t], (di, df, do) = _step_slopes(
            xp, before, peepholes if use_peephole else None, step, cs_grad[t] + dcs, h_grad[t] + dh
        )
        dxh = dgates[t] @ w.T
        dx[t], dh = dxh[:, :d], dxh[:, d:]
        if use_peephole:
            for total, slope in zip(dpeepholes, ((di * before).sum(0), (df * before).sum(0), (do * cs[t]).sum(0))):
                total += slope
    before = xp.concatenate([h_prev[None], h])[:-1]
    rows = xp.concatenate([x, before], 2).reshape(-1, len(w)) if count else xp.zeros((0, len(w)), x.dtype)
    flat = dgates.reshape(-1, w.shape[1])
    return dx, dcs, dh, rows.T @ flat[: len(rows)], *dpeepholes, flat.sum(0)


@op("BlockLSTM", out=_LSTM, shape=_block_lstm_shape, fresh=True, multiplies=True)
def block_lstm(
    xp: Any, seq_len_max: dtypes.int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, *,
    forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False,
) -> tuple[T, T, T, T, T, T, T]:  # fmt: skip
    """The first seq_len_max steps of an LSTM: x [t, n, d], cs_prev, h_prev [n, c], w [d + c, 4 · c], wci, wcf, wco [c],
    b [4 · c] -> seven [t, n, c], 0 after seq_len_max, a scalar.

    Raises: InvalidArgumentError for sizes that do not fit.
    Differs from TF: leaves no output unset after seq_len_max; refuses a larger seq_len_max, with which TF ends the process.
    """
    return _block_lstm(
        xp, seq_len_max, x, cs_prev, h_prev, w, (wci, wcf, wco), b, forget_bias, cell_clip, use_peephole)


@block_lstm.grad
def _(op: Any, *g: Any) -> Any:
    slopes = nodes.BlockLSTMGrad(*op.inputs, *op.outputs, g[1], g[6], use_peephole=op.attrs["use_peephole"])
    return None, *slopes


def _block_lstm_grad_shape(seq_len_max: Sym, *inputs: Sym, use_peephole: bool) -> list[Shape]:
    x, cs_prev, h_prev, w, wci, wcf, wco, b = inputs[:8]
    return [
        of_rank(x.shape, 3), of_rank(cs_prev.shape, 2), of_rank(h_prev.shape, 2), of_rank(w.shape, 2),
        *(of_rank(vector.shape, 1) for vector in (wci, wcf, wco, b)),
    ]  # fmt: skip


_SLOPES = "x_grad cs_prev_grad h_prev_grad w_grad wci_grad wcf_grad wco_grad b_grad"


@op("BlockLSTMGrad", out=_SLOPES, shape=_block_lstm_grad_shape, fresh=True, multiplies=True)
def block_lstm_grad(
    xp: Any, seq_len_max: dtypes.int64, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T,
    i: T, cs: T, f: T, o: T, ci: T, co: T, h: T, cs_grad: T, h_grad: T, *, use_peephole: bool,
) -> tuple[T, T, T, T, T, T, T, T]:  # fmt: skip
    """The gradients of a BlockLSTM, whose inputs and outputs [t, n, c] it takes: of x [t, n, d] and its other inputs."""
    return _block_lstm_slopes(
        xp, seq_len_max, x, cs_prev, h_prev, w, (wci, wcf, wco), b, (i, cs, f, o, ci, co), h, cs_grad, h_grad,
        use_peephole,
    )  # fmt: skip


# -- one step of the GRU ---------------------------------------------------------------------------------------------------


def _check_gru(x: Any, h_prev: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any) -> None:
    ranks = {"x": (x, 2), "h_prev": (h_prev, 2), "w_ru": (w_ru, 2), "w_c": (w_c, 2), "b_ru": (b_ru, 1), "b_c": (b_c, 1)}
    for name, (value, rank) in ranks.items():
        needs_rank(value, rank, f"{name} must be {rank}D")
    n, d, c = x.shape[0], x.shape[1], h_prev.shape[1]
    _check(
        ("h_prev.dims(0) != batch_size", len(h_prev), n),
        ("w_ru.dim_size(0) != input_size + cell_size", len(w_ru), d + c),
        ("w_ru.dim_size(1) != cell_size * 2", w_ru.shape[1], 2 * c),
        ("w_c.dim_size(0) != input_size + cell_size", len(w_c), d + c),
        ("w_c.dim_size(1) != cell_size", w_c.shape[1], c),
        ("b_ru.dim_size(0) != cell_size * 2", len(b_ru), 2 * c),
        ("b_c.dim_size(0) != cell_size", len(b_c), c),
    )


def _gru_shape(x: Sym, h_prev: Sym, *_: Sym) -> list[Shape]:
    return [(of_rank(x.shape, 2)[0], of_rank(h_prev.shape, 2)[1])] * 4


@op("GRUBlockCell", out="r u c h", shape=_gru_shape, fresh=True, multiplies=True)
def gru_block_cell(
    xp: Any, x: Single, h_prev: Single, w_ru: Single, w_c: Single, b_ru: Single, b_c: Single
) -> tuple[Single, Single, Single, Single]:
    """One step of a GRU: x [n, d], h_prev [n, c], w_ru [d + c, 2 · c], w_c [d + c, c], b_ru [2 · c], b_c [c] -> r, u, the
    candidate and h, each [n, c].

    Raises: InvalidArgumentError for sizes that do not fit.
    """
    _check_gru(x, h_prev, w_ru, w_c, b_ru, b_c)
    r, u = xp.split(_sigmoid(xp, xp.concatenate([x, h_prev], 1) @ w_ru + b_ru), 2, axis=1)
    c = xp.tanh(xp.concatenate([x, h_prev * r], 1) @ w_c + b_c)
    return r.copy(), u.copy(), c, u * h_prev + (1 - u) * c


@gru_block_cell.grad
def _(op: Any, *g: Any) -> Any:
    x, h_prev = op.inputs[:2]
    r, u, c, _ = op.outputs
    dx, dh_prev, dc, dru = nodes.GRUBlockCellGrad(*op.inputs, r, u, c, g[3])
    dw_ru = nodes.MatMul(functions.concat([x, h_prev], 1), dru, transpose_a=True)
    db_ru = nodes.BiasAddGrad(dru)
    dw_c = nodes.MatMul(functions.concat([x, nodes.Mul(h_prev, r, name="mul")], 1), dc, transpose_a=True)
    return dx, dh_prev, dw_ru, dw_c, db_ru, nodes.BiasAddGrad(dc)


def _gru_grad_shape(x: Sym, h_prev: Sym, w_ru: Sym, *_: Sym) -> list[Shape]:
    n, c = of_rank(x.shape, 2)[0], of_rank(h_prev.shape, 2)[1]
    twice = None if c is None else 2 * c
    return [of_rank(x.shape, 2), (n, c), (n, c), (n, same(twice, of_rank(w_ru.shape, 2)[1]))]


@op("GRUBlockCellGrad", out="d_x d_h_prev d_c_bar d_r_bar_u_bar", shape=_gru_grad_shape, fresh=True, multiplies=True)
def gru_block_cell_grad(
    xp: Any, x: Single, h_prev: Single, w_ru: Single, w_c: Single, b_ru: Single, b_c: Single, r: Single, u: Single, c: Single,
    d_h: Single,
) -> tuple[Single, Single, Single, Single]:  # fmt: skip
    """The gradients of a GRUBlockCell, whose inputs and outputs it takes: of x [n, d], h_prev [n, c], the candidate before its
    activation [n, c] and the two gates before theirs [n, 2 · c].
    """
    _check_gru(x, h_prev, w_ru, w_c, b_ru, b_c)
    d = x.shape[1]
    dc = d_h * (1 - u) * (1 - c * c)
    du = d_h * (h_prev - c) * u * (1 - u)
    dxh = dc @ w_c.T
    dr = dxh[:, d:] * h_prev * r * (1 - r)
    dru = xp.concatenate([dr, du], 1)
    dxh_ru = dru @ w_ru.T
    return dxh[:, :d] + dxh_ru[:, :d], dxh_ru[:, d:] + dxh[:, d:] * r + d_h * u, dc, dru

