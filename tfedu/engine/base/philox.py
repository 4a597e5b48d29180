"""TensorFlow's random numbers, bit for bit: Philox4x32-10 as TF's CPU kernels use it.

A `Generator(seed, seed2)` belongs to one node in one session; each run of the node reserves a stretch of the sequence
(`reserve_outputs`) and fills an array from that `Start`. `get_seed` derives an op's two seeds from the graph's.
State: the counter of each Generator, and nothing else.

Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
"""

from __future__ import annotations

import secrets
import threading
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from . import dtypes, float32_math
from .dtypes import DType

Array: TypeAlias = "np.ndarray[Any, Any]"

DEFAULT_GRAPH_SEED: Final = 87654321
_MAX_INT32: Final = 2**31 - 1
_MASK_64: Final = 2**64 - 1
_MASK_128: Final = 2**128 - 1

ROUNDS: Final = 10
WEYL: Final = (0x9E3779B9, 0xBB67AE85)
FACTORS: Final = (0xD2511F53, 0xCD9E8D57)
_MULTIPLIERS: Final = tuple(map(np.uint64, FACTORS))
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_BLOCK: Final = 4  # one step of the counter gives four numbers of 32 bits
_CHUNK: Final = 1 << 14  # steps computed at a time, so that the work stays in the cache
_FEW: Final = 8  # up to this number of steps Python's integers are quicker than arrays
RESERVED: Final = 256  # numbers that TF reserves for each output, however few the kernel draws

Seed: TypeAlias = "int | None"


def get_seed(graph_seed: Seed, op_seed: Seed, last_id: int) -> tuple[Seed, Seed]:
    """The attributes (seed, seed2) of a random op; (None, None) means that every session draws its own.

    last_id: how many nodes the graph has, which stands in for an op seed that was not given.
    """
    if graph_seed is not None:
        seeds = graph_seed % _MAX_INT32, (last_id if op_seed is None else op_seed) % _MAX_INT32
    elif op_seed is not None:
        seeds = DEFAULT_GRAPH_SEED, op_seed % _MAX_INT32
    else:
        return None, None
    # Kernels read (0, 0) as "no seed".
    return (0, _MAX_INT32) if seeds == (0, 0) else seeds


class Start(NamedTuple):
    """A position in a generator's sequence: the key, and the counter as a number of 128 bits."""

    key: tuple[int, int]
    counter: int

    def skip(self, steps: int) -> Start:
        """The position `steps` steps (of four 32-bit numbers each) later."""
        return Start(self.key, (self.counter + steps) & _MASK_128)


def stateless_start(seed: int, seed2: int) -> Start:
    """The start of the ops that take their seeds as a tensor: one step scrambles both seeds first."""
    mixed = _block(Start((0x3EC8F720, 0x02461E29), (seed & _MASK_64) | (seed2 & _MASK_64) << 64))
    return Start((mixed[0], mixed[1]), (mixed[2] | mixed[3] << 32) << 64)


class Generator:
    """The random state of one node in one session. Both seeds 0: an unpredictable state."""

    def __init__(self, seed: int = 0, seed2: int = 0) -> None:
        if seed == 0 and seed2 == 0:
            seed, seed2 = secrets.randbits(64), secrets.randbits(64)
        seed &= _MASK_64
        self._next = Start((seed & 0xFFFFFFFF, seed >> 32), (seed2 & _MASK_64) << 64)
        self._lock = threading.Lock()

    def __copy__(self) -> Generator:
        twin = Generator(1)
        twin._next = self._next
        return twin

    def reserve(self, steps: int) -> Start:
        """Reserves `steps` steps for the caller and returns their start."""
        with self._lock:
            start = self._next
            self._next = start.skip(steps)
        return start

    def reserve_outputs(self, count: int) -> Start:
        """Reserves as many numbers as TF does for `count` outputs, far more than they need."""
        return self.reserve(count * RESERVED)

    def reserve_numbers(self, count: int) -> Start:
        """Reserves `count` numbers of 32 bits."""
        return self.reserve((count + _BLOCK - 1) // _BLOCK)


def blocks(start: Start, count: int, stride: int = 1, length: int = 1) -> Array:
    """[count, 4 * length] uint32: `count` stretches of `length` steps, `stride` steps apart."""
    if count * length <= _FEW:
        steps_of = [i // length * stride + i % length for i in range(count * length)]
        few = [_block(start.skip(i)) for i in steps_of]
        return np.array(few, np.uint32).reshape(count, _BLOCK * length)
    out = np.empty((count * length, _BLOCK), np.uint32)
    for first in range(0, count * length, _CHUNK):
        steps = np.arange(first, min(first + _CHUNK, count * length), dtype=np.uint64)
        if length > 1:
            steps = (steps // np.uint64(length)) * np.uint64(stride) + steps % np.uint64(length)
        elif stride != 1:
            steps *= np.uint64(stride)
        _philox(start, steps, out[first : first + len(steps)])
    return out.reshape(count, _BLOCK * length)


def blocks_at(start: Start, steps: Array) -> Array:
    """[n, 4] uint32: the blocks `steps` [n] (uint64) steps after the start."""
    out = np.empty((len(steps), _BLOCK), np.uint32)
    for first in range(0, len(steps), _CHUNK):
        _philox(start, steps[first : first + _CHUNK], out[first : first + _CHUNK])
    return out


def _block(start: Start) -> tuple[int, int, int, int]:
    """The four numbers of one step."""
    counter = start.counter
    c0, c1 = counter & 0xFFFFFFFF, counter >> 32 & 0xFFFFFFFF
    c2, c3 = counter >> 64 & 0xFFFFFFFF, counter >> 96
    key0, key1 = start.key
    for _ in range(ROUNDS):
        product0, product1 = c0 * FACTORS[0], c2 * FACTORS[1]
        c0, c1 = (product1 >> 32) ^ c1 ^ key0, product1 & 0xFFFFFFFF
        c2, c3 = (product0 >> 32) ^ c3 ^ key1, product0 & 0xFFFFFFFF
        key0, key1 = (key0 + WEYL[0]) & 0xFFFFFFFF, (key1 + WEYL[1]) & 0xFFFFFFFF
    return c0, c1, c2, c3


def _philox(start: Start, steps: Array, out: Array) -> None:
    """Fills out [n, 4] with the blocks `steps` [n] steps after the start."""
    low = np.uint64(start.counter & _MASK_64)
    high = start.counter >> 64
    with np.errstate(over="ignore"):
        position = steps + low
    c0, c1 = position & _LOW, position >> _HALF
    c2, c3 = np.full_like(c0, high & 0xFFFFFFFF), np.full_like(c0, high >> 32)
    carried = position < low
    if carried.any():
        wrapped = (high + 1) & _MASK_64
        c2[carried], c3[carried] = wrapped & 0xFFFFFFFF, wrapped >> 32
    key0, key1 = start.key
    for _ in range(ROUNDS):
        # Both factors are below 2**32, so the products are exact.
        product0, product1 = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0 = (product1 >> _HALF) ^ c1 ^ np.uint64(key0)
        c2 = (product0 >> _HALF) ^ c3 ^ np.uint64(key1)
        c1, c3 = product1 & _LOW, product0 & _LOW
        key0, key1 = (key0 + WEYL[0]) & 0xFFFFFFFF, (key1 + WEYL[1]) & 0xFFFFFFFF
    for i, lane in enumerate((c0, c1, c2, c3)):
        out[:, i] = lane


def numbers(start: Start, count: int) -> Array:
    """[count] uint32: the sequence itself."""
    return blocks(start, -(-count // _BLOCK)).reshape(-1)[:count]


def _numbers_64(start: Start, count: int) -> Array:
    """[count] uint64, the first number of each pair being the lower half."""
    pairs = numbers(start, 2 * count).reshape(-1, 2).astype(np.uint64)
    return np.asarray(pairs[:, 0] | (pairs[:, 1] << _HALF))


def unit_32(bits: Array) -> Array:
    """float32 in [0, 1): the low 23 bits become the mantissa of a number in [1, 2)."""
    return np.asarray(((bits & np.uint32(0x7FFFFF)) | np.uint32(127 << 23)).view(np.float32) - np.float32(1))


def unit_64(first: Array, second: Array) -> Array:
    """float64 in [0, 1): 20 bits of the first number above all 32 of the second."""
    mantissa = ((first.astype(np.uint64) & np.uint64(0xFFFFF)) << _HALF) | second
    return np.asarray((mantissa | np.uint64(1023 << 52)).view(np.float64) - 1.0)


def uniform(start: Start, count: int, dtype: DType) -> Array:
    """[count] numbers in [0, 1)."""
    if dtype is dtypes.float64:
        pairs = numbers(start, 2 * count).reshape(-1, 2)
        return unit_64(pairs[:, 0], pairs[:, 1])
    bits = numbers(start, count)
    if dtype is dtypes.float32:
        bits &= np.uint32(0x7FFFFF)
        bits |= np.uint32(127 << 23)
        singles = bits.view(np.float32)
        singles -= np.float32(1)
        return np.asarray(singles)
    if dtype is dtypes.float16:
        halves = ((bits & np.uint32(0x3FF)) | np.uint32(15 << 10)).astype(np.uint16)
        return np.asarray(halves.view(np.float16) - np.float16(1))
    if dtype is dtypes.bfloat16:
        # The low bits are those of the float32 of the same value, so the difference is exact there.
        singles = (((bits & np.uint32(0x7F)) | np.uint32(127 << 7)) << np.uint32(16)).view(np.float32)
        return dtypes.bfloat16_bits(singles - np.float32(1))
    raise TypeError(f"no uniform numbers of type {dtype.name}")


def uniform_int(start: Start, count: int, low: int, high: int, dtype: DType) -> Array:
    """[count] integers in [low, high), by remainder as TF does (so slightly uneven for wide ranges)."""
    if dtype is dtypes.int32:
        width = (high - low) & 0xFFFFFFFF
        offsets = (numbers(start, count) % np.uint32(width)).astype(np.int64)
        return (offsets + low).astype(np.int32)
    width = (high - low) & _MASK_64
    drawn = _numbers_64(start, count) % np.uint64(width)
    with np.errstate(over="ignore"):
        return np.asarray((drawn + np.uint64(low & _MASK_64)).view(np.int64))


def full_int(start: Start, count: int, dtype: DType) -> Array:
    """[count] integers, every one that the type can hold equally likely."""
    return _numbers_64(start, count).view(dtype.numpy) if dtype.size == 8 else numbers(start, count).view(dtype.numpy)


def _normal_32(pairs: Array) -> Array:
    """float32 [..., 2n] of standard normal numbers from uint32 [..., 2n]: Box and Muller, pair by pair."""
    first, second = pairs[..., 0::2], pairs[..., 1::2]
    radius = np.maximum(unit_32(first), np.float32(1e-7))
    angle = (2.0 * np.pi * unit_32(second).astype(np.float64)).astype(np.float32)
    length = np.sqrt(np.float32(-2) * float32_math.log(radius))
    sine, cosine = float32_math.sin_cos(angle)
    out = np.empty(pairs.shape, np.float32)
    np.multiply(sine, length, out=out[..., 0::2])
    np.multiply(cosine, length, out=out[..., 1::2])
    return out


def _normal_64(quads: Array) -> Array:
    """float64 [..., 2n] of standard normal numbers from uint32 [..., 4n]."""
    radius = np.maximum(unit_64(quads[..., 0::4], quads[..., 1::4]), 1e-7)
    angle = 2 * np.pi * unit_64(quads[..., 2::4], quads[..., 3::4])
    length = np.sqrt(-2.0 * np.log(radius))
    out = np.empty((*quads.shape[:-1], quads.shape[-1] // 2), np.float64)
    out[..., 0::2] = np.sin(angle) * length
    out[..., 1::2] = np.cos(angle) * length
    return out


def uniform_pairs(quads: Array) -> Array:
    """float64 [n, 2] in [0, 1) from uint32 [n, 4]."""
    return unit_64(quads[:, 0::2], quads[:, 1::2])


normal_pairs = _normal_64


def _narrowed(values: Array, dtype: DType) -> Array:
    return (
        dtypes.bfloat16_bits(values) if dtype is dtypes.bfloat16 else values.astype(dtype.numpy, copy=False)
    )


def standard_normal(start: Start, count: int, dtype: DType) -> Array:
    """[count] numbers of mean 0 and deviation 1."""
    wide = dtype is dtypes.float64
    group = 2 if wide else 4
    steps = -(-count // group)
    out = np.empty(steps * group, np.float64 if wide else np.float32)
    normal = _normal_64 if wide else _normal_32
    for first in range(0, steps, _CHUNK):
        size = min(_CHUNK, steps - first)
        drawn = normal(blocks(start.skip(first), size))
        out[first * group : (first + size) * group] = drawn.reshape(-1)
    return _narrowed(out[:count], dtype)


def truncated_normal(start: Start, count: int, dtype: DType) -> Array:
    """[count] numbers of the standard normal distribution, those of absolute value 2 and above drawn again.

    Outputs come in groups (as many as one step fills); each group has a stretch of the sequence of its own and takes
    the first numbers in it that are small enough.
    """
    wide = dtype is dtypes.float64
    group = 2 if wide else 4
    stride = group * RESERVED // _BLOCK
    normal = _normal_64 if wide else _normal_32
    groups = -(-count // group)
    out = np.empty((groups, group), np.float64 if wide else np.float32)
    left = np.arange(groups)
    # One step suffices for most groups.
    length = 1
    while left.size:
        short: list[Array] = []
        per_chunk = max(1, _CHUNK // length)
        for first in range(0, left.size, per_chunk):
            part = left[first : first + per_chunk]
            values = normal(_stretches(start, part, stride, length))
            within = np.abs(values) < 2
            enough = np.count_nonzero(within, axis=1) >= group
            if length == 1:
                out[part] = values
            else:
                order = np.argsort(~within[enough], axis=1, kind="stable")[:, :group]
                out[part[enough]] = np.take_along_axis(values[enough], order, axis=1)
            short.append(part[~enough])
        left = np.concatenate(short)
        length *= 3
    return _narrowed(out.reshape(-1)[:count], dtype)


def _stretches(start: Start, groups: Array, stride: int, length: int) -> Array:
    """[len(groups), 4 * length] uint32: the first `length` steps of each group's stretch, `stride` steps apart."""
    if len(groups) == groups[-1] - groups[0] + 1:
        return blocks(start.skip(int(groups[0]) * stride), len(groups), stride, length)
    steps = (groups.astype(np.uint64) * np.uint64(stride))[:, None] + np.arange(length, dtype=np.uint64)
    return blocks_at(start, steps.reshape(-1)).reshape(len(groups), _BLOCK * length)


class Draws:
    """Single numbers, one after the other, from a position of a sequence: how TF draws where an algorithm needs few."""

    def __init__(self, start: Start, left: tuple[int, ...] = ()) -> None:
        self._next, self._left = start, list(left)

    @property
    def state(self) -> tuple[Start, tuple[int, ...]]:
        """What makes another object that draws the same numbers from now on."""
        return self._next, tuple(self._left)

    def bits(self) -> int:
        """A whole number of 32 bits."""
        if not self._left:
            self._left = list(_block(self._next))
            self._next = self._next.skip(1)
        return self._left.pop(0)

    def unit(self) -> float:
        """A number in [0, 1) with 52 random bits."""
        upper, lower = self.bits() & 0xFFFFF, self.bits()
        return (upper << 32 | lower) / 2**52

    def below(self, end: int) -> int:
        """A whole number in [0, end), each equally often: numbers that would make some more frequent are drawn again."""
        if end & (end - 1) == 0:
            return self.bits() & (end - 1)
        rejected = 0xFFFFFFFF % end + 1
        while (drawn := self.bits()) < rejected:
            pass
        return drawn % end

    def unit_float(self) -> float:
        """A number in [0, 1) with 23 random bits."""
        return (self.bits() & 0x7FFFFF) / 2**23

    def below_64(self, end: int) -> int:
        """As `below`, from whole numbers of 64 bits, whose lower half is drawn first."""
        rejected = 0 if end & (end - 1) == 0 else _MASK_64 % end + 1
        while (drawn := self.bits() | self.bits() << 32) < rejected:
            pass
        return drawn % end


def permutation(generator: Generator, count: int) -> Array:
    """[count] indices in random order, each place swapped with one at or after it."""
    order = np.arange(count)
    if count < 2:
        return order
    draws = numbers(generator.reserve_numbers(count - 1), count - 1).astype(np.int64)
    targets = np.arange(count - 1) + draws % np.arange(count, 1, -1)
    shuffled = order.tolist()
    for i, j in enumerate(targets.tolist()):
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return np.array(shuffled, dtype=np.int64)


def multinomial(generator: Generator, logits: Array, count: int) -> Array:
    """[n, count] int64: class numbers drawn for each row of logits [n, k] (unnormalised logarithms)."""
    return classes(generator.reserve_outputs(logits.shape[0] * (-(-count // 4) * 4) * 2), logits, count)


def classes(start: Start, logits: Array, count: int) -> Array:
    """`multinomial` from a known position of a sequence."""
    rows = logits.shape[0]
    draws = numbers(start, 2 * rows * count).reshape(rows, count, 2)
    finite = np.isfinite(logits)
    wide = logits.astype(np.float64)
    lowest = np.finfo(logits.dtype).min
    top = np.where(finite, wide, lowest).max(axis=1, keepdims=True, initial=lowest)
    weights = np.where(finite, np.exp(np.where(finite, wide - top, 0.0)), 0.0)
    cumulative = np.cumsum(weights, axis=1)
    points = unit_64(draws[..., 0], draws[..., 1]) * cumulative[:, -1:]
    out = np.empty((rows, count), np.int64)
    for row in range(rows):
        out[row] = np.searchsorted(cumulative[row], points[row], side="right")
    return out
