"""Forks: a second copy of a run under way, which goes on for itself. `fork(tokens, ready)`.

The values are shared; what changes as turns are taken is copied. What variables and other things hold is not part of a run:
`contents(thing)` notes it and `put_back(thing, contents)` restores it. No state.
"""

from __future__ import annotations

import copy
from typing import Any

from ..runtime.schedule import Picker
from ..runtime.store import Buffer
from ..runtime.tokens import Activation, Iteration, Tokens, Turn


def fork(tokens: Tokens, turns: list[Turn], ready: Picker) -> tuple[Tokens, list[Turn]]:
    """A run that stands where this one does, and its ready `turns`, which are for `ready` to take in."""
    twin: Tokens = Tokens.__new__(Tokens)
    twin.__dict__.update(tokens.__dict__)
    copies: dict[int, Iteration] = {}
    twin.root = _iteration(tokens.root, tokens.root.activation, copies)
    twin.caught = dict(tokens.caught)
    twin.ready = ready
    return twin, [Turn(op, copies[id(at)]) for op, at in turns]


def _iteration(old: Iteration, activation: Activation, copies: dict[int, Iteration]) -> Iteration:
    new: Iteration = Iteration.__new__(Iteration)
    copies[id(old)] = new
    new.activation = activation
    new.index, new.path, new.key, new.open = old.index, old.path, old.key, old.open
    new.values, new.dead, new.pending = dict(old.values), set(old.dead), dict(old.pending)
    new.settled, new.died = set(old.settled), dict(old.died)
    new.inner = {frame: _activation(inner, new, copies) for frame, inner in old.inner.items()}
    return new


def _activation(old: Activation, outer: Iteration, copies: dict[int, Iteration]) -> Activation:
    new: Activation = copy.copy(old)
    new.outer = outer
    new.constant, new.dead_exits, new.late = list(old.constant), list(old.dead_exits), list(old.late)
    new.running = {index: _iteration(at, new, copies) for index, at in old.running.items()}
    return new


def contents(thing: Any) -> Any:
    """What a buffer, a tensor array or a stack holds now."""
    if isinstance(thing, Buffer):
        return thing.value
    if hasattr(thing, "own"):
        # A sum that is noted here must not be added to in place.
        thing.own.clear()
    return [_copied(getattr(thing, name)) for name in type(thing).__slots__]


def put_back(thing: Any, noted: Any) -> None:
    if isinstance(thing, Buffer):
        thing.value = noted
    else:
        for name, value in zip(type(thing).__slots__, noted):
            setattr(thing, name, _copied(value))


def _copied(value: Any) -> Any:
    return copy.copy(value) if type(value) in (list, set, dict) else value
