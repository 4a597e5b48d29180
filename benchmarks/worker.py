"""One measurement in a process of its own: `python worker.py ENGINE WORKLOAD` prints seconds.

It is run by file name, also by the oracle's interpreter, which has no tfedu; so it imports nothing of this package.
"""

from __future__ import annotations

import importlib.util
import os
import pathlib
import sys

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"
# NumPy's library knows best which kernels suit the processor; some machines set those of an older one.
for _variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(_variable, None)
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

HERE = pathlib.Path(__file__).resolve().parent


def main(engine: str, workload: str) -> None:
    spec = importlib.util.spec_from_file_location("workloads", HERE / "workloads.py")
    assert spec is not None
    assert spec.loader is not None
    workloads = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(workloads)

    import numpy

    if engine == "numpy":
        print(workloads.BY_HAND[workload](numpy))
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
    print(getattr(workloads, workload)(tf, numpy))


if __name__ == "__main__":
    main(*sys.argv[1:3])
