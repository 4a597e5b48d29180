"""Shows that graphs made here load into TensorFlow and give the same numbers, and the other way round, for every op type.

    .venv/bin/python tools/interop_check.py --oracle /path/to/the/oracle/bin/python [--family array …]

Each row of tests/ops/cases_*.py is built and run by the one side; its GraphDef, feeds and values go to the other side, which
loads the graph and runs it; the values must agree as harness.differences has it. Both ways; TensorBoard's own reader has
to read each of our files too, and to write the same bytes again. tests/golden/interop.json is
written (unless families are named): the versions, the op types that were shown, and what was not shown and why. It is to be
run again when tests/interop/test_interop_result.py says that an op is newer. Each side runs in a process of its own, and is
started again behind a row that kills it. A difference that has no reason here makes the check and that test fail.
"""

from __future__ import annotations

import argparse
import base64
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULT = ROOT / "tests" / "golden" / "interop.json"
# what a graph file cannot carry: the function lives in the process that made the graph
PYTHON_OPS = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
# what is another value in each run
CLOCKS = ("Timestamp",)
META = ["", "meta graph"]


# -- one side ---------------------------------------------------------------------------------------------------------


def packed(message) -> str:
    return base64.b64encode(message.SerializeToString(deterministic=True)).decode()


def load_side(side: str):
    """The module `tf` of a side, and the rows."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "semantics"), str(ROOT / "tests" / "ops"), str(ROOT / "tools" / "oracle")]
    if side == "oracle":
        import _oracle
        import as_1_15

        tf = as_1_15.namespace(_oracle.load())
    else:
        import tfedu as tf
    import cases

    return tf, cases


def named_outputs(tf, graph, built) -> list[str]:
    """The names of all tensors and operations that a row gave, composites in parts."""
    names = []
    stack = [built]
    while stack:
        item = stack.pop(0)
        if isinstance(item, dict):
            stack[:0] = list(item.values())
        elif isinstance(item, (list, tuple)):
            stack[:0] = list(item)
        elif isinstance(item, tf.SparseTensor):
            stack[:0] = [item.indices, item.values, item.dense_shape]
        elif isinstance(item, tf.IndexedSlices):
            stack[:0] = [x for x in (item.values, item.indices, item.dense_shape) if x is not None]
        elif hasattr(item, "flat_values") and hasattr(item, "nested_row_splits"):
            stack[:0] = [item.flat_values, *item.nested_row_splits]
        elif item is not None:
            names.append(graph.as_graph_element(item).name)
    return names


def run_named(tf, graph, names, feeds):
    """Values as messages, or the class of the error."""
    import numpy as np

    with tf.Session(graph=graph) as session:
        try:
            values = session.run(names, feeds)
        except tf.errors.OpError as error:
            return {"error": type(error).__name__, "text": error.message.strip().splitlines()[0][:300]}
    found = []
    for name, value in zip(names, values):
        if value is None:
            found.append(None)
            continue
        dtype = graph.as_graph_element(name).dtype.base_dtype
        # A handle is of no use to the other side.
        is_value = isinstance(value, (np.ndarray, np.generic, bytes)) and dtype.name not in ("resource", "variant")
        found.append(packed(tf.make_tensor_proto(value, dtype=dtype)) if is_value else None)
    return {"values": found}


def export(tf, cases, key):
    """A row built and run: its graph as bytes."""
    import numpy as np

    family, name = key
    row = cases.load()[family][name]
    with tf.Graph().as_default() as graph:
        fed = [
            tf.placeholder(cases.dtype_of(tf, value), value.shape, name="abcdefgh"[n])
            for n, value in enumerate(row.inputs)
        ]
        try:
            built = row.ready(tf)(*fed)
        except Exception as error:
            return {"not_built": f"{type(error).__name__}: {str(error).splitlines()[0][:200]}"}
        names = named_outputs(tf, graph, built)
        if not names:
            return {"not_built": "gives no tensor"}
        feeds = {p.name: np.asarray(value) for p, value in zip(fed, row.inputs)}
        found = run_named(tf, graph, names, feeds)
        found["graph"] = packed(graph.as_graph_def())
        found["names"] = names
        found["feeds"] = {
            p.name: packed(tf.make_tensor_proto(value, dtype=p.dtype.base_dtype)) for p, value in zip(fed, row.inputs)
        }
        found["ops"] = sorted({op.type for op in graph.get_operations()})
    return found


def replay(tf, record):
    """Another side's graph, loaded and run."""
    message = tf.GraphDef.FromString(base64.b64decode(record["graph"]))
    feeds = {}
    for name, data in record["feeds"].items():
        tensor = tf.make_tensor_proto(0.0)
        tensor.ParseFromString(base64.b64decode(data))
        feeds[name] = tf.make_ndarray(tensor)
    with tf.Graph().as_default() as graph:
        try:
            tf.import_graph_def(message, name="")
        except Exception as error:
            return {"error": f"not loaded, {type(error).__name__}", "text": str(error).splitlines()[0][:300]}
        # Reading a resource's name may differ in the devices; nothing else does.
        found = run_named(tf, graph, record["names"], feeds)
        found["loaded"] = True
        return found


def make_meta(tf) -> dict:
    """A graph with variables of both kinds, parts of one, a cond and collections, as MetaGraphDef; and what it computes."""
    with tf.Graph().as_default():
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        w = tf.get_variable("w", [2], initializer=tf.constant_initializer(3.0), use_resource=True, trainable=False)
        tf.get_variable("part", [4], partitioner=tf.fixed_size_partitioner(2), initializer=tf.zeros_initializer())
        p = tf.placeholder(tf.bool, [], name="p")
        tf.add_to_collection("out", tf.cond(p, lambda: v + w, lambda: v - w))
        for key, value in (("init", tf.global_variables_initializer()), ("n", 7), ("f", 0.5), ("s", b"text")):
            tf.add_to_collection(key, value)
        return {"meta": packed(tf.train.export_meta_graph()), **use_meta(tf)}


def read_meta(tf, record: dict) -> dict:
    with tf.Graph().as_default():
        tf.train.import_meta_graph(tf.MetaGraphDef.FromString(base64.b64decode(record["meta"])))
        return use_meta(tf)


def use_meta(tf) -> dict:
    """What the collections of the default graph lead to."""
    graph = tf.get_default_graph()
    (out,) = tf.get_collection("out")
    with tf.Session() as session:
        session.run(tf.get_collection("init"))
        values = session.run([*tf.global_variables(), out], {"p:0": True}) + session.run([out], {"p:0": False})
    return {
        "found": [
            [value.tolist() for value in values],
            [f"{v.name} {v.dtype.name} {v.trainable} {v.initializer.name}" for v in tf.global_variables()],
            [v.name for v in tf.trainable_variables()],
            sorted(key for key in graph.get_all_collection_keys() if not str(key).startswith("__")),
            [tf.get_collection("n"), tf.get_collection("f"), [s.decode() for s in tf.get_collection("s")]],
            len(tf.get_collection("cond_context")),
        ]
    }


def read_by_tensorboard(data: str) -> bool:
    """Whether TensorBoard's messages read a GraphDef and write it as it was, binary and as text."""
    from google.protobuf import text_format
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    raw = base64.b64decode(data)
    message = GraphDef.FromString(raw)
    again = text_format.Parse(text_format.MessageToString(message), GraphDef())
    # A NaN is equal to nothing; of its bytes the last are those of float32, of float64, or of a text.
    has_nan = any(end in raw for end in (b"\x00\xc0\x7f", b"\x00\xf8\x7f", b"nan"))
    return message.SerializeToString(deterministic=True) == raw and (again == message or has_nan)


def worker(side: str, mode: str, source: pathlib.Path, out: pathlib.Path) -> None:
    tf, cases = load_side(side)
    done = sum(1 for _ in out.open(encoding="utf-8")) if out.exists() else 0
    with out.open("a", encoding="utf-8") as file:
        for at, line in enumerate(source.open(encoding="utf-8")):
            if at < done:
                continue
            job = json.loads(line)
            try:
                if job["key"] == META:
                    found = make_meta(tf) if mode == "export" else read_meta(tf, job)
                    file.write(json.dumps({"key": META, **found}) + "\n")
                    continue
                found = export(tf, cases, job["key"]) if mode == "export" else replay(tf, job) if "graph" in job else {}
                if mode == "replay" and side == "oracle" and "graph" in job:
                    found["tensorboard"] = read_by_tensorboard(job["graph"])
            except Exception as error:
                found = {"error": f"raw {type(error).__name__}", "text": str(error)[:300]}
            file.write(json.dumps({"key": job["key"], **found}) + "\n")
            file.flush()


# -- both sides -------------------------------------------------------------------------------------------------------


def run_side(python: str, side: str, mode: str, source: pathlib.Path, out: pathlib.Path) -> list[dict]:
    """All records of a worker; a row that kills it is noted and skipped."""
    wanted = sum(1 for _ in source.open(encoding="utf-8"))
    command = [python, __file__, "--worker", side, mode, str(source), str(out)]
    began = time.monotonic()
    while True:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
        if len(lines) == wanted:
            print(f"{side} {mode}: {wanted} rows in {time.monotonic() - began:.0f} s", flush=True)
            return [json.loads(line) for line in lines]
        if not lines and done.returncode == 1:
            raise SystemExit(f"{side} {mode} does not start:\n{done.stderr[-3000:]}")
        key = json.loads(source.read_text(encoding="utf-8").splitlines()[len(lines)])["key"]
        print(f"{side} {mode}: {key} kills the process (exit {done.returncode})", flush=True)
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "error": "the process died", "text": ""}) + "\n")


def decoded(tf, data):
    if data is None:
        return None
    tensor = tf.make_tensor_proto(0.0)
    tensor.ParseFromString(base64.b64decode(data))
    return tf.make_ndarray(tensor)


def within(one, other, ulps: int) -> bool:
    """Whether two arrays differ by at most so many units in the last place (floats), or not at all."""
    import numpy as np

    if one is None or other is None or one.dtype != other.dtype or one.shape != other.shape:
        return one is other
    if one.dtype.kind != "f":
        return bool(np.array_equal(one, other))
    unit = np.spacing(np.maximum(np.abs(one), np.abs(other)))
    return bool(np.all((np.abs(one - other) <= ulps * unit) | (np.isnan(one) & np.isnan(other)) | (one == other)))


def compared(tf, harness, row, made: dict, loaded: dict) -> str | None:
    """What differs between the side that made the graph and the one that loaded it, or None."""
    if "error" in made or "error" in loaded:
        if made.get("error") == loaded.get("error") and "raw" not in str(made.get("error")):
            return None
        here, there = (side.get("error", "values") for side in (made, loaded))
        return f"{here} here, {there} there: {loaded.get('text') or made.get('text')}"
    if set(made["ops"]) & set(CLOCKS):
        return None
    values = [[decoded(tf, v) for v in side["values"]] for side in (made, loaded)]
    if row.read is not None:
        values = [[row.read(tf, value[()]) for value in side] for side in values]
    if row.ulps is not None and all(map(within, *values, [row.ulps] * len(values[0]))):
        return None
    found = harness.differences(*[[harness.encode(tf, v) for v in side] for side in values])
    return found[0][:400] if found else None


def reason_of(cases, made: dict, loaded: dict, wrong: str) -> str | None:
    """Why a row of the oracle's may differ, or None."""
    of_1_15 = made["key"][0] in cases.OF_1_15
    if of_1_15 and "Op type not registered" in wrong:
        return "2.15 makes it of op types that 1.15, which the family's rows are asked of, does not take for it"
    if of_1_15 and ("error" in made or "error" in loaded):
        return "2.15 refuses other calls than 1.15, which the family's rows are asked of, and in other words"
    if made["key"][0] == "pooling" and "NaN" in made["key"][1]:
        return "2.15 gives the gradient of a window with NaN to another element than 1.15, which the rows are asked of"
    if "AudioSpectrogram" in made["ops"] and "channels of" in made["key"][1]:
        return "2.15 begins anew at each channel, and 1.15 goes on with the rest of the one before"
    if any(type.startswith("NonMaxSuppression") for type in made["ops"]):
        return "2.15 takes the earlier one of boxes with equal scores first, and 1.15 the one that its heap gives"
    if "FakeQuantWithMinMaxArgs" in made["ops"]:
        return "2.15 rounds the middle between two steps by a quotient, and 1.15 by a product"
    with (RESULT.parent / "op_areas.csv").open(encoding="utf-8", newline="") as areas:
        newer = {line["op"] for line in csv.DictReader(areas) if line["area"] == "after 1.15"} & set(made["ops"])
    if newer and "Op type not registered" in wrong:
        return f"2.15 makes it of {', '.join(sorted(newer))}, which 1.15 does not have"
    return None


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--oracle")
    parser.add_argument("--family", nargs="*", default=[])
    parser.add_argument("--keep", help="a folder for the exchanged files")
    parser.add_argument("--worker", nargs=4)
    given = parser.parse_args()
    if given.worker:
        side, mode, source, out = given.worker
        worker(side, mode, pathlib.Path(source), pathlib.Path(out))
        return 0
    if not given.oracle:
        parser.error("--oracle: the interpreter of the oracle's environment (tools/oracle/README.md)")
    tf, cases = load_side("tfedu")
    import harness

    from tfedu.engine.op.definition import REGISTRY

    rows = {(f, n): row for f, table in cases.load().items() if not given.family or f in given.family for n, row in table.items()}
    folder = pathlib.Path(given.keep or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.jsonl"):
        old.unlink()
    jobs = folder / "jobs.jsonl"
    jobs.write_text("".join(json.dumps({"key": key}) + "\n" for key in [*rows, META]), encoding="utf-8")
    ours = [sys.executable, "tfedu"]
    theirs = [given.oracle, "oracle"]
    shown: list[set[str]] = []
    problems: dict[str, list[str]] = {}
    explained: dict[str, list[str]] = {}
    loaded_only: set[str] = set()
    for direction, maker, taker in (("to TensorFlow", ours, theirs), ("from TensorFlow", theirs, ours)):
        made_at, read_at = folder / f"{maker[1]}.made.jsonl", folder / f"{taker[1]}.read.jsonl"
        made = run_side(*maker, "export", jobs, made_at)
        read = run_side(*taker, "replay", made_at, read_at)
        good: set[str] = set()
        if made[-1].get("found") is None or made[-1]["found"] != read[-1].get("found"):
            problems.setdefault("meta graph", []).append(f"{direction}: {made[-1].get('found')} / {read[-1]}")
        for m, r in zip(made[:-1], read[:-1]):
            if "graph" not in m:
                if "not_built" not in m:
                    problems.setdefault(direction, []).append(f"{'/'.join(m['key'])}: {m.get('error')} {m.get('text')}")
                continue
            if set(m["ops"]) & set(PYTHON_OPS):
                if r.get("loaded"):
                    loaded_only.update(set(m["ops"]) & set(PYTHON_OPS))
                continue
            if r.get("tensorboard") is False:
                problems.setdefault("to TensorBoard", []).append("/".join(m["key"]))
            wrong = compared(tf, harness, rows[tuple(m["key"])], m, r)
            row = "/".join(m["key"])
            if wrong is None:
                good.update(m["ops"])
            elif (reason := reason_of(cases, m, r, wrong)) is not None:
                explained.setdefault(reason, []).append(f"{direction}: {row}")
            else:
                problems.setdefault(direction, []).append(f"{row}: {wrong}")
        shown.append(good)
        print(f"{direction}: {len(good & set(REGISTRY.whole()))} of {len(REGISTRY.whole())} op types shown", flush=True)
    both = sorted(shown[0] & shown[1] & set(REGISTRY.whole()))
    lacking = {
        name: "; ".join(
            where for where, good in zip(("not shown to TensorFlow", "not shown from TensorFlow"), shown) if name not in good
        )
        for name in sorted(set(REGISTRY.whole()) - set(both) - loaded_only)
    }
    for direction, listed in problems.items():
        print(f"\n{direction}: {len(listed)} rows differ")
        print("\n".join(f"  {line}" for line in listed))
    for reason, listed in explained.items():
        print(f"\n{len(listed)} rows differ since {reason}")
    print("\nnot shown: " + ", ".join(lacking))
    if not given.family:
        write(tf, given.oracle, len(rows), both, sorted(loaded_only), lacking, problems, explained)
    return 1 if lacking or problems else 0


def write(tf, oracle, rows, both, loaded_only, lacking, problems, explained) -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'tools' / 'oracle')!r}); import json, _oracle; _oracle.load();"
        "print(json.dumps(_oracle.versions()))"
    )
    versions = json.loads(subprocess.run([oracle, "-c", script], capture_output=True, text=True, check=True).stdout)
    record = {
        "made_with": {**versions, "tfedu": tf.__version__},
        "rows": rows,
        "count": len(both),
        "ops": both,
        "loaded_only": loaded_only,
        "not_shown": lacking,
        "rows_that_differ": {way: sorted(line.split(": ")[0] for line in lines) for way, lines in problems.items()},
        "explained": explained,
    }
    RESULT.write_text(json.dumps(record, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{RESULT.relative_to(ROOT)}: {len(both)} op types shown both ways")


if __name__ == "__main__":
    sys.exit(main())
