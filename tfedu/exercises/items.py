"""Ready questions about what a program gives: `ask("counter")` shows one, `print(ITEMS)` lists them.

Each is a short program (questions/) that at least one wrong model of thought gets wrong (`tfedu.explain.MODELS`): the other
answers to choose from are what these models expect. A program is run anew each time it is asked about, so nothing is stored
that could be wrong. State: `ITEMS`, by name.
"""

from __future__ import annotations

import runpy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..engine.graph.graph import Graph
from ..explain.models.diagnose import diagnose, offers
from ..explain.tasks.check import Outcome

if TYPE_CHECKING:
    from ..widgets import Predict

# Programs and no modules of the package: they import tfedu as any program does.
_PROGRAMS: Final = Path(__file__).with_name("questions")
_TIMES: Final = {1: "once", 2: "twice", 3: "three times"}


@dataclass(frozen=True)
class Item:
    """A question. fetch: the name of what is fetched in the program, or several; feed: values by names in the program."""

    name: str
    title: str
    fetch: str | tuple[str, ...]
    runs: int = 3
    feed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        return _PROGRAMS / f"{self.name.replace('-', '_')}.py"

    @property
    def program(self) -> str:
        """Its text, which the learner sees."""
        return self.file.read_text(encoding="utf-8")

    @property
    def call(self) -> str:
        """What is run, as the program would write it."""
        fetched = self.fetch if isinstance(self.fetch, str) else f"[{', '.join(self.fetch)}]"
        fed = ", ".join(f"{name}: {value}" for name, value in self.feed.items())
        return f"session.run({fetched}, {{{fed}}})" if fed else f"session.run({fetched})"

    @property
    def prompt(self) -> str:
        """What is asked."""
        return f"init runs once, then {self.call} {_TIMES[self.runs]}. Of the ready nodes the oldest runs first."

    def made(self) -> tuple[Any, dict[Any, Any]]:
        """The program in a graph of its own: what is fetched, and what is fed."""
        with Graph().as_default():
            names = runpy.run_path(str(self.file))
        fetched = names[self.fetch] if isinstance(self.fetch, str) else [names[name] for name in self.fetch]
        return fetched, {names[name]: value for name, value in self.feed.items()}

    def ask(self, **options: Any) -> Predict:
        """The question as a widget: a choice between what happens and what the wrong models expect. Options as of Predict."""
        from ..widgets import Predict

        fetched, feed_dict = self.made()
        given: dict[str, Any] = {
            "runs": self.runs, "prompt": self.prompt, "title": self.title, "code": self.program, "choices": True,
        }  # fmt: skip
        return Predict({self.call: fetched}, feed_dict=feed_dict or None, **{**given, **options})

    def choices(self) -> tuple[tuple[str, ...], ...]:
        """The answers that it offers, each a text for each run: what happens, and what the wrong models expect."""
        fetched, feed_dict = self.made()
        return offers({self.name: fetched}, self.runs, feed_dict or None).get(self.name, ())

    def mark(self, answer: Sequence[str] | None) -> Outcome:
        """Whether an answer, one text for each run, is right; if not, which wrong models of thought give just that."""
        if answer is None or not any(str(text).strip() for text in answer):
            return Outcome("not_attempted")
        fetched, feed_dict = self.made()
        (told,) = diagnose({self.name: fetched}, {self.name: answer}, self.runs, feed_dict or None).targets
        if told.correct:
            return Outcome("pass")
        return Outcome("fail", models=tuple(model.model for model in told.models if model.matches))


class Items(dict[str, Item]):
    """Items by name; printed as a list of them."""

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
    """One of the ready questions as a widget; options as of Predict.

    Raises: ValueError for a name that no question has.
    """
    if name not in ITEMS:
        raise ValueError(f"there is no question {name!r}\n  fix: one of {', '.join(ITEMS)}")
    return ITEMS[name].ask(**options)


__all__ = ["ITEMS", "Item", "Items", "ask"]
