"""How fast the engine is: `python -m benchmarks` prints a table of ratios measured in one run.

Every figure is CPU time of a single-threaded process; each row is measured in fresh processes, one engine after the
other, several times over, and the median is shown. `--oracle PYTHON` adds TensorFlow from that environment's
interpreter; `--save` writes `benchmarks/RESULTS.md`.
"""
