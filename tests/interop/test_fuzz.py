"""Malformed graphs give one of TF's errors within 2 s and 512 MB, and leave nothing behind: never a raw error."""

import subprocess
import sys
import time
import tracemalloc
from collections import Counter

import fuzz
import pytest

SECONDS = 2.0
BYTES = 512 << 20


def run(seed, count):
    """Counts the outcomes by kind; fails at the first case that takes too long or raises what it must not."""
    seen = Counter()
    for at, (kind, data) in enumerate(fuzz.cases(seed, count)):
        began = time.process_time()
        try:
            outcome = fuzz.swallow(data)
        except BaseException as error:
            error.add_note(f"seed {seed}, case {at} ({kind})")
            raise
        assert time.process_time() - began < SECONDS, f"seed {seed}, case {at} ({kind})"
        seen[kind, outcome] += 1
    return seen


def test_a_sample_of_malformed_graphs_is_refused_in_tf_s_words():
    seen = run(seed=20, count=2000)
    # the sample is worth its time: each kind is refused in more than one way, and lets sound graphs through
    for kind in ("binary", "text", "structure"):
        assert sum(1 for k, outcome in seen if k == kind and outcome) >= 2, seen
    assert seen["structure", ""] > 20, seen
    assert seen["structure", "ValueError"] > 300, seen


def test_a_sample_of_malformed_meta_graphs_is_refused_in_tf_s_words():
    seen = Counter(fuzz.swallow_meta(data) for data in fuzz.meta_cases(seed=22, count=300))
    assert seen[""] > 20, seen
    assert seen["ValueError"] > 20, seen
    assert seen["DataLossError"] > 50, seen


def test_nodes_of_graphs_that_are_let_in_run_or_fail_as_nodes_do():
    seen = Counter(outcome for _, data in fuzz.cases(seed=5, count=600) for outcome in fuzz.run_all(data))
    assert seen[""] > 100, seen
    assert set(seen) <= {"", "InvalidArgumentError", "NotFoundError", "FailedPreconditionError"}, seen


def test_malformed_graphs_take_no_memory_worth_speaking_of():
    data = [d for _, d in fuzz.cases(seed=21, count=200)]
    tracemalloc.start()
    try:
        for each in data:
            fuzz.swallow(each)
        assert tracemalloc.get_traced_memory()[1] < BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 125))
def test_many_malformed_graphs_are_refused_in_tf_s_words(seed):
    run(seed, 4800)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200, 205))
def test_many_malformed_meta_graphs_are_refused_in_tf_s_words(seed):
    for data in fuzz.meta_cases(seed, 4000):
        fuzz.swallow_meta(data)


@pytest.mark.long
def test_all_of_it_stays_below_the_memory_limit():
    program = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({2 * BYTES}, {2 * BYTES}))\n"
        f"import sys; sys.path.insert(0, {str(fuzz.__file__).rpartition('/')[0]!r})\n"
        "import fuzz\n"
        "for _, data in fuzz.cases(7, 8000): fuzz.swallow(data)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
