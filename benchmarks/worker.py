"""One measurement in a process of its own: `python worker.py ENGINE WORKLOAD` prints seconds, and bytes of memory.

The memory is what the workload adds at its peak to the process that has imported the engine and started its compiler;
Linux tells it, and elsewhere it is printed as 0.

It is run by file name, also by the oracle's interpreter, which has no tfedu; so it imports nothing of this package.
"""

from __future__ import annotations

import importlib.util
import os
import pathlib
import sys
from collections.abc import Callable

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"
# NumPy's library knows best which kernels suit the processor; some machines set those of an older one.
for _variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(_variable, None)
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

HERE = pathlib.Path(__file__).resolve().parent
STATUS, PEAK = pathlib.Path("/proc/self/status"), pathlib.Path("/proc/self/clear_refs")


def resident(which: str) -> int:
    """Bytes that the process holds now (VmRSS), or held at its peak (VmHWM)."""
    if not STATUS.exists():
        return 0
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(which + ":"))
    return 1024 * int(line.split()[1])


def measured(workload: Callable[..., float], *modules: object) -> None:
    before = resident("VmRSS")
    if PEAK.exists():
        PEAK.write_text("5")  # proc(5): the peak begins anew, at what is resident now
    seconds = workload(*modules)
    print(seconds, resident("VmHWM") - before)


def main(engine: str, workload: str) -> None:
    spec = importlib.util.spec_from_file_location("workloads", HERE / "workloads.py")
    assert spec is not None
    assert spec.loader is not None
    workloads = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(workloads)

    import numpy

    if engine == "numpy":
        measured(workloads.BY_HAND[workload], numpy)
        return
    if engine == "oracle":
        import tensorflow.compat.v1 as tf

        tf.disable_v2_behavior()
        tf.disable_control_flow_v2()
        config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        session = tf.Session
        tf.Session = lambda: session(config=config)
    else:
        sys.path.insert(0, str(HERE.parent))
        import tfedu as tf
        from tfedu.engine.backends.fused import compiler

        # Numba and its LLVM take some 150 MiB once, whatever they compile; TensorFlow's kernels came with its import.
        if (compile_loop := compiler()) is not None:
            compile_loop(lambda number: number + 1)(1.0)
    measured(getattr(workloads, workload), tf, numpy)


if __name__ == "__main__":
    main(*sys.argv[1:3])
