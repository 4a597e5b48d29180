"""What all layers of `tf.contrib.layers` do around their own nodes: a variable scope, normalization, activation, collections.

No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...lib.variables.variable_scope import VariableScope, variable_scope
from .collected_outputs import collect_named_outputs, collect_variable
from .model_variables import model_variable

RENAMES = {"bias": "biases", "kernel": "weights"}


def layer_block(
    scope: Any, default_name: str, inputs: Any, reuse: Any = None, renames: dict[str, str] | None = None
) -> variable_scope:
    """`with layer_block(…) as block:` a variable scope whose variables are model variables.

    renames: the names of contrib's layers for the variables of tf.layers.
    """
    return variable_scope(scope, default_name, [inputs], reuse=reuse, custom_getter=_getter(renames or {}))


def _getter(renames: dict[str, str]) -> Callable[..., Any]:
    """A custom getter of model variables."""

    def model_variable_getter(
        getter: Callable[..., Any],
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool = True,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        **_: Any,
    ) -> Any:
        outer, slash, own = name.rpartition("/")
        return model_variable(
            f"{outer}{slash}{renames.get(own, own)}",
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            regularizer=regularizer,
            collections=collections,
            trainable=trainable,
            caching_device=caching_device,
            partitioner=partitioner,
            custom_getter=getter,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )

    return model_variable_getter


def collect_layer_variables(layer: Any, variables_collections: Any, **kinds: str) -> None:
    """Adds a layer's variables to their collections. kinds: attribute of the layer -> kind in a dict of collections."""
    for attribute, kind in kinds.items():
        variable = getattr(layer, attribute, None)
        if variable is not None and not isinstance(variable, Tensor):  # a constant in place of gamma is no variable
            collect_variable(variable, variables_collections, kind)


def finished(
    block: VariableScope,
    outputs: Any,
    activation_fn: Callable[[Any], Any] | None,
    outputs_collections: Any,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: dict[str, Any] | None = None,
) -> Any:
    """The outputs after normalization and activation, added to the collections under the block's name."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collect_named_outputs(outputs_collections, block.name, outputs)


def check_data_format(data_format: Any, *allowed: str) -> None:
    """Raises: ValueError for another data format."""
    if data_format not in allowed:
        raise ValueError(error_text(f"data_format has to be either {' or '.join(allowed)}."))


__all__ = ["RENAMES", "check_data_format", "collect_layer_variables", "finished", "layer_block"]
