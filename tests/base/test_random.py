"""Random numbers equal TensorFlow's: bits, integers and whatever float32 gives exactly, float64 within 2 ulp."""

import hashlib
import json
import pathlib

import numpy as np
import pytest

from tfedu.engine.base import dtypes, philox, rejection_sampling

GOLDEN = json.loads((pathlib.Path(__file__).parent / "golden_random.json").read_text())
# float64 goes through NumPy's logarithm, sine and power
CLOSE = {("RandomStandardNormal", "float64"), ("TruncatedNormal", "float64"), ("RandomGamma", "float64")}
OPS = {"RandomUniform", "RandomUniformInt", "RandomShuffle", "Multinomial", "RandomStandardNormal", "TruncatedNormal",
       "RandomGamma", "RandomPoissonV2"}  # fmt: skip


def draw(row, generator):
    size, dtype = row["size"], dtypes.as_dtype(row["dtype"])
    match row["op"]:
        case "RandomUniform":
            return philox.uniform(generator.reserve_outputs(size), size, dtype)
        case "RandomStandardNormal":
            return philox.standard_normal(generator.reserve_outputs(size), size, dtype)
        case "TruncatedNormal":
            return philox.truncated_normal(generator.reserve_outputs(size), size, dtype)
        case "RandomUniformInt":
            return philox.uniform_int(generator.reserve_outputs(size), size, row["low"], row["high"], dtype)
        case "RandomShuffle":
            return philox.permutation(generator, size)
        case "Multinomial":
            return philox.multinomial(generator, np.array(row["logits"], np.float32), size)
        case "RandomGamma":
            alpha = np.array(row["alpha"], dtype.numpy)
            start = generator.reserve_outputs(size * len(alpha))
            return np.ascontiguousarray(rejection_sampling.gamma(start, size, alpha, alpha.dtype))
        case "RandomPoissonV2":
            rate = np.array(row["rate"])
            start = generator.reserve_outputs(size * len(rate))
            drawn = rejection_sampling.poisson(start, size, rate, float(dtype.max))
            return np.ascontiguousarray(drawn.astype(dtype.numpy))
        case other:
            raise AssertionError(other)


def ordered(values):
    """Floats as integers whose difference counts the representable numbers between them."""
    values = np.ascontiguousarray(values)
    bits = values.view({2: np.int16, 4: np.int32, 8: np.int64}[values.dtype.itemsize])
    return np.where(bits < 0, np.iinfo(bits.dtype).min - bits, bits)


def check(row, drawn, recorded):
    label = {key: value for key, value in row.items() if key not in ("runs", "sample")}
    wanted = np.frombuffer(bytes.fromhex(recorded), drawn.dtype).reshape(drawn.shape)
    if (row["op"], row["dtype"]) not in CLOSE:
        assert drawn.tobytes() == wanted.tobytes(), label
    elif drawn.size:
        assert np.abs(ordered(drawn) - ordered(wanted)).max() <= 2, label


def test_the_golden_file_is_complete():
    assert len(GOLDEN["rows"]) == GOLDEN["cases"] == 640
    assert {row["op"] for row in GOLDEN["rows"]} == OPS


@pytest.mark.parametrize("op", sorted({row["op"] for row in GOLDEN["rows"]}))
def test_every_run_of_a_node_draws_what_tensorflow_draws(op):
    for row in GOLDEN["rows"]:
        if row["op"] == op:
            generator = philox.Generator(row["seed"], row["seed2"])
            for recorded in row["runs"]:
                check(row, draw(row, generator), recorded)


@pytest.mark.parametrize("row", GOLDEN["large"], ids=lambda row: f"{row['op']}-{row['dtype']}")
def test_many_numbers_are_what_tensorflow_draws(row):
    drawn = draw(row, philox.Generator(row["seed"], row["seed2"]))
    check(row, drawn[:: GOLDEN["sampled"]], row["sample"])
    if (row["op"], row["dtype"]) not in CLOSE:
        assert hashlib.sha256(drawn.tobytes()).hexdigest() == row["digest"]


@pytest.mark.parametrize("row", GOLDEN["seeds"])
def test_op_seeds_derive_from_the_graph_seed_as_in_tensorflow(row):
    graph_seed, op_seed, last_id, *wanted = row
    assert list(philox.get_seed(graph_seed, op_seed, last_id)) == wanted


def test_known_answers_of_philox():
    """The vectors that the paper's authors publish for philox4x32-10."""

    def block(counter, key):
        start = philox.Start(key, sum(word << (32 * i) for i, word in enumerate(counter)))
        return philox.blocks(start, 1)[0].tolist()

    full = 0xFFFFFFFF
    assert block((0, 0, 0, 0), (0, 0)) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert block((full,) * 4, (full,) * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    assert block((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)) == [
        0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1,
    ]  # fmt: skip


def test_the_counter_carries_into_its_upper_half():
    start = philox.Start((3, 4), (7 << 64) - 2)
    stepwise = [philox.blocks(start.skip(i), 1)[0].tolist() for i in range(4)]
    assert philox.blocks(start, 4).tolist() == stepwise


def test_few_steps_and_many_are_computed_alike():
    start = philox.Start((0xDEADBEEF, 0x12345678), (2**96 - 5) << 32 | 0xFFFFFFFA)
    many = philox.blocks(start, 40)
    assert np.array_equal(many, np.concatenate([philox.blocks(start.skip(i), 1) for i in range(40)]))
    far = philox.blocks(start, 10, stride=7, length=3)
    assert np.array_equal(far, np.concatenate([philox.blocks(start.skip(7 * i), 1, 7, 3) for i in range(10)]))


def test_long_fills_equal_short_ones_put_together():
    start = philox.Start((11, 12), 5 << 64)
    long = philox.numbers(start, 3 * (1 << 16) + 4)
    parts = [philox.numbers(start.skip(i << 14), 1 << 16) for i in range(3)]
    assert np.array_equal(long[: 3 << 16], np.concatenate(parts))
    assert np.array_equal(
        philox.truncated_normal(start, 100_000, dtypes.float32)[:1001],
        philox.truncated_normal(start, 1001, dtypes.float32),
    )


def test_truncated_numbers_are_below_two_and_none_is_missing():
    values = philox.truncated_normal(philox.Start((1, 2), 3), 200_001, dtypes.float64)
    assert values.shape == (200_001,)
    assert np.abs(values).max() < 2
    assert abs(values.mean()) < 0.01


def test_no_seed_gives_a_sequence_that_differs_each_time():
    drawn = {philox.numbers(philox.Generator().reserve(1), 4).tobytes() for _ in range(5)}
    assert len(drawn) == 5
