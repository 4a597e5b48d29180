"""Predict: a question about a program's values. `Predict({"y": y}, runs=3, prompt="What does it print?")`.

The answer leaves Python only when the learner commits a prediction; it names the misconceptions that predict the same.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Self
from uuid import uuid4

import traitlets

from ..explain import diagnose, offers
from ..explain.explained_run import ExplainedRun
from ..explain.mental_models.diagnose import answer_keys
from ..explain.mental_models.story import UnfinishedError
from ..view.build import compare_record
from ..view.make.programs import program_source
from ..view.make.scratch_runs import runs_record
from ..view.records import PredictRecord, PredictResult, SelfCheckRecord, TargetRecord, to_json
from .checked_arguments import checked_runs, checked_targets
from .explained_widget import Explained
from .questions import refused
from .self_check import SelfCheck

EXAMPLE = 'Predict({"without identity": y0, "with identity": y1}, runs=3)'


class Predict(Explained):
    """A question about the values of `runs` runs of each target.

    code: the program that the learner sees; by default the source of the cell or file that made the targets. watch: whether the
    learner can step through the runs below the answer (of one or two targets). choices: a choice between the right result and
    the misconceptions' results in place of free text, if they differ. `Predict.pair(first, second)` asks about two programs.
    question: its name on the page; draft: the learner's texts, by key; reason: the learner's reason; committed: whether the
    prediction is final; result: the answer, after that; failure: why there is none, where the programs cannot be run any more.
    Raises: TypeError, ValueError unless `targets` are titled fetches, and as Session.run for wrong fetches and feeds;
    DeadlineExceededError for a run that does not end within 50,000 turns of nodes: no prediction of it could be judged.
    """

    KIND = "predict"
    _record: PredictRecord | PredictResult

    question = traitlets.Unicode().tag(sync=True)
    draft = traitlets.Dict().tag(sync=True)
    reason = traitlets.Unicode().tag(sync=True)
    committed = traitlets.Bool(False).tag(sync=True)
    result = traitlets.Dict().tag(sync=True)
    failure = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        targets: dict[str, Any],
        runs: int = 3,
        prompt: str = "",
        title: str | None = None,
        code: str | None = None,
        feed_dict: Any = None,
        schedule: Any = None,
        *,
        watch: bool = True,
        choices: bool = False,
        lang: str | None = None,
    ) -> None:
        fetches = checked_targets(targets, EXAMPLE)
        self._conditions = {"runs": checked_runs(runs), "feed_dict": feed_dict, "schedule": schedule}
        self._keyed = {f"t{i}": fetch for i, fetch in enumerate(fetches.values(), 1)}
        # The program runs now, so that a wrong fetch is an error of this cell; later the graph may have grown.
        traces = {label: runs_record(fetch, **self._conditions) for label, fetch in fetches.items()}
        if any(run.unfinished for trace in traces.values() for run in trace.runs):
            raise UnfinishedError
        self._runs = [ExplainedRun(fetch, feed_dict, runs, schedule) for fetch in fetches.values()]
        self._trace = next(iter(traces.values())) if watch and len(traces) == 1 else None
        self._compare = compare_record(traces) if watch and len(traces) == 2 else None
        programs = program_source.programs(fetches) if code is None else program_source.given_program(code)
        choices_by_key = offers(self._keyed, **self._conditions) if choices else {}
        target_records = [TargetRecord(key, label, choices_by_key.get(key, ())) for key, label in zip(self._keyed, fetches)]
        self._asked = PredictRecord(title or "", prompt, programs, runs, tuple(target_records))
        super().__init__(self._asked, title=title, lang=lang, question=uuid4().hex)

    @classmethod
    def pair(cls, first: Any, second: Any, runs: int = 3, *, titles: tuple[str, str] | None = None, **options: Any) -> Self:
        """Asks what two programs print. A program is a fetch, or a function that builds its own graph and returns the fetch.

        titles: by default the lines in which the programs differ. options: as of Predict.
        Raises: as Predict, and what the functions raise.
        """
        fetches = [program_source.built(program) for program in (first, second)]
        one, other = titles if titles is not None else program_source.titles_of(*fetches)
        return cls({one: fetches[0], other: fetches[1]}, runs, **options)

    @classmethod
    def of_answer(cls, asked: PredictRecord, answer: PredictResult, *, title: str | None = None, lang: str | None = None) -> Self:
        """A question that was answered, from records: of a saved notebook, for example. Nothing can be asked of it."""
        question = cls.of_record(asked, title=title, lang=lang)
        question._asked, question._record = asked, answer
        question.result = to_json(answer)
        question.committed = True
        return question

    @property
    def answered(self) -> bool:
        """Whether the learner has committed, so that the answer is there."""
        return self.committed and bool(self.result)

    def reveal(self) -> None:
        """Shows the answer without a prediction: empty fields count as not predicted."""
        self.committed = True

    def predictions(self) -> dict[str, list[str]]:
        """The learner's texts, by key: one for each run, perhaps empty."""
        drafts = {key: self.draft.get(key) for key in self._keyed}
        return {
            key: [str(row[run]) if isinstance(row, list) and run < len(row) else "" for run in range(self._asked.runs)]
            for key, row in drafts.items()
        }

    @traitlets.observe("committed")
    def _answer(self, _change: Any) -> None:
        if not self.committed or self.result:
            return
        try:
            result = diagnose(self._keyed, self.predictions(), **self._conditions)
        except Exception as error:
            self.failure = refused(error)["error"]
            raise
        self._record = dataclasses.replace(result, compare=self._compare, trace=self._trace)
        self.programs = self._runs
        self.result = to_json(self._record)

    def self_check(self) -> SelfCheck:
        """The same question with its answer, for pages without Python."""
        result, keys = answer_keys(self._keyed, **self._conditions)
        answer = dataclasses.replace(result, compare=self._compare, trace=self._trace)
        record = SelfCheckRecord(self._asked.title, self._asked, answer, keys)
        return SelfCheck(record, title=self.title or None, lang=self.lang or None)

    def needs_python(self) -> str:
        if self.committed:
            return ""
        return (
            "its answer leaves Python when the prediction is committed"
            "\n  fix: export question.self_check(), which carries its answer"
        )

    def described(self) -> str:
        return f"a question about {', '.join(repr(target.label) for target in self._asked.targets)}"
