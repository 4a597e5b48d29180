"""One row an op: a public function on sample inputs; what the oracle gave is in tests/golden/ops_<family>.json.

The rows stand in cases_<family>.py, one module a family of ops. ``FAMILIES`` maps each family to its rows, "symbol/what is
special" to a Case; ``run(case, tf)`` gives the JSON of one case under the oracle or tfedu; ``REQUIRED`` names the symbols that
tfedu must have (tests/golden/op_symbols.csv: the used symbols of the families). ``OF_1_15`` names the families that are asked of
TF 1.15.0 itself; this module and theirs keep to Python 3.7.
"""

from __future__ import annotations

import csv
import importlib
import json
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from harness import Failure, attempt, attr_text, encode, node_line, shape_text

SYMBOLS = pathlib.Path(__file__).resolve().parents[1] / "golden" / "op_symbols.csv"
with SYMBOLS.open(encoding="utf-8", newline="") as rows:
    REQUIRED = {row["symbol"]: row["family"] for row in csv.DictReader(rows)}

REGISTRY = json.loads((SYMBOLS.parent / "op_registry.json").read_text(encoding="utf-8"))["ops"]

# Families in which later releases differ so much from 1.15 that 1.15.0 itself was asked.
OF_1_15 = frozenset({
    "audio", "batch_norm", "clustering", "convolution", "ctc", "depthwise", "embeddings", "image_ops", "images", "morphology",
    "parsing", "parsing_messages", "pictures", "pooling", "quantization", "queues", "queues_files", "recurrent", "sampling",
    "small_functions", "tables",
})  # fmt: skip

# Attributes that TF's registry got after 1.15.
_DATASETS = (
    "Batch BatchDatasetV2 Cache Concatenate Filter FlatMap Generator Interleave Map PaddedBatch "
    "PaddedBatchDatasetV2 ParallelInterleave ParallelInterleaveDatasetV2 ParallelMap Prefetch Range Repeat Shard "
    "Shuffle ShuffleAndRepeat Skip DirectedInterleave GroupByWindow MapAndBatch Random Unique TextLine Take "
    "TakeWhile Tensor TensorSlice TFRecord FixedLengthRecord FixedLengthRecordDatasetV2 Unbatch Window Zip Reduce"
)
LATER = {
    **{kind if "Dataset" in kind else f"{kind}Dataset": {"metadata"} for kind in _DATASETS.split()},
    "DatasetCardinality": {"cardinality_options"},
    "DatasetToSingleElement": {"metadata"},
    "IgnoreErrorsDataset": {"log_warning"},
    "ScanDataset": {"metadata", "use_default_device"},
    "ModelDataset": {"ram_budget"},
    "ParseExampleDataset": {"ragged_keys", "ragged_split_types", "ragged_value_types"},
    "PrefetchDataset": {"buffer_size_min", "metadata"},
    "RangeDataset": {"metadata", "replicate_on_split"},
    "ShuffleAndRepeatDataset": {"metadata", "reshuffle_each_iteration"},
    "TensorSliceDataset": {"is_files", "metadata", "replicate_on_split"},
    **{
        f"{kind}Apply{method}": {"multiply_linear_by_lr"}
        for kind in ("", "Resource", "Sparse", "ResourceSparse")
        for method in ("Ftrl", "FtrlV2")
    },
    "CTCGreedyDecoder": {"blank_index"},
    **{f"DepthwiseConv2dNative{kind}": {"explicit_paddings"} for kind in ("", "BackpropInput", "BackpropFilter")},
    "InitializeTableFromTextFileV2": {"offset"},
    "Dequantize": {"axis", "dtype", "narrow_range"},
    "QuantizeV2": {"axis", "ensure_minimum_range", "narrow_range"},
    "QuantizeAndDequantizeV2": {"axis"},
    "MergeV2Checkpoints": {"allow_missing_files"},
    "MaxPool": {"explicit_paddings"},
    "MaxPoolGrad": {"explicit_paddings"},
    **{f"FusedBatchNorm{version}": {"exponential_avg_factor"} for version in ("", "V2", "V3")},
    "VarHandleOp": {"allowed_devices", "debug_name"},
    "AssignVariableOp": {"validate_shape"},
    "TensorListReserve": {"shape_type"},
    **{
        f"SparseSegment{kind}{sized}": {"sparse_gradient"}
        for kind in ("Mean", "SqrtN", "Sum")
        for sized in ("", "WithNumSegments")
    },
}

# Attributes of our op tables, as 2.15's registry has them, that 1.15 lacks.
NOT_IN_1_15 = {"Tsegmentids"}

FLOATS = ("float16", "float32", "float64")
INTS = ("int32", "int64")
SMALL_INTS = ("uint8", "int8", "int16")
REALS = FLOATS + INTS
nan, inf = float("nan"), float("inf")


@dataclass(frozen=True)
class Case:
    """A call of one public function.

    ``call(tf, *tensors)`` gets one tensor for each of ``inputs``; ``nodes``: the built nodes are compared too; ``shapes``:
    it is also built with partly known and unknown input shapes and with constants, to compare the static shapes;
    ``ulps``: how many units in the last place floats may differ by (default: the tolerance of harness.differences);
    ``before(tf)``: creates what the call needs first (a variable, say), and the call gets it before the tensors;
    ``read(tf, value)``: the comparable part of a value whose bytes may differ; ``of_1_15``: TF 1.15.0 itself answers it.
    """

    symbol: str
    call: Callable[..., Any]
    inputs: tuple[Any, ...] = ()
    nodes: bool = False
    shapes: bool = False
    ulps: int | None = None
    before: Callable[[Any], Any] | None = None
    read: Callable[[Any, Any], Any] | None = None
    of_1_15: bool = False

    def ready(self, tf: Any) -> Callable[..., Any]:
        """The call as a function of its tensors alone."""
        if self.before is None:
            return lambda *tensors: self.call(tf, *tensors)
        prerequisite = self.before(tf)
        return lambda *tensors: self.call(tf, prerequisite, *tensors)


FAMILIES: dict[str, dict[str, Case]] = {}
_rows: dict[str, Case] = {}
_of_1_15 = False


def case(symbol: str, label: str, call: Callable[..., Any], *inputs: Any, **options: Any) -> None:
    """Adds one row to the family whose module is being imported."""
    key = f"{symbol}/{label}"
    assert key not in _rows, key
    _rows[key] = Case("tf." + symbol, call, tuple(np.asarray(i) for i in inputs), of_1_15=_of_1_15, **options)


def load(wanted: Callable[[str], bool] = lambda family: True) -> dict[str, dict[str, Case]]:
    """The families whose names are `wanted`, in the order of their names."""
    global _rows, _of_1_15
    for path in sorted(pathlib.Path(__file__).parent.glob("cases_*.py")):
        family = path.stem[len("cases_") :]
        if family not in FAMILIES and wanted(family):
            _rows, _of_1_15 = {}, family in OF_1_15
            importlib.import_module(path.stem)
            FAMILIES[family] = _rows
    return FAMILIES


def form(symbol: str, label: str, call: Callable[..., Any], *inputs: Any, **options: Any) -> None:
    """A row that compares nodes and static shapes too."""
    case(symbol, label, call, *inputs, nodes=True, shapes=True, **options)


def named(symbol: str) -> Callable[..., Any]:
    """The public function: tf.nn.relu for "nn.relu"."""

    def call(tf: Any, *args: Any, **kwargs: Any) -> Any:
        target = tf
        for part in symbol.split("."):
            target = getattr(target, part)
        return target(*args, **kwargs)

    return call


def run(c: Case, tf: Any) -> dict[str, Any]:
    """The values of a case; nodes and static shapes if the case asks for them."""
    result: dict[str, Any] = {}
    with tf.Graph().as_default() as graph:
        fed = [
            tf.placeholder(
                i.dtype.name if i.dtype.kind not in "SUO" else tf.string, i.shape, name="abcdefgh"[n]
            )
            for n, i in enumerate(c.inputs)
        ]
        call = c.ready(tf)
        built = attempt(lambda: call(*fed))
        if isinstance(built, Failure):
            return {"build": encode(tf, built)}
        outputs = list(built) if isinstance(built, (list, tuple)) else [built]
        result["static"] = [f"{t.dtype.name} {shape_text(t.shape)}" for t in outputs]
        if c.nodes:
            result["nodes"] = [node_line(op) for op in graph.get_operations()[len(fed) :]]
            result["names"] = [t.name for t in outputs]
            result["attrs"] = {
                op.name: attributes_of(op, c.of_1_15)
                for op in graph.get_operations()
                if op.type not in ("Const", "Placeholder")
            }
        with tf.Session() as sess:
            values = attempt(lambda: sess.run(outputs, dict(zip(fed, c.inputs))))
            if c.read is not None and not isinstance(values, Failure):
                values = [c.read(tf, value) for value in values]
        result["values"] = encode(tf, values)
    if c.shapes and c.inputs:
        result["partial"] = _shapes(c, tf, lambda i, n: tf.placeholder(dtype_of(tf, i), [None] * i.ndim))
        result["unknown"] = _shapes(c, tf, lambda i, n: tf.placeholder(dtype_of(tf, i)))
        result["first unknown"] = _shapes(
            c, tf, lambda i, n: tf.placeholder(dtype_of(tf, i)) if n == 0 else tf.constant(i)
        )
        result["constants"] = _shapes(c, tf, lambda i, n: tf.constant(i))
    return result


def attributes_of(op: Any, of_1_15: bool = False) -> dict[str, str]:
    """Every attribute that TF's registry names for the op's type, as text."""
    wanted = REGISTRY[op.type].get("attrs", ())
    later = {*LATER.get(op.type, ()), *(NOT_IN_1_15 if of_1_15 else ())}
    return {
        a["name"]: attr_text(op.get_attr(a["name"]))
        for a in wanted
        if a["type"] not in ("tensor", "func") and a["name"] not in later
    }


def dtype_of(tf: Any, i: Any) -> Any:
    """The dtype of a sample as the placeholder takes it."""
    return tf.string if i.dtype.kind in "SUO" else i.dtype.name


def _shapes(c: Case, tf: Any, make: Callable[[Any, int], Any]) -> Any:
    with tf.Graph().as_default():
        call = c.ready(tf)
        built = attempt(lambda: call(*[make(i, n) for n, i in enumerate(c.inputs)]))
        if isinstance(built, Failure):
            return encode(tf, built)
        return [shape_text(t.shape) for t in (list(built) if isinstance(built, (list, tuple)) else [built])]


def array(dtype: str, *values: Any) -> Any:
    """A vector of that dtype; numbers that it cannot hold are left out."""
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        values = tuple(
            int(v)
            for v in values
            if v == v and abs(v) != inf and float(v).is_integer() and info.min <= v <= info.max
        )
    return np.array(values, dtype)
