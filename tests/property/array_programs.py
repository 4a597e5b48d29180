"""Random programs of nested loops, branches and tensor arrays, which run both as Python and as a graph.

`Program(seed)` is a function of a backend: `Plain()` computes with Python's numbers, `Nodes(variable)` builds nodes. Both give
the program's numbers and the elements of its arrays; `Plain.effects` and the variable add up what was done on the way.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tfedu as tf

MODULUS = 101
DEPTH = 3


class State(NamedTuple):
    """The state that loops and branches pass on: numbers, arrays with their sizes, and a tensor that waits for all effects."""

    numbers: list[Any]
    arrays: list[Any]
    counts: list[Any]
    waiting: Any


class Plain:
    """Python's own numbers; an array is a tuple."""

    def __init__(self) -> None:
        self.effects = 0

    def array(self) -> Any:
        return ()

    def append(self, array: Any, count: Any, value: Any) -> Any:
        assert len(array) == count
        return (*array, value)

    def at(self, array: Any, index: Any) -> Any:
        return array[index]

    def total(self, array: Any, count: Any) -> Any:
        return sum(array[:count])

    def mapped(self, f: Callable[[Any], Any], array: Any, count: Any) -> Any:
        return sum(f(value) for value in array[:count])

    def cond(self, pred: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
        return yes() if pred else no()

    def loop(self, count: Any, body: Callable[[Any, State], State], state: State, parallel: int) -> State:
        for i in range(count):
            state = body(i, state)
        return state

    def effect(self, value: Any, number: Any) -> Any:
        self.effects += value
        return number


class Nodes:
    """Nodes; an array is a TensorArray that grows."""

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def array(self) -> Any:
        return tf.TensorArray(tf.int32, 0, dynamic_size=True, clear_after_read=False, element_shape=[])

    def append(self, array: Any, count: Any, value: Any) -> Any:
        return array.write(count, value)

    def at(self, array: Any, index: Any) -> Any:
        return array.read(index)

    def total(self, array: Any, count: Any) -> Any:
        return tf.reduce_sum(array.gather(tf.range(0, count)))

    def mapped(self, f: Callable[[Any], Any], array: Any, count: Any) -> Any:
        return tf.reduce_sum(tf.map_fn(f, array.gather(tf.range(0, count))))

    def cond(self, pred: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
        return tf.cond(pred, yes, no, strict=True)

    def loop(self, count: Any, body: Callable[[Any, State], State], state: State, parallel: int) -> State:
        _, state = tf.while_loop(
            lambda i, _: i < count, lambda i, s: (i + 1, body(i, s)), (0, state), parallel_iterations=parallel
        )
        return state

    def effect(self, value: Any, number: Any) -> Any:
        with tf.control_dependencies([tf.assign_add(self.variable, value)]):
            return tf.identity(number)


Step = Callable[[Any, State, Sequence[Any]], State]
Value = Callable[[Any, State, Sequence[Any]], Any]


class Program:
    """The steps are chosen at construction; every call runs the same steps. `kinds`: how often each kind of step occurs."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)
        self.numbers = self.source.randint(1, 3)
        self.arrays = self.source.randint(1, 2)
        self.kinds: dict[str, int] = {}
        self.body = self.block(0)

    def __call__(self, backend: Any, inputs: Sequence[Any]) -> State:
        """The numbers at the end, and the sums of the arrays."""
        numbers = [inputs[i % len(inputs)] for i in range(self.numbers)]
        zero = inputs[0] * 0
        state = State(numbers, [backend.array() for _ in range(self.arrays)], [zero] * self.arrays, zero)
        return self.body(backend, state, list(inputs))

    # -- values ------------------------------------------------------------------------------------------------------

    def value(self, depth: int = 0) -> Value:
        """An expression over the state, the numbers from before the innermost block, and constants."""
        kinds = ["number", "number", "constant", "outside", "sum", "product", "element", "total"]
        kind = self.source.choice(kinds[: 4 if depth > 1 else 8])
        if kind == "constant":
            constant = self.source.randint(0, 9)
            return lambda b, s, o: s.numbers[0] * 0 + constant
        if kind == "number":
            i = self.source.randrange(self.numbers)
            return lambda b, s, o: s.numbers[i]
        if kind == "outside":
            i = self.source.randrange(8)
            return lambda b, s, o: o[i % len(o)]
        if kind in ("sum", "product"):
            left, right = self.value(depth + 1), self.value(depth + 1)
            if kind == "sum":
                return lambda b, s, o: (left(b, s, o) + right(b, s, o)) % MODULUS
            return lambda b, s, o: left(b, s, o) * right(b, s, o) % MODULUS
        j = self.source.randrange(self.arrays)
        if kind == "total":
            return lambda b, s, o: b.total(s.arrays[j], s.counts[j]) % MODULUS
        where = self.value(depth + 1)

        def element(b: Any, s: State, o: Sequence[Any]) -> Any:
            count, index = s.counts[j], where(b, s, o)
            zero = count * 0
            return b.cond(count > 0, lambda: b.at(s.arrays[j], index % count), lambda: zero + 7)

        return element

    # -- steps -------------------------------------------------------------------------------------------------------

    def block(self, depth: int) -> Step:
        steps = [self.step(depth) for _ in range(self.source.randint(1, 3))]

        def run(b: Any, s: State, o: Sequence[Any]) -> State:
            for step in steps:
                s = step(b, s, o)
            return s

        return run

    def step(self, depth: int) -> Step:
        kinds = ["assign", "append", "append", "effect", "unused"]
        if depth < DEPTH:
            kinds += ["branch", "branch", "loop", "loop", "loop", "own_array", "mapping"]
        if depth == 0:
            kinds = ["loop", "branch", "own_array", "append"]
        kind = self.source.choice(kinds)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        step: Step = getattr(self, kind)(depth)
        return step

    def assign(self, depth: int) -> Step:
        i, value = self.source.randrange(self.numbers), self.value()
        return lambda b, s, o: s._replace(numbers=put(s.numbers, i, value(b, s, o)))

    def append(self, depth: int) -> Step:
        j, value = self.source.randrange(self.arrays), self.value()

        def run(b: Any, s: State, o: Sequence[Any]) -> State:
            array = b.append(s.arrays[j], s.counts[j], value(b, s, o))
            return s._replace(arrays=put(s.arrays, j, array), counts=put(s.counts, j, s.counts[j] + 1))

        return run

    def effect(self, depth: int) -> Step:
        value = self.value()
        return lambda b, s, o: s._replace(waiting=b.effect(value(b, s, o), s.waiting))

    def unused(self, depth: int) -> Step:
        value = self.value()

        def run(b: Any, s: State, o: Sequence[Any]) -> State:
            value(b, s, o)
            return s

        return run

    def branch(self, depth: int) -> Step:
        odd, yes, no = self.value(), self.block(depth + 1), self.block(depth + 1)
        return lambda b, s, o: b.cond(
            odd(b, s, o) % 2 > 0, lambda: yes(b, s, [*s.numbers, *o]), lambda: no(b, s, [*s.numbers, *o])
        )

    def loop(self, depth: int) -> Step:
        count, inner, parallel = self.value(), self.block(depth + 1), self.source.choice([1, 2, 10])
        return lambda b, s, o: b.loop(
            count(b, s, o) % 4, lambda i, t: inner(b, t, [i, *s.numbers, *o]), s, parallel
        )

    def own_array(self, depth: int) -> Step:
        """A loop with an array of its own, created anew at each execution of the step."""
        i, count, value = self.source.randrange(self.numbers), self.value(), self.value()

        def run(b: Any, s: State, o: Sequence[Any]) -> State:
            zero = s.counts[0] * 0
            mine = State([zero + 1] * self.numbers, [b.array()] * self.arrays, [zero] * self.arrays, zero)

            def body(at: Any, t: State) -> State:
                element = value(b, s, [at, *o])
                array = b.append(t.arrays[0], t.counts[0], (element + at) % MODULUS)
                counts = put(t.counts, 0, t.counts[0] + 1)
                return State(put(t.numbers, 0, element), put(t.arrays, 0, array), counts, t.waiting)

            mine = b.loop(count(b, s, o) % 4, body, mine, 10)
            total = b.total(mine.arrays[0], mine.counts[0]) + mine.numbers[0]
            return s._replace(numbers=put(s.numbers, i, total % MODULUS))

        return run

    def mapping(self, depth: int) -> Step:
        i, j, k = self.source.randrange(self.numbers), self.source.randrange(self.arrays), self.source.randint(1, 5)

        def run(b: Any, s: State, o: Sequence[Any]) -> State:
            total = b.mapped(lambda x: (x * k + s.numbers[i]) % MODULUS, s.arrays[j], s.counts[j])
            return s._replace(numbers=put(s.numbers, i, total % MODULUS))

        return run


def put(values: Sequence[Any], at: int, value: Any) -> list[Any]:
    """The list with another value at one place."""
    return [value if i == at else old for i, old in enumerate(values)]
