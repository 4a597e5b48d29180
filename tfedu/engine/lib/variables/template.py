"""`make_template("layer", f)`: a function that creates its variables in the first call and shares them in later ones.

State: each template's variable scope, and whether its variables exist.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from ...base import dtypes
from ...base import site as sites
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ..framework.graph_keys import GraphKeys
from .scope_store import scopes_of
from .variable_scope import VariableScope, pure_variable_scope, variable_scope
from .variables import trainable_variables


class Template:
    """A function with its own variable scope.

    Raises: ValueError without a name; in later calls for new trainable variables.
    """

    def __init__(
        self,
        name: str,
        func: Callable[..., Any],
        create_scope_now: bool = False,
        unique_name: str | None = None,
        custom_getter: Any = None,
    ) -> None:
        if name is None:
            raise ValueError(error_text("name cannot be None."))
        self._func = func
        self._name = name
        self._unique_name = unique_name
        self._custom_getter = custom_getter
        self._site = sites.capture()
        self._scope: VariableScope | None = None
        self._has_variables = False
        if create_scope_now:
            scope_name = unique_name or scopes_of(get_default_graph()).unique(name)
            # As in TF, this scope does not inherit the outer scope's dtype.
            with pure_variable_scope(scope_name, custom_getter=custom_getter, dtype=dtypes.float32) as scope:
                self._scope = scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._scope is not None:
            block: AbstractContextManager[VariableScope] = variable_scope(self._scope, reuse=self._has_variables)
        else:
            block = variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter)
        with block as scope:
            self._scope = self._scope or scope
            try:
                return self._call(args, kwargs)
            except Exception as error:
                first = error.args[0] if error.args else ""
                text = f"{first}\n\noriginally defined at:\n  {sites.describe(self._site)}\n"
                error.args = (text, *error.args[1:])
                raise

    def _call(self, args: Any, kwargs: Any) -> Any:
        before = trainable_variables()
        result = self._func(*args, **kwargs)
        new_variables = trainable_variables()[len(before) :]
        if self._has_variables and new_variables:
            raise ValueError(
                error_text(
                    "Trainable variable created when calling a template after the first time, perhaps you used tf.Variable "
                    f"when you meant tf.get_variable: {new_variables}"
                )
            )
        self._has_variables = True
        return result

    @property
    def name(self) -> str:
        return self._name

    @property
    def func(self) -> Callable[..., Any]:
        return self._func

    @property
    def variable_scope(self) -> VariableScope | None:
        """The scope of the variables, None before it exists."""
        return self._scope

    @property
    def variable_scope_name(self) -> str | None:
        """The scope's name with a slash, None before the scope exists."""
        if self._scope is None:
            return None
        name = self._scope.name
        return f"{name}/" if name and not name.endswith("/") else name

    def _collection(self, key: str) -> list[Any]:
        return get_default_graph().get_collection(key, self.variable_scope_name) if self._has_variables else []

    @property
    def trainable_variables(self) -> list[Any]:
        """The template's trainable variables."""
        return self._collection(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def global_variables(self) -> list[Any]:
        """The template's global variables."""
        return self._collection(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self) -> list[Any]:
        """The template's local variables."""
        return self._collection(GraphKeys.LOCAL_VARIABLES)

    @property
    def variables(self) -> list[Any]:
        """All variables of the template."""
        return self.global_variables + self.local_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The template's global variables that are not trainable."""
        trained = set(self.trainable_variables)
        return [v for v in self.global_variables if v not in trained]

    # Older names.
    weights = variables
    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables
    var_scope = variable_scope


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> Template:
    """`func_` with `kwargs` bound, whose variables are created once and shared by all calls.

    The scope is `name_`, made unique, or `unique_name_`. create_scope_now_: opens the scope now instead of in the
    first call.

    Raises: ValueError without a name; in later calls for new trainable variables.
    """
    func = functools.partial(func_, **kwargs) if kwargs else func_
    return Template(name_, func, create_scope_now_, unique_name_, custom_getter_)


__all__ = ["make_template"]
