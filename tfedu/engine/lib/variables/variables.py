"""`Variable`: a value that a session keeps between runs, and the collections of a graph's variables.

`Variable(…)` builds a variable of one kind (`reference_variables.py`, `resource_variables.py`). State: `kinds` (the classes by
kind; both modules add theirs) and `_defaults.use_resource`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from ...base import dtypes
from ...base.dtypes import DType
from ...base.errors import error_text
from ...base.shapes import Shape, TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.graph import Graph
from ...graph.nodes import Operation, Reference, Tensor
from ...graph.stacks import get_default_session
from ..control.cond import cond
from ..framework import operators
from ..framework.graph_keys import GraphKeys
from ..framework.scope_blocks import named, waiting_for
from . import state
from .initial_values import colocated_with_new
from .scatter import ScatterMethods
from .scope_store import scopes_of
from .variable_settings import (
    SaveSliceInfo,
    VariableAggregation,
    VariableSynchronization,
    resolve_settings,
)


class _Defaults:
    use_resource = False


_defaults = _Defaults()
kinds: dict[str, type[Variable]] = {}


def enable_resource_variables() -> None:
    """Makes resource variables the default of `Variable`."""
    _defaults.use_resource = True


def disable_resource_variables() -> None:
    """Makes reference variables the default of `Variable`."""
    _defaults.use_resource = False


def resource_variables_enabled() -> bool:
    """Whether `Variable` builds resource variables by default."""
    return _defaults.use_resource


class _VariableMeta(type):
    """`Variable(…)` calls the graph's variable creators, the innermost first, then the class of the variable's kind."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not Variable:
            return super().__call__(*args, **kwargs)
        create: Callable[..., Any] = _create_by_kind
        for _, creator in get_default_graph()._variable_creators:
            create = functools.partial(creator, create)
        if create is _create_by_kind and len(args) <= len(_signature.parameters):
            # Binding takes half as long as building the variable.
            return create(**dict(zip(_signature.parameters, args)), **kwargs)
        bound = _signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return create(**bound.arguments)


def _create_by_kind(use_resource: bool | None = None, **kwargs: Any) -> Any:
    """Builds a variable without a creator. The body of a function builds a resource variable in the graph outside all functions,
    as in TF, and every call of the function uses that variable.
    """
    graph = get_default_graph()
    if graph.building_function:
        while (outer := getattr(graph, "outer", None)) is not None:
            graph = outer
        with graph.as_default():
            return kinds["resource"](**kwargs)
    if use_resource is None:
        use_resource = getattr(scopes_of(get_default_graph()).current, "use_resource", None)
    if use_resource is None:
        use_resource = _defaults.use_resource
    return kinds["resource" if use_resource else "reference"](**kwargs)


class Variable(ScatterMethods, metaclass=_VariableMeta):
    """A value [...] that a session keeps between runs.

    initial_value: a value, a tensor, or a function that returns one. trainable: whether it joins the collection of
    trainable variables. validate_shape: False allows its shape to change. use_resource: True for a resource variable,
    whose every use builds a read.

    Raises: ValueError for a missing initial value, one of unknown shape, or one built inside a branch of `cond`.
    """

    _graph: Graph
    _initial_value: Tensor | None
    _initializer: Operation
    _save_slice_info: Any = None

    SaveSliceInfo = SaveSliceInfo

    @atomic
    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Callable[[Any], Any] | None = None,
        use_resource: bool | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
        shape: Any = None,
    ) -> None:
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError(error_text("variable_def and initial_value are mutually exclusive."))
            self._from_proto(variable_def, import_scope)
            return
        if initial_value is None:
            raise ValueError(error_text("initial_value must be specified."))
        if collections is None:
            collections = [GraphKeys.GLOBAL_VARIABLES]
        if not isinstance(collections, (list, tuple, set)):
            raise ValueError(
                error_text(
                    "collections argument to Variable constructor must be a list, tuple, or set. "
                    f"Got {collections} of type {type(collections)}"
                )
            )
        if constraint is not None and not callable(constraint):
            raise ValueError(error_text("The `constraint` argument must be a callable."))
        self.trainable, self.synchronization, self.aggregation = resolve_settings(
            trainable, synchronization, aggregation, name
        )
        if self.trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections = [*collections, GraphKeys.TRAINABLE_VARIABLES]
        self.constraint = constraint
        requested_dtype = None if dtype is None else dtypes.as_dtype(dtype)
        values = [initial_value] if isinstance(initial_value, Tensor) else []
        # A variable belongs to no branch and has no control inputs, wherever the program builds it.
        with named(name, "Variable", values) as scope, waiting_for(None):
            self._graph = get_default_graph()
            self._make(initial_value, scope, requested_dtype, shape, validate_shape, caching_device)
        self._graph.add_to_collections(list(collections), self)

    def _make(
        self,
        initial_value: Any,
        scope: str,
        dtype: DType | None,
        shape: Any,
        validate_shape: bool,
        caching_device: Any,
    ) -> None:
        raise NotImplementedError

    def _initial(self, value: Any, dtype: DType | None, own_name: str) -> Tensor:
        """The initial value as a tensor under Initializer/, colocated with the variable."""
        graph = self._graph
        with colocated_with_new(graph, own_name), graph.name_scope("Initializer"), graph.device(None):
            return convert_to_tensor(value() if callable(value) else value, dtype, name="initial_value")

    def _from_proto(self, variable_def: Any, import_scope: str | None) -> None:
        """Wraps existing nodes of the graph; `interop` implements it."""
        raise NotImplementedError

    def _set_save_slice_info(self, save_slice_info: Any) -> None:
        self._save_slice_info = save_slice_info

    def _get_save_slice_info(self) -> Any:
        return self._save_slice_info

    # -- properties ------------------------------------------------------------------------------------------------

    @property
    def graph(self) -> Graph:
        return self._graph

    @property
    def initializer(self) -> Operation:
        """The operation that initializes the variable."""
        return self._initializer

    @property
    def initial_value(self) -> Tensor | None:
        """The tensor that `initializer` stores."""
        return self._initial_value

    @property
    def name(self) -> str:
        raise NotImplementedError

    @property
    def op(self) -> Operation:
        raise NotImplementedError

    @property
    def dtype(self) -> DType:
        raise NotImplementedError

    @property
    def raw_shape(self) -> Shape:
        raise NotImplementedError

    @property
    def device(self) -> str:
        return self.op.device

    @property
    def shape(self) -> TensorShape:
        return TensorShape.of(self.raw_shape)

    def get_shape(self) -> TensorShape:
        return self.shape

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    # -- reads ------------------------------------------------------------------------------------------------

    def value(self) -> Tensor:
        """The tensor [...] that represents the variable as an input."""
        raise NotImplementedError

    def read_value(self) -> Tensor:
        """A new node that reads the variable [...]."""
        raise NotImplementedError

    def initialized_value(self) -> Tensor:
        """The variable's value [...], or its initial value in runs that find it uninitialized."""
        with waiting_for(None):
            value: Tensor = cond(
                state.is_variable_initialized(self), self.read_value, lambda: self.initial_value
            )
            return value

    def eval(self, session: Any = None) -> Any:
        """The value in `session`, by default in the default session."""
        return self._as_graph_element().eval(session=session)

    def load(self, value: Any, session: Any = None) -> None:
        """Stores `value` [...] in `session`, by default in the default session, without a new node.

        Raises: ValueError when there is no session.
        """
        session = session or get_default_session()
        if session is None:
            raise ValueError(
                error_text("Either session argument should be provided or default session should be established")
            )
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    def _as_graph_element(self) -> Tensor:
        raise NotImplementedError

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """Raises: AttributeError: only resource variables have sparse_read."""
        raise AttributeError(error_text("Only a resource variable has sparse_read: use tf.gather."))

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """Raises: AttributeError: only resource variables have gather_nd."""
        raise AttributeError(error_text("Only a resource variable has gather_nd: use tf.gather_nd."))

    def set_shape(self, shape: Any) -> None:
        """Merges `shape`, such as [None, 3], into the static shape."""
        raise NotImplementedError

    def experimental_ref(self) -> Reference:
        """A hashable reference, equal to other references to the same variable."""
        return Reference(self)

    # -- updates -----------------------------------------------------------------------------------------------

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Stores `value` [...]; returns the variable after the assign, or the operation alone."""
        raise NotImplementedError

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds `delta` [...]; returns the variable after the update, or the operation alone."""
        raise NotImplementedError

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts `delta` [...]; returns the variable after the update, or the operation alone."""
        raise NotImplementedError

    def count_up_to(self, limit: int) -> Tensor:
        """The value, a scalar, which is then incremented; at `limit` a run raises OutOfRangeError."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.value())

    # NumPy must leave `array + variable` to the variable's own operator.
    __array_priority__ = 100


operators.attach(Variable)
# `Variable` accepts the arguments of `__init__`.
_parameters = inspect.signature(Variable.__init__).parameters
_signature = inspect.Signature(list(_parameters.values())[1:])
Variable.__signature__ = _signature  # type: ignore[attr-defined]


# -- collections of variables -----------------------------------------------------------------------------------------


def global_variables(scope: str | None = None) -> list[Any]:
    """The variables that machines share, in the order of creation."""
    return get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def all_variables() -> list[Any]:
    """The older name of `global_variables`."""
    return global_variables()


def local_variables(scope: str | None = None) -> list[Any]:
    """The variables of one process, in the order of creation."""
    return get_default_graph().get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """The trainable variables, in the order of creation."""
    return get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """The variables that a model needs for inference."""
    return get_default_graph().get_collection(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The variables that have moving averages."""
    return get_default_graph().get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


__all__ = [
    "Variable",
    "VariableAggregation",
    "VariableSynchronization",
    "all_variables",
    "disable_resource_variables",
    "enable_resource_variables",
    "global_variables",
    "local_variables",
    "model_variables",
    "moving_average_variables",
    "resource_variables_enabled",
    "trainable_variables",
]
