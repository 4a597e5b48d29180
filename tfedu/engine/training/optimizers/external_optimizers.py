"""`ScipyOptimizerInterface`: SciPy minimizes a loss of a graph; and the base for other optimizers outside the graph.

State: in each interface the graph's parts; the variables change at the end of `minimize`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...autodiff import gradients
from ...base import log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.stacks import get_default_session
from ...lib.arrays import array
from ...lib.framework.placeholders import placeholder
from ...lib.variables.resource_variables import BaseResourceVariable
from ...lib.variables.variables import trainable_variables


class ExternalOptimizerInterface:
    """Minimizes a loss of a graph by an algorithm outside of it, which sees all variables as one vector of numbers.

    loss: a scalar. var_list: by default the trainable variables. equalities, inequalities: tensors that have to be 0, or not
    negative. var_to_bounds: variable -> (lower, upper) bounds, which broadcast to its shape. optimizer_kwargs: for the
    algorithm. A derived class writes `_minimize`.

    Raises: ValueError where there is no variable or one has an unknown shape.
    """

    @atomic
    def __init__(
        self,
        loss: Any,
        var_list: Sequence[Any] | None = None,
        equalities: Sequence[Any] | None = None,
        inequalities: Sequence[Any] | None = None,
        var_to_bounds: dict[Any, tuple[Any, Any]] | None = None,
        **optimizer_kwargs: Any,
    ) -> None:
        self._loss = loss
        self._equalities, self._inequalities = list(equalities or ()), list(inequalities or ())
        self._vars = list(trainable_variables() if var_list is None else var_list)
        if not self._vars:
            raise ValueError(error_text("No variables to optimize."))
        for variable in self._vars:
            if not variable.shape.is_fully_defined():
                raise ValueError(error_text(f"Variable {variable.name} has an unknown shape: {variable.shape}."))
        self._shapes = [tuple(variable.shape.as_list()) for variable in self._vars]
        ends = np.cumsum([int(np.prod(shape)) for shape in self._shapes])
        self._slices = [slice(end - int(np.prod(shape)), end) for end, shape in zip(ends, self._shapes, strict=True)]
        self._packed_bounds = self._bounds(var_to_bounds)
        self.optimizer_kwargs = optimizer_kwargs
        self._update_placeholders = [placeholder(variable.dtype.base_dtype) for variable in self._vars]
        self._var_updates = [
            variable.assign(array.reshape(given, shape))
            for variable, given, shape in zip(self._vars, self._update_placeholders, self._shapes, strict=True)
        ]
        self._packed_var = self._pack(self._vars)
        self._packed_loss_grad = self._pack(self._gradients(loss))
        self._packed_equality_grads = [self._pack(self._gradients(part)) for part in self._equalities]
        self._packed_inequality_grads = [self._pack(self._gradients(part)) for part in self._inequalities]

    def _bounds(self, given: dict[Any, tuple[Any, Any]] | None) -> list[tuple[float, float]] | None:
        if given is None:
            return None
        by_name = {variable.op.name: pair for variable, pair in given.items()}
        bounds: list[tuple[float, float]] = []
        for variable, shape in zip(self._vars, self._shapes, strict=True):
            pair = by_name.get(variable.op.name, (-np.inf, np.inf))
            lower, upper = (np.broadcast_to(bound, shape).ravel() for bound in pair)
            bounds.extend(zip(lower.tolist(), upper.tolist(), strict=True))
        return bounds

    def _gradients(self, tensor: Any) -> list[Any]:
        found = gradients(tensor, self._vars)
        return [
            array.zeros_like(variable) if grad is None else grad
            for variable, grad in zip(self._vars, found, strict=True)
        ]

    @staticmethod
    def _pack(tensors: Sequence[Any]) -> Any:
        """The elements of all tensors, one behind the other: a vector."""
        flat = [array.reshape(tensor, [-1]) for tensor in tensors]
        return flat[0] if len(flat) == 1 else array.concat(flat, axis=0)

    def minimize(
        self,
        session: Any = None,
        feed_dict: dict[Any, Any] | None = None,
        fetches: Sequence[Any] | None = None,
        step_callback: Callable[..., Any] | None = None,
        loss_callback: Callable[..., Any] | None = None,
        **run_kwargs: Any,
    ) -> None:
        """Runs the algorithm, and gives the variables the values that it finds.

        session: by default the one of the `with` block. feed_dict: for all runs. loss_callback: gets the values of `fetches`
        after each run of the loss. step_callback: gets the vector after each step. run_kwargs: for the session's last run.
        Raises: ValueError without a session; whatever the runs and the algorithm raise.
        """
        session = session or get_default_session()
        if session is None:
            raise ValueError(error_text("minimize needs a session: pass one, or call it in a `with tf.Session():` block."))
        feed_dict, fetches = dict(feed_dict or {}), list(fetches or ())

        def evaluating(tensors: list[Any], callback: Callable[..., Any] | None = None) -> Callable[[Any], Any]:
            def evaluate(vector: Any) -> Any:
                values = session.run([*tensors, *fetches], feed_dict=self._fed(session, vector, feed_dict))
                if callback is not None:
                    callback(*values[len(tensors) :])
                return values[: len(tensors)]

            return evaluate

        def each(tensors: list[Any]) -> list[Callable[[Any], Any]]:
            return [_first_of(evaluating([tensor])) for tensor in tensors]

        found = self._minimize(
            initial_val=session.run(self._packed_var),
            loss_grad_func=evaluating([self._loss, self._packed_loss_grad], loss_callback),
            equality_funcs=each(self._equalities),
            equality_grad_funcs=each(self._packed_equality_grads),
            inequality_funcs=each(self._inequalities),
            inequality_grad_funcs=each(self._packed_inequality_grads),
            packed_bounds=self._packed_bounds,
            step_callback=step_callback,
            optimizer_kwargs=self.optimizer_kwargs,
        )
        self._assign(session, found, run_kwargs)

    def _assign(self, session: Any, vector: Any, run_kwargs: dict[str, Any]) -> None:
        values = [vector[part] for part in self._slices]
        session.run(self._var_updates, feed_dict=dict(zip(self._update_placeholders, values, strict=True)), **run_kwargs)

    def _fed(self, session: Any, vector: Any, feed_dict: dict[Any, Any]) -> dict[Any, Any]:
        """The feeds of a run in which the variables have the vector's values."""
        if any(isinstance(variable, BaseResourceVariable) for variable in self._vars):
            # a run reads a resource variable at several nodes, so a feed of one of them is not enough
            self._assign(session, vector, {})
            return feed_dict
        values = {
            variable: vector[part].reshape(shape)
            for variable, part, shape in zip(self._vars, self._slices, self._shapes, strict=True)
        }
        return {**feed_dict, **values}

    def _minimize(
        self, initial_val: Any, loss_grad_func: Any, equality_funcs: Any, equality_grad_funcs: Any, inequality_funcs: Any,
        inequality_grad_funcs: Any, packed_bounds: Any, step_callback: Any, optimizer_kwargs: Any,
    ) -> Any:  # fmt: skip
        raise NotImplementedError(
            error_text("To use ExternalOptimizerInterface, subclass from it and implement the _minimize() method.")
        )


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes a loss by `scipy.optimize.minimize`: `ScipyOptimizerInterface(loss, options={"maxiter": 100}).minimize(session)`.

    method: by default "L-BFGS-B"; constraints need one that takes them, such as "SLSQP". options, tol, …: SciPy's.
    Raises: as ExternalOptimizerInterface; by `minimize`: ImportError without SciPy, ValueError for an argument of SciPy's
    that this class sets itself.
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(
        self, initial_val: Any, loss_grad_func: Any, equality_funcs: Any, equality_grad_funcs: Any, inequality_funcs: Any,
        inequality_grad_funcs: Any, packed_bounds: Any, step_callback: Any, optimizer_kwargs: Any,
    ) -> Any:  # fmt: skip
        try:
            optimize = importlib.import_module("scipy.optimize")
        except ImportError:
            text = "ScipyOptimizerInterface needs SciPy, which is not installed"
            raise ImportError(error_text(text, fix="pip install scipy")) from None

        def loss_and_gradient(vector: Any) -> tuple[float, Any]:
            loss, gradient = loss_grad_func(vector)
            return float(np.reshape(loss, ())), gradient.astype(np.float64)

        given = dict(optimizer_kwargs)
        options = {
            "jac": True,
            "callback": step_callback,
            "method": given.pop("method", self._DEFAULT_METHOD),
            "constraints": _constraints("eq", equality_funcs, equality_grad_funcs)
            + _constraints("ineq", inequality_funcs, inequality_grad_funcs),
            "bounds": packed_bounds,
        }
        for name in options:
            if name in given:
                if name == "bounds":
                    raise ValueError(error_text("Bounds must be set using the var_to_bounds argument"))
                raise ValueError(
                    error_text(f"Optimizer keyword arg '{name}' is set automatically and cannot be injected manually")
                )
        result = optimize.minimize(loss_and_gradient, initial_val.astype(np.float64), **{**options, **given})
        log.info(
            "Optimization terminated with:\n  Message: %s\n  Objective function value: %f\n  Number of iterations: %d\n"
            "  Number of functions evaluations: %d",
            result.message, result.fun, result.nit, result.nfev,
        )  # fmt: skip
        return result.x


def _first_of(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda vector: function(vector)[0]


def _constraints(kind: str, functions: Any, gradients_of: Any) -> list[dict[str, Any]]:
    pairs = zip(functions, gradients_of, strict=True)
    return [{"type": kind, "fun": _in_float64(f), "jac": _in_float64(g)} for f, g in pairs]


def _in_float64(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda vector: np.asarray(function(vector), np.float64)


__all__ = ["ExternalOptimizerInterface", "ScipyOptimizerInterface"]
