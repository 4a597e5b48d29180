"""A plan's next run gets the memory that the run before it freed, unless the user has set the C library's own variables."""

import platform
import subprocess
import sys

import pytest

# The page faults of each of ten runs after the first ones, of a chain whose arrays have 4 MB each.
FAULTS = """
import resource
import numpy as np
import tfedu as tf
x = tf.placeholder(tf.float32, [1000, 1000])
y = x
for _ in range(8):
    y = tf.matmul(tf.reduce_mean(y, 1, keepdims=True), x[:1])
total = tf.reduce_sum(y)
fed = np.zeros([1000, 1000], np.float32)
session = tf.Session()
for _ in range(3):
    session.run(total, {x: fed})
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    session.run(total, {x: fed})
print((resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) // 10)
"""


def faults(**environment: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", FAULTS], capture_output=True, text=True, check=True, env=environment
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries decide for themselves")
def test_a_run_takes_the_memory_that_the_run_before_it_freed():
    pages = 4_000_000 // 4096
    assert faults() < pages / 10
    assert faults(MALLOC_MMAP_THRESHOLD_="131072") > 8 * pages
