"""What tools/interop_check.py found with the oracle holds for every op type that tfedu has today.

When this fails, an op is newer than the result: run the tool again (its docstring says how) and commit tests/golden/interop.json.
"""

import csv
import json
import pathlib
import re

from harness import OF_CONTRIB, OF_PARTITIONS

import tfedu  # noqa: F401 - registers the ops
from tfedu.engine.op.definition import REGISTRY

RESULT = json.loads(
    (pathlib.Path(__file__).resolve().parents[1] / "golden" / "interop.json").read_text(encoding="utf-8")
)
# Their functions live in the process that made the graph: such a file loads, and runs nowhere else.
PYTHON = {"PyFunc", "PyFuncStateless", "EagerPyFunc"}
# TensorFlow 2.15 runs them, and has no gradient rule that would make them: 1.15 has those rules in contrib.
MADE_BY_1_15 = {"BlockLSTMGrad", "GRUBlockCellGrad", "LSTMBlockCellGrad"}
# TensorFlow has no kernel of these for CPUs.
NOT_ON_CPUS = {"MaxPoolGradGradWithArgmax", "QuantizedReluX"}


# Their state lives from run to run, which no row shows, or 2.15 makes later forms of them: programs that TF 1.15.0 itself
# recorded hold them.
AREAS_OF_PROGRAMS = {"data", "queues", "io", "lookup", "internal"}
GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
PROGRAMS = ("data_", "parsing", "queues", "tables")


# Forms of older graphs, and ops that no public function makes: unit tests hold them.
RAW = {
    "AccumulatorApplyGradient", "AccumulatorSetGlobalStep", "AccumulatorTakeGradient", "BatchDataset", "ConditionalAccumulator",
    "DeserializeIterator", "FixedLengthRecordDataset", "InitializeTableFromTextFileV2", "IteratorGetNextAsOptional",
    "IteratorGetNextSync", "OptionalFromValue", "OptionalGetValue", "OptionalHasValue", "OptionalNone", "PaddedBatchDataset",
    "QueueClose", "ResourceAccumulatorSetGlobalStep", "SerializeIterator",
}  # fmt: skip


def held_by_programs():
    """The op types of these areas that a recorded program names, or whose caller a program of tests/semantics calls."""
    with (GOLDEN / "op_areas.csv").open(encoding="utf-8") as file:
        types = {row[0] for row in csv.reader(file) if len(row) > 1 and row[1] in AREAS_OF_PROGRAMS}
    files = [path for path in GOLDEN.glob("*.json") if path.stem.removeprefix("ops_").startswith(PROGRAMS)]
    words = set(re.findall(r"\w+", "".join(path.read_text(encoding="utf-8") for path in files)))
    return types & words


def test_every_op_type_was_shown_to_tensorflow_and_back():
    shown = set(RESULT["ops"]) | (set(RESULT["loaded_only"]) & PYTHON)
    shown |= {name for name in MADE_BY_1_15 if RESULT["not_shown"].get(name) == "not shown from TensorFlow"}
    assert sorted(set(REGISTRY.whole()) - shown - NOT_ON_CPUS - OF_PARTITIONS - OF_CONTRIB - RAW - held_by_programs()) == []


def test_the_result_says_what_it_was_made_with_and_of_how_many():
    assert set(RESULT["made_with"]) == {"tensorflow", "numpy", "python", "tfedu"}
    assert RESULT["count"] == len(RESULT["ops"]) == len(set(RESULT["ops"]))
    assert RESULT["rows"] > len(RESULT["ops"])


def test_every_row_gives_the_same_on_both_sides_or_there_is_a_reason():
    # rows of both ways, what TensorBoard's reader says of our files, and the meta graph with its collections
    assert RESULT["rows_that_differ"] == {}


def test_a_reason_is_not_a_way_to_leave_out_much():
    """Rows that 1.15.0 itself was asked of are counted apart: the check shows them to 2.15, which refuses some of their calls,
    and answers others by later op types.
    """
    explained = RESULT["explained"].items()
    refused = [rows for reason, rows in explained if reason.startswith("2.15 refuses")]
    later = [rows for reason, rows in explained if reason.startswith("2.15 makes it of op types that 1.15")]
    others = [rows for _, rows in explained if rows not in refused and rows not in later]
    for reasons, part in ((refused, 100), (later, 40), (others, 100)):
        assert sum(map(len, reasons)) < RESULT["rows"] / part
