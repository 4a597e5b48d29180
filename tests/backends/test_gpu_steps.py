"""`make gpu` measures steps: the programs do the same work, the table tells what was found, and why something was not."""

import itertools
import pathlib
import sys

import jax
import numpy as np
import pytest
import torch

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import gpu_steps
from gpu_steps import Kernels, Line


def never():
    raise AssertionError("what cannot be measured is not run")


def test_the_lstm_trains_to_the_same_losses_in_all_programs():
    of_tfedu, of_torch, of_jax = gpu_steps.lstm(8, "cpu")
    losses = []
    with jax.disable_jit():  # compiling 28 cells takes longer than they do
        for step, loss in (of_tfedu(), of_torch(torch), of_jax(jax)):
            losses.append([float(loss())])
            for _ in range(4):
                step()
                losses[-1].append(float(loss()))
    own, *others = losses
    assert all(before - after > 1e-3 for before, after in itertools.pairwise(own))
    for other in others:
        np.testing.assert_allclose(other, own, rtol=1e-5)


@pytest.mark.parametrize(
    "work",
    [
        lambda meter: gpu_steps._mlp(8, meter),
        lambda meter: gpu_steps._lstm(8, meter),
        lambda meter: gpu_steps._chain(64, meter),
        lambda meter: gpu_steps._product(16, meter),
        lambda meter: gpu_steps._normals(64, meter),
        lambda meter: gpu_steps._softmax(4, 8, meter),
    ],
    ids=["mlp", "lstm", "chain", "product", "normals", "softmax"],
)
def test_each_work_meters_the_step_of_tfedu_and_says_what_finds_no_gpu(work, monkeypatch):
    monkeypatch.setattr(gpu_steps, "_free", lambda: None)
    monkeypatch.setattr(torch, "compile", lambda step: step)  # it compiles what there is no GPU for, and warns while it loads
    steps = []

    def meter(step, wait, inner):
        step()
        steps.append(inner)
        return 0.5

    found = work(meter).found
    assert len(steps) == 1
    assert found["tfedu"] == 0.5
    assert found["jax.jit"] == "RuntimeError: this JAX finds no GPU"
    assert found["PyTorch eager"] == found["torch.compile"] == "AssertionError: Torch not compiled with CUDA enabled"


def test_what_is_not_installed_is_told(monkeypatch):
    for name in ("torch", "jax"):
        monkeypatch.setitem(sys.modules, name, None)
    found = gpu_steps._others(lambda torch: never, lambda jax: never, 1, lambda *_: 0.5)
    assert found == {
        "PyTorch eager": "torch is not installed", "torch.compile": "torch is not installed", "jax.jit": "jax is not installed",
    }  # fmt: skip
    assert gpu_steps.launches(never, never, 1) == "PyTorch, whose profiler counts kernels, is not installed"


def test_a_pytorch_without_cuda_counts_no_kernels():
    assert gpu_steps.launches(never, never, 1) == "this PyTorch, whose profiler counts kernels, finds no CUDA"


def test_a_profiler_that_gives_nothing_is_no_count(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    counted = gpu_steps.launches(lambda: None, lambda: None, 2)
    assert isinstance(counted, str)
    assert counted.startswith("PyTorch's profiler ")


def test_the_kernels_of_a_trace_are_those_of_one_step():
    def event(category, microseconds):
        return {"ph": "X", "cat": category, "name": "a", "ts": 1, "dur": microseconds}

    others = [event("gpu_memcpy", 70), event("gpu_memset", 70), event("gpu_user_annotation", 900), event("cuda_runtime", 5)]
    events = [{"ph": "M", "name": "process_name"}, event("kernel", 3), event("kernel", 1.5), *others, {"ph": "s", "cat": "ac2g"}]
    assert gpu_steps.kernels_of([*events, event("kernel", 2.5), event("kernel", 1)], 2) == Kernels(2, pytest.approx(4e-6))
    assert gpu_steps.kernels_of(others, 2) == "PyTorch's profiler recorded no kernel: CUPTI gives this process nothing"


def test_the_table_tells_times_kernels_and_shares():
    times = Line("a copy", {"tfedu": 0.004, "PyTorch eager": 0.002, "jax.jit": "jax is not installed"}, 4_000_000_000, 0)
    kernels = Line("a copy", {"tfedu": Kernels(3, 0.0035), "PyTorch eager": Kernels(1, 0.0015), "jax.jit": "unread"}, 0, 0)
    product = Line("a product", {"tfedu": 0.5}, 0, 1e12), Line("a product", {"tfedu": "there is no profiler"}, 0, 0)
    text = gpu_steps.table([(times, kernels), product], 2e12)
    assert "2.00 TB/s" in text[0]
    assert text[2:] == [
        "| work | program | ms | time / tfedu's | kernels | their sum, ms | |",
        "|---|---|---|---|---|---|---|",
        "| a copy | tfedu | 4.000 | 1.00 | 3 | 3.500 | 50% of the copy's rate |",
        "| a copy | PyTorch eager | 2.000 | 0.50 | 1 | 1.500 | 100% of the copy's rate |",
        "| a copy | jax.jit | – | – | – | – | jax is not installed |",
        "| a product | tfedu | 500.000 | 1.00 | – | – | 2.0 TFLOP/s |",
        "",
        "Kernels that were not counted (–): there is no profiler.",
    ]
