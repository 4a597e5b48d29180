"""`tf.data.Options`: what a program asks of the runtime of its datasets."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text


class _Option:
    """An option of a class of `_Settings`. kind: the type of its values; one with options of its own makes the first value."""

    def __init__(self, kind: type, default: Any = None, expected: str | None = None) -> None:
        self.kind = kind
        self.default = default
        self.expected = expected or str(kind)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, settings: Any, owner: type | None = None) -> Any:
        if settings is None:
            return self
        if issubclass(self.kind, _Settings):
            return settings._set.setdefault(self.name, self.kind())
        return settings._set.get(self.name, self.default)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self.kind)

    def __set__(self, settings: Any, value: Any) -> None:
        """Raises: TypeError for a value of another type."""
        if not self.accepts(value):
            text = f'Property "{self.name}" must be of type {self.expected}, got: {value!r} (type: {type(value)})'
            raise TypeError(error_text(text))
        settings._set[self.name] = value


class _AggregatorOption(_Option):
    def accepts(self, value: Any) -> bool:
        return hasattr(value, "get_summary")


class _Settings:
    """Named options, None where they are not set.

    Raises, when an option is set: AttributeError for one that there is not, TypeError for a value of another type.
    """

    def __init__(self) -> None:
        object.__setattr__(self, "_set", {})

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(getattr(type(self), name, None), _Option):
            raise AttributeError(error_text(f"Cannot set the property {name} on {type(self).__name__}."))
        super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        names = [name for name, option in vars(type(self)).items() if isinstance(option, _Option)]
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name in names)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def _merged(self, other: Any) -> Any:
        """These options with those of `other` added. Raises: TypeError, ValueError."""
        if not isinstance(other, type(self)):
            raise TypeError(error_text(f"Incompatible options type: {type(other)} vs {type(self)}"))
        merged = type(self)()
        merged._set.update(self._set)
        for name, value in other._set.items():
            mine = merged._set.get(name)
            if isinstance(value, _Settings) and isinstance(mine, _Settings):
                merged._set[name] = mine._merged(value)
            elif mine is not None and mine != value:
                text = f"Cannot merge incompatible values ({mine} and {value}) of option: {name}"
                raise ValueError(error_text(text))
            else:
                merged._set[name] = value
        return merged


class MapVectorizationOptions(_Settings):
    """Whether maps of batches are made of maps of elements, which is kept."""

    enabled = _Option(bool)
    use_choose_fastest = _Option(bool)


class OptimizationOptions(_Settings):
    """Which stages become one. `shuffle_and_repeat_fusion` (None: yes) changes the order of elements."""

    apply_default_optimizations = _Option(bool)
    autotune = _Option(bool)
    autotune_algorithm = _Option(int)
    autotune_buffers = _Option(bool)
    autotune_cpu_budget = _Option(int)
    filter_fusion = _Option(bool)
    filter_with_random_uniform_fusion = _Option(bool)
    hoist_random_uniform = _Option(bool)
    map_and_batch_fusion = _Option(bool)
    map_and_filter_fusion = _Option(bool)
    map_fusion = _Option(bool)
    map_parallelization = _Option(bool)
    map_vectorization = _Option(MapVectorizationOptions)
    noop_elimination = _Option(bool)
    parallel_batch = _Option(bool)
    shuffle_and_repeat_fusion = _Option(bool)


def optimizations(options: OptimizationOptions) -> list[str]:
    """The optimizations that are on, as TF names them."""
    by_default = options.apply_default_optimizations is not False
    on = []
    for name in ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion"):
        chosen = getattr(options, name)
        if chosen or (chosen is None and by_default):
            on.append(name)
    return on


class ThreadingOptions(_Settings):
    """Numbers of threads, which are kept: one thread does all the work."""

    max_intra_op_parallelism = _Option(int)
    private_threadpool_size = _Option(int)


class StatsOptions(_Settings):
    """Where the stages count, and how the names there begin. `latency_all_edges` is kept: `latency_stats` measures one stage."""

    aggregator = _AggregatorOption(object, expected="a StatsAggregator")
    prefix = _Option(str, "")
    counter_prefix = _Option(str, "")
    latency_all_edges = _Option(bool)


class DistributeOptions(_Settings):
    """How elements are divided among workers, which is kept."""

    auto_shard = _Option(bool, True)
    num_devices = _Option(int)


class Options(_Settings):
    """Options of a dataset: `dataset.with_options(options)`."""

    experimental_deterministic = _Option(bool)
    experimental_distribute = _Option(DistributeOptions)
    experimental_optimization = _Option(OptimizationOptions)
    experimental_slack = _Option(bool)
    experimental_stateful_whitelist = _Option(list)
    experimental_stats = _Option(StatsOptions)
    experimental_threading = _Option(ThreadingOptions)

    def merge(self, options: Options) -> Options:
        """These options with others added.

        Raises: TypeError for what are no options, ValueError for an option that both set to different values.
        """
        merged: Options = self._merged(options)
        return merged


__all__ = [
    "DistributeOptions", "MapVectorizationOptions", "OptimizationOptions", "Options", "StatsOptions", "ThreadingOptions",
    "optimizations",
]  # fmt: skip
