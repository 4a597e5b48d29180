"""Records what the oracle answers to every program of tests/semantics, every row of tests/ops/cases_*.py and every bad call.

Run with the oracle's interpreter: ``python tools/oracle/record.py [module …]``; writes tests/golden/<module>.json, the same bytes
for the same oracle. A file begins with the versions it was made with and the number of its recordings; one recording a line.
Under TensorFlow 1.15.0 it records the programs of contrib, layers and recurrent nets (``OF_1_15``) and the families of ops
``cases.OF_1_15``, under 2.15.1 all the others: contrib ended with 1.15, and Keras took over the cells.
"""

import importlib
import json
import pathlib
import sys

import _oracle

ROOT = pathlib.Path(__file__).resolve().parents[2]
# how the names of the modules begin that 1.15.0 itself records
OF_1_15 = (
    "assert_messages", "contrib_", "data_", "distributions", "keras_", "layers", "linear_operators", "parsing", "partition", "queues", "rnn_",
    "saved_models", "signal",
)  # fmt: skip


def write(path, records):
    """One recording a line, in the order of the programs."""
    lines = ",\n".join(
        f"{json.dumps(k)}: {json.dumps(v, separators=(',', ':'), ensure_ascii=False)}"
        for k, v in records.items()
    )
    head = json.dumps({"made_with": _oracle.versions(), "count": len(records)})[:-1]
    path.write_text(f'{head}, "records": {{\n{lines}\n}}}}\n', encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {len(records)} recordings, {path.stat().st_size} bytes")


def oracle():
    """(the oracle's module, a function that rewrites what it answered into what 1.15 answers)."""
    tf = _oracle.load()
    if _oracle.is_1_15():
        return tf, lambda recording: recording
    import as_1_15

    return as_1_15.namespace(tf), as_1_15.as_1_15


def main(wanted):
    tf, as_1_15 = oracle()
    sys.path[:0] = [str(ROOT / "tests" / folder) for folder in ("semantics", "ops", "op")]
    harness = importlib.import_module("harness")
    golden = ROOT / "tests" / "golden"
    names = [p.stem for p in sorted((ROOT / "tests" / "semantics").glob("programs_*.py"))]
    for module in names:
        short = module[len("programs_") :]
        if short.startswith(OF_1_15) != _oracle.is_1_15() or (wanted and short not in wanted):
            continue
        programs = importlib.import_module(module)
        if hasattr(programs, "check_oracle"):
            programs.check_oracle(tf)
        records = {}
        for name in harness.PROGRAMS:
            if name.startswith(f"{short}."):
                try:
                    records[name.partition(".")[2]] = as_1_15(harness.run(name, tf))
                except Exception:
                    print(f"in program {name}:", file=sys.stderr)
                    raise
        write(golden / f"{short}.json", records)
    cases = importlib.import_module("cases")
    families = cases.load(lambda family: (family in cases.OF_1_15) == _oracle.is_1_15())
    for family, rows in families.items():
        if not wanted or f"ops_{family}" in wanted:
            write(
                golden / f"ops_{family}.json",
                {key: as_1_15(cases.run(case, tf)) for key, case in rows.items()},
            )
    if _oracle.is_1_15():
        return
    if not wanted or "bad_input" in wanted:
        bad_input = importlib.import_module("bad_input")
        write(golden / "bad_input.json", bad_input.record(tf, as_1_15))


if __name__ == "__main__":
    main(sys.argv[1:])
