"""`with variable_scope("layer"):` names variables; `get_variable("w", [2])` inside gets or creates `layer/w`.

A scope also holds the defaults of `get_variable`: initializer, regularizer, partitioner, …. No state but the graph's
two stores (`scope_store.py`, `variable_store.py`).
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...base.foreign import foreign
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph, graph_for
from ...graph.transactions import Blocks
from ...op.name_scopes import name_scope
from ..framework.graph_keys import GraphKeys
from .scope_store import scopes_of
from .variable_settings import VariableAggregation, VariableSynchronization
from .variable_store import VariableStore, store_of


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


class VariableScope:
    """The defaults of `get_variable` in a scope.

    name: the prefix of the variables' names. reuse: whether variables must exist (True), must not exist (False), or
    are created when missing (AUTO_REUSE). original_name_scope: the name scope that was opened with the scope.
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
        """Requires variables of this scope to exist from now on."""
        self.reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Sets the default initializer."""
        self.initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Sets the default dtype."""
        self.dtype = dtype

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Sets whether variables are resource variables by default."""
        self.use_resource = use_resource

    def set_regularizer(self, regularizer: Any) -> None:
        """Sets the default regularizer."""
        self.regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Sets the default device on which reads are cached."""
        self.caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Sets the default partitioner."""
        self.partitioner = partitioner

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Sets the custom getter."""
        self.custom_getter = custom_getter

    def get_collection(self, name: Any) -> list[Any]:
        """The items of a collection whose names begin with this scope's."""
        return get_default_graph().get_collection(name, f"{self.name}/" if self.name else "")

    def trainable_variables(self) -> list[Any]:
        """The scope's trainable variables."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list[Any]:
        """The scope's global variables."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list[Any]:
        """The scope's local variables."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    @atomic
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
        """The variable [shape] of that name in this scope, existing or new; None arguments take the scope's defaults.

        Raises: ValueError as `tf.get_variable`.
        """

        def or_default(argument: Any, setting: str) -> Any:
            return getattr(self, setting) if argument is None else argument

        # Name scopes do not prefix variables' names.
        with name_scope(None):
            if dtype is not None and initializer is not None and not callable(initializer):
                value_dtype = convert_to_tensor(initializer).dtype.base_dtype
                if value_dtype != dtype:
                    raise ValueError(
                        error_text(f"Initializer type '{value_dtype}' and explicit dtype '{dtypes.as_dtype(dtype)}' don't match.")
                    )
            return var_store.get_variable(
                name=self._full(name),
                shape=shape,
                dtype=or_default(dtype, "dtype"),
                initializer=or_default(initializer, "initializer"),
                regularizer=or_default(regularizer, "regularizer"),
                reuse=or_default(reuse, "reuse"),
                trainable=trainable,
                collections=collections,
                caching_device=or_default(caching_device, "caching_device"),
                partitioner=or_default(partitioner, "partitioner"),
                validate_shape=validate_shape,
                use_resource=or_default(use_resource, "use_resource"),
                custom_getter=or_default(custom_getter, "custom_getter"),
                constraint=or_default(constraint, "constraint"),
                synchronization=synchronization,
                aggregation=aggregation,
            )

    def _full(self, name: str) -> str:
        return f"{self.name}/{name}" if self.name else name


# The settings of a `variable_scope` block that nested scopes inherit.
_SETTINGS = ("initializer", "regularizer", "caching_device", "partitioner", "dtype", "use_resource")


class pure_variable_scope:
    """`with pure_variable_scope("layer") as scope:` opens a variable scope without a name scope.

    name_scope: the name scope that belongs to a scope opened by name.
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
        self._name_or_scope = name_or_scope
        self._reuse = reuse
        self._name_scope = name_scope
        self._custom_getter = custom_getter
        self._constraint = constraint
        self._settings = settings

    def __enter__(self) -> VariableScope:
        self._graph = get_default_graph()
        return self._graph.attempt(self._enter)

    def _enter(self) -> VariableScope:
        store = self._store = scopes_of(self._graph)
        name_or_scope, outer = self._name_or_scope, get_variable_scope()
        if isinstance(name_or_scope, VariableScope):
            template, name, opened_with = name_or_scope, name_or_scope.name, name_or_scope.original_name_scope
        else:
            template, name, opened_with = outer, outer._full(name_or_scope), name_or_scope
            if self._name_scope is not None:
                opened_with = self._name_scope
        settings = {
            key: getattr(template, key) if self._settings.get(key) is None else self._settings[key]
            for key in _SETTINGS
        }
        self._scope = VariableScope(
            self._reuse or template.reuse,
            name=name,
            name_scope=opened_with,
            custom_getter=_composed(self._custom_getter, template.custom_getter),
            constraint=self._constraint,
            **settings,
        )
        self._graph.on_failure(store.restore, store.current, dict(store.counts))
        store.opened(name)
        self._counts = dict(store.counts)
        self._outer = outer
        store.current = self._scope
        return self._scope

    def __exit__(self, *exc: object) -> None:
        try:
            self._leave()
        except BaseException as error:
            if foreign(error) is not None:
                self.leave_once()
            raise

    def leave_once(self) -> None:
        """Closes the scope, if it is the open one."""
        if self._store.current is self._scope:
            self._leave()

    def _leave(self) -> None:
        store = self._store
        self._graph.on_failure(store.restore, store.current, dict(store.counts))
        if store.current is not self._scope:
            raise RuntimeError(error_text("Improper nesting of variable_scope."))
        if isinstance(self._name_or_scope, VariableScope):
            store.counts = self._counts
        else:
            store.forget_inside(self._scope.name)
        store.current = self._outer


def _composed(inner: Any, outer: Any) -> Any:
    """The getter that calls `inner` with `outer` as the next getter."""
    if inner is None or outer is None:
        return outer if inner is None else inner

    def composed(getter: Any, *args: Any, **kwargs: Any) -> Any:
        return inner(functools.partial(outer, getter), *args, **kwargs)

    return composed


class variable_scope:
    """`with variable_scope("layer") as scope:` prefixes the names of variables and nodes inside with `layer/`.

    Opened again by name or by `scope`, variables' names begin with `layer/` again, nodes' names with `layer_1/`.

    default_name: used and made unique when the name is None. values: tensors whose graph becomes the default inside.
    reuse: True, AUTO_REUSE, or None to inherit. auxiliary_name_scope: False opens no name scope. The other arguments
    are the defaults of `get_variable` inside.

    Raises: TypeError and ValueError for invalid names and reuse.
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
        self._name_or_scope = name_or_scope
        self._default_name = default_name
        self._graph = graph_for(values or ())
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
        self._opened: list[tuple[ExitStack, pure_variable_scope, Blocks]] = []

    def __enter__(self) -> VariableScope:
        count = len(self._opened)
        try:
            return self._graph.attempt(self._enter)
        except BaseException:
            del self._opened[count:]
            raise

    def _enter(self) -> VariableScope:
        graph, name_or_scope = self._graph, self._name_or_scope
        outside = graph.open_blocks()
        with ExitStack() as stack:
            stack.enter_context(graph.as_default())
            if name_or_scope is None:
                if self._options["reuse"]:
                    raise ValueError(error_text("reuse=True cannot be used without a name_or_scope"))
                label = self._default_name
            elif isinstance(name_or_scope, VariableScope):
                label = name_or_scope.name.rpartition("/")[2]
            elif isinstance(name_or_scope, str):
                label = name_or_scope
            else:
                raise TypeError(error_text("VariableScope: name_or_scope must be a string or VariableScope."))
            opened_name_scope = None
            if not self._auxiliary:
                outer_name_scope = graph.get_name_scope()
                opened_name_scope = stack.enter_context(name_scope(f"{outer_name_scope}/" if outer_name_scope else ""))
            elif label:
                opened_name_scope = stack.enter_context(name_scope(label))
            if name_or_scope is None:
                # A block that is entered again keeps its unique name.
                name_or_scope = self._name_or_scope = scopes_of(graph).unique(label or "")
            inner = pure_variable_scope(name_or_scope, name_scope=opened_name_scope, **self._options)
            scope = stack.enter_context(inner)
            self._opened.append((stack.pop_all(), inner, outside))
        return scope

    def __exit__(self, *exc: Any) -> None:
        try:
            if not self._opened:
                raise RuntimeError(error_text("Improper nesting of variable_scope."))
            self._opened[-1][0].__exit__(*exc)
        except BaseException as error:
            if foreign(error) is not None:
                _, scope, outside = self._opened[-1]
                scope.leave_once()
                self._graph.settle(outside)
            raise
        finally:
            del self._opened[-1:]


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
    """The variable [shape] of that name in the open variable scope, existing or new as the scope's `reuse` requires.

    initializer: an object, class or function of the shape, or a value. regularizer: a function from the variable to a
    loss.

    Raises: ValueError when the variable exists but must not, must exist but does not, or has another shape or dtype.
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
    """`get_variable` for a local variable [shape], which is never trainable, whatever `trainable` says.

    Raises: ValueError as `get_variable`.
    """
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
    """`variable_scope` with its arguments in the older order."""
    return variable_scope(
        name_or_scope, default_name, values, initializer, regularizer, caching_device, partitioner, custom_getter,
        reuse, dtype, use_resource, constraint,
    )  # fmt: skip


def no_regularizer(_: Any) -> None:
    """A regularizer without a loss; it overrides the scope's."""


@contextmanager
def variable_creator_scope(variable_creator: Any) -> Iterator[None]:
    """`with variable_creator_scope(creator):` calls `creator(next_creator, **kwargs)` for each new variable inside."""
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
