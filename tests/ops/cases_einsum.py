"""Rows of the op table: the Einsum op, which 1.15 has, though its tf.einsum builds products of its own."""

import numpy as np
from cases import case, form


def filled(*shape, dtype=np.float32):
    return np.arange(1, np.prod(shape, dtype=int) + 1).reshape(shape).astype(dtype)


def of(equation, open=False):
    def call(tf, *inputs):
        if open:
            inputs = [tf.placeholder_with_default(x, None) for x in inputs]
        return tf.raw_ops.Einsum(inputs=inputs, equation=equation)

    return call


M23, M34, M44, M33 = filled(2, 3), filled(3, 4), filled(4, 4), filled(3, 3)
GOOD = {
    "ij,jk->ik": (M23, M34),
    "ij,jk->": (M23, M34),
    "ij,kj->ki": (M23, filled(5, 3)),
    "ii->i": (M33,),
    "ii->": (M33,),
    "i->ii": (M23[0],),
    "i...->ii...": (M34,),
    "ij->": (M23,),
    "ij->ji": (M23,),
    "->": (np.float32(3),),
    "i1->1i": (M23,),
    "iij,jk->ik": (filled(2, 2, 3), M34),
    "...ij,...jk->...ik": (filled(5, 1, 2, 3), filled(4, 3, 4)),
    "...,...->...": (M23, filled(1, 3)),
    "i,...->i...": (filled(2), M34),
    "aab...,b...->a...": (filled(2, 2, 3, 4), M34),
    "i,i->i": (filled(0), filled(0)),
}
UNREAD = {
    "ij,jk": (M23, M34),
    "ij->i->j": (M23,),
    "ij,jk->ik ": (M23, M34),
    "ij,jk->iq": (M23, M34),
    "ij,jk,kl->il": (M23, M34, M44),
    "ij,jk->ik": (M23,),
    "i..j->ij": (M23,),
    "...i...->i": (M23,),
}
UNFIT = {
    "ij,jk->ki": (M23, M44),
    "ij,jk->kj": (M23, M23[0]),
    "ii->i": (M23,),
    "...ij,...jk->ik": (filled(5, 1, 2, 3), filled(4, 3, 4)),
    "...ij->ij...": (filled(2),),
    "i j->j i": (M23,),
    "ij,ij->ij": (M23, filled(1, 3)),
    "...i,...i->...": (M23, filled(4, 3)),
}
for equation, inputs in GOOD.items():
    form("raw_ops.Einsum", equation, of(equation), *inputs)
for equation, inputs in {**UNREAD, **UNFIT}.items():
    case("raw_ops.Einsum", f"bad {equation}", of(equation), *inputs)
    if equation in UNFIT and equation != "...i,...i->...":  # there TF shows shapes that it has rearranged
        case("raw_ops.Einsum", f"bad {equation} of what only the run knows", of(equation, open=True), *inputs)
for dtype in (np.int32, np.int64, np.float16, np.float64, np.complex64, np.complex128):
    case("raw_ops.Einsum", np.dtype(dtype).name, of("ij,jk->ik"), M23.astype(dtype), M34.astype(dtype))
