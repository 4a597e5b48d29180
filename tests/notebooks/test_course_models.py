"""The models of the course train: a few steps of each in every run of the tests, and in full in `make test-long`.

A model's notebook has one cell with the tag "parameters", whose numbers say how long it trains.
"""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from test_notebooks import COURSE, client, read

# For each model: the parameters of a short training, and what its text says of a full one.
MODELS = {
    "regression": ({"line_steps": 3, "digit_steps": 3}, "abs(slope - 2) < 0.05 and abs(height + 1) < 0.05 and accuracy > 0.88"),
    "k_means": ({"rounds": 2}, "purity > 0.5"),
    "mlp": ({"steps": 3}, "accuracy > 0.955"),
    "lenet": ({"steps": 2}, "accuracy > 0.975"),
    "autoencoder": ({"steps": 3}, "error < 0.02 and nats < 180"),
    "gan": ({"rounds": 3, "classifier_steps": 3}, "sure > 0.15 and before < 0.05"),
    "char_rnn": ({"steps": 2}, "share_known > 0.93"),
    "bidirectional_rnn": ({"steps": 2}, "two_ways > 0.97 and one_way < 0.9"),
    "word2vec": ({"steps": 3}, "share_alike > 0.95"),
    "policy_gradient": ({"updates": 2}, "final_pay > 1.0"),
    "attention": ({"steps": 2}, "share_right > 0.97"),
    "towers": ({"steps": 7}, "difference < 1e-6 and accuracy > 0.96"),
}


def test_each_model_is_in_the_table():
    assert {path.stem for path in (COURSE / "models").glob("*.ipynb")} == set(MODELS)


def with_parameters(notebook, changed):
    (cell,) = (cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ()))
    for name, value in changed.items():
        cell.source, count = re.subn(rf"^{name} = .*$", f"{name} = {value}", cell.source, flags=re.MULTILINE)
        assert count == 1
    return notebook


def run(notebook):
    """All cells, in a kernel of their own; a failing cell raises."""

    async def executed():
        kernel = client(notebook, COURSE / "models")
        async with kernel.async_setup_kernel():
            for index, cell in enumerate(notebook.cells):
                await kernel.async_execute_cell(cell, index)

    with ThreadPoolExecutor(1) as thread:  # an event loop of its own, whatever runs in this one
        thread.submit(asyncio.run, executed()).result()
    complaints = [o["text"] for cell in notebook.cells for o in cell.get("outputs", []) if o.get("name") == "stderr"]
    assert not complaints
    assert any("image/svg+xml" in o.get("data", {}) for cell in notebook.cells for o in cell.get("outputs", []))


@pytest.mark.parametrize("name", MODELS)
def test_a_few_steps_run_from_top_to_bottom(name):
    run(with_parameters(read(f"models/{name}.ipynb"), MODELS[name][0]))


@pytest.mark.long
@pytest.mark.parametrize("name", MODELS)
def test_a_full_training_reaches_what_its_text_says(name):
    notebook = read(f"models/{name}.ipynb")
    notebook.cells.append(nbformat.v4.new_code_cell(f"assert {MODELS[name][1]}"))
    run(notebook)
