"""The loops of `fit`, `evaluate` and `predict`: epochs of batches, with callbacks and a progress bar. No state."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from .batch_sources import ArraySource, GeneratorSource
from .training_callbacks import BaseLogger, CallbackList, History, ProgbarLogger


class Arrays(NamedTuple):
    """Standardized data."""

    inputs: list[Any]
    targets: list[Any]
    weights: list[Any]


def source_of(
    model: Any, arrays: Any, batch_size: int | None, steps: int | None, mode: str, shuffle: Any = False
) -> ArraySource:
    """The batches of standardized data."""
    return ArraySource(arrays, batch_size, steps, shuffle)


def fit(
    model: Any, source: Any, validation: Any, *, epochs: int, verbose: int, callbacks: Any, initial_epoch: int,
    validation_freq: Any, batch_size: int | None,
) -> History:  # fmt: skip
    """Trains a model; the history of its epochs."""
    batches = _settled(model, source)
    model.history = History()
    names = list(model.metrics_names)
    told = names if validation is None else [*names, *[f"val_{name}" for name in names]]
    chain = CallbackList([BaseLogger(names[1:]), *(callbacks or []), model.history])
    params = _params(source, epochs, verbose, told, batch_size, validation is not None)
    model._function("train")
    chain.begin(model, params)
    bar = _bar(source, params, model, names[1:])
    _tell_samples(source, validation, verbose)
    model.stop_training = False
    chain.on_train_begin()
    bar.on_train_begin()
    for epoch in range(initial_epoch, epochs):
        model.reset_metrics()
        chain.on_epoch_begin(epoch)
        bar.on_epoch_begin(epoch)
        logs = _pass(model, source, batches, "train", names, chain, bar)
        batches = source
        if bar.params["steps"] is None:
            bar.params["steps"] = source.steps
        if validation is not None and _is_due(validation_freq, epoch) and not model.stop_training:
            found = evaluate(model, validation, verbose=0, callbacks=chain)
            logs.update({f"val_{name}": value for name, value in zip(names, found)})
        chain.on_epoch_end(epoch, logs)
        bar.on_epoch_end(epoch, logs)
        if model.stop_training:
            break
    chain.on_train_end()
    return model.history  # type: ignore[no-any-return]


def _settled(model: Any, source: Any) -> Any:
    """The batches of the first pass. A model that has no inputs yet is called on placeholders that fit the first batch."""
    if model.inputs:
        return source
    batches = iter(source)
    first = list(itertools.islice(batches, 1))
    return itertools.chain(first, batches)


def _is_due(frequency: Any, epoch: int) -> bool:
    """Whether an epoch is followed by a validation: each n-th, or those that a list names."""
    return (epoch + 1) % frequency == 0 if isinstance(frequency, int) else epoch + 1 in frequency


def _params(source: Any, epochs: int, verbose: int, metrics: list[str], batch_size: Any, validates: bool) -> dict[str, Any]:
    return {
        "batch_size": batch_size or source.batch_size, "epochs": epochs, "steps": source.steps, "samples": source.samples,
        "verbose": verbose, "do_validation": validates, "metrics": metrics,
    }  # fmt: skip


def _bar(source: Any, params: dict[str, Any], model: Any, stateful: list[str]) -> ProgbarLogger:
    bar = ProgbarLogger("samples" if source.samples is not None else "steps", stateful)
    bar.set_params(dict(params))
    bar.set_model(model)
    return bar


def _tell_samples(source: Any, validation: Any, verbose: int) -> None:
    if not verbose or isinstance(source, GeneratorSource) or (source.samples is None and source.steps is None):
        return
    kind, number = ("samples", source.samples) if source.samples is not None else ("steps", source.steps)
    line = f"Train on {number} {kind}"
    other = None if validation is None else validation.samples if validation.samples is not None else validation.steps
    print(line if other is None else f"{line}, validate on {other} {'samples' if validation.samples is not None else 'steps'}")


def _pass(
    model: Any, source: Any, batches: Any, mode: str, names: list[str], chain: CallbackList | None, bar: Any
) -> dict[str, Any]:
    """One pass over all batches of a source: the mean loss and the metrics."""
    total, samples, last = 0.0, 0, [0.0] * (len(names) - 1)
    for number, batch in enumerate(batches):
        counts = {"batch": number, "size": batch.size if source.tells_sizes else 1}
        if chain is not None:
            chain.on_batch_begin(mode, number, dict(counts))
        found = model._step(model._values(batch.inputs, batch.targets, batch.weights, mode), mode)
        # the mean of the batches of a generator: by their sizes in training, all the same in evaluation
        share = 1 if mode == "test" and source.samples is None else counts["size"]
        total += float(found[0]) * share
        samples += share
        last = found[1:]
        logs = {**counts, **dict(zip(names, found))}
        if chain is not None:
            chain.on_batch_end(mode, number, logs)
        bar.on_batch_end(number, logs)
        if mode == "train" and model.stop_training:
            break
    mean = total / samples if samples else 0.0
    return dict(zip(names, [mean, *last]))


def evaluate(model: Any, source: Any, *, verbose: int, callbacks: Any) -> list[Any]:
    """The loss and metrics of a model over all batches."""
    batches = _settled(model, source)
    names = list(model.metrics_names)
    is_inner = isinstance(callbacks, CallbackList)
    params = _params(source, 1, verbose, names, None, False)
    chain = callbacks if is_inner else CallbackList(list(callbacks or []))
    if is_inner:
        chain.params["verbose"] = verbose  # as in 1.15, callbacks of `fit` see it from then on
    else:
        chain.begin(model, params)
    bar = _bar(source, params, model, names[1:])
    model.reset_metrics()
    chain.on_test_begin()
    bar.on_train_begin()
    bar.on_epoch_begin(0)
    logs = _pass(model, source, batches, "test", names, chain, bar)
    if bar.params["steps"] is None:
        bar.params["steps"] = source.steps
    bar.on_epoch_end(0, logs)
    chain.on_test_end()
    return [logs[name] for name in names]


def predict(model: Any, source: Any, *, verbose: int, callbacks: Any) -> list[Any]:
    """The outputs of a model for all batches, one array each."""
    params = _params(source, 1, verbose, [], None, False)
    chain = CallbackList(list(callbacks or []))
    chain.begin(model, params)
    bar = _bar(source, params, model, [])
    parts: list[list[Any]] = []
    model.reset_metrics()
    chain.on_predict_begin()
    bar.on_train_begin()
    bar.on_epoch_begin(0)
    for number, batch in enumerate(source):
        counts = {"batch": number, "size": batch.size if source.tells_sizes else 1}
        chain.on_batch_begin("predict", number, dict(counts))
        found = model._step(model._values(batch.inputs, [], [], "predict"), "predict")
        parts = parts or [[] for _ in found]
        for part, value in zip(parts, found):
            part.append(value)
        chain.on_batch_end("predict", number, {**counts, "outputs": found})
        bar.on_batch_end(number, dict(counts))
    bar.on_epoch_end(0, {})
    chain.on_predict_end()
    return [np.concatenate(part, axis=0) for part in parts]


__all__ = ["Arrays", "evaluate", "fit", "predict", "source_of"]
