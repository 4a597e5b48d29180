"""Rows of the op table: Fourier and cosine transforms."""

import numpy as np
from cases import case, form, named

rng = np.random.default_rng(5)
REAL = rng.normal(size=(1, 2, 3, 4)).astype(np.float32)
COMPLEX = (REAL + 1j * rng.normal(size=REAL.shape)).astype(np.complex64)

for rank, suffix in ((1, ""), (2, "2d"), (3, "3d")):
    for way in ("fft", "ifft"):
        plain = way + suffix
        for symbol in (plain, "signal." + plain, "spectral." + plain):
            f = named(symbol)
            form(symbol, "form", f, COMPLEX)
        case(plain, "complex128", named(plain), COMPLEX.astype(np.complex128))
        case(plain, "odd length", named(plain), COMPLEX[..., :3])
        case(plain, "empty", named(plain), COMPLEX[:0])
        case(plain, "length 0", named(plain), COMPLEX[..., :0])
        case(plain, "rank too low", named(plain), COMPLEX[(0,) * (5 - rank)])
        case(plain, "real", named(plain), REAL)
        case(plain, "integer", named(plain), REAL.astype(np.int32))
    for symbol in (f"signal.rfft{suffix}", f"spectral.rfft{suffix}"):
        f = named(symbol)
        form(symbol, "form", f, REAL)
        form(symbol, "length", lambda tf, x, f=f, r=rank: f(tf, x, [2, 3, 4][-r:]), REAL)
        form(symbol, "longer", lambda tf, x, f=f, r=rank: f(tf, x, [5, 5, 9][-r:], name="mine"), REAL)
        form(symbol, "length tensor", lambda tf, x, n, f=f: f(tf, x, n), REAL, np.array([3, 3, 8][-rank:], np.int32))
    f = named(f"signal.rfft{suffix}")
    symbol = f"signal.rfft{suffix}"
    case(symbol, "float64", f, REAL.astype(np.float64))
    case(symbol, "empty", f, REAL[:0])
    case(symbol, "length 0", f, REAL[..., :0])
    case(symbol, "rank too low", f, REAL[(0,) * (5 - rank)])
    case(symbol, "complex", f, COMPLEX)
    case(symbol, "too many lengths", lambda tf, x, f=f: f(tf, x, [2, 2, 2, 2]), REAL)
    case(symbol, "negative length", lambda tf, x, n, f=f: f(tf, x, n), REAL, np.array([-1] * rank, np.int32))
    case(symbol, "a list", lambda tf, f=f: f(tf, [[[1.0, 2.0]]]))
    for symbol in (f"signal.irfft{suffix}", f"spectral.irfft{suffix}"):
        f = named(symbol)
        form(symbol, "form", f, COMPLEX)
        form(symbol, "odd length", lambda tf, x, f=f, r=rank: f(tf, x, [3, 4, 7][-r:]), COMPLEX)
        form(symbol, "longer", lambda tf, x, f=f, r=rank: f(tf, x, [5, 5, 14][-r:], name="mine"), COMPLEX)
        form(symbol, "length tensor", lambda tf, x, n, f=f: f(tf, x, n), COMPLEX, np.array([3, 3, 8][-rank:], np.int32))
    f = named(f"signal.irfft{suffix}")
    symbol = f"signal.irfft{suffix}"
    case(symbol, "complex128", f, COMPLEX.astype(np.complex128))
    case(symbol, "empty", f, COMPLEX[:0])
    case(symbol, "real", f, REAL)
    case(symbol, "rank too low", f, COMPLEX[(0,) * (5 - rank)])

for symbol in ("signal.fftshift", "signal.ifftshift"):
    f = named(symbol)
    case(symbol, "form", f, REAL[0, :, :, :3], nodes=True)
    case(symbol, "axis", lambda tf, x, f=f: f(tf, x, 1), REAL[0, 0], nodes=True)
    case(symbol, "axes", lambda tf, x, f=f: f(tf, x, axes=[0, -1], name="mine"), REAL[0], nodes=True)
    case(symbol, "integers", f, np.arange(7))

for symbol in ("signal.dct", "spectral.dct", "signal.idct", "spectral.idct"):
    f = named(symbol)
    for type in (1, 2, 3):
        case(symbol, f"type {type}", lambda tf, x, f=f, t=type: f(tf, x, t), REAL[0, 0], nodes=True)
        case(symbol, f"type {type}, float64", lambda tf, x, f=f, t=type: f(tf, x, t), REAL[0, 0].astype(np.float64))
        case(symbol, f"type {type}, odd", lambda tf, x, f=f, t=type: f(tf, x, t), REAL[0, 0, :, :3])
        if type > 1:
            case(symbol, f"type {type}, ortho", lambda tf, x, f=f, t=type: f(tf, x, t, norm="ortho"), REAL[0], nodes=True)
    case(symbol, "defaults", f, REAL[0], nodes=True)
for f, symbol in ((named("signal.dct"), "signal.dct"),):
    case(symbol, "shorter", lambda tf, x, f=f: f(tf, x, n=3), REAL[0, 0], nodes=True)
    case(symbol, "longer", lambda tf, x, f=f: f(tf, x, n=9), REAL[0, 0], nodes=True)
    case(symbol, "unknown length", lambda tf, x, f=f: f(tf, tf.placeholder_with_default(x, [3, None])), REAL[0, 0])
    case(symbol, "another axis", lambda tf, x, f=f: f(tf, x, axis=0), REAL[0, 0])
    case(symbol, "length 0", lambda tf, x, f=f: f(tf, x, n=0), REAL[0, 0])
    case(symbol, "type 1, ortho", lambda tf, x, f=f: f(tf, x, 1, norm="ortho"), REAL[0, 0])
    case(symbol, "type 1 of one number", lambda tf, x, f=f: f(tf, x, 1), REAL[0, 0, :, :1])
    case(symbol, "no such norm", lambda tf, x, f=f: f(tf, x, norm="forward"), REAL[0, 0])
