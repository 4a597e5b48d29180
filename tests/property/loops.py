"""Random programs with nested loops and conds, three deep and deeper: effects, captures, arrays, loops without an iteration."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import tfedu as tf
from tests.property.programs import Program, _Maker

DEEPEST = 4


class _Looper(_Maker):
    """As _Maker, with loops; `known` are the tensors that an inner expression may use."""

    def node(self) -> None:
        if self.upto(2):
            super().node()
        else:
            self.nest()

    def nest(self) -> None:
        self.keep(self.expression([*self.program.tensors, *self.program.variables] or [tf.constant(1.0)], 0))

    def request(self) -> None:
        self.nest()
        super().request()
        self.program.fetches.append(self.program.tensors[-1])

    def expression(self, known: list[Any], depth: int) -> Any:
        flat = ["add", "add", "number", "identity", *["effect", "read"] * self.stateful]
        nested = ["choice", "loop", "loop", "array"]
        # The first loop of a program is deep: later ones have few steps left.
        kinds = nested if depth == 0 else [*flat, *nested * 2] if depth < DEEPEST else flat
        return getattr(self, f"{self.pick(kinds)}_of")(known, depth)

    def add_of(self, known: list[Any], depth: int) -> Any:
        function = self.pick([tf.add, tf.subtract, tf.maximum, tf.minimum])
        return function(self.pick(known), self.pick(known))

    def number_of(self, known: list[Any], depth: int) -> Any:
        return tf.constant(self.number()) + self.pick(known)

    def identity_of(self, known: list[Any], depth: int) -> Any:
        return tf.identity(self.pick(known))

    def read_of(self, known: list[Any], depth: int) -> Any:
        return self.pick(self.program.variables) + self.number()

    def effect_of(self, known: list[Any], depth: int) -> Any:
        update = self.pick([tf.assign, tf.assign_add, tf.assign_sub])(self.pick(self.program.variables), self.pick(known))
        with tf.control_dependencies([tf.convert_to_tensor(update)]):
            return self.pick(known) + self.number()

    def choice_of(self, known: list[Any], depth: int) -> Any:
        pred = tf.less(self.pick(known), self.pick(known))
        one, other = ((lambda: tf.identity(self.some_of(known, depth + 1))) for _ in range(2))
        return tf.cond(pred, one, other)

    def some_of(self, known: list[Any], depth: int) -> Any:
        """An expression of one or two steps."""
        mine = list(known)
        for _ in range(1 + self.upto(1)):
            mine.append(self.expression(mine, depth))
        return mine[-1]

    def limit(self) -> Any:
        rounds = self.pick([0, 1, 2, 3])
        return tf.constant(rounds) if self.coin() else rounds

    def loop_of(self, known: list[Any], depth: int) -> Any:
        limit = self.limit()
        start = [tf.identity(self.pick(known)) if self.coin() else self.pick(known) for _ in range(1 + self.upto(1))]
        start = [tf.convert_to_tensor(value) for value in start]
        held = self.coin()

        def cond(i: Any, x: Any, *more: Any) -> Any:
            if held:
                return tf.less(i, limit)
            return tf.logical_and(tf.less(i, limit), tf.less(x, self.some_of([*known, x, *more], DEEPEST) + 50.0))

        def body(i: Any, x: Any, *more: Any) -> list[Any]:
            mine = [*known, x, *more]
            made = self.some_of(mine, depth + 1)
            return [i + 1, made + 0.0, *(self.pick([x + 0.0, made + 0.0, y, y + self.number()]) for y in more)]

        results = tf.while_loop(cond, body, [tf.constant(0), *start], parallel_iterations=self.pick([1, 10]))
        return self.pick(results[1:])

    def array_of(self, known: list[Any], depth: int) -> Any:
        rounds = 1 + self.upto(2)

        def body(i: Any, x: Any, array: Any) -> list[Any]:
            made = self.some_of([*known, x], depth + 1) + 0.0
            return [i + 1, made, array.write(i, x)]

        array = tf.TensorArray(tf.float32, rounds, element_shape=())
        start = tf.identity(self.pick(known))
        _, last, array = tf.while_loop(lambda i, *_: i < rounds, body, [tf.constant(0), start, array])
        return tf.reduce_sum(array.stack()) if self.coin() else last


@st.composite
def looping(draw: Any, most: int = 5, stateful: bool = True) -> Program:
    """A program with loops, of up to `most` steps; without state, its results are a function of the feeds."""
    steps = draw(st.integers(1, most))
    return _Looper(draw(st.integers(0, 2**64 - 1)), stateful).build(steps)
