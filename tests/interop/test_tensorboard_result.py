"""What TensorBoard gave back of tfedu's event files (tests/golden/tensorboard.json, made by tools/tensorboard_check.py)."""

import importlib.util
import json
import pathlib

import tfedu as tf

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("tensorboard_check", ROOT / "tools" / "tensorboard_check.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)

RESULT = json.loads(tool.RESULT.read_text(encoding="utf-8"))


def test_tensorboard_showed_all_that_was_written():
    found = dict(RESULT)
    assert int(found.pop("tensorboard").split(".")[0]) >= 2
    (shown,) = found.pop("text")
    assert "<em>three</em>" in shown  # Markdown
    assert "&lt;b&gt;note" in shown
    assert found == {
        "runs": ["eval", "train"],
        "scalar tags": {"eval": ["fit/fit/loss"], "train": ["fit/fit/loss"]},
        "steps of the loss": list(range(tool.STEPS)),
        "the loss falls": True,
        "histogram tags": ["inputs"],
        "values in the last histogram": 3,
        "pictures are ours": {"picture/image/0": True, "picture/image/1": True},
        "the sound is ours": True,
        "nodes of the graph": [
            "model/Const", "model/Square", "model/loss", "model/mul", "model/mul_1", "model/sub", "model/w", "step", "x",
        ],
        "nodes of the traced step": ["model/w", "step"],
    }


def test_the_program_still_writes_what_tensorboard_was_shown(tmp_path):
    """The same runs, tags and steps: what was shown is what is written today."""
    kept = tool.write_logs(tmp_path)
    assert set(kept) == {*RESULT["pictures are ours"], "sound/audio"}
    for run in RESULT["runs"]:
        (path,) = (tmp_path / run).iterdir()
        events = list(tf.train.summary_iterator(path))
        losses = [e.step for e in events for v in e.summary.value if v.tag == "fit/fit/loss"]
        assert losses == RESULT["steps of the loss"]
