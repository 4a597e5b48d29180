"""The three hashes of strings in TF, bit for bit: `fingerprint64` (FarmHash), `hash64` (Murmur), `keyed_hash` (SipHash).

All numbers are unsigned and 64 bits wide. No state.
Source: Google's FarmHash (farmhashna), MurmurHash64A by A. Appleby, SipHash-2-4 by J.-P. Aumasson and D. J. Bernstein.
"""

from __future__ import annotations

_MASK = (1 << 64) - 1


def _load(text: bytes, at: int) -> int:
    return int.from_bytes(text[at : at + 8], "little")


def _rotated(value: int, by: int) -> int:
    """`value` rotated to the right by `by` bits."""
    return (value >> by | value << (64 - by)) & _MASK


# -- FarmHash --------------------------------------------------------------------------------------------------------

_K0 = 0xC3A5C85C97CB3127
_K1 = 0xB492B66FBE98F273
_K2 = 0x9AE16A3B2F90404F


def _mixed(value: int) -> int:
    return value ^ value >> 47


def _two(u: int, v: int, factor: int) -> int:
    a = _mixed((u ^ v) * factor & _MASK)
    b = _mixed((v ^ a) * factor & _MASK)
    return b * factor & _MASK


def fingerprint64(text: bytes) -> int:
    """FarmHash's fingerprint, which never changes between releases."""
    size = len(text)
    if size <= 16:
        return _up_to_16(text, size)
    if size <= 32:
        return _up_to_32(text, size)
    return _up_to_64(text, size) if size <= 64 else _longer(text, size)


def _up_to_16(text: bytes, size: int) -> int:
    factor = _K2 + size * 2
    if size >= 8:
        a = (_load(text, 0) + _K2) & _MASK
        b = _load(text, size - 8)
        c = (_rotated(b, 37) * factor + a) & _MASK
        d = (_rotated(a, 25) + b) * factor & _MASK
        return _two(c, d, factor)
    if size >= 4:
        a = int.from_bytes(text[:4], "little")
        return _two(size + (a << 3), int.from_bytes(text[-4:], "little"), factor)
    if size == 0:
        return _K2
    y = text[0] + (text[size >> 1] << 8)
    z = size + (text[-1] << 2)
    return _mixed((y * _K2 ^ z * _K0) & _MASK) * _K2 & _MASK


def _up_to_32(text: bytes, size: int) -> int:
    factor = _K2 + size * 2
    a = _load(text, 0) * _K1 & _MASK
    b = _load(text, 8)
    c = _load(text, size - 8) * factor & _MASK
    d = _load(text, size - 16) * _K2 & _MASK
    u = _rotated((a + b) & _MASK, 43) + _rotated(c, 30) + d
    v = a + _rotated((b + _K2) & _MASK, 18) + c
    return _two(u & _MASK, v & _MASK, factor)


def _up_to_64(text: bytes, size: int) -> int:
    factor = _K2 + size * 2
    a = _load(text, 0) * _K2 & _MASK
    b = _load(text, 8)
    c = _load(text, size - 8) * factor & _MASK
    d = _load(text, size - 16) * _K2 & _MASK
    y = (_rotated((a + b) & _MASK, 43) + _rotated(c, 30) + d) & _MASK
    z = _two(y, (a + _rotated((b + _K2) & _MASK, 18) + c) & _MASK, factor)
    e = _load(text, 16) * factor & _MASK
    f = _load(text, 24)
    g = (y + _load(text, size - 32)) * factor & _MASK
    h = (z + _load(text, size - 24)) * factor & _MASK
    u = _rotated((e + f) & _MASK, 43) + _rotated(g, 30) + h
    v = e + _rotated((f + a) & _MASK, 18) + g
    return _two(u & _MASK, v & _MASK, factor)


def _weak(text: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    """32 bytes and two seeds as two numbers."""
    w, x, y, z = (_load(text, at + 8 * i) for i in range(4))
    a += w
    b = _rotated((b + a + z) & _MASK, 21)
    c = a
    a += x + y
    b += _rotated(a & _MASK, 44)
    return (a + z) & _MASK, (b + c) & _MASK


def _longer(text: bytes, size: int) -> int:
    seed = 81
    x = (seed * _K2 + _load(text, 0)) & _MASK
    y = (seed * _K1 + 113) & _MASK
    z = _mixed((y * _K2 + 113) & _MASK) * _K2 & _MASK
    v = w = (0, 0)

    def block(at: int, factor: int, weight: int) -> None:
        nonlocal x, y, z, v, w
        x = _rotated((x + y + v[0] + _load(text, at + 8)) & _MASK, 37) * factor & _MASK
        y = _rotated((y + v[1] + _load(text, at + 48)) & _MASK, 42) * factor & _MASK
        x ^= w[1] * weight & _MASK
        y = (y + v[0] * weight + _load(text, at + 40)) & _MASK
        z = _rotated((z + w[0]) & _MASK, 33) * factor & _MASK
        v = _weak(text, at, v[1] * factor & _MASK, (x + w[0]) & _MASK)
        w = _weak(text, at + 32, (z + w[1]) & _MASK, (y + _load(text, at + 16)) & _MASK)
        x, z = z, x

    for at in range(0, (size - 1) // 64 * 64, 64):
        block(at, _K1, 1)
    factor = (_K1 + ((z & 0xFF) << 1)) & _MASK
    w = ((w[0] + ((size - 1) & 63)) & _MASK, w[1])
    v = ((v[0] + w[0]) & _MASK, v[1])
    w = ((w[0] + v[0]) & _MASK, w[1])
    block(size - 64, factor, 9)
    first = _two(v[0], w[0], factor) + _mixed(y) * _K0 + z
    second = _two(v[1], w[1], factor) + x
    return _two(first & _MASK, second & _MASK, factor)


# -- Murmur ----------------------------------------------------------------------------------------------------------

_FACTOR = 0xC6A4A7935BD1E995


def hash64(text: bytes, seed: int = 0xDECAFCAFFE) -> int:
    """TF's own hash of a string, with its own seed."""
    size = len(text)
    state = (seed ^ size * _FACTOR) & _MASK
    end = size & ~7  # of the full words
    for at in range(0, end, 8):
        k = _load(text, at) * _FACTOR & _MASK
        state = (state ^ (k ^ k >> 47) * _FACTOR & _MASK) * _FACTOR & _MASK
    if end < size:
        state = (state ^ int.from_bytes(text[end:], "little")) * _FACTOR & _MASK
    state = _mixed(state) * _FACTOR & _MASK
    return _mixed(state)


# -- SipHash ---------------------------------------------------------------------------------------------------------


def keyed_hash(text: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 with a key of two numbers: without the key nobody can construct strings that collide."""
    k0, k1 = key[0] & _MASK, key[1] & _MASK
    v0, v1 = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    v2, v3 = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573

    def rounds(count: int) -> None:
        nonlocal v0, v1, v2, v3
        for _ in range(count):
            v0, v2 = (v0 + v1) & _MASK, (v2 + v3) & _MASK
            v1, v3 = _rotated(v1, 51) ^ v0, _rotated(v3, 48) ^ v2
            v0 = _rotated(v0, 32)
            v2, v0 = (v2 + v1) & _MASK, (v0 + v3) & _MASK
            v1, v3 = _rotated(v1, 47) ^ v2, _rotated(v3, 43) ^ v0
            v2 = _rotated(v2, 32)

    size = len(text)
    padded = text + bytes(7 - size % 8) + bytes([size & 0xFF])
    for at in range(0, len(padded), 8):
        word = _load(padded, at)
        v3 ^= word
        rounds(2)
        v0 ^= word
    v2 ^= 0xFF
    rounds(4)
    return v0 ^ v1 ^ v2 ^ v3
