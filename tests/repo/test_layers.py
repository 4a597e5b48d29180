"""Imports point down: import-linter checks the layers, and these tests check that it finds violations."""

import pathlib
import shutil
import subprocess
import sys

import pytest
import sources

# Planted import -> the contract that has to refuse it.
VIOLATIONS = {
    ("engine/base/_planted.py", "import tfedu.engine.graph"): "Arrows point down inside the engine",
    ("engine/graph/_planted.py", "def f():\n    from tfedu.engine import runtime"): "Arrows point down inside the engine",
    ("engine/op/_planted.py", "from ..ops import math"): "Arrows point down inside the engine",
    ("engine/runtime/_planted.py", "from ..replay import trace"): "Arrows point down inside the engine",
    ("engine/ops/_planted.py", "from tfedu import view"): "Arrows point down",
    ("view/_planted.py", "from tfedu import cli"): "Arrows point down",
    ("view/words/_planted.py", "from ..draw import svg"): "Arrows point down inside view",
    ("_planted.py", ""): "Arrows point down",
    ("engine/_planted.py", ""): "Arrows point down inside the engine",
    ("widgets/_planted.py", "import numpy"): "Widgets know the records only",
    ("widgets/_planted2.py", "from tfedu.engine.graph import nodes"): "Widgets know the records only",
    ("engine/lib/_planted.py", "import IPython"): "The engine knows no notebook",
}  # fmt: skip


def lint(folder: pathlib.Path) -> tuple[int, str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    done = subprocess.run(
        [*command, "--no-cache"], cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(folder), "PATH": ""}
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package that a test may damage."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copy(sources.ROOT / "pyproject.toml", folder)
    shutil.copytree(sources.PACKAGE, folder / "tfedu", ignore=shutil.ignore_patterns("__pycache__", "static"))
    return folder


def test_arrows_point_down(copy):
    code, text = lint(copy)
    assert code == 0, text


@pytest.mark.parametrize(("planted", "contract"), VIOLATIONS.items(), ids=lambda x: x[0] if isinstance(x, tuple) else "")
def test_a_planted_violation_is_refused_by_its_contract(copy, planted, contract):
    name, text = planted
    file = copy / "tfedu" / name
    file.write_text(text + "\n", encoding="utf-8")
    try:
        code, output = lint(copy)
    finally:
        file.unlink()
    assert code == 1, output
    assert f"{contract} BROKEN" in output, output


LAYERS = {"engine", "view", "explain", "widgets", "exercises"}
# Foreign packages that single modules need; test_import_cost.py shows that they are imported on first use.
NEEDED = {
    "tfedu/view/adapters/fx_graphs.py": {"torch"},
    "tfedu/view/adapters/jaxprs.py": {"jax"},
    "tfedu/view/adapters/onnx_graphs.py": {"onnx"},
    "tfedu/view/draw/dot.py": {"graphviz"},
    "tfedu/view/draw/raster.py": {"PIL", "resvg_py", "typst"},
    "tfedu/engine/backends/cupy.py": {"cupy"},
    "tfedu/engine/backends/fused.py": {"numba"},
    "tfedu/engine/base/dtypes.py": {"ml_dtypes"},
    "tfedu/engine/files/crc32c.py": {"google_crc32c"},
    "tfedu/engine/files/pictures.py": {"PIL"},
    "tfedu/engine/models/keras_data/picture_arrays.py": {"PIL"},
    "tfedu/engine/base/proto/__init__.py": {"google"},
    "tfedu/engine/training/sessions/progress.py": {"tqdm"},
}


def test_no_layer_below_the_public_names_imports_them():
    """import-linter compares the layers; `import tfedu` itself is above all of them. Questions are programs of a learner's."""
    for path, tree in sources.trees().items():
        if path.split("/")[1] in LAYERS and not path.startswith("tfedu/exercises/questions/"):
            for name, line in sources.imports(path, tree):
                parts = name.split(".")
                assert parts[0] != "tfedu" or set(parts[1:2]) & LAYERS, f"{path}:{line} imports {name}"


def test_engine_and_view_import_nothing_but_numpy_and_the_standard_library():
    allowed = {"numpy", "tfedu"} | set(sys.stdlib_module_names)
    for path, tree in sources.trees().items():
        if path.startswith(("tfedu/engine/", "tfedu/view/")):
            for name, line in sources.imports(path, tree):
                assert name.split(".")[0] in allowed | NEEDED.get(path, set()), f"{path}:{line} imports {name}"
