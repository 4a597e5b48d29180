"""Session: runs parts of a graph and keeps the variables' values between the runs.

`with Session() as sess: sess.run(y, {x: 1})`. A first run of some (fetches, feeds) goes through the interpreter, from
the second on a compiled plan runs (signature.py). Threads may run at the same time.
State: `store` (variables), `noted` (the session's token in the graph's history; None keeps its runs out), `_ready` (functions
for repeated calls, by the arguments of the call), `_signatures` (schedules and plans by fetches and feeds), `_partial_runs`
(runs in parts), `_handle_nodes` (the nodes that read kept values) and `_dropped_handles` (handles that the program dropped).
"""

from __future__ import annotations

import threading
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import NoneType
from typing import Any, ClassVar, Final

from ..backends import blas_threads
from ..base import errors, log
from ..base import site as sites
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..graph.history import Ran
from ..graph.nodes import Operation, Tensor
from ..graph.stacks import Entry, get_default_session
from . import function_calls  # noqa: F401 - attaches World.function_call
from .config import ConfigProto, GraphOptions, RunMetadata, RunOptions, SimulatedDevices, checked_speeds
from .deadline import deadline
from .devices.session_devices import memory_of, placer_of
from .devices.transfers import Transfers
from .feeds import converter, resolve, resolved
from .fetches import Structure
from .memory import DeviceMemories
from .partial_run import PartialRun
from .partition import Partition, partition
from .place import DEVICES, DeviceAttributes, Placed
from .plans.compile import Plan
from .plans.plan_loops import NotCompiled
from .prune import Pruned, prune
from .repeated_call import repeated
from .schedule import Policy, Schedule, policy_of, schedule
from .signature import MAX_SIGNATURES, Call, Signature, fed_value
from .store import Store
from .tensor_handle import holder_of
from .waiting import patience_of

_DROPPED_AT_ONCE = 10


class BaseSession:
    """The common base of Session and InteractiveSession."""

    # Runs a call node by node and keeps the record in RunMetadata; engine/replay, which records runs, attaches it.
    _run_recorded: ClassVar[Callable[..., list[Any]]]

    def __init__(
        self, target: str = "", graph: Graph | None = None, config: Any = None, schedule: Policy | str | None = None
    ) -> None:
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        if target is not None and not isinstance(target, (str, bytes)):
            hint = '. Did you do "Session(config)" instead of "Session(config=config)"?' if hasattr(target, "gpu_options") else ""
            raise TypeError(f"target must be a string, but got {type(target)}{hint}")
        if target:
            raise errors.NotFoundError(
                None,
                None,
                errors.error_text(
                    f'No session factory registered for the given session options: {{target: "{target}"}}',
                    fix="tf.Session() runs in this process",
                ),
            )
        self._graph = graph if graph is not None else get_default_graph()
        self._target = b""
        if config is not None and not isinstance(config, ConfigProto):
            raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
        self._config = config
        self._closed = False
        self._pools = 1 if config is None else max(len(vars(config)["session_inter_op_thread_pool"]), 1)
        self.placer = placer_of(config)
        self._threads = 0 if config is None else max(vars(config)["intra_op_parallelism_threads"], 0)
        self._timeout: int = 0 if config is None else vars(config)["operation_timeout_in_ms"]
        graph_options = vars(GraphOptions() if config is None else vars(config)["graph_options"])
        every, after = graph_options["build_cost_model"], graph_options["build_cost_model_after"]
        self._cost_model = (every, after) if every > 0 else None
        self.speeds = SimulatedDevices() if config is None else checked_speeds(vars(config)["simulated_devices"])
        self.policy = policy_of(schedule)
        self.interpreted = False
        self.noted: object | None = object()
        self.store = Store()
        self.store.gpu = self.placer.gpu
        self.store.memory = memory_of(config, self.placer.simulated)
        self.store.waits.patience = patience_of(0 if config is None else vars(config)["stuck_queue_timeout_in_ms"])
        self._ready: dict[Any, Callable[..., Any]] = {}
        self._signatures: dict[Any, Signature] = {}
        self._seen_mutations = self._graph.mutations
        self._lock = threading.RLock()
        self._entries: list[Any] = []
        self._partial_runs: dict[str, PartialRun] = {}
        self._partial_count = 0
        self._handle_nodes: dict[str, tuple[Tensor, Any]] = {}
        self._dropped_handles: list[str] = []

    # -- properties ----------------------------------------------------------------------------------------------

    @property
    def graph(self) -> Graph:
        return self._graph

    @property
    def graph_def(self) -> Any:
        """The graph as a message."""
        graph: Any = self._graph
        return graph.as_graph_def(add_shapes=self._config is not None and vars(self._config)["graph_options"].infer_shapes)

    @property
    def sess_str(self) -> bytes:
        """The target, empty: runs are in this process."""
        return self._target

    # -- runs in parts ---------------------------------------------------------------------------------------------

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> str:
        """Begins a run in parts; returns the handle for `partial_run`.

        fetches, feeds: all tensors that the parts may fetch and feed, each once.
        Raises: TypeError and ValueError for wrong fetches and feeds; InvalidArgumentError for no fetch, and for a tensor that is
        fed twice, or fed and fetched.
        """
        self._check_usable()
        listed = [] if feeds is None else list(feeds) if isinstance(feeds, (list, tuple)) else [feeds]
        fed_tensors: list[Tensor] = []
        for feed in listed:
            for part in getattr(feed, "_parts", (feed,)):
                try:
                    fed_tensors.append(resolve(self._graph, part))
                except TypeError as error:
                    raise TypeError(str(error).replace("feed_dict key", "feed_list key")) from None
        structure = Structure(self._graph, fetches, self)
        if not structure.targets:
            raise errors.InvalidArgumentError(None, None, "Must specify at least one target to fetch or execute.")
        twice = next((t for i, t in enumerate(fed_tensors) if t in fed_tensors[:i]), None)
        if twice is not None:
            raise errors.InvalidArgumentError(None, None, f'Endpoint "{twice.name}" fed more than once.')
        for tensor in structure.tensors:
            if tensor in fed_tensors:
                raise errors.InvalidArgumentError(None, None, f"{tensor.name} is both fed and fetched.")
        pruned = prune(self._graph, structure.targets, fed_tensors)
        placed = self.placer.place(pruned)
        divided = partition(placed, structure.tensors, self.placer.names[0]) if self.placer.simulated else None
        scheduled = schedule(placed if divided is None else divided.placed, self.policy)
        run = PartialRun(scheduled, self.store, fed_tensors, structure.tensors, divided)
        with self._lock:
            names = [",".join(t.name for t in group) for group in (fed_tensors, structure.tensors)]
            targets = ",".join(op.name for op in structure.operations)
            handle = f"{names[0]}->{names[1]}/{targets}/1/;{self._partial_count}"
            self._partial_count += 1
            self._partial_runs[handle] = run
        return handle

    def partial_run(self, handle: str, fetches: Any, feed_dict: Mapping[Any, Any] | None = None) -> Any:
        """Continues a run in parts as far as the feeds allow; returns the values of `fetches`.

        Raises: TypeError for a handle that is no text; InvalidArgumentError for a tensor that was not declared, comes twice, or
        cannot be computed yet.
        """
        self._check_usable()
        if not isinstance(handle, str):
            raise TypeError(f"handle must be the text that partial_run_setup returned, but got {handle!r}")
        structure = Structure(self._graph, fetches, self)
        if structure.operations:
            raise RuntimeError("partial_run() requires empty target_list.")
        fed = resolved(self._graph, feed_dict)
        feed_values = {tensor: converter(tensor)(value) for tensor, value in fed.items()}
        run = self._partial_runs.get(handle)
        if run is None:
            raise errors.InvalidArgumentError(
                None, None, "Must run 'setup' before performing partial runs!"
            )
        wanted = [tensor for tensor in structure.tensors if tensor not in feed_values]
        with run.lock:
            run.check(feed_values, wanted)
            try:
                computed = dict(zip(wanted, run.step(feed_values, wanted)))
            except errors.OpError as error:
                _name_original(error, run.partition)
                raise
            finally:
                if run.complete or run.failure is not None:
                    self._partial_runs.pop(handle, None)
        return structure.rebuild([computed[t] if t in computed else fed_value(t, feed_values[t]) for t in structure.tensors])

    # -- values that stay here -------------------------------------------------------------------------------------

    def _handle_node(self, key: str, make: Callable[[Tensor], Any]) -> tuple[Tensor, Any]:
        """A placeholder for a handle's name and the node created from it; the same ones for the same key."""
        nodes = self._handle_nodes.get(key)
        if nodes is None:
            with self._graph.as_default(), self._graph.device(DEVICES[0]):
                nodes = self._handle_nodes[key] = holder_of(make)
        return nodes

    def _drop(self, handle: str) -> None:
        """Deletes, ten at a time, the values whose handles the program has dropped."""
        self._dropped_handles.append(handle)
        if len(self._dropped_handles) == _DROPPED_AT_ONCE:
            gone, self._dropped_handles = self._dropped_handles, []
            for name in gone:
                self.store.handle_values.pop(name, None)

    def list_devices(self) -> list[DeviceAttributes]:
        """The devices on which nodes of this session can run. Raises: CancelledError for a closed session."""
        if self._closed:
            raise errors.CancelledError(None, None, "Session has been closed.")
        memory = self.store.memory
        limited = memory.by_device if isinstance(memory, DeviceMemories) else {}
        return self.placer.listed({name: of_device.limit for name, of_device in limited.items()})

    @property
    def transfers(self) -> Transfers:
        """What the runs of this session sent between its devices (not in TF)."""
        return self.store.transfers if self.store.gpu is None else self.store.gpu.transfers

    # -- running -------------------------------------------------------------------------------------------------

    def run(
        self,
        fetches: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        options: RunOptions | None = None,
        run_metadata: RunMetadata | None = None,
    ) -> Any:
        """The values of `fetches`, in the same nest.

        feed_dict: values for tensors in this run. options, run_metadata: request a trace.
        Raises: TypeError and ValueError for wrong fetches and feeds, before anything runs; RuntimeError for a closed
        session; tf.errors.OpError when a node fails.
        """
        if options is None and run_metadata is None and self._graph.mutations == self._seen_mutations:
            ready = None
            try:
                if feed_dict is None:
                    ready = self._ready.get(_key(fetches))
                elif type(feed_dict) is dict:
                    ready = self._ready.get((_key(fetches), *feed_dict))
            except TypeError as error:
                # Such fetches or feeds are no repeated call.
                if "unhashable" not in str(error):
                    raise
            except RecursionError:
                pass  # Structure says what is wrong with them
            if ready is not None:
                try:
                    return ready() if feed_dict is None else ready(*feed_dict.values())
                except MemoryError as error:
                    raise _exhausted(error) from error
        return self._run(fetches, feed_dict, options, run_metadata)

    def _run(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        memory = self.store.memory
        try:
            if memory is None:
                return self._run_checked(fetches, feed_dict, options, run_metadata)
            with memory.run():
                return self._run_checked(fetches, feed_dict, options, run_metadata)
        except MemoryError as error:
            raise _exhausted(error) from error

    def _run_checked(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        call = self.prepare(fetches, feed_dict)
        signature = call.signature
        if self.noted is not None and not signature.noted:
            self._note(signature)
        limit = options.timeout_in_ms if options is not None else 0
        if options is not None and not -1 <= options.inter_op_thread_pool < self._pools:
            raise errors.InvalidArgumentError(None, None, f"Invalid inter_op_thread_pool: {options.inter_op_thread_pool}")
        check = deadline(limit if limit > 0 else self._timeout)
        is_costed = self._cost_model is not None and signature.is_costed(*self._cost_model)
        is_recorded = (options is not None and options.trace_level) or (is_costed and run_metadata is not None)
        if run_metadata is not None:
            run_metadata.trace, run_metadata.executed, run_metadata.is_costed = None, None, is_costed
        with (
            self._library_threads(signature),
            self.store.releasing_locks() if signature.takes_locks else nullcontext(),
            nullcontext() if check is None else self.store.ending_at(check.end),
            nullcontext() if self.store.gpu is None else self.store.gpu.run(),
        ):
            try:
                fetched = self._run_recorded(call, run_metadata, check) if is_recorded else signature.run(call.values, check)
            except errors.OpError as error:
                _name_original(error, signature.partition)
                raise
        is_plain = check is None and self.store.memory is None and self.store.gpu is None and self._cost_model is None
        if is_plain and not (is_recorded or signature.takes_locks) and signature.is_compiled:
            self._remember(fetches, feed_dict, call)
        if check is not None:
            check(None)
        if options is not None and options.output_partition_graphs and run_metadata is not None:
            run_metadata.executed = signature
        return call.structure.rebuild(fetched)

    def _library_threads(self, signature: Signature) -> AbstractContextManager[None]:
        """A block in which the library of linear algebra uses the threads that this session may give it."""
        return blas_threads.limited(self._threads) if self._threads or signature.multiplies else nullcontext()

    def _note(self, signature: Signature) -> None:
        """Adds a run with a legal schedule to the graph's history."""
        signature.schedule()
        signature.noted = True
        position = len(self._graph.operations)
        run = Ran(self.noted, position, signature.tensors, signature.operations, signature.feeds, sites.here())
        self._graph.history.ran(run)

    def prepare(self, fetches: Any, feed_dict: Any = None) -> Call:
        """Checks fetches and feeds, before anything runs."""
        self._check_usable()
        structure = Structure(self._graph, fetches, self)
        feed_values = resolved(self._graph, feed_dict)
        signature = self._signature(
            tuple(structure.tensors), tuple(dict.fromkeys(structure.operations)), tuple(feed_values)
        )
        values = [convert(value) for convert, value in zip(signature.converters, feed_values.values())]
        return Call(signature, structure, values)

    def _check_usable(self) -> None:
        if self._closed:
            raise RuntimeError(
                errors.error_text("Attempted to use a closed Session.", fix="run within the `with` block, or make a session anew")
            )
        if not self._graph.operations:
            raise RuntimeError(
                "The Session graph is empty. Add operations to the graph before calling run()."
            )

    def partition(self, fetches: Any, feed_dict: Any = None) -> Partition:
        """The run on its devices (not in TF): `graph` has the nodes with the transfers between them, `transfers` lists these.

        Raises: ValueError for a session with one device.
        """
        signature = self.prepare(fetches, feed_dict).signature
        signature.schedule()
        if signature.partition is None:
            raise ValueError(
                errors.error_text(
                    "This session has one device, and no tensor travels.",
                    fix='tf.Session(config=tf.ConfigProto(device_count={"GPU": 2})) has two simulated GPUs',
                )
            )
        return signature.partition

    def stages(self, fetches: Any, feed_dict: Any = None) -> tuple[Pruned, Placed, Schedule, Plan | NotCompiled]:
        """The records of a run's stages: pruned, placed, scheduled, compiled; each prints itself.

        For loops that only the interpreter runs, the last one is the reason in place of a plan.
        """
        call = self.prepare(fetches, feed_dict)
        scheduled = call.signature.schedule()
        try:
            plan: Plan | NotCompiled = call.signature.plan_for(call.values)
        except NotCompiled as refused:
            plan = refused
        return scheduled.placed.pruned, scheduled.placed, scheduled, plan

    def _signature(
        self, tensors: tuple[Tensor, ...], operations: tuple[Operation, ...], feeds: tuple[Tensor, ...]
    ) -> Signature:
        key = (tensors, operations, feeds)
        with self._lock:
            if self._graph.mutations != self._seen_mutations:
                self._seen_mutations = self._graph.mutations
                self._ready.clear()
                self._signatures.clear()
            signature = self._signatures.get(key)
            if signature is None:
                if len(self._signatures) >= MAX_SIGNATURES:
                    # A program whose every run has other fetches must not fill the memory: drop the oldest signature.
                    self._signatures.pop(next(iter(self._signatures)))
                    self._ready.clear()
                signature = self._signatures[key] = Signature(self, tensors, operations, feeds)
        return signature

    def _remember(self, fetches: Any, feed_dict: Any, call: Call) -> None:
        """Keeps a function that repeats this call with its plan alone."""
        if call.signature.computed != call.signature.tensors or type(feed_dict) not in (dict, NoneType):
            return
        if not _has_key(fetches) or any(isinstance(key, tuple) or hasattr(key, "_parts") for key in feed_dict or ()):
            return  # what is fed by parts is not kept either
        try:
            key = _key(fetches)
            if feed_dict is not None:
                key = (key, *feed_dict)
            hash(key)
        except TypeError:
            return
        with self._lock:
            if not self._closed:
                again = repeated(call, fetches)
                is_bounded = self._threads or call.signature.multiplies
                self._ready[key] = blas_threads.within(self._threads, again) if is_bounded else again

    def make_callable(
        self, fetches: Any, feed_list: Sequence[Any] | None = None, accept_options: bool = False
    ) -> Any:
        """A function of the values of `feed_list` that runs `fetches`."""
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError("`feed_list` must be a list or tuple.")
        feeds: list[Any] = []
        for key in feed_list or ():
            # A composite (SparseTensor) is fed by one value for all its parts.
            parts = [resolve(self._graph, part) for part in getattr(key, "_parts", (key,))]
            feeds.append(key if hasattr(key, "_parts") else parts[0])
        Structure(self._graph, fetches)

        def call(*values: Any, **options: Any) -> Any:
            if len(values) != len(feeds):
                raise ValueError(f"`fetches` expects {len(feeds)} argument(s), but {len(values)} were given")
            if options and not accept_options:
                raise TypeError("this callable takes no options: make it with accept_options=True")
            return self.run(fetches, dict(zip(feeds, values)) if feeds else None, **options)

        return call

    # -- ending --------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends the session and frees its variables."""
        with self._lock:
            self._closed = True
            self._ready.clear()
            self._signatures.clear()
            self._partial_runs.clear()
            self.store.close()
        for call in self.store.unreturned():
            log.warning("The session is closed, but a py_func has not returned: %s", call)

    def as_default(self) -> Entry:
        """`with sess.as_default():` `eval()` and `run()` of tensors and operations use this session."""
        return Entry("sessions", self)


class Session(BaseSession):
    """Runs parts of a graph; `with Session() as sess:` also makes it and its graph the default ones."""

    def __enter__(self) -> Session:
        if self._entries:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter a "
                "session multiple times."
            )
        entries = [self._graph.as_default(), self.as_default()]
        for entry in entries:
            entry.__enter__()
        self._entries.append(entries)
        return self

    def __exit__(self, *exc: object) -> None:
        if not self._entries:
            raise RuntimeError("This session's `with` block was not entered.")
        # If an inner block is still open, this raises and the session stays entered.
        for entry in reversed(self._entries[-1]):
            entry.__exit__(*exc)
        self._entries.pop()
        self.close()

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Clears containers of a server: there is none in this process, so there is nothing to clear."""
        raise errors.UnimplementedError(
            None, None, f"Session.reset needs a server, and {target!r} names none."
        )


class InteractiveSession(BaseSession):
    """A session that is the default one from its construction on: for notebooks. One that is not closed keeps its values.

    A newer one takes its place, and gives it back when it is closed. Differs from TF: meanwhile the older one lives only as long
    as the program holds it, so that a cell that is run again and again does not fill the memory.
    State: those that are open.
    """

    _open: ClassVar[weakref.WeakSet[InteractiveSession]] = weakref.WeakSet()

    def __init__(
        self, target: str = "", graph: Graph | None = None, config: Any = None, schedule: Policy | str | None = None
    ) -> None:
        super().__init__(target, graph, config, schedule)
        if InteractiveSession._open:
            warnings.warn(
                "An interactive session is already active. This can cause out-of-memory errors in some cases. You must "
                "explicitly call `InteractiveSession.close()` to release resources held by the other session(s).",
                stacklevel=2,
            )
        InteractiveSession._open.add(self)
        self._given_graph = graph
        self._places: list[Entry] = []
        self._covered: list[weakref.ref[InteractiveSession]] = []  # whose place it took, the last one latest
        before = get_default_session()
        if isinstance(before, InteractiveSession):
            self._covered = [*before._covered, weakref.ref(before)]
            before._leave()
        self._enter()

    def close(self) -> None:
        super().close()
        InteractiveSession._open.discard(self)
        was_default = bool(self._places)
        self._leave()
        if was_default:
            covered = [session for ref in self._covered if (session := ref()) is not None and not session._closed]
            if covered:
                covered[-1]._enter()

    def _enter(self) -> None:
        self._places = [Entry("sessions", self, enforce=False)]
        if self._given_graph is not None:
            self._places.append(Entry("graphs", self._given_graph, enforce=False))
        for entry in self._places:
            entry.__enter__()

    def _leave(self) -> None:
        for entry in reversed(self._places):
            entry.__exit__()
        self._places = []


def _name_original(error: errors.OpError, divided: Partition | None) -> None:
    """Lets an error name the node of the program, not its copy in a partition."""
    if divided is not None and error.op is not None and error.op.graph is divided.graph:
        error._op = divided.original(error.op)


def _exhausted(error: MemoryError) -> errors.ResourceExhaustedError:
    """The error of a run that needed memory outside of any node: to convert what is fed, or to copy what is fetched."""
    return errors.ResourceExhaustedError(None, None, errors.error_text(f"OOM in Session.run: {error}"))


def _key(fetches: Any) -> Any:
    """The `fetches` argument as a key: nests of lists, tuples and dicts as tuples that begin with their class."""
    kind = type(fetches)
    if kind in _LEAVES:
        return fetches
    if kind is list or kind is tuple or issubclass(kind, tuple):
        return (kind, *[part if type(part) in _LEAVES else _key(part) for part in fetches])
    if kind is dict or kind is OrderedDict:
        return (kind, *[(name, part if type(part) in _LEAVES else _key(part)) for name, part in fetches.items()])
    return fetches


_LEAVES: Final = frozenset({Tensor, Operation, str})


def _has_key(fetches: Any) -> bool:
    """Whether arguments with the same `_key` are fetched alike: whether all leaves and nests are of known classes."""
    kind = type(fetches)
    if kind in _LEAVES or hasattr(kind, "_as_graph_element") or hasattr(kind, "_parts"):
        return True
    if kind is list or issubclass(kind, tuple):
        return all(map(_has_key, fetches))
    return (kind is dict or kind is OrderedDict) and all(map(_has_key, fetches.values()))
