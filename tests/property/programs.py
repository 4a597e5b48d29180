"""Random programs: variables of both kinds, updates, control edges, aliases, conds and feeds; small whole numbers as values."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

import tfedu as tf


@dataclass
class Program:
    """A graph, its fetchable tensors, and the request of one run."""

    graph: Any
    tensors: list[Any] = field(default_factory=list)
    waitable: list[Any] = field(default_factory=list)
    variables: list[Any] = field(default_factory=list)
    placeholders: list[Any] = field(default_factory=list)
    fetches: list[Any] = field(default_factory=list)
    feed_dict: dict[Any, Any] = field(default_factory=dict)
    initialized: bool = True


class _Maker:
    """Chooses with a generator of its own: hypothesis prefers zeros, and zeros hide which branch ran."""

    def __init__(self, seed: int, stateful: bool) -> None:
        self.source = random.Random(seed)
        self.stateful = stateful
        self.program = Program(tf.Graph())

    def upto(self, most: int) -> int:
        return self.source.randint(0, most)

    def number(self) -> float:
        return float(self.source.randint(-3, 3))

    def pick(self, items: list[Any]) -> Any:
        return self.source.choice(items)

    def coin(self) -> bool:
        return self.source.random() < 0.5

    def operand(self) -> Any:
        """A tensor, a variable, or a number."""
        choices = [*self.program.tensors, *self.program.variables]
        return self.pick(choices) if choices else tf.constant(self.number())

    def build(self, size: int) -> Program:
        with self.program.graph.as_default():
            if self.stateful:
                self.variable()
            for _ in range(size):
                self.step()
            self.request()
        return self.program

    def step(self) -> None:
        p = self.program
        if p.waitable and self.upto(2) == 0:
            waits = [self.pick(p.waitable) for _ in range(1 + self.upto(1))]
            with tf.control_dependencies(waits):
                self.node()
        else:
            self.node()

    def node(self) -> None:
        kinds = ["constant", "binary", "binary", "identity", "view", "negative", "placeholder", "no_op", "pack", "vector"]
        if self.stateful:
            kinds += ["variable", "update", "update", "update", "read", "cond", "cond", "use"]
        else:
            kinds += ["cond"]
        getattr(self, self.pick(kinds))()

    def keep(self, tensor: Any) -> None:
        self.program.tensors.append(tensor)
        self.program.waitable.append(tensor)

    # -- kinds of nodes

    def constant(self) -> None:
        self.keep(tf.constant(self.number()))

    def placeholder(self) -> None:
        if self.coin():
            made = tf.placeholder(tf.float32, ())
            self.program.placeholders.append(made)
        else:
            made = tf.placeholder_with_default(tf.constant(self.number()), ())
        self.keep(made)

    def binary(self) -> None:
        function = self.pick([tf.add, tf.subtract, tf.maximum, tf.minimum])
        self.keep(function(self.operand(), self.operand()))

    def negative(self) -> None:
        self.keep(tf.negative(self.operand()))

    def identity(self) -> None:
        self.keep(tf.identity(self.operand()))

    def view(self) -> None:
        # A reshape of a reference is a reference.
        self.keep(tf.reshape(tf.reshape(self.operand(), [1]), []))

    def pack(self) -> None:
        self.keep(tf.reduce_sum(tf.stack([self.operand(), self.operand()])))

    def vector(self) -> None:
        first, second = tf.unstack(tf.stack([self.operand(), self.operand()]))
        self.keep(first)
        self.keep(second)

    def no_op(self) -> None:
        p = self.program
        p.waitable.append(tf.group(*[self.pick(p.waitable)]) if p.waitable else tf.no_op())

    def variable(self) -> None:
        made = tf.Variable(self.number(), use_resource=self.coin())
        self.program.variables.append(made)

    def update(self) -> None:
        variable = self.pick(self.program.variables)
        function = self.pick([tf.assign, tf.assign_add, tf.assign_sub])
        made = function(variable, self.operand())
        # The update of a reference variable gives its reference; that of a resource variable reads it again.
        self.keep(tf.convert_to_tensor(made) if self.coin() else made)

    def read(self) -> None:
        self.keep(self.pick(self.program.variables).read_value())

    def use(self) -> None:
        self.keep(self.pick(self.program.variables) + self.number())

    def cond(self) -> None:
        pred = tf.less(self.operand(), self.operand())
        one, other = (self.branch() for _ in range(2))
        self.keep(tf.cond(pred, one, other))

    def branch(self) -> Any:
        kind = self.upto(4 if self.stateful else 2)
        operand, number = self.operand(), self.number()
        if kind == 0:
            return lambda: tf.add(operand, number)
        if kind == 1:
            return lambda: tf.constant(number)
        if kind == 2:
            return lambda: tf.identity(operand)
        variable = self.pick(self.program.variables)
        if kind == 3:
            return lambda: tf.identity(tf.assign_add(variable, number))
        return lambda: tf.add(tf.assign(variable, operand), 0.0)

    # -- what is asked for

    def request(self) -> None:
        p = self.program
        if not p.tensors:
            self.constant()
        # The newest tensors depend on most of the others.
        choices = [*p.tensors, *p.variables, *p.waitable, *p.tensors[-4:] * 3]
        p.fetches = [self.pick(choices) for _ in range(1 + self.upto(3))]
        # A placeholder without a feed makes the run fail; that is a legal result, but should stay rare.
        if self.upto(19) != 0:
            p.feed_dict = {made: np.float32(self.number()) for made in p.placeholders}
        plain = [t for t in p.tensors if isinstance(t, tf.Tensor) and not t.dtype.is_ref]
        for _ in range(self.upto(2)):
            if plain:
                p.feed_dict[self.pick(plain)] = np.float32(self.number())
        p.initialized = self.upto(19) != 0


@st.composite
def programs(draw: Any, stateful: bool = True, most: int = 12) -> Program:
    """A program of up to `most` steps; without state, its results are a function of the feeds."""
    steps = draw(st.integers(1, most))
    return _Maker(draw(st.integers(0, 2**64 - 1)), stateful).build(steps)
