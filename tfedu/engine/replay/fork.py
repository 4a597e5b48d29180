"""Forks: copies of a run under way, which continue independently. `fork(tokens, turns, ready)`.

Both share the values and have their own pending counts, frames and iterations. The contents of variables, tensor arrays and
stacks are not part of a run: `contents(resource)` copies them, and `restore(resource, contents)` puts them back. No state.
"""

from __future__ import annotations

import copy
from typing import Any

from ..runtime.pickers import Picker
from ..runtime.store import Buffer
from ..runtime.tokens import Activation, Iteration, Tokens, Turn


def fork(tokens: Tokens, turns: list[Turn], ready: Picker) -> tuple[Tokens, list[Turn]]:
    """A copy of the run that picks from `ready`, and the copies of its ready `turns`, which the caller adds to `ready`."""
    new: Tokens = Tokens.__new__(Tokens)
    new.__dict__.update(tokens.__dict__)
    copies: dict[int, Iteration] = {}
    new.root = _iteration(tokens.root, tokens.root.activation, copies)
    new.caught, new.begun = dict(tokens.caught), list(tokens.begun)
    new.ready = ready
    return new, [Turn(op, copies[id(at)]) for op, at in turns]


def _iteration(old: Iteration, activation: Activation, copies: dict[int, Iteration]) -> Iteration:
    new: Iteration = Iteration.__new__(Iteration)
    copies[id(old)] = new
    new.activation = activation
    new.run, new.index, new.path, new.key, new.open = old.run, old.index, old.path, old.key, old.open
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


def contents(resource: Any) -> Any:
    """What a buffer, a tensor array or a stack contains now."""
    if isinstance(resource, Buffer):
        return resource.value
    if hasattr(resource, "own"):
        # The array must not add in place to a sum that these contents share.
        resource.own.clear()
    return [_copied(getattr(resource, name)) for name in type(resource).__slots__]


def restore(resource: Any, content: Any) -> None:
    """Gives a resource the contents back that it had earlier."""
    if isinstance(resource, Buffer):
        resource.value = content
    else:
        for name, value in zip(type(resource).__slots__, content):
            setattr(resource, name, _copied(value))


def _copied(value: Any) -> Any:
    return copy.copy(value) if type(value) in (list, set, dict) else value
