"""`tf.data.Options`: what a program asks of the runtime of its datasets."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text


class _Settings:
    """Named options, None where they are not set. A class lists its own in `_defaults`."""

    _defaults: dict[str, Any] = {}

    def __init__(self) -> None:
        object.__setattr__(self, "_set", {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in type(self)._defaults:
            raise AttributeError(f"Cannot get the property {name} on {type(self).__name__}.")
        default = type(self)._defaults[name]
        if isinstance(default, type):
            return self._set.setdefault(name, default())
        return self._set.get(name, default)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in type(self)._defaults:
            raise AttributeError(error_text(f"Cannot set the property {name} on {type(self).__name__}."))
        self._set[name] = value

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name in type(self)._defaults)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def merge(self, other: Any) -> Any:
        """These options with those of `other` added.

        Raises: ValueError for an option that both set to different values.
        """
        merged = type(self)()
        merged._set.update(self._set)
        for name, value in other._set.items():
            mine = merged._set.get(name)
            if isinstance(value, _Settings) and isinstance(mine, _Settings):
                merged._set[name] = mine.merge(value)
            elif mine is not None and value is not None and mine != value:
                raise ValueError(error_text(f"Cannot merge incompatible values of option: {name}"))
            elif value is not None:
                merged._set[name] = value
        return merged


class OptimizationOptions(_Settings):
    """Which stages become one. `shuffle_and_repeat_fusion` (None: yes) changes the order of elements."""

    _defaults = dict.fromkeys(
        (
            "apply_default_optimizations", "autotune", "autotune_algorithm", "autotune_cpu_budget", "filter_fusion",
            "filter_with_random_uniform_fusion", "hoist_random_uniform", "map_and_batch_fusion", "map_and_filter_fusion",
            "map_fusion", "map_parallelization", "map_vectorization", "noop_elimination", "parallel_batch",
            "shuffle_and_repeat_fusion",
        )
    )  # fmt: skip

    def names(self) -> list[str]:
        """The optimizations that are on, as TF names them."""
        by_default = self.apply_default_optimizations is not False
        on = []
        for name in ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion"):
            chosen = getattr(self, name)
            if chosen or (chosen is None and by_default):
                on.append(name)
        return on


class ThreadingOptions(_Settings):
    """Numbers of threads, which are kept: one thread does all the work."""

    _defaults = dict.fromkeys(("max_intra_op_parallelism", "private_threadpool_size"))


class StatsOptions(_Settings):
    """Where the stages count, and how the names there begin. `latency_all_edges` is kept: `latency_stats` measures one stage.

    Raises, when an option is set: TypeError for a value of another type.
    """

    _defaults = {"aggregator": None, "prefix": "", "counter_prefix": "", "latency_all_edges": None}
    _types = {"prefix": str, "counter_prefix": str, "latency_all_edges": bool}

    def __setattr__(self, name: str, value: Any) -> None:
        wanted = type(self)._types.get(name)
        is_wrong = not hasattr(value, "get_summary") if name == "aggregator" else wanted and not isinstance(value, wanted)
        if is_wrong:
            expected = wanted or "a StatsAggregator"
            raise TypeError(error_text(f'Property "{name}" must be of type {expected}, got: {value!r} (type: {type(value)})'))
        super().__setattr__(name, value)


class DistributeOptions(_Settings):
    """How elements are divided among workers, which is kept."""

    _defaults = dict.fromkeys(("auto_shard", "num_devices"))


class Options(_Settings):
    """Options of a dataset: `dataset.with_options(options)`."""

    _defaults = {
        "experimental_deterministic": None, "experimental_distribute": DistributeOptions,
        "experimental_optimization": OptimizationOptions, "experimental_slack": None, "experimental_stats": StatsOptions,
        "experimental_threading": ThreadingOptions, "experimental_external_state_policy": None,
    }  # fmt: skip


__all__ = ["DistributeOptions", "OptimizationOptions", "Options", "StatsOptions", "ThreadingOptions"]
