"""`@custom_gradient`: a function that returns its result and a function for its gradient. State: `_numbers`, of the rules."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable
from typing import Any, Final

from ..base.errors import error_text
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.default_graph import get_default_graph
from ..graph.nodes import Operation
from ..lib.control import grouping
from ..lib.framework import nest
from ..lib.framework.graph_keys import GraphKeys
from ..lib.framework.scope_blocks import waiting_for
from . import sweep
from .registry import RegisterGradient

_numbers: Final = itertools.count()


def custom_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f(*x)` returns (y, grad): y is the result, and grad(*dy) the gradient of each x, in place of that of the nodes.

    A grad with a parameter `variables` returns a pair: also the gradients of the resource variables that f reads.
    Raises: ValueError for keywords; TypeError for variables of the reference kind, or a grad that does not take them.
    """

    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            raise ValueError(
                error_text(
                    "The custom_gradient decorator currently supports keywords arguments only when eager execution is enabled."
                )
            )
        return _wrapped(f, args)

    return wrapped


@atomic
def _wrapped(f: Callable[..., Any], args: Iterable[Any]) -> Any:
    graph = get_default_graph()
    inputs = [convert_to_tensor(x) for x in args]
    known = {id(v) for v in _variables_of(graph)}
    result, grad = f(*inputs)
    if any(id(v) not in known and not hasattr(v, "handle") for v in _variables_of(graph)):
        raise TypeError(
            error_text(
                "All variables used by a function wrapped with @custom_gradient must be `ResourceVariable`s. Ensure that no "
                "`variable_scope` is created with `use_resource=False`."
            )
        )
    outputs = [convert_to_tensor(y) for y in nest.flatten(result)]
    used = _read_between([t.op for t in inputs], [t.op for t in outputs])
    variables = [v for v in _variables_of(graph) if getattr(v, "handle", None) is not None and v.handle.op in used]
    signature = inspect.getfullargspec(grad)
    if variables and not ("variables" in (*signature.args, *signature.kwonlyargs) or signature.varkw):
        raise TypeError(
            error_text(
                "If using @custom_gradient with a function that uses variables, then grad_fn must accept a keyword argument "
                "'variables'."
            )
        )
    name = f"CustomGradient-{next(_numbers)}"

    @RegisterGradient(name)
    def rule(op: Operation, *gradients: Any) -> list[Any]:
        gradients = gradients[: len(outputs)]
        if variables:
            of_inputs, of_variables = grad(*gradients, variables=variables)
            if len(of_variables) != len(variables):
                raise ValueError(
                    error_text("Must return gradient for each variable from @custom_gradient grad_fn.")
                )
        else:
            of_inputs, of_variables = grad(*gradients), []
        return [*[None] * len(outputs), *nest.flatten(of_inputs), *of_variables]

    # The node takes the inputs beside the outputs: its gradients go to the inputs directly, past the nodes of f.
    with graph.gradient_override_map({"IdentityN": name}):
        passed = grouping.identity_n([*outputs, *inputs, *[v.handle for v in variables]])
    return nest.pack_sequence_as(result, passed[: len(outputs)])


def _variables_of(graph: Any) -> list[Any]:
    return [*graph.get_collection(GraphKeys.GLOBAL_VARIABLES), *graph.get_collection(GraphKeys.LOCAL_VARIABLES)]


def _read_between(sources: list[Operation], targets: list[Operation]) -> set[Operation]:
    """The targets and their ancestors, up to the sources."""
    ends, between, stack = set(sources), set(), list(targets)
    while stack:
        op = stack.pop()
        if op not in between and op not in ends:
            between.add(op)
            stack.extend(t.op for t in op.inputs)
    return between


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, but with the gradient of the identity."""

    @custom_gradient
    def passing(*args: Any) -> Any:
        def grad(*gradients: Any, variables: Any = None) -> Any:
            if variables is not None:
                return list(gradients), [None] * len(variables)
            return list(gradients)

        return f(*args), grad

    return functools.wraps(f)(passing)


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, but its intermediate values are not kept for the gradient, which computes them again."""

    @custom_gradient
    def computed(*args: Any) -> Any:
        def grad(*gradients: Any, variables: Any = None) -> Any:
            with waiting_for(gradients):
                again = nest.flatten(f(*args))
            xs = [*args, *(variables or ())]
            results = sweep.gradients(again, xs, grad_ys=list(gradients))
            of_args, of_variables = results[: len(args)], results[len(args) :]
            return of_args if variables is None else (of_args, of_variables)

        return f(*args), grad

    return functools.wraps(f)(computed)


__all__ = ["custom_gradient", "grad_pass_through", "recompute_grad"]
