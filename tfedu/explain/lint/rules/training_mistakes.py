"""Rules about gradients and training: missing gradients, untrained variables, wrong steps. No state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from ....engine.autodiff.arguments import values_of
from ....engine.autodiff.sweep_recorder import Broken, recorded_gradients
from ....engine.base.site import Site
from ....engine.graph.copies import copied
from ....engine.graph.graph import Graph
from ....engine.graph.history import Differentiated
from ....engine.graph.nodes import Operation, Tensor
from ....engine.lib.framework.static_value import static_value
from ....engine.op.definition import role_of
from ....engine.op.infer import constant_value
from ....engine.ops.state import VARIABLES
from ...graph_walks import ancestors, value_descendants
from .graph_facts import Facts, listed_names, operation_of, source, variable_of
from .rule import Hit, rule
from .source_statement import is_compared_with_none

_LABELS: Final = "labels_stop_gradient"
_BOUNDS: Final[dict[str, Callable[[list[float]], float]]] = {"Maximum": max, "Minimum": min, "Add": sum, "AddV2": sum}


@rule("gradient_none", "mistake", "print(tfedu.explain.gradient_steps(y, [x]))")
@rule("labels_stopped", "mistake", "tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)")
def no_gradient(facts: Facts) -> Iterator[Hit]:
    """An x that a call of `gradients` gave None for, and no call a gradient; with the node at which the sweep ends."""
    differentiated = {x.op for call in facts.calls for x, gradient in zip(call.xs, call.gradients) if gradient is not None}
    reported = set()
    for call in facts.calls:
        without = []
        for x, gradient in zip(call.xs, call.gradients):
            op = getattr(x, "op", None)
            if gradient is not None or op is None or op in differentiated or op in reported:
                continue
            reported.add(op)
            if op.type in VARIABLES and (op in facts.writers or (_dtype(op).is_integer and _takes_all(facts, call))):
                continue  # other nodes change it, as a counter or a copy, or it is only one of all variables
            without.append(x)
        site = None if call.site is None else Site.of(call.site)
        if not without or (site is not None and is_compared_with_none(site)):
            continue  # every x has a gradient, or the program expects None
        for x, broken in zip(without, _why_none(facts.graph, call, without)):
            nodes = (x.op,) if broken.op is None else (x.op, broken.op)
            at = "" if broken.op is None else broken.op.name
            stopped = at.rpartition("/")[2].startswith(_LABELS)
            params = {"node": x.op.name, "kind": broken.kind, "at": at}
            yield Hit(nodes, params, (), site, "labels_stopped" if stopped else "gradient_none")


def _why_none(graph: Graph, call: Differentiated, xs: Sequence[Tensor]) -> list[Broken]:
    """For each x the node at which the sweep ends: the call is repeated in a copy of the graph."""
    copy = copied(graph, contexts=True)
    ys, sources = ([copy.of(values_of(tensor)) for tensor in tensors] for tensors in (call.ys, xs))
    with copy.graph.as_default():
        sweep, _ = recorded_gradients(ys, sources)
    reasons = [sweep.why_none(x) for x in sources]
    return [replace(why, op=None if why.op is None else graph.operations[why.op.id]) for why in reasons]


@rule("untrained", "mistake", "train = optimizer.minimize(loss)  # after the last variable")
def untrained(facts: Facts) -> Iterator[Hit]:
    """Trainable variables made after the last call of `gradients` for all variables."""
    xs = {x.op for call in facts.calls for x in call.xs if isinstance(x, Tensor)}
    for_all = [call for call in facts.calls if _takes_all(facts, call)]
    if not for_all or not facts.applied:
        return
    late = [
        v
        for v in facts.trainable
        if v.id > for_all[-1].position and v not in xs and v not in facts.writers and _dtype(v).is_floating
    ]
    late = [v for v in late if _is_used(facts, v)]
    if late:
        site = for_all[-1].site
        yield Hit(tuple(late), {"nodes": listed_names(late), "where_asked": "" if site is None else Site.of(site).label})


def _takes_all(facts: Facts, call: Differentiated) -> bool:
    """Whether the xs of a call are all trainable variables of its time, as an optimizer's are."""
    xs = {x.op for x in call.xs if isinstance(x, Tensor)}
    variables = [v for v in facts.trainable if v.id < call.position]
    return len(variables) > 0 and all(v in xs for v in variables)


def _is_used(facts: Facts, variable: Operation) -> bool:
    """Whether a node of the program, not of the variable itself, computes with it."""
    scope = variable.name + "/"
    users = list(value_descendants([variable]))[1:]
    return any(not op.name.startswith(scope) and op not in facts.initializers for op in users)


@rule("loss_vector", "advice", "loss = tf.reduce_mean(loss)")
def loss_vector(facts: Facts) -> Iterator[Hit]:
    """An optimizer's loss that is not a scalar: it minimizes the sum, so that the step grows with the batch."""
    for call in facts.calls:
        for y in call.ys:
            shape = getattr(y, "raw_shape", None)
            if not shape or all(size == 1 for size in shape) or not _is_stepped_along(facts, call):
                continue
            site = None if call.site is None else Site.of(call.site)
            yield Hit((y.op,), {"node": y.op.name, "shape": str(y.shape)}, (), site)
            break


def _is_stepped_along(facts: Facts, call: Differentiated) -> bool:
    """Whether an optimizer steps along the call's gradients; gradients that are part of another loss do not count."""
    losses = [y.op for other in facts.calls if other is not call for y in other.ys if isinstance(y, Tensor)]
    in_losses = ancestors(losses, control=False)
    gradients = [getattr(gradient, "values", gradient).op for gradient in call.gradients if gradient is not None]
    descendants = value_descendants([op for op in gradients if op not in in_losses])
    return any(op in descendants for op in facts.applied)


@rule("step_still", "mistake", "train = optimizer.minimize(loss, global_step=global_step)")
def step_still(facts: Facts) -> Iterator[Hit]:
    """A learning rate that depends on an integer variable that no node writes."""
    reported = set()
    for op in facts.applied:
        for tensor, name in zip(op.inputs, _input_names(op)):
            if name not in ("lr", "alpha"):
                continue
            for needed in ancestors([tensor.op], control=False):
                if needed.type in VARIABLES and _dtype(needed).is_integer and needed not in facts.writers:
                    if needed not in reported and needed in facts.variables:
                        reported.add(needed)
                        yield Hit((needed, tensor.op), {"variable": needed.name, "rate": tensor.name})


def _input_names(op: Operation) -> Sequence[str]:
    return [] if op.definition is None else [argument.name for argument in op.definition.inputs]


def _dtype(variable: Operation) -> Any:
    return variable.attrs["dtype"].base_dtype


@rule("step_uncounted", "mistake", "train = optimizer.minimize(loss, global_step=tf.train.get_global_step())")
def step_uncounted(facts: Facts) -> Iterator[Hit]:
    """A global step that a run fetched and that no node increments."""
    for variable in facts.collected("global_step"):
        op = operation_of(variable)
        if op in facts.variables and op not in facts.writers and facts.applied and _is_fetched(facts, op):
            yield Hit((op,), {"variable": op.name})


def _is_fetched(facts: Facts, variable: Operation) -> bool:
    """Whether a run fetched the variable."""
    return any(variable_of(tensor) is variable for run in facts.runs for tensor in run.tensors)


@rule("two_steps", "mistake", "train = optimizer.minimize(loss + other_loss)")
def two_steps(facts: Facts) -> Iterator[Hit]:
    """A run that took two training steps on one variable, in no order."""
    reported = set()
    for run in facts.runs[:100]:
        executed = facts.executed_in(run)
        by_variable: dict[Operation, list[Operation]] = {}
        for op in facts.applied:
            variable = variable_of(op.inputs[0])
            if op in executed and variable is not None:
                by_variable.setdefault(variable, []).append(op)
        for variable, (first, *others) in by_variable.items():
            for other in others:
                if variable not in reported and first not in ancestors([other]) and other not in ancestors([first]):
                    reported.add(variable)
                    site = None if run.site is None else Site.of(run.site)
                    params = {"variable": variable.name, "one": first.name, "other": other.name}
                    yield Hit((first, other), params, (), site)


@rule("dropout_always", "suspicion", "keep = tf.placeholder_with_default(1.0, shape=[])\nh = tf.nn.dropout(h, keep_prob=keep)")
def dropout_always(facts: Facts) -> Iterator[Hit]:
    """A dropout with a constant rate that ran both in training and in other runs."""
    applied = set(facts.applied)
    masks = [op for op in facts.of("GreaterEqual") if _is_mask(facts, op)] if applied and facts.runs else []
    runs = [facts.executed_in(run) for run in facts.runs[:100]] if masks else []
    for mask in masks:
        with_mask = [nodes for nodes in runs if mask in nodes]
        if any(applied & nodes for nodes in with_mask) and any(not applied & nodes for nodes in with_mask):
            yield Hit((mask,), {"node": mask.name.rpartition("/")[0] or mask.name})


def _is_mask(facts: Facts, op: Operation) -> bool:
    """Whether a node computes the mask of a dropout whose rate is a constant that no run feeds."""
    drawn, rate = op.inputs
    if "dropout" not in op.name or constant_value(rate) is None:
        return False
    fed = any(facts.is_fed(tensor) for node in ancestors([rate.op], control=False) for tensor in node.outputs)
    return not fed and any(node.type == "RandomUniform" for node in ancestors([drawn.op], control=False))


@rule("where_nan", "mistake", "safe = tf.where(ok, x, tf.ones_like(x))\ny = tf.where(ok, tf.log(safe), tf.zeros_like(x))")
def where_nan(facts: Facts) -> Iterator[Hit]:
    """A tf.where guards a function's value, but not its gradient: 0 times infinity is nan."""
    if not facts.calls:
        return
    for op in facts.of("Select", "SelectV2"):
        test = source(op.inputs[0])
        if role_of(test) != "comparison" or op.name.startswith("gradients"):
            continue
        tested = {source(t) for t in test.inputs if role_of(source(t)) != "constant"}
        for branch in op.inputs[1:]:
            narrow = source(branch)
            singular = -1 if narrow.definition is None else narrow.definition.singular_index
            if singular < 0 or _is_smooth_power(narrow):
                continue
            argument = source(narrow.inputs[singular])
            if argument not in tested or _lower_bound(argument) > 0 or not _differentiated(facts, op, [argument]):
                continue
            yield Hit((op, narrow), {"node": op.name, "inner": narrow.name})
            break


def _lower_bound(op: Operation, depth: int = 0) -> float:
    """A lower bound of a node's values from the ops of at most four nodes above it; -inf where they set none."""
    value = static_value(op.outputs[0])
    if value is not None:
        return float(np.min(value)) if np.size(value) else 0.0
    if op.definition is not None and op.definition.range is not None:
        return float(op.definition.range[0])
    inputs = [_lower_bound(source(tensor), depth + 1) for tensor in op.inputs] if op.type in _BOUNDS and depth < 4 else []
    return _BOUNDS[op.type](inputs) if inputs else -np.inf


def _is_smooth_power(op: Operation) -> bool:
    """Whether a node is a power with a finite gradient everywhere, or with an exponent that only a run knows."""
    if op.type != "Pow":
        return False
    power = static_value(op.inputs[1])
    return power is None or bool(np.all((np.asarray(power) >= 1) & (np.asarray(power) == np.round(power))))


def _differentiated(facts: Facts, op: Operation, arguments: list[Operation]) -> bool:
    """Whether a call of `gradients` goes back through the node to an ancestor of its arguments."""
    needed = ancestors(arguments, control=False)
    for call in facts.calls:
        if op.id < call.position and any(getattr(x, "op", None) in needed for x in call.xs):
            if op in ancestors([y.op for y in call.ys if isinstance(y, Tensor)], control=False):
                return True
    return False


@rule("zero_layers", "mistake", "w = tf.Variable(tf.truncated_normal([n, m], stddev=0.1))")
def zero_layers(facts: Facts) -> Iterator[Hit]:
    """Two consecutive layers whose weights all start as one number: their units stay equal for ever."""
    for outer in facts.of("MatMul"):
        weights = _constant_weights(facts, outer)
        hidden = outer.inputs[0].op
        for _ in range(4):
            if role_of(hidden) not in ("activation", "identity") and hidden.type not in ("Add", "AddV2", "BiasAdd"):
                break
            hidden = hidden.inputs[0].op
        inner = _constant_weights(facts, hidden) if role_of(hidden) == "matmul" and weights is not None else None
        if inner is None or weights is None or inner is weights:
            continue
        shape = hidden.outputs[0].raw_shape
        if shape is not None and shape[-1] != 1 and {inner, weights} <= _trained(facts):
            yield Hit((inner, weights), {"inner": inner.name, "outer": weights.name})


def _trained(facts: Facts) -> set[Operation]:
    """The variables that optimizers update."""
    return {v for v in (variable_of(op.inputs[0]) for op in facts.applied) if v is not None}


def _constant_weights(facts: Facts, product: Operation) -> Operation | None:
    """The variable on the right of a matrix product, if its initial elements are all equal; else None."""
    variable = variable_of(product.inputs[1])
    initializer = None if variable is None else getattr(facts.variables.get(variable), "initializer", None)
    if initializer is None or len(initializer.inputs) < 2:
        return None
    value = static_value(initializer.inputs[1])
    if value is None or np.asarray(value).dtype.kind != "f" or not np.size(value):
        return None
    return variable if bool(np.all(np.asarray(value) == np.asarray(value).flat[0])) else None
