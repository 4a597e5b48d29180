"""`tf.test.Benchmark`: methods that time an op and report the result."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..engine.graph import get_default_session
from ..engine.runtime.config import ConfigProto
from ..engine.runtime.session import Session


class Benchmark:
    """Measures ops: each method whose name begins with "benchmark" is one measurement."""

    def report_benchmark(
        self,
        iters: int | None = None,
        cpu_time: float | None = None,
        wall_time: float | None = None,
        throughput: float | None = None,
        extras: Mapping[str, Any] | None = None,
        name: str | None = None,
        metrics: Any = None,
    ) -> None:
        """Prints one measurement, times in seconds."""
        measurements = {"iters": iters, "cpu_time": cpu_time, "wall_time": wall_time, "throughput": throughput}
        fields = [f"{key}: {value}" for key, value in measurements.items() if value is not None]
        fields += [f"{key}: {value}" for key, value in (extras or {}).items()]
        print(f"entry {{ name: {name or type(self).__name__}  {'  '.join(fields)} }}")

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors from the default session."""
        session = get_default_session()
        if session is None:
            with Session() as session:
                return session.run(tensors)
        return session.run(tensors)

    def run_op_benchmark(
        self,
        sess: Session,
        op_or_tensor: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        burn_iters: int = 2,
        min_iters: int = 10,
        store_trace: bool = False,
        store_memory_usage: bool = True,
        name: str | None = None,
        extras: Mapping[str, Any] | None = None,
        mbs: float = 0,
    ) -> dict[str, Any]:
        """Runs an op many times, prints the median time, and returns it with the name and the number of runs."""
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict=feed_dict)
        times = []
        for _ in range(min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict=feed_dict)
            times.append(time.perf_counter() - start)
        median = float(np.median(times)) if times else -1.0
        throughput = mbs / median if mbs and median > 0 else None
        self.report_benchmark(iters=min_iters, wall_time=median, throughput=throughput, extras=extras, name=name)
        return {"iters": min_iters, "wall_time": median, "extras": dict(extras or {}), "name": name, "throughput": throughput}


def benchmark_config() -> ConfigProto:
    """The configuration of sessions for benchmarks."""
    return ConfigProto()
