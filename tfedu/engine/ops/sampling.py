"""Candidate samplers: ops that draw a few classes in place of all, with the number of times that each is expected.

Every sampler gives sampled_candidates [num_sampled], true_expected_count [n, num_true] and sampled_expected_count
[num_sampled]. With `unique`, classes that were drawn before are drawn again; the expected number of a class of probability p
after t tries then is 1 - (1 - p)^t, the probability that it is among them. The numbers are TensorFlow's, from the same seeds.
State: none here; samplers that learn or read their weights keep them in the session, beside the random numbers' state.
Source: Jean et al., "On using very large target vocabulary for neural machine translation" (2015).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base import dtypes, philox
from ..base.shapes import Shape
from ..files import gfile
from ..op.define import AtLeast, Sym, op
from ..op.shape_checks import invalid, of_rank, vector, with_value

# Numbers of 32 bits that TF reserves for each class to be sampled.
_RESERVED = 2048


class Stream:
    """The numbers of 32 bits from a position of a sequence, in pieces: `stream.take(n)` is the next n of them."""

    def __init__(self, start: philox.Start) -> None:
        self._next, self._rest = start, np.zeros(0, np.uint32)

    def take(self, count: int) -> Any:
        missing = count - len(self._rest)
        if missing > 0:
            steps = -(-missing // 4)
            self._rest = np.concatenate([self._rest, philox.numbers(self._next, 4 * steps)])
            self._next = self._next.skip(steps)
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken

    def give_back(self, numbers: Any) -> None:
        """Makes the numbers the next ones again."""
        self._rest = np.concatenate([numbers, self._rest])

    def below(self, end: int, count: int, bits: int) -> Any:
        """[count] whole numbers in [0, end), each equally often, from numbers of so many bits."""
        rejected, found = _rejected(end, bits), np.zeros(0, np.uint64)
        while len(found) < count:
            drawn = self.take((count - len(found)) * bits // 32).astype(np.uint64)
            if bits == 64:
                drawn = drawn[::2] | drawn[1::2] << np.uint64(32)
            found = np.concatenate([found, drawn[drawn >= np.uint64(rejected)]])
        return (found % np.uint64(end)).astype(np.int64)

    def units(self, count: int) -> Any:
        """[count] numbers in [0, 1) with 52 random bits."""
        pairs = self.take(2 * count).reshape(-1, 2)
        return philox.unit_64(pairs[:, 0], pairs[:, 1])

    def units_and_places(self, end: int, count: int) -> tuple[Any, Any]:
        """[count] times a number in [0, 1) with 23 random bits, then a whole number in [0, end)."""
        pairs = self.take(2 * count).reshape(-1, 2)
        is_rejected = pairs[:, 1] < _rejected(end, 32)
        good = int(np.argmax(is_rejected)) if is_rejected.any() else count
        units, places = philox.unit_32(pairs[:good, 0]), (pairs[:good, 1] % end).astype(np.int64)
        if good < count:  # its place is drawn again, so that all numbers behind it move
            self.give_back(pairs[good:].ravel())
            unit, place = philox.unit_32(self.take(1)), self.below(end, 1, 32)
            more_units, more_places = self.units_and_places(end, count - good - 1)
            return np.concatenate([units, unit, more_units]), np.concatenate([places, place, more_places])
        return units, places


def _rejected(end: int, bits: int) -> int:
    """How many of the numbers of so many bits must be drawn again, so that each remainder by `end` is equally likely."""
    return 0 if end & (end - 1) == 0 else (2**bits - 1) % end + 1


# -- what all samplers do ------------------------------------------------------------------------------------------

Sample = Callable[[Stream, int], Any]


def _drawn(sample: Sample, stream: Stream, count: int, unique: bool) -> tuple[Any, int]:
    """([count] classes, the number of tries): of a class that was drawn before only its first is kept if `unique`."""
    if not unique:
        return sample(stream, count), count
    found: dict[int, None] = {}
    tries = 0
    while len(found) < count:
        # Never more at a time than are missing: each of them is a try.
        missing = count - len(found)
        found.update(dict.fromkeys(sample(stream, missing).tolist()))
        tries += missing
    return np.array(list(found), np.int64), tries


def _expected(probabilities: Any, count: int, tries: int) -> Any:
    """How often classes of these probabilities are expected among `count` classes from so many tries."""
    chances = probabilities.astype(np.float32)
    if tries == count:
        return chances * np.float32(count)
    return -np.expm1(np.float32(tries) * np.log1p(-chances))


def _check_classes(true_classes: Any, num_true: int) -> None:
    if np.ndim(true_classes) != 2:
        raise invalid("true_classes must be a matrix")
    if true_classes.shape[1] != num_true:
        raise invalid(f"true_classes must have num_true columns, expected: {true_classes.shape[1]} was: {num_true}")


def _answer(
    rng: philox.Generator, true_classes: Any, count: int, unique: bool, sample: Sample, probability: Callable[[Any], Any]
) -> tuple[Any, Any, Any]:
    """A sampler's three outputs."""
    stream = Stream(rng.reserve(count * _RESERVED // 4))
    sampled, tries = _drawn(sample, stream, count, unique)
    return sampled, *[_expected(probability(classes), count, tries) for classes in (true_classes, sampled)]


def _check_range(count: int, unique: bool, range_max: int) -> None:
    if unique and count > range_max:
        raise invalid("Sampler's range is too small.")


def _sampler_shape(true_classes: Sym, *, num_true: int, num_sampled: int, **_: Any) -> list[Shape]:
    rows, _columns = of_rank(true_classes.shape, 2)
    return [(num_sampled,), (rows, num_true), (num_sampled,)]


_OUTPUTS = "sampled_candidates true_expected_count sampled_expected_count"
_SHAPES = (
    "true_classes [n, num_true] -> sampled_candidates [num_sampled], true_expected_count [n, num_true], sampled_expected_count "
    "[num_sampled].\n\nRaises: InvalidArgumentError for more unique classes than there are."
)
Three = tuple[dtypes.int64, dtypes.float32, dtypes.float32]  # type: ignore[valid-type]


# -- of a known distribution ---------------------------------------------------------------------------------------


def _sampler(type: str, doc: str, prepare: Callable[[int], tuple[Sample, Callable[[Any], Any]]]) -> Any:
    """A sampler of classes below range_max. prepare(range_max): how it draws them, and the probability of each."""

    def kernel(
        run: Any,
        true_classes: dtypes.int64,
        *,
        num_true: AtLeast[1],  # type: ignore[valid-type]
        num_sampled: AtLeast[1],  # type: ignore[valid-type]
        unique: bool,
        range_max: AtLeast[1],  # type: ignore[valid-type]
        seed: int = 0,
        seed2: int = 0,
    ) -> Three:
        _check_classes(true_classes, num_true)
        _check_range(num_sampled, unique, range_max)
        return _answer(run.rng(seed, seed2), true_classes, num_sampled, unique, *prepare(range_max))

    kernel.__name__, kernel.__doc__ = type, f"{doc}: {_SHAPES}"
    return op(type, out=_OUTPUTS, shape=_sampler_shape, stateful=True, fresh=True)(kernel)


def _uniform(range_max: int) -> tuple[Sample, Callable[[Any], Any]]:
    chance = np.float32(1 / range_max)
    return (lambda stream, count: stream.below(range_max, count, 64)), (lambda classes: np.full(np.shape(classes), chance))


def _log_uniform(range_max: int) -> tuple[Sample, Callable[[Any], Any]]:
    scale = np.log(range_max + 1.0)

    def sample(stream: Stream, count: int) -> Any:
        return (np.exp(stream.units(count) * scale).astype(np.int64) - 1) % range_max

    return sample, lambda classes: np.log((classes + 2.0) / (classes + 1.0)) / scale


uniform_candidate_sampler = _sampler(
    "UniformCandidateSampler", "Classes in [0, range_max), all equally likely", _uniform
)
log_uniform_candidate_sampler = _sampler(
    "LogUniformCandidateSampler",
    "Classes in [0, range_max), class c with probability log((c + 2) / (c + 1)) / log(range_max + 1)",
    _log_uniform,
)


@op("AllCandidateSampler", out=_OUTPUTS, shape=_sampler_shape, stateful=True, fresh=True)
def all_candidate_sampler(
    run: Any,
    true_classes: dtypes.int64,
    *,
    num_true: AtLeast[1],  # type: ignore[valid-type]
    num_sampled: AtLeast[1],  # type: ignore[valid-type]
    unique: bool,
    seed: int = 0,
    seed2: int = 0,
) -> Three:
    """All classes below num_sampled, each once: true_classes [n, num_true] -> sampled_candidates [num_sampled],
    true_expected_count [n, num_true], sampled_expected_count [num_sampled].
    """
    _check_classes(true_classes, num_true)
    ones = np.ones(num_sampled, np.float32)
    return np.arange(num_sampled), np.ones(true_classes.shape, np.float32), ones


# -- of a distribution that the session keeps ----------------------------------------------------------------------


class _Counts:
    """The random state of a learned sampler, and how often each class has come, counting from 1."""

    def __init__(self, rng: philox.Generator, weights: Any) -> None:
        self.rng, self.weights = rng, weights

    def __copy__(self) -> _Counts:
        return _Counts(copy.copy(self.rng), self.weights.copy())

    def sample(self, stream: Stream, count: int) -> Any:
        ends = np.cumsum(self.weights)
        return np.searchsorted(ends, stream.below(int(ends[-1]), count, 32), side="right")


def _learned(type: str) -> Any:
    def kernel(
        run: Any,
        true_classes: dtypes.int64,
        *,
        num_true: AtLeast[1],  # type: ignore[valid-type]
        num_sampled: AtLeast[1],  # type: ignore[valid-type]
        unique: bool,
        range_max: AtLeast[1],  # type: ignore[valid-type]
        seed: int = 0,
        seed2: int = 0,
    ) -> Three:
        _check_classes(true_classes, num_true)
        _check_range(num_sampled, unique, range_max)
        bad = (true_classes < 0) | (true_classes >= range_max)
        if bad.any():
            raise invalid(f"`true_candidate` out of range [0, {range_max}), received {true_classes[bad][0]}")
        counts = run.generator(lambda: _Counts(philox.Generator(seed, seed2), np.ones(range_max, np.int64)))
        total = np.float32(counts.weights.sum())
        answer = _answer(
            counts.rng, true_classes, num_sampled, unique, counts.sample,
            lambda classes: counts.weights[classes].astype(np.float32) / total,
        )  # fmt: skip
        np.add.at(counts.weights, true_classes.ravel(), 1)
        return answer

    kernel.__name__ = type
    kernel.__doc__ = (
        "Classes in [0, range_max), each as likely as it was often among the true classes of earlier runs, and once more: "
        f"{_SHAPES}\n\nDiffers from TF: a true class outside [0, range_max) is an error, as in later releases."
    )
    return op(type, out=_OUTPUTS, shape=_sampler_shape, stateful=True, fresh=True)(kernel)


learned_unigram_candidate_sampler = _learned("LearnedUnigramCandidateSampler")
thread_unsafe_unigram_candidate_sampler = _learned("ThreadUnsafeUnigramCandidateSampler")


class _Weights:
    """The random state of a sampler with fixed weights, and its table.

    Each class has an equal share of the table; a part of it that the class does not need belongs to another class.
    Source: Vose, "A linear algorithm for generating random numbers with a given distribution" (1991).
    """

    def __init__(self, rng: philox.Generator, weights: Any) -> None:
        self.rng, self.weights = rng, weights
        self.total = float(np.cumsum(weights)[-1])  # added one after the other in float32, as TF does
        self.shares, self.others = self._table()

    def __copy__(self) -> _Weights:
        twin = object.__new__(_Weights)
        vars(twin).update(vars(self), rng=copy.copy(self.rng))
        return twin

    def _table(self) -> tuple[Any, Any]:
        count = len(self.weights)
        others = np.full(count, -1)
        wide = self.weights.astype(np.float64)
        shares = ((self.weights * np.float32(count)).astype(np.float64) / wide.cumsum()[-1]).tolist()
        low = [i for i, share in enumerate(shares) if share < 1]
        high = [i for i, share in enumerate(shares) if not share < 1]
        while low and high:
            taker, giver = low.pop(), high.pop()
            others[taker] = giver
            shares[giver] -= 1 - shares[taker]
            (low if shares[giver] < 1 else high).append(giver)
        for left in (*low, *high):  # of these only a rounding error is missing
            shares[left], others[left] = 1.0, left
        return np.array(shares, np.float32), others

    def sample(self, stream: Stream, count: int) -> Any:
        units, places = stream.units_and_places(len(self.shares), count)
        return np.where(units < self.shares[places], places, self.others[places])

    def probability(self, classes: Any) -> Any:
        is_inside = (classes >= 0) & (classes < len(self.weights))
        return np.where(is_inside, self.weights[np.where(is_inside, classes, 0)].astype(np.float64) / self.total, 0)


def _read_weights(vocab_file: Any) -> list[float]:
    """The last field of each line of a file of comma-separated values; empty lines are left out."""
    lines = gfile.File(vocab_file, "rb").read().decode("utf-8", "replace").splitlines()
    weights = []
    for line in filter(None, lines):
        try:
            weights.append(float(line.split(",")[-1]))
        except ValueError:
            raise invalid(f"Wrong vocabulary format at line: {line}") from None
    return weights


def _own_weights(given: Sequence[float], reserved: int, shards: int, shard: int, distortion: float) -> Any:
    """The weights of the classes of this shard, the reserved ones first."""
    distorted = np.array(given, np.float32)
    if distortion != 1:
        distorted = distorted ** np.float32(distortion)
    own_reserved = len(range(shard, reserved, shards))
    # TF counts the other classes from the number of this shard's reserved ones on.
    return np.concatenate([np.zeros(own_reserved, np.float32), distorted[(shard - own_reserved) % shards :: shards]])


@op("FixedUnigramCandidateSampler", out=_OUTPUTS, shape=_sampler_shape, stateful=True, fresh=True)
def fixed_unigram_candidate_sampler(
    run: Any,
    true_classes: dtypes.int64,
    *,
    num_true: AtLeast[1],  # type: ignore[valid-type]
    num_sampled: AtLeast[1],  # type: ignore[valid-type]
    unique: bool,
    range_max: AtLeast[1],  # type: ignore[valid-type]
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: AtLeast[1] = 1,  # type: ignore[valid-type]
    shard: AtLeast[0] = 0,  # type: ignore[valid-type]
    unigrams: list[float] = (),  # type: ignore[assignment]
    seed: int = 0,
    seed2: int = 0,
) -> Three:
    """Classes in [0, range_max), each as likely as its weight in `unigrams` or `vocab_file` to the power of `distortion`:
    true_classes [n, num_true] -> sampled_candidates [num_sampled], true_expected_count [n, num_true], sampled_expected_count
    [num_sampled]. The first num_reserved_ids classes have weight 0, and of all classes this shard has each num_shards-th.

    Raises: InvalidArgumentError for no weights or both sources, a number of weights other than range_max, and more unique
    classes than have a weight.
    Differs from TF: where TF ends the process or never returns (weights missing, unique classes without weight), an error.
    """
    if bool(vocab_file) == bool(unigrams):
        both = "only provide one of vocab_file and unigrams" if unigrams else "provide either vocab_file or unigrams"
        raise invalid(f"Must {both}.")
    _check_classes(true_classes, num_true)
    _check_range(num_sampled, unique, range_max)

    def prepare() -> _Weights:
        given = _read_weights(vocab_file) if vocab_file else unigrams
        weights = _own_weights(given, num_reserved_ids, num_shards, shard, distortion)
        if len(weights) != range_max:
            raise invalid(f"range is {range_max} must be equal to weights size  {len(weights)}")
        return _Weights(philox.Generator(seed, seed2), weights)

    state = run.generator(prepare)
    possible = int(np.count_nonzero(state.weights > 0))
    if unique and num_sampled > possible:
        raise invalid(f"Sampler's range is too small: of {range_max} classes only {possible} have a weight above 0.")
    return _answer(state.rng, true_classes, num_sampled, unique, state.sample, state.probability)


# -- sampled classes that are true ---------------------------------------------------------------------------------


@op("ComputeAccidentalHits", out="indices ids weights", fresh=True)
def compute_accidental_hits(
    xp: Any,
    true_classes: dtypes.int64,
    sampled_candidates: dtypes.int64,
    *,
    num_true: int,
    seed: int = 0,
    seed2: int = 0,
) -> tuple[dtypes.int32, dtypes.int64, dtypes.float32]:  # type: ignore[valid-type]
    """Where a sampled class is a true class of a row: true_classes [n, num_true], sampled_candidates [k] -> the rows, the
    positions among the sampled classes, and the smallest float32 for each, [hits] each. seed, seed2: unused, as in TF.
    """
    if np.ndim(true_classes) != 2 or true_classes.shape[1] != num_true:
        raise invalid("true_candidates must be a batch_size * num_true matrix")
    if np.ndim(sampled_candidates) != 1:
        raise invalid("sampled_candidates must be a vector, which is typically an output from CandidateSampler")
    # Of equal candidates the last counts.
    places = {candidate: place for place, candidate in enumerate(sampled_candidates.tolist())}
    hits = [(row, places[c]) for row, classes in enumerate(true_classes.tolist()) for c in classes if c in places]
    rows, ids = np.array(hits, np.int64).reshape(-1, 2).T
    return rows.astype(np.int32), ids.copy(), np.full(len(hits), np.finfo(np.float32).min)


@compute_accidental_hits.shape
def _(true_classes: Sym, sampled_candidates: Sym, *, num_true: int, seed: int, seed2: int) -> list[Shape]:
    with_value(of_rank(true_classes.shape, 2)[1], num_true)
    vector(sampled_candidates)
    return [(None,)] * 3
