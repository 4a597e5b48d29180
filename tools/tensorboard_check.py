"""Shows that TensorBoard shows what tfedu writes: starts it on 127.0.0.1 and asks its HTTP API for all that was written.

    .venv/bin/python tools/tensorboard_check.py --python /path/to/a/python/with/tensorboard

tests/golden/tensorboard.json is written: TensorBoard's version and what it gave back. TensorBoard is no part of the tests' own
packages: it brings fifty megabytes with it, and what it answers changes with its releases only.
tests/interop/test_tensorboard_result.py holds the result to the program below, tests/training/test_file_writer.py our files to
TensorFlow's.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULT = ROOT / "tests" / "golden" / "tensorboard.json"
STEPS = 30
NOTE = "a <b>note</b>, *three* words"


def write_logs(logdir: pathlib.Path) -> dict[str, bytes]:
    """A small training program with a writer for each of two runs; gives the pictures and the sound that it wrote."""
    import numpy as np

    import tfedu as tf

    pictures = np.zeros((2, 4, 5, 3), np.float32)
    pictures[0, :2], pictures[1, :, 3] = 1.0, (0.2, 0.5, 1.0)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None], name="x")
        with tf.name_scope("model"):
            w = tf.Variable(0.0, name="w")
            loss = tf.reduce_mean(tf.square(w * x - 3.0 * x), name="loss")
        step = tf.assign_sub(w, 0.1 * tf.reduce_mean(2.0 * x * (w * x - 3.0 * x)), name="step")
        tf.summary.scalar("loss", loss, family="fit")
        tf.summary.histogram("inputs", x)
        tf.summary.image("picture", pictures)
        tf.summary.audio("sound", np.sin(np.arange(800, dtype=np.float32) / 5)[None], 8000.0, max_outputs=1)
        tf.summary.text("note", tf.constant(NOTE))
        merged = tf.summary.merge_all()
        session.run(tf.global_variables_initializer())
        for run in ("train", "eval"):
            with tf.summary.FileWriter(str(logdir / run), graph if run == "train" else None) as writer:
                for n in range(STEPS):
                    data = session.run(merged, {x: [n % 3, 1.0, 2.0]})
                    writer.add_summary(data, n)
                    session.run(step, {x: [n % 3, 1.0, 2.0]})
                if run == "train":
                    metadata = tf.RunMetadata()
                    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
                    session.run(step, {x: [1.0]}, options=options, run_metadata=metadata)
                    writer.add_run_metadata(metadata, "a traced step", STEPS)
    values = tf.Summary.FromString(data).value
    kept = {v.tag: v.image.encoded_image_string for v in values if v.WhichOneof("value") == "image"}
    return kept | {v.tag: v.audio.encoded_audio_string for v in values if v.WhichOneof("value") == "audio"}


class Board:
    """A running TensorBoard; `get("scalars/tags")` asks one of its plugins."""

    def __init__(self, python: str, logdir: pathlib.Path) -> None:
        command = [python, "-m", "tensorboard.main", "--logdir", str(logdir), "--host", "127.0.0.1", "--port", "0"]
        self.log = logdir.parent / "tensorboard.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([*command, "--load_fast=false"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.address = ""
        for _ in range(600):
            found = re.search(r"http://127\.0\.0\.1:\d+", self.log.read_text(errors="replace"))
            if found:
                self.address = found[0]
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise SystemExit(f"TensorBoard does not start:\n{self.log.read_text(errors='replace')[-2000:]}")

    def raw(self, path: str, **query: object) -> bytes:
        text = f"{self.address}/data/{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        with urllib.request.urlopen(text, timeout=60) as answer:
            return answer.read()

    def get(self, plugin: str, **query: object):
        return json.loads(self.raw(f"plugin/{plugin}", **query))

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)


def asked(board: Board, kept: dict[str, bytes]) -> dict:
    """What TensorBoard says of the logs."""
    for _ in range(300):  # it reads the files while it runs
        runs = json.loads(board.raw("runs"))
        if len(runs) == 2 and "train" in board.get("graphs/info") and board.get("text/tags").get("train"):
            break
        time.sleep(0.2)
    losses = board.get("scalars/scalars", run="train", tag="fit/fit/loss")
    histograms = board.get("histograms/histograms", run="train", tag="inputs")
    pictures = {
        tag: board.raw("plugin/" + place_of(board, "images", "individualImage", tag))
        for tag in ("picture/image/0", "picture/image/1")
    }
    sound = board.raw("plugin/" + place_of(board, "audio", "individualAudio", "sound/audio"))
    graph = board.raw("plugin/graphs/graph", run="train", limit_attr_size=1024, large_attrs_key="_too_large_attrs").decode()
    traced = board.raw("plugin/graphs/run_metadata", run="train", tag="a traced step").decode()
    return {
        "runs": sorted(runs),
        "scalar tags": {run: sorted(tags) for run, tags in sorted(board.get("scalars/tags").items())},
        "steps of the loss": [step for _, step, _ in losses],
        "the loss falls": losses[0][2] > 10 * losses[-1][2],
        "histogram tags": sorted(board.get("histograms/tags")["train"]),
        "values in the last histogram": round(sum(count for _, _, count in histograms[-1][2])),
        "pictures are ours": {tag: data == kept[tag] for tag, data in pictures.items()},
        "the sound is ours": sound == kept["sound/audio"],
        "text": [item["text"] for item in board.get("text/text", run="train", tag="note")][-1:],
        "nodes of the graph": sorted(set(re.findall(r'name: "(model/\w+|step|x)"', graph))),
        "nodes of the traced step": sorted(set(re.findall(r'node_name: "(model/w|step|x)"', traced))),
    }


def place_of(board: Board, plugin: str, one: str, tag: str) -> str:
    """Where the last picture (sound) of a tag is."""
    listed = board.get(f"{plugin}/{plugin}", run="train", tag=tag, sample=0)
    return f"{plugin}/{one}?{listed[-1]['query']}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    ask = "import tensorboard.version as v; print(v.VERSION)"
    version = subprocess.run([given.python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        logdir = pathlib.Path(folder, "logs")
        kept = write_logs(logdir)
        board = Board(given.python, logdir)
        try:
            found = asked(board, kept)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{error.url}: {error.code}\n{error.read()[:2000].decode(errors='replace')}") from None
        finally:
            board.close()
    RESULT.write_text(json.dumps({"tensorboard": version, **found}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(RESULT.read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
