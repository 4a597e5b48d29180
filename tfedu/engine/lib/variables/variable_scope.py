"""`with variable_scope("layer"):` names variables, and `get_variable("w", [2])` inside finds or makes `layer/w`.

A scope also says what variables in it are like where `get_variable` is not told: initializer, regularizer, partitioner, ….
No state but the graph's two stores (`scope_store.py`, `variable_store.py`).
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...op.name_scopes import graph_among, name_scope
from ..framework.graph_keys import GraphKeys
from .scope_store import scopes_of
from .variable_settings import VariableAggregation, VariableSynchronization
from .variable_store import VariableStore, store_of


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


class VariableScope:
    """What `get_variable` assumes in a scope.

    name: what comes before the variables' names. reuse: whether variables must be there (True), must not (False), or
    are made when they are missing (AUTO_REUSE). original_name_scope: the name scope that was opened with the scope.
    """

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        name_scope: str = "",
        dtype: Any = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ) -> None:
        self.reuse = reuse
        self.name = name
        self.initializer = initializer
        self.regularizer = regularizer
        self.caching_device = caching_device
        self.partitioner = partitioner
        self.custom_getter = custom_getter
        self.original_name_scope = name_scope
        self.dtype = dtype
        self.use_resource = use_resource
        self.constraint = constraint

    def reuse_variables(self) -> None:
        """From now on, variables of this scope must be there already."""
        self.reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Sets what makes first values."""
        self.initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Sets the dtype of variables."""
        self.dtype = dtype

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Sets whether variables are resource variables."""
        self.use_resource = use_resource

    def set_regularizer(self, regularizer: Any) -> None:
        """Sets what makes a loss of each variable."""
        self.regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Sets where reads are kept."""
        self.caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Sets what cuts variables into parts."""
        self.partitioner = partitioner

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Sets what is asked for variables first."""
        self.custom_getter = custom_getter

    def get_collection(self, name: Any) -> list[Any]:
        """The items of a collection whose names begin with this scope's."""
        return get_default_graph().get_collection(name, f"{self.name}/" if self.name else "")

    def trainable_variables(self) -> list[Any]:
        """The scope's variables that are trained."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list[Any]:
        """The scope's global variables."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list[Any]:
        """The scope's local variables."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(
        self,
        var_store: VariableStore,
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        custom_getter: Any = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        """The variable of that name in this scope, found or made; what is None is as the scope says."""

        def own(given: Any, setting: str) -> Any:
            return getattr(self, setting) if given is None else given

        # Name scopes have no part in a variable's name.
        with get_default_graph().transaction(), name_scope(None):
            if dtype is not None and initializer is not None and not callable(initializer):
                found = convert_to_tensor(initializer).dtype.base_dtype
                if found != dtype:
                    raise ValueError(
                        error_text(f"Initializer type '{found}' and explicit dtype '{dtypes.as_dtype(dtype)}' don't match.")
                    )
            return var_store.get_variable(
                name=self._full(name),
                shape=shape,
                dtype=own(dtype, "dtype"),
                initializer=own(initializer, "initializer"),
                regularizer=own(regularizer, "regularizer"),
                reuse=own(reuse, "reuse"),
                trainable=trainable,
                collections=collections,
                caching_device=own(caching_device, "caching_device"),
                partitioner=own(partitioner, "partitioner"),
                validate_shape=validate_shape,
                use_resource=own(use_resource, "use_resource"),
                custom_getter=own(custom_getter, "custom_getter"),
                constraint=own(constraint, "constraint"),
                synchronization=synchronization,
                aggregation=aggregation,
            )

    def _full(self, name: str) -> str:
        return f"{self.name}/{name}" if self.name else name


# What a `variable_scope` block may set; all but the constraint passes on to the scopes inside.
_SETTINGS = ("initializer", "regularizer", "caching_device", "partitioner", "dtype", "use_resource")


class pure_variable_scope:
    """`with pure_variable_scope("layer") as scope:` opens a variable scope and no name scope.

    name_scope: the one that was opened with a scope that is given by name.
    """

    def __init__(
        self,
        name_or_scope: str | VariableScope,
        reuse: Any = None,
        name_scope: str | None = None,
        custom_getter: Any = None,
        constraint: Any = None,
        **settings: Any,
    ) -> None:
        self._given = name_or_scope
        self._reuse = reuse
        self._name_scope = name_scope
        self._custom_getter = custom_getter
        self._constraint = constraint
        self._settings = settings

    def __enter__(self) -> VariableScope:
        store = self._store = scopes_of(get_default_graph())
        given, outer = self._given, get_variable_scope()
        if isinstance(given, VariableScope):
            like, name, opened_with = given, given.name, given.original_name_scope
        else:
            like, name, opened_with = outer, outer._full(given), given
            if self._name_scope is not None:
                opened_with = self._name_scope
        settings = {
            key: getattr(like, key) if self._settings.get(key) is None else self._settings[key]
            for key in _SETTINGS
        }
        self._scope = VariableScope(
            self._reuse or like.reuse,
            name=name,
            name_scope=opened_with,
            custom_getter=_composed(self._custom_getter, like.custom_getter),
            constraint=self._constraint,
            **settings,
        )
        store.opened(name)
        self._counts = dict(store.counts)
        self._outer = outer
        store.current = self._scope
        return self._scope

    def __exit__(self, *exc: object) -> None:
        store = self._store
        if store.current is not self._scope:
            raise RuntimeError(error_text("Improper nesting of variable_scope."))
        if isinstance(self._given, VariableScope):
            store.counts = self._counts
        else:
            store.forget_inside(self._scope.name)
        store.current = self._outer


def _composed(inner: Any, outer: Any) -> Any:
    """The getter that asks `inner` first, to which the usual getter looks like `outer`."""
    if inner is None or outer is None:
        return outer if inner is None else inner

    def both(getter: Any, *args: Any, **kwargs: Any) -> Any:
        return inner(functools.partial(outer, getter), *args, **kwargs)

    return both


class variable_scope:
    """`with variable_scope("layer") as scope:` variables inside are called `layer/…`, and so are nodes.

    Opened again by name or by `scope`, the variables' names begin alike and the nodes' with `layer_1/`.
    default_name: taken for a name of None, and made unique. values: tensors whose graph is the default inside. reuse:
    True, AUTO_REUSE, or None for what the outer scope says. auxiliary_name_scope: False opens no name scope. The rest
    is what `get_variable` inside takes for what it is not told.
    Raises: TypeError and ValueError for names and reuse that are none.
    """

    def __init__(
        self,
        name_or_scope: str | VariableScope | None,
        default_name: str | None = None,
        values: Iterable[Any] | None = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        reuse: Any = None,
        dtype: Any = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        if default_name is None and name_or_scope is None:
            raise TypeError(error_text("If default_name is None then name_or_scope is required"))
        if not (reuse is None or reuse is True or reuse is False or reuse is AUTO_REUSE):
            raise ValueError(error_text("The reuse parameter must be True or False or None."))
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(
                error_text(f"The auxiliary_name_scope must be `True` or `False`, while get {auxiliary_name_scope}")
            )
        self._given = name_or_scope
        self._default_name = default_name
        self._graph = graph_among(values or ()) or get_default_graph()
        self._auxiliary = auxiliary_name_scope
        self._options = {
            "initializer": initializer,
            "regularizer": regularizer,
            "caching_device": caching_device,
            "partitioner": partitioner,
            "custom_getter": custom_getter,
            "reuse": reuse or None,
            "dtype": dtype,
            "use_resource": use_resource,
            "constraint": constraint,
        }
        self._opened: list[ExitStack] = []

    def __enter__(self) -> VariableScope:
        graph, given = self._graph, self._given
        with ExitStack() as stack:
            stack.enter_context(graph.as_default())
            if given is None:
                if self._options["reuse"]:
                    raise ValueError(error_text("reuse=True cannot be used without a name_or_scope"))
                label = self._default_name
            elif isinstance(given, VariableScope):
                label = given.name.rpartition("/")[2]
            elif isinstance(given, str):
                label = given
            else:
                raise TypeError(error_text("VariableScope: name_or_scope must be a string or VariableScope."))
            shown = None
            if not self._auxiliary:
                inside = graph.get_name_scope()
                shown = stack.enter_context(name_scope(f"{inside}/" if inside else ""))
            elif label:
                shown = stack.enter_context(name_scope(label))
            if given is None:
                # A block that is entered again keeps the name that it found.
                given = self._given = scopes_of(graph).unique(label or "")
            scope = stack.enter_context(pure_variable_scope(given, name_scope=shown, **self._options))
            self._opened.append(stack.pop_all())
        return scope

    def __exit__(self, *exc: Any) -> None:
        self._opened.pop().__exit__(*exc)


def get_variable_scope() -> VariableScope:
    """The open variable scope."""
    store = scopes_of(get_default_graph())
    if store.current is None:
        store.current = VariableScope(False)
    scope: VariableScope = store.current
    return scope


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """The variable of that name in the open variable scope, found or made as the scope's `reuse` says.

    initializer: an object, class or function of the shape, or a value. regularizer: makes a loss of the variable.
    Raises: ValueError when the variable exists and must not, or must and does not, or does not fit what is asked.
    """
    return get_variable_scope().get_variable(
        store_of(get_default_graph()),
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=collections,
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def get_local_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = False,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """`get_variable` of a local variable, which is never trained, whatever `trainable` says."""
    return get_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=False,
        collections=[*(collections or ()), GraphKeys.LOCAL_VARIABLES],
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def variable_op_scope(
    values: Iterable[Any] | None,
    name_or_scope: str | VariableScope | None,
    default_name: str | None = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    reuse: Any = None,
    dtype: Any = None,
    use_resource: bool | None = None,
    constraint: Any = None,
) -> variable_scope:
    """The older form of `variable_scope`."""
    return variable_scope(
        name_or_scope, default_name, values, initializer, regularizer, caching_device, partitioner, custom_getter,
        reuse, dtype, use_resource, constraint,
    )  # fmt: skip


def no_regularizer(_: Any) -> None:
    """A regularizer that adds no loss, where the scope's is not wanted."""


@contextmanager
def variable_creator_scope(variable_creator: Any) -> Iterator[None]:
    """`with variable_creator_scope(creator):` `creator(next_creator, **kwargs)` makes the variables inside."""
    with get_default_graph()._variable_creator_scope(variable_creator):
        yield


__all__ = [
    "AUTO_REUSE",
    "VariableScope",
    "get_local_variable",
    "get_variable",
    "get_variable_scope",
    "no_regularizer",
    "variable_creator_scope",
    "variable_op_scope",
    "variable_scope",
]
