"""Ready questions about the values of a program: `ask("counter")` shows one, `print(ITEMS)` lists them.

Each is a short program in questions/ whose result at least one misconception (`tfedu.explain.MODELS`) gets wrong; the wrong
choices are the misconceptions' results. Each question runs its program anew, so no stored answer can be wrong.
To add a question: a program in questions/, an `Item` in `ITEMS`. State: `ITEMS`, by name.
"""

from __future__ import annotations

import runpy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..engine.graph.graph import Graph
from ..explain.mental_models.diagnose import diagnose, offers
from ..explain.tasks.check import Outcome

if TYPE_CHECKING:
    from ..widgets import Predict

# Scripts that import tfedu as any program does, not modules of the package.
_PROGRAMS: Final = Path(__file__).with_name("questions")
_TIMES: Final = {1: "once", 2: "twice", 3: "three times"}


@dataclass(frozen=True)
class Item:
    """A question. fetch: the name of the fetch in the program, or several; feed: fed values by names in the program."""

    name: str
    title: str
    fetch: str | tuple[str, ...]
    runs: int = 3
    feed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The program's file."""
        return _PROGRAMS / f"{self.name.replace('-', '_')}.py"

    @property
    def program(self) -> str:
        """The program's text, which the learner sees."""
        return self.file.read_text(encoding="utf-8")

    @property
    def call(self) -> str:
        """The call of session.run, as the program would write it."""
        fetches = self.fetch if isinstance(self.fetch, str) else f"[{', '.join(self.fetch)}]"
        feeds = ", ".join(f"{name}: {value}" for name, value in self.feed.items())
        return f"session.run({fetches}, {{{feeds}}})" if feeds else f"session.run({fetches})"

    @property
    def prompt(self) -> str:
        """The question in words."""
        return f"init runs once, then {self.call} {_TIMES[self.runs]}. Of the ready nodes the oldest runs first."

    def built(self) -> tuple[Any, dict[Any, Any]]:
        """Runs the program in a graph of its own; returns its fetches and its feed_dict."""
        with Graph().as_default():
            names = runpy.run_path(str(self.file))
        fetches = names[self.fetch] if isinstance(self.fetch, str) else [names[name] for name in self.fetch]
        return fetches, {names[name]: value for name, value in self.feed.items()}

    def ask(self, **options: Any) -> Predict:
        """The question as a widget: a choice between the right result and the misconceptions'. options: as of Predict."""
        from ..widgets import Predict

        fetches, feed_dict = self.built()
        defaults: dict[str, Any] = {
            "runs": self.runs, "prompt": self.prompt, "title": self.title, "code": self.program, "choices": True,
        }  # fmt: skip
        return Predict({self.call: fetches}, feed_dict=feed_dict or None, **{**defaults, **options})

    def choices(self) -> tuple[tuple[str, ...], ...]:
        """The choices, each a text for each run: the right result and the misconceptions'."""
        fetches, feed_dict = self.built()
        return offers({self.name: fetches}, self.runs, feed_dict or None).get(self.name, ())

    def mark(self, answer: Sequence[str] | None) -> Outcome:
        """Marks an answer, one text for each run; the outcome of a wrong one names the misconceptions that give it."""
        if answer is None or not any(str(text).strip() for text in answer):
            return Outcome("not_attempted")
        fetches, feed_dict = self.built()
        (result,) = diagnose({self.name: fetches}, {self.name: answer}, self.runs, feed_dict or None).targets
        if result.correct:
            return Outcome("pass")
        return Outcome("fail", models=tuple(model.model for model in result.models if model.matches))


class Items(dict[str, Item]):
    """Items by name; prints as a list."""

    def __str__(self) -> str:
        return "\n".join(f"{item.name:18}{item.title}" for item in self.values())


ITEMS: Final = Items(
    (item.name, item)
    for item in (
        Item("renamed", "A name inside the block", "y"),
        Item("counter", "identity inside the block", "y"),
        Item("sum-in-block", "A sum inside the block", "y"),
        Item("made-before", "A sum made before the block", "z"),
        Item("renamed-loss", "A name for the loss, after the step", "y"),
        Item("never-fetched", "An update beside", "y"),
        Item("two-counters", "Two counters, one fetch", "y"),
        Item("resource-counter", "A resource variable inside the block", "y"),
        Item("window", "A reading from before", "y"),
        Item("both", "The variable and its update", ("x", "up"), 2),
        Item("two-updates", "Two updates of one variable", ("one", "ten"), 1),
        Item("one-tick", "Two readers of one update", ("a", "b"), 2),
        Item("and-its-tenfold", "A counter and what is made of it", ("y", "z"), 2),
        Item("handed-on", "The loss that is handed on", "y"),
        Item("made-anew", "The loss that is made anew", "y"),
        Item("loss-and-step", "The loss beside the step", ("loss", "after"), 2),
        Item("outside", "An update made outside the branch", "y", 3, {"take": False}),
        Item("inside", "An update made inside the branch", ("y", "x"), 2, {"take": False}),
        Item("one-for-each", "One update for each branch", "y", 2, {"take": True}),
        Item("counted", "A counter of one branch", ("y", "calls"), 2, {"take": False}),
    )
)


def ask(name: str, **options: Any) -> Predict:
    """One of the ready questions as a widget. options: as of Predict.

    Raises: ValueError for an unknown name.
    """
    if name not in ITEMS:
        raise ValueError(f"there is no question {name!r}\n  fix: one of {', '.join(ITEMS)}")
    return ITEMS[name].ask(**options)


__all__ = ["ITEMS", "Item", "Items", "ask"]
