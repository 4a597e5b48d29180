"""Every program under tfedu gives what was recorded from the oracle (tests/golden/*.json, made by tools/oracle/record.py)."""

import importlib
import inspect
import json
import pathlib

import harness
import pytest

HERE = pathlib.Path(__file__).parent
GOLDEN = HERE.parent / "golden"
MODULES = sorted(p.stem.removeprefix("programs_") for p in HERE.glob("programs_*.py"))

for module in MODULES:
    importlib.import_module(f"programs_{module}")

RECORDS = {
    f"{module}.{name}": record
    for module in MODULES
    for name, record in json.loads((GOLDEN / f"{module}.json").read_text(encoding="utf-8"))["records"].items()
}


def test_every_program_is_recorded_and_every_recording_has_its_program():
    assert sorted(harness.PROGRAMS) == sorted(RECORDS)


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_program_gives_what_the_oracle_gave(name):
    import tfedu as tf

    found = harness.differences(RECORDS[name], harness.run(name, tf))
    assert not found, "\n".join(found[:20])


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_program_gives_the_same_when_every_run_uses_a_compiled_plan(name, monkeypatch):
    import tfedu as tf
    from tfedu.engine.runtime import signature
    from tfedu.engine.runtime.exclusive import may_wait_for_itself
    from tfedu.engine.runtime.interpreter import interpret
    from tfedu.engine.runtime.plans import execute

    compiled = []

    def planned(schedule, store, fed, computed, check):
        if may_wait_for_itself(schedule.order):  # the session interprets each such run
            return interpret(schedule, store, fed, computed, check=check)
        try:
            plan = signature.compile_plan(schedule, store, computed)
        except signature.NotCompiled:
            return interpret(schedule, store, fed, computed, check=check)
        compiled.append(schedule)
        result = execute.execute_plan(plan, list(fed.values()))
        return [result] if len(computed) == 1 else result

    monkeypatch.setattr(signature, "interpret", planned)
    found = harness.differences(RECORDS[name], harness.run(name, tf))
    assert not found, "\n".join(found[:20])
    assert (
        compiled
        or not name.startswith("seeds.")
        or "Session(" not in inspect.getsource(harness.PROGRAMS[name])
    )


def test_a_difference_is_found():
    same = {"@array": "float32 [2]", "v": [1, "nan"]}
    assert not harness.differences(same, {"@array": "float32 [2]", "v": [1.0000001, "nan"]})
    assert harness.differences(same, {"@array": "float32 [2]", "v": [1.001, "nan"]})
    assert harness.differences(same, {"@array": "float64 [2]", "v": [1, "nan"]})
    assert harness.differences([1, 2], [1])
    assert harness.differences(1, True)
    error = {"@error": ["ValueError"], "text": ["two words", "2 words"]}
    assert not harness.differences(error, {"@error": ["Mine", "ValueError"], "text": "two  words"})
    assert harness.differences(error, {"@error": ["TypeError"], "text": "two words"})
    assert harness.differences(error, {"@error": ["ValueError"], "text": "words"})
