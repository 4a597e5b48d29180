"""`tf.train.SyncReplicasOptimizer` averages the gradients of several workers and applies each mean as one update.

Each worker adds its gradients to one accumulator per variable, and the update takes their means. Then each worker dequeues a
token, the new global step, before its next step begins; an accumulator drops a gradient of an older step. The chief's queue
runner runs the update and enqueues the tokens. State: the optimizer's own nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...lib.arrays import array
from ...lib.control import grouping
from ...lib.framework.graph_keys import GraphKeys
from ...lib.framework.scope_blocks import colocate_with, name_scope, waiting_for
from ...lib.variables import state
from ...lib.variables.initialization import report_uninitialized_variables
from ...lib.variables.variables import Variable, global_variables
from ...op.composites import IndexedSlices
from ...training.optimizers.optimizer import Optimizer
from ...training.sessions.hooks import SessionRunHook
from ...training.sessions.session_manager import what_is_missing
from .accumulators import ConditionalAccumulator, SparseConditionalAccumulator
from .queues import FIFOQueue
from .runners import QueueRunner


class SyncReplicasOptimizer(Optimizer):
    """An optimizer that gathers gradients of several workers before it updates, by the optimizer `opt`.

    replicas_to_aggregate: how many gradients make one update. total_num_replicas: the number of workers, by default the same.
    variable_averages: an ExponentialMovingAverage of `variables_to_average`, which follows each update.
    """

    def __init__(
        self,
        opt: Optimizer,
        replicas_to_aggregate: int,
        total_num_replicas: int | None = None,
        variable_averages: Any = None,
        variables_to_average: Any = None,
        use_locking: bool = False,
        name: str = "sync_replicas",
    ) -> None:
        total = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        super().__init__(use_locking, name)
        log.info("SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s", replicas_to_aggregate, total)
        self._opt = opt
        self._replicas_to_aggregate = replicas_to_aggregate
        self._total_num_replicas = total
        self._tokens_per_step = max(total, replicas_to_aggregate)
        self._variable_averages = variable_averages
        self._variables_to_average = variables_to_average
        self._global_step: Any = None
        self._gradients_applied = False

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """The pairs (gradient, variable) that the wrapped optimizer computes."""
        return self._opt.compute_gradients(*args, **kwargs)

    @atomic
    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """The node of one worker's step: it adds the worker's gradients to the accumulators and waits for the update's token.

        Raises: ValueError for no gradients, and without a global step.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError(error_text("Must supply at least one variable"))
        if global_step is None:
            raise ValueError(error_text("Global step is required to check staleness"))
        graph, self._global_step = get_default_graph(), global_step
        with colocate_with(grouping.no_op()):  # on the worker's own device
            self._local_step = Variable(
                0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], dtype=global_step.dtype.base_dtype,
                name="sync_rep_local_step",
            )  # fmt: skip
        self.local_step_init_op = state.assign(self._local_step, global_step)
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())
        with name_scope(None, self._name):
            given, taken, accumulators = self._accumulated(pairs)
            with graph.device(global_step.device), name_scope(""):
                update = self._opt.apply_gradients(taken, global_step)
                step = self._synchronized(given, update)
            steps = [accumulator.set_global_step(global_step, name="SetGlobalStep") for accumulator in accumulators]
            self.chief_init_op = grouping.group(self.local_step_init_op, *steps)
        self._gradients_applied = True
        return step

    def _accumulated(self, pairs: list[tuple[Any, Any]]) -> tuple[list[Operation], list[tuple[Any, Any]], list[Any]]:
        """The nodes that add gradients to accumulators, the pairs (mean gradient, variable), and the accumulators."""
        given: list[Operation] = []
        taken: list[tuple[Any, Any]] = []
        accumulators: list[Any] = []
        for gradient, variable in pairs:
            with get_default_graph().device(variable.device):
                if gradient is None:
                    taken.append((None, variable))
                    continue
                name = f"{variable.name}/grad_accum"
                accumulator: Any
                if isinstance(gradient, Tensor):
                    accumulator = ConditionalAccumulator(gradient.dtype, shape=variable.get_shape(), shared_name=name)
                    given.append(accumulator.apply_grad(gradient, local_step=self._local_step))
                    taken.append((accumulator.take_grad(self._replicas_to_aggregate), variable))
                elif isinstance(gradient, IndexedSlices):
                    accumulator = SparseConditionalAccumulator(gradient.dtype, shape=(), shared_name=name)
                    given.append(accumulator.apply_indexed_slices_grad(gradient, local_step=self._local_step))
                    taken.append((accumulator.take_indexed_slices_grad(self._replicas_to_aggregate), variable))
                else:
                    raise ValueError(error_text(f"Unknown grad type: {gradient}"))
                accumulators.append(accumulator)
        return given, taken, accumulators

    def _synchronized(self, given: list[Operation], update: Any) -> Any:
        """The node of a worker's step, which dequeues a token; the queue runner enqueues the tokens after each update."""
        global_step = self._global_step
        self._tokens = FIFOQueue(-1, global_step.dtype.base_dtype, shapes=(), name="sync_token_q", shared_name="sync_token_q")
        # A queue runner closes its queue at the end; the token queue must stay open, so the runner gets a queue of its own.
        unused = FIFOQueue(1, dtypes.int32, shapes=(), name="dummy_queue", shared_name="dummy_queue")
        with waiting_for(given):
            token = self._tokens.dequeue()
        step = state.assign(self._local_step, token)
        with waiting_for([update]):
            tokens = array.fill([self._tokens_per_step], global_step)
            done = self._tokens.enqueue_many((tokens,))
        if self._variable_averages is not None:
            with waiting_for([done]):
                done = self._variable_averages.apply(self._variables_to_average)
        self._chief_queue_runner = QueueRunner(unused, [done])
        return step

    def get_chief_queue_runner(self) -> QueueRunner:
        """The queue runner whose thread runs the updates.

        Raises: ValueError before apply_gradients.
        """
        self._check_applied("Should be called after apply_gradients().")
        return self._chief_queue_runner

    @atomic
    def get_init_tokens_op(self, num_tokens: int = -1) -> Operation:
        """The operation that enqueues the first tokens; num_tokens -1: replicas_to_aggregate of them.

        Raises: ValueError before apply_gradients, and for fewer tokens than the first update needs.
        """
        self._check_applied("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            text = f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} (needed)"
            raise ValueError(error_text(text))
        if not num_tokens:
            return grouping.no_op(name="no_init_tokens")
        with get_default_graph().device(self._global_step.device), name_scope(""):
            return self._tokens.enqueue_many((array.fill([num_tokens], self._global_step),))

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """The hook of a MonitoredSession that initializes the local step and, in the chief, starts the queue runner."""
        return _SyncReplicasHook(self, is_chief, num_tokens)

    def _check_applied(self, text: str) -> None:
        if not self._gradients_applied:
            raise ValueError(error_text(text, fix="minimize(loss, global_step) comes first"))

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> list[Any]:
        return self._opt.variables()


class _SyncReplicasHook(SessionRunHook):
    """Initializes a worker's local step in each new session; in the chief it also enqueues tokens and starts the queue runner."""

    def __init__(self, optimizer: SyncReplicasOptimizer, is_chief: bool, num_tokens: int) -> None:
        self._optimizer = optimizer
        self._is_chief = is_chief
        self._num_tokens = num_tokens

    def begin(self) -> None:
        optimizer = self._optimizer
        optimizer._check_applied("SyncReplicasOptimizer.apply_gradient should be called before using the hook.")
        self._first: Operation | None = optimizer.get_init_tokens_op(self._num_tokens) if self._is_chief else None

    def after_create_session(self, session: Any, coord: Any) -> None:
        optimizer = self._optimizer
        initializer: Any = optimizer.chief_init_op if self._is_chief else optimizer.local_step_init_op
        absent = what_is_missing(
            optimizer.ready_for_local_init_op, session, "Model is not ready for SyncReplicasOptimizer local init."
        )
        if absent is not None:
            text = "Init operations did not make model ready for SyncReplicasOptimizer local_init. "
            raise RuntimeError(error_text(f"{text}Init op: {initializer.name}, error: {absent}"))
        session.run(initializer)
        if self._first is not None:
            session.run(self._first)
            optimizer.get_chief_queue_runner().create_threads(session, coord=coord, daemon=True, start=True)


__all__ = ["SyncReplicasOptimizer"]
