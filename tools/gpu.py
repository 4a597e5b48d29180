"""`make gpu`: the rows of the op table, step times and kernels on this machine's GPU, written into benchmarks/gpu.md.

It uses the interpreter that runs it (`make gpu PYTHON=…`, PYTHONPATH is passed on) where that has NumPy, protobuf, absl and CuPy;
else it makes .venv, installs the extra there and starts itself again. Without a GPU it ends with an error that says what is
missing. `--seconds` bounds the rows (default 300), `--no-steps` leaves out the step times. No state.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import pathlib
import platform
import subprocess
import sys
import time
import warnings

CLONE = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CLONE), str(CLONE / "tools")]
REPORT = CLONE / "benchmarks" / "gpu.md"
_NEEDED = ("numpy", "google.protobuf", "absl", "cupy")
# Rows that are not equal on the GPU on purpose, and why.
_KNOWN = {
    "an index outside of its range is no error on a GPU": ("is not in [0", "does not index into", "out of range", "label value"),
    "NaN in a segment is taken in no order": ("unsorted_segment_max/NaN", "unsorted_segment_min/NaN"),
    "a number too large for an integer becomes the largest": ("convert_image_dtype/float32 to int32, saturate",),
}


def missing() -> list[str]:
    """The packages that this interpreter lacks."""
    found = []
    for name in _NEEDED:
        try:
            there = importlib.util.find_spec(name) is not None
        except ImportError:
            there = False
        if not there:
            found.append(name)
    return found


def _install() -> None:
    """Makes .venv with the extra for the driver's CUDA, and starts this program again there."""
    if os.environ.get("TFEDU_GPU_INSTALLED"):
        sys.exit(f"make gpu: .venv lacks {', '.join(missing())} after the installation")
    try:
        text = subprocess.run(["nvidia-smi"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"make gpu: no GPU here: nvidia-smi: {error}. CuPy is not installed either, and was not downloaded.")
    extra = "gpu12" if "CUDA Version: 12" in text else "gpu"
    python = CLONE / ".venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(CLONE / ".venv")], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", "-e", f"{CLONE}[{extra}]"], check=True)
    os.execve(python, [str(python), *sys.argv], {**os.environ, "TFEDU_GPU_INSTALLED": "1"})


def _versions() -> list[str]:
    import numpy

    lines = [f"- Python {platform.python_version()}, NumPy {numpy.__version__}"]
    for name in ("cupy", "torch", "jax"):
        if importlib.util.find_spec(name):
            lines.append(f"- {name} {__import__(name).__version__}")
    import cupy

    from tfedu.engine.backends.cupy import gpu

    found = gpu()
    assert found is not None
    runtime, driver = cupy.cuda.runtime.runtimeGetVersion(), cupy.cuda.runtime.driverGetVersion()
    return [f"- {found.name}, {found.memory / 2**30:.0f} GiB, compute capability {'.'.join(map(str, found.capability))}",
            f"- CUDA {runtime // 1000}.{runtime % 1000 // 10}, driver for CUDA {driver // 1000}.{driver % 1000 // 10}", *lines]


def _kind_of(text: str) -> str | None:
    return next((why for why, marks in _KNOWN.items() if any(mark in text for mark in marks)), None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--no-steps", action="store_true")
    parser.add_argument("--output", type=pathlib.Path, default=REPORT)
    options = parser.parse_args()
    if missing():
        _install()
    warnings.simplefilter("ignore")
    # JAX would take three quarters of the GPU's memory for itself.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    # A forked process asks, so that this one calls no CUDA before it forks others.
    asked = subprocess.run(
        [sys.executable, "-c", "from tfedu.engine.backends import cupy; print(cupy.why_none())"],
        cwd=CLONE, capture_output=True, text=True,
    )  # fmt: skip
    if asked.returncode or asked.stdout.strip():
        sys.exit(f"make gpu: {asked.stdout.strip() or asked.stderr.strip()}")
    import gpu_rows

    start = time.monotonic()
    passed, failed, elsewhere = gpu_rows.kernels()
    kernels_took = time.monotonic() - start
    print(f"kernels: {sum(passed.values())} calls of {len(passed)} types passed, {len(failed)} types failed")
    for type, text in sorted(failed.items()):
        print(f"  {type}: {text}")
    made, wrong = gpu_rows.generated()
    print(f"generated kernels: {made} gave what NumPy gives, {len(wrong)} did not")
    for name, text in sorted(wrong.items()):
        print(f"  {name}: {text}")
    equal, different, unrun = gpu_rows.sessions(start + options.seconds)
    known = {key: why for key, text in different.items() if (why := _kind_of(f"{key}: {text}"))}
    unknown = {key: text for key, text in different.items() if key not in known}
    took = time.monotonic() - start
    print(f"sessions: {equal} rows equal, {len(known)} differ as TensorFlow's GPU does, {len(unknown)} differ, {unrun} not run")
    for key, text in sorted(unknown.items()):
        print(f"  {key}: {text}")
    report = [
        "# tfedu on a GPU", "", "Written by `make gpu`; each figure is of one run on the machine below.", "", *_versions(), "",
        "## The op table", "",
        f"- Kernels: {sum(passed.values())} calls of {len(passed)} op types gave what NumPy gives (float32 against float64), "
        f"in {kernels_took:.0f} s; {len(failed)} types failed. {len(elsewhere)} types of the rows compute on the host.",
        f"- Generated kernels (formulas of elementwise nodes, steps of optimizers, random numbers, softmax): {made} gave what "
        f"NumPy gives, {len(wrong)} did not.",
        f"- Sessions: {equal} rows gave the same on a session with the GPU as on one without; {len(known)} differ on purpose, "
        f"{len(unknown)} differ, {unrun} were not run in {options.seconds:.0f} s. All rows took {took:.0f} s.",
        *[f"- failed: `{type}`: {text}" for type, text in sorted(failed.items())],
        *[f"- generated, wrong: `{name}`: {text}" for name, text in sorted(wrong.items())],
        *[f"- differs: `{key}`: {text}" for key, text in sorted(unknown.items())], "",
    ]  # fmt: skip
    options.output.write_text("\n".join(report), encoding="utf-8")
    if not options.no_steps:
        import gpu_steps

        rate = gpu_steps.copy_rate()
        steps = gpu_steps.table(gpu_steps.measured(), rate)
        print("\n".join(steps))
        options.output.write_text("\n".join([*report, "## Step times", "", *steps, ""]), encoding="utf-8")
    return 1 if failed or wrong or unknown or unrun else 0


if __name__ == "__main__":
    sys.exit(main())
