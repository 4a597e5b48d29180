"""The records that views, widgets and files exchange: graphs, traces, comparisons, predictions, trainings.

`to_json(record)` is a record as dicts, lists, strings and numbers; `from_json(data)` checks these and returns the record, or
raises RecordError with the place of the fault; `schema()` is the JSON schema that the front end's types are checked
generated from. One module a subject; view/record_kinds.py has the picture, text and message of each kind. No state.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias, TypeVar, get_args

from .codec import VERSION, Params, RecordError, RecordVersionError, read, schema_of, to_json
from .comparison import CompareRecord, MarksRecord, SideRecord
from .difference import (
    BlockChangeRecord,
    Change,
    EdgeChangeRecord,
    GraphDiffRecord,
    InputChangeRecord,
    NodeChangeRecord,
)
from .facts import NodeFactsRecord, RunFactsRecord
from .film import BuildFilmRecord, BuiltRecord
from .game import EndRecord, GameRecord, MoveCode, MoveRecord, PlayedRecord, RunEndRecord
from .gradient import (
    ArrivalRecord,
    DerivativeRecord,
    GradientFlowRecord,
    GradientRecord,
    Health,
    ShareCode,
    ShareRecord,
    TurnRecord,
)
from .graph import (
    EDGE_KINDS,
    BlockRecord,
    BoxKind,
    BoxRecord,
    BundleRecord,
    CodeRecord,
    EdgeKind,
    EdgeRecord,
    GradientNodeRecord,
    GraphRecord,
    GroupKind,
    GroupRecord,
    LayerRecord,
    LoopRecord,
    LoopVariableRecord,
    NodeRecord,
    NoticeRecord,
    OutputRecord,
    PartKind,
    PartRecord,
    Role,
    ScopeRecord,
    SealedRecord,
    SiteRecord,
    TransferRecord,
    VariableRecord,
)
from .layers import LayersRecord
from .lint import FindingRecord, FixRecord, LintRecord, Severity
from .outcomes import (
    BeforeRecord,
    OrderedRecord,
    OutcomesRecord,
    RaceKind,
    RaceRecord,
    ResultRecord,
    WayRecord,
    WitnessRecord,
)
from .packing import packed_message, unpacked
from .passes import FateRecord, PassCode, PassesRecord, PassRecord
from .pipeline import (
    FlowingRecord,
    MomentCode,
    MomentRecord,
    PipelineRecord,
    PipelineStageRecord,
    PipeRecord,
    SentenceCode,
    SentenceRecord,
    StageKind,
    WorkRecord,
)
from .prediction import (
    AnswerKeyRecord,
    AnswerRecord,
    DivergesRecord,
    ModelRecord,
    PredictRecord,
    PredictResult,
    SelfCheckRecord,
    TargetRecord,
)
from .puzzle import (
    ArrangedRecord,
    CodeLineRecord,
    FragmentRecord,
    LinkRecord,
    MarkRecord,
    MissedRecord,
    PuzzleRecord,
    SaidRecord,
)
from .reads import (
    CellsPart,
    CellsRecord,
    ElementAnswerRecord,
    ElementIdea,
    ElementQuestionRecord,
    ElementReadRecord,
    ElementRecord,
    FormulaPartRecord,
    PanelRecord,
    QuestionForm,
    ReadsRecord,
    WindowRecord,
)
from .reason import ChangeRecord, ReasonRecord
from .trace import (
    BranchRecord,
    BreakRecord,
    BreaksRecord,
    ClockLaneRecord,
    ClockRecord,
    DeathRecord,
    FetchedRecord,
    FetchRecord,
    ForkedRecord,
    HitsRecord,
    LeafRecord,
    LeafRowRecord,
    LeavesRecord,
    NodeWhyRecord,
    RunRecord,
    SpanRecord,
    StartRecord,
    StepRecord,
    TraceRecord,
    ValueRecord,
    WhyRecord,
)
from .training import (
    CurveRecord,
    DistributionRecord,
    HistogramsRecord,
    ImageRecord,
    ImagesRecord,
    NoteRecord,
    NotesRecord,
    Odd,
    OtherRecord,
    PieceRecord,
    TrainedRecord,
    TrainingRecord,
)
from .value import BarRecord, GalleryRecord, GridRecord, Look, PixelsRecord, StatsRecord, TensorRecord

Record: TypeAlias = (
    GraphRecord
    | TraceRecord
    | CompareRecord
    | GameRecord
    | PlayedRecord
    | PuzzleRecord
    | ArrangedRecord
    | GradientFlowRecord
    | LayersRecord
    | LintRecord
    | PredictRecord
    | PredictResult
    | SelfCheckRecord
    | TrainingRecord
    | OutcomesRecord
    | GraphDiffRecord
    | TensorRecord
    | BuildFilmRecord
    | PassesRecord
    | ReadsRecord
    | PipelineRecord
)
# A Record can be shown alone. The kinds in Beside belong to a view of another record: an answer to a question, what a run did
# at each node, forks and breakpoints.
Beside: TypeAlias = BranchRecord | LeavesRecord | BreaksRecord | ReasonRecord | RunFactsRecord
RECORDS: Final[dict[str, type[Any]]] = {kind.KIND: kind for kind in (*get_args(Record), *get_args(Beside))}

R = TypeVar("R")


def from_json(data: Any, kind: type[R] | None = None) -> R:
    """The record in `data` (JSON types, or a packed message); its class is `kind`, or the class of data["kind"].

    Raises: RecordVersionError for a record of another version, RecordError for data that is no record.
    """
    return read(unpacked(data), RECORDS, kind)


def schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of all records."""
    return schema_of(RECORDS.values())


__all__ = [
    "EDGE_KINDS",
    "RECORDS",
    "VERSION",
    "AnswerKeyRecord",
    "AnswerRecord",
    "ArrangedRecord",
    "ArrivalRecord",
    "BarRecord",
    "BeforeRecord",
    "Beside",
    "BlockChangeRecord",
    "BlockRecord",
    "BoxKind",
    "BoxRecord",
    "BranchRecord",
    "BreakRecord",
    "BreaksRecord",
    "BuildFilmRecord",
    "BuiltRecord",
    "BundleRecord",
    "CellsPart",
    "CellsRecord",
    "Change",
    "ChangeRecord",
    "ClockLaneRecord",
    "ClockRecord",
    "CodeLineRecord",
    "CodeRecord",
    "CompareRecord",
    "CurveRecord",
    "DeathRecord",
    "DerivativeRecord",
    "DistributionRecord",
    "DivergesRecord",
    "EdgeChangeRecord",
    "EdgeKind",
    "EdgeRecord",
    "ElementAnswerRecord",
    "ElementIdea",
    "ElementQuestionRecord",
    "ElementReadRecord",
    "ElementRecord",
    "EndRecord",
    "FateRecord",
    "FetchRecord",
    "FetchedRecord",
    "FindingRecord",
    "FixRecord",
    "FlowingRecord",
    "ForkedRecord",
    "FormulaPartRecord",
    "FragmentRecord",
    "GalleryRecord",
    "GameRecord",
    "GradientFlowRecord",
    "GradientNodeRecord",
    "GradientRecord",
    "GraphDiffRecord",
    "GraphRecord",
    "GridRecord",
    "GroupKind",
    "GroupRecord",
    "Health",
    "HistogramsRecord",
    "HitsRecord",
    "ImageRecord",
    "ImagesRecord",
    "InputChangeRecord",
    "LayerRecord",
    "LayersRecord",
    "LeafRecord",
    "LeafRowRecord",
    "LeavesRecord",
    "LinkRecord",
    "LintRecord",
    "Look",
    "LoopRecord",
    "LoopVariableRecord",
    "MarkRecord",
    "MarksRecord",
    "MissedRecord",
    "ModelRecord",
    "MomentCode",
    "MomentRecord",
    "MoveCode",
    "MoveRecord",
    "NodeChangeRecord",
    "NodeFactsRecord",
    "NodeRecord",
    "NodeWhyRecord",
    "NoteRecord",
    "NotesRecord",
    "NoticeRecord",
    "Odd",
    "OrderedRecord",
    "OtherRecord",
    "OutcomesRecord",
    "OutputRecord",
    "PanelRecord",
    "Params",
    "PartKind",
    "PartRecord",
    "PassCode",
    "PassRecord",
    "PassesRecord",
    "PieceRecord",
    "PipeRecord",
    "PipelineRecord",
    "PipelineStageRecord",
    "PixelsRecord",
    "PlayedRecord",
    "PredictRecord",
    "PredictResult",
    "PuzzleRecord",
    "QuestionForm",
    "RaceKind",
    "RaceRecord",
    "ReadsRecord",
    "ReasonRecord",
    "Record",
    "RecordError",
    "RecordVersionError",
    "ResultRecord",
    "Role",
    "RunEndRecord",
    "RunFactsRecord",
    "RunRecord",
    "SaidRecord",
    "ScopeRecord",
    "SealedRecord",
    "SelfCheckRecord",
    "SentenceCode",
    "SentenceRecord",
    "Severity",
    "ShareCode",
    "ShareRecord",
    "SideRecord",
    "SiteRecord",
    "SpanRecord",
    "StageKind",
    "StartRecord",
    "StatsRecord",
    "StepRecord",
    "TargetRecord",
    "TensorRecord",
    "TraceRecord",
    "TrainedRecord",
    "TrainingRecord",
    "TransferRecord",
    "TurnRecord",
    "ValueRecord",
    "VariableRecord",
    "WayRecord",
    "WhyRecord",
    "WindowRecord",
    "WitnessRecord",
    "WorkRecord",
    "from_json",
    "packed_message",
    "schema",
    "to_json",
]
