"""Records what became of a counter in other libraries: `python tools/other_graphs.py` writes notebooks/graphs.

Lesson 15 reads these records beside the TensorFlow 1 graph that it builds, so that it needs neither JAX nor PyTorch. Each program
is one file; its name is the file's name in the records.
"""

from __future__ import annotations

import json
import linecache
import pathlib
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import tfedu as tf
from tfedu.view.records import to_json

GRAPHS = ROOT / "notebooks" / "graphs"

JAX = """\
import jax

def step(count, x):
    count = count + 1.0
    return count, count * x

graph = jax.make_jaxpr(step)(0.0, 10.0)
"""
JAX_REF = """\
import jax

count = jax.new_ref(0.0)

def step(x):
    count[...] += 1.0
    return count[...] * x

graph = jax.make_jaxpr(step)(10.0)
"""
TORCH = """\
import torch

class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x):
        self.count.add_(1.0)
        return self.count * x

graph = torch.export.export(Counter(), (torch.tensor(10.0),))
"""
TORCH_FUNCTIONAL = TORCH.replace("graph = ", "program = ") + "graph = program.run_decompositions()\n"
TORCH_TRACED = TORCH.replace("torch.export.export(Counter(), (torch.tensor(10.0),))", "torch.fx.symbolic_trace(Counter())")
PROGRAMS = {
    "counter_jax": JAX,
    "counter_jax_ref": JAX_REF,
    "counter_torch": TORCH,
    "counter_torch_functional": TORCH_FUNCTIONAL,
    "counter_torch_traced": TORCH_TRACED,
}


def main() -> None:
    GRAPHS.mkdir(exist_ok=True)
    for name, program in PROGRAMS.items():
        (GRAPHS / f"{name}.json").write_text(text_of(name, program), encoding="utf-8")
        print(f"notebooks/graphs/{name}.json written")


def text_of(name: str, program: str) -> str:
    """The record of the graph that a program makes, as the text of its file."""
    file = f"{name}.py"
    linecache.cache[file] = (len(program), None, program.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": name}
    exec(compile(program, file, "exec"), names)
    return json.dumps(to_json(tf.show(names["graph"]).record), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    main()
