"""Every row of the op table gives what was recorded from the oracle; every used symbol of the families has a row."""

import importlib
import json
import math
import pathlib
import re

import cases
import harness
import pytest

HERE = pathlib.Path(__file__).resolve().parent

FAMILIES = cases.load()
CASES = {(family, key): case for family, rows in FAMILIES.items() for key, case in rows.items()}
RECORDS = {
    (family, key): record
    for family in FAMILIES
    for key, record in json.loads((HERE.parent / "golden" / f"ops_{family}.json").read_text(encoding="utf-8"))["records"].items()
}


def public(symbol):
    """The public object of that name, or None; for a raw op its definition."""
    import tfedu

    if symbol.startswith("tf.raw_ops."):
        return importlib.import_module("tfedu.engine.op.define").REGISTRY.get(symbol.rpartition(".")[2])
    found = tfedu
    for part in symbol.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def test_every_row_is_recorded_and_every_recording_has_its_row():
    assert list(CASES) == list(RECORDS)


@pytest.mark.parametrize("symbol", cases.REQUIRED)
def test_every_used_symbol_of_the_families_exists_and_has_a_row(symbol):
    assert public(symbol) is not None
    assert any(c.symbol == symbol for c in CASES.values())


@pytest.mark.parametrize("key", RECORDS, ids="-".join)
def test_op_gives_what_the_oracle_gave(key):
    import tfedu

    row = CASES[key]
    if row.symbol not in cases.REQUIRED and public(row.symbol) is None:
        pytest.skip(f"{row.symbol} belongs to a later family")
    got = json.loads(json.dumps(cases.run(row, tfedu)))
    expected = RECORDS[key]
    if row.ulps is not None:
        found = (
            ulp_differences(expected.pop("values"), got.pop("values"), row.ulps)
            if "values" in got and "values" in expected
            else []
        )
    else:
        found = []
    if row.of_1_15 and "nodes" in got and len(got["nodes"]) == len(expected.get("nodes", ())):
        got["nodes"] = [as_known_as(*lines) for lines in zip(expected["nodes"], got["nodes"])]
    found += harness.differences(expected, got)
    assert not found, "\n".join(found[:20])


@pytest.mark.parametrize("key", RECORDS, ids="-".join)
def test_op_gives_the_same_interpreted_and_compiled(key):
    import tfedu

    row = CASES[key]
    if public(row.symbol) is None:
        pytest.skip(f"{row.symbol} belongs to a later family")
    with tfedu.Graph().as_default():
        fed = [tfedu.placeholder(cases.dtype_of(tfedu, i), i.shape) for i in row.inputs]
        call = row.ready(tfedu)
        built = harness.attempt(lambda: call(*fed))
        if isinstance(built, harness.Failure):
            return
        outputs = list(built) if isinstance(built, (list, tuple)) else [built]
        feed = dict(zip(fed, row.inputs, strict=True))

        def three_runs(interpreted):
            with tfedu.Session() as session:
                session.interpreted = interpreted
                return [
                    harness.encode(tfedu, harness.attempt(lambda: session.run(outputs, feed)))
                    for _ in range(3)
                ]

        assert three_runs(interpreted=True) == three_runs(interpreted=False)


@pytest.mark.parametrize("key", [k for k, record in RECORDS.items() if "build" in record], ids="-".join)
def test_a_refused_call_leaves_the_graph_as_it_was(key):
    import tfedu

    row = CASES[key]
    if public(row.symbol) is None:
        pytest.skip(f"{row.symbol} belongs to a later family")
    with tfedu.Graph().as_default() as graph:
        fed = [tfedu.placeholder(cases.dtype_of(tfedu, i), i.shape) for i in row.inputs]
        call = row.ready(tfedu)
        before = [op.name for op in graph.get_operations()]
        error = harness.attempt(lambda: call(*fed))
        assert isinstance(error, harness.Failure)
        assert [op.name for op in graph.get_operations()] == before
        named = re.search(r"for '([^']+)' \(op: ", error.text)
        if named:
            assert graph.unique_name(named[1], mark_as_used=False) == named[1]


def as_known_as(expected, got):
    """The line of a node, with ? for the sizes that our inference knows and that of 1.15, which folds less, does not."""
    pattern = re.escape(expected).replace(r"\?", r"(?:\?|\d+)")
    return expected if re.fullmatch(pattern, got) else got


def ulp_differences(expected, got, ulps):
    """Floats that differ by more than `ulps` units in the last place of their dtype, and all other differences."""
    if not isinstance(expected, list) or not isinstance(got, list) or len(expected) != len(got):
        return harness.differences(expected, got, "values")
    found = []
    for e, g in zip(expected, got, strict=True):
        kind = next((k for k in ("@array", "@scalar") if k in e), None)
        dtype = e[kind].split()[0] if kind else ""
        if dtype not in ("float16", "float32", "float64") or e[kind] != g.get(kind):
            found += harness.differences(e, g, "values")
            continue
        bits = {"float16": 10, "float32": 23, "float64": 52}[dtype]
        for x, y in zip(e["v"], g["v"], strict=True):
            unit = 2.0 ** (math.frexp(float(x))[1] - 1 - bits) if float(x) else 2.0**-bits
            if abs(float(x) - float(y)) > ulps * unit:
                found.append(
                    f"values: expected {x} got {y}: {abs(float(x) - float(y)) / unit:.0f} units in the last place"
                )
    return found


def test_a_difference_of_three_units_is_found():
    one = [{"@array": "float32 [1]", "v": [1.0]}]
    assert not ulp_differences(one, [{"@array": "float32 [1]", "v": [1.0 + 2 * 2.0**-23]}], 2)
    assert ulp_differences(one, [{"@array": "float32 [1]", "v": [1.0 + 3 * 2.0**-23]}], 2)
    assert ulp_differences(one, [{"@array": "float64 [1]", "v": [1.0]}], 2)
