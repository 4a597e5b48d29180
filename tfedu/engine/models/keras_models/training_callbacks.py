"""Callbacks: objects whose methods `fit`, `evaluate` and `predict` call at each epoch and batch.

    class Stop(Callback):
        def on_epoch_end(self, epoch, logs=None):
            self.model.stop_training = logs["loss"] < 0.1

State: each callback's model, parameters and what it has seen.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import error_text
from ...base.log import log
from ..keras_parts.keras_session import keras_session
from ..keras_parts.progress_bar import Progbar


class Callback:
    """The base of all callbacks: each method does nothing."""

    def __init__(self) -> None:
        self.validation_data: Any = None
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Takes what the loop is about: epochs, steps, samples, batch_size, verbose, metrics, do_validation."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Takes the model."""
        self.model = model

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Before an epoch of `fit`."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """After an epoch of `fit`; logs: the loss, the metrics and those of the validation."""

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of `fit`."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of `fit`; logs: batch, size, the loss, the metrics."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of `fit`; calls `on_batch_begin`."""
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of `fit`; calls `on_batch_end`."""
        self.on_batch_end(batch, logs)

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of `evaluate` or of a validation."""

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of `evaluate` or of a validation."""

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of `predict`."""

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of `predict`."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Before `fit`."""

    def on_train_end(self, logs: Any = None) -> None:
        """After `fit`."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Before `evaluate` or a validation."""

    def on_test_end(self, logs: Any = None) -> None:
        """After `evaluate` or a validation."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """Before `predict`."""

    def on_predict_end(self, logs: Any = None) -> None:
        """After `predict`."""


class CallbackList:
    """Callbacks that are called in turn."""

    def __init__(self, callbacks: list[Any]) -> None:
        self.callbacks = callbacks
        self.params: dict[str, Any] = {}

    def begin(self, model: Any, params: dict[str, Any]) -> None:
        """Gives all callbacks the model and the parameters, which they share."""
        self.params = params
        for callback in self.callbacks:
            callback.set_model(model)
        for callback in self.callbacks:
            callback.set_params(params)

    def on_batch_begin(self, mode: str, batch: int, logs: Any) -> None:
        """Before a batch; mode: "train", "test" or "predict"."""
        self._call(f"on_{mode}_batch_begin", batch, logs)

    def on_batch_end(self, mode: str, batch: int, logs: Any) -> None:
        """After a batch; mode: "train", "test" or "predict"."""
        self._call(f"on_{mode}_batch_end", batch, logs)

    def on_epoch_begin(self, epoch: int) -> None:
        """Before an epoch."""
        self._call("on_epoch_begin", epoch, {})

    def on_epoch_end(self, epoch: int, logs: Any) -> None:
        """After an epoch."""
        self._call("on_epoch_end", epoch, logs)

    def __getattr__(self, name: str) -> Callable[[], None]:
        return lambda: self._call(name, {})

    def _call(self, name: str, *args: Any) -> None:
        for callback in self.callbacks:
            getattr(callback, name)(*args)


class BaseLogger(Callback):
    """Puts the mean of each batch's loss into the epoch's logs. stateful_metrics: names of values that are no batch's own."""

    def __init__(self, stateful_metrics: Any = None) -> None:
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or [])

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Forgets the epoch before."""
        self.seen, self.totals = 0, {}

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Adds a batch."""
        logs = logs or {}
        size = logs.get("size", 0)
        self.seen += size
        for name, value in logs.items():
            if name in self.stateful_metrics:
                self.totals[name] = value
            else:
                self.totals[name] = self.totals.get(name, 0.0) + float(value) * size

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Tells the means."""
        for name in self.params["metrics"] if logs is not None else []:
            if name in self.totals:
                logs[name] = self.totals[name] if name in self.stateful_metrics else self.totals[name] / self.seen


class TerminateOnNaN(Callback):
    """Stops the training when the loss is no number or infinite."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Looks at the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and not np.isfinite(loss):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True


class ProgbarLogger(Callback):
    """Prints a progress bar. count_mode: "samples" or "steps"."""

    def __init__(self, count_mode: str = "samples", stateful_metrics: Any = None) -> None:
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError(error_text(f"Unknown `count_mode`: {count_mode}"))
        self.use_steps = count_mode == "steps"
        self.stateful_metrics = set(stateful_metrics or [])

    def on_train_begin(self, logs: Any = None) -> None:
        """Takes how much to print."""
        self.verbose, self.epochs = self.params["verbose"], self.params["epochs"]

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Begins a bar."""
        self.seen = 0
        self.log_values: list[tuple[str, Any]] = []
        self.target = self.params["steps"] if self.use_steps else self.params["samples"]
        if self.verbose:
            if self.epochs > 1:
                print(f"Epoch {epoch + 1}/{self.epochs}")
            unit = "step" if self.use_steps else "sample"
            self.progbar = Progbar(
                self.target, verbose=self.verbose, stateful_metrics=self.stateful_metrics, unit_name=unit
            )

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Moves the bar."""
        logs = logs or {}
        self.seen += 1 if self.use_steps else logs.get("size", 0)
        self.log_values = [(name, logs[name]) for name in self.params["metrics"] if name in logs]
        if self.verbose and (self.target is None or self.seen < self.target):
            self.progbar.update(self.seen, self.log_values)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Ends the bar."""
        logs = logs or {}
        self.log_values = [(name, logs[name]) for name in self.params["metrics"] if name in logs]
        if self.verbose:
            if self.target is None:
                self.progbar.target = self.seen
            self.progbar.stateful_metrics |= {name for name, _ in self.log_values}
            self.progbar.update(self.seen, self.log_values)


class History(Callback):
    """Each epoch's logs: `history["loss"]` is a list. `fit` gives it."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Forgets a training before."""
        self.epoch: list[int] = []
        self.history: dict[str, list[Any]] = {}

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Adds an epoch."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)


class LambdaCallback(Callback):
    """A callback of functions: LambdaCallback(on_epoch_end=lambda epoch, logs: print(logs))."""

    def __init__(
        self, on_epoch_begin: Any = None, on_epoch_end: Any = None, on_batch_begin: Any = None, on_batch_end: Any = None,
        on_train_begin: Any = None, on_train_end: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        given = {
            "on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end, "on_batch_begin": on_batch_begin,
            "on_batch_end": on_batch_end, "on_train_begin": on_train_begin, "on_train_end": on_train_end, **kwargs,
        }  # fmt: skip
        for name, function in given.items():
            if function is not None:
                setattr(self, name, function)


class _Watching(Callback):
    """A callback that watches whether a value becomes better."""

    def _watch(self, monitor: str, mode: str, min_delta: float, kind: str) -> None:
        if mode not in ("auto", "min", "max"):
            log.warning(f"{kind} mode {mode} is unknown, fallback to auto mode.")
            mode = "auto"
        self.monitor, self.mode = monitor, mode
        grows = mode == "max" or (mode == "auto" and ("acc" in monitor or monitor.startswith("fmeasure")))
        self.min_delta = abs(min_delta) if grows else -abs(min_delta)
        self.monitor_op = np.greater if grows else np.less
        self.worst = -np.inf if grows else np.inf

    def _watched(self, logs: Any, kind: str) -> Any:
        value = (logs or {}).get(self.monitor)
        if value is None:
            log.warning(
                f"{kind} conditioned on metric `{self.monitor}` which is not available. Available metrics are: "
                f"{','.join(logs or {})}"
            )
        return value


class EarlyStopping(_Watching):
    """Stops the training when a value has not become better for `patience` epochs.

    min_delta: what counts as better. baseline: the value to beat. restore_best_weights: gives back those of the best epoch.
    """

    def __init__(
        self, monitor: str = "val_loss", min_delta: float = 0, patience: int = 0, verbose: int = 0, mode: str = "auto",
        baseline: float | None = None, restore_best_weights: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self._watch(monitor, mode, min_delta, "EarlyStopping")
        self.patience, self.verbose, self.baseline = patience, verbose, baseline
        self.restore_best_weights = restore_best_weights
        self.wait = self.stopped_epoch = 0
        self.best_weights: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Forgets a training before."""
        self.wait = self.stopped_epoch = 0
        self.best = self.worst if self.baseline is None else self.baseline

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Looks at the value."""
        current = self._watched(logs, "Early stopping")
        if current is None:
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best, self.wait = current, 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch = epoch
            self.model.stop_training = True
            if self.restore_best_weights:
                if self.verbose > 0:
                    print("Restoring model weights from the end of the best epoch.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs: Any = None) -> None:
        """Tells the epoch."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")


class ModelCheckpoint(_Watching):
    """Saves the model, or its weights, after each epoch, or each that is the best so far.

    filepath: may hold names of values, as in "weights.{epoch:02d}-{val_loss:.2f}.h5". save_freq: "epoch", or a number of samples.
    """

    def __init__(
        self, filepath: str, monitor: str = "val_loss", verbose: int = 0, save_best_only: bool = False,
        save_weights_only: bool = False, mode: str = "auto", save_freq: Any = "epoch", **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self.period = kwargs.pop("period", 1)
        kwargs.pop("load_weights_on_restart", None)
        if kwargs:
            raise TypeError(error_text(f"ModelCheckpoint got unexpected keyword arguments: {list(kwargs)}"))
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(error_text(f"Unrecognized save_freq: {save_freq}"))
        self._watch(monitor, mode, 0, "ModelCheckpoint")
        self.filepath, self.verbose, self.save_best_only = filepath, verbose, save_best_only
        self.save_weights_only, self.save_freq = save_weights_only, save_freq
        self.best = self.worst
        self.epochs_since_last_save = 0
        self._samples = 0
        self._epoch = 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Remembers the epoch."""
        self._epoch = epoch

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Counts the samples."""
        if isinstance(self.save_freq, int):
            self._samples += (logs or {}).get("size", 1)
            if self._samples >= self.save_freq:
                self._save(self._epoch, logs)
                self._samples = 0

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Saves, if it is time."""
        self.epochs_since_last_save += 1
        if self.save_freq == "epoch" and self.epochs_since_last_save >= self.period:
            self.epochs_since_last_save = 0
            self._save(epoch, logs)

    def _save(self, epoch: int, logs: Any) -> None:
        path = self.filepath.format(epoch=epoch + 1, **(logs or {}))
        number = f"{epoch + 1:05d}"
        if self.save_best_only:
            current = self._watched(logs, "Can save best model only with")
            if current is None:
                return
            if not self.monitor_op(current, self.best):
                if self.verbose > 0:
                    print(f"\nEpoch {number}: {self.monitor} did not improve from {self.best:0.5f}")
                return
            if self.verbose > 0:
                print(
                    f"\nEpoch {number}: {self.monitor} improved from {self.best:0.5f} to {current:0.5f}, saving model to {path}"
                )
            self.best = current
        elif self.verbose > 0:
            print(f"\nEpoch {number}: saving model to {path}")
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)


def _learning_rate(model: Any) -> Any:
    """The variable of a model's learning rate.

    Raises: ValueError for an optimizer that has none.
    """
    rate = getattr(model.optimizer, "lr", None)
    if rate is None:
        raise ValueError(error_text('Optimizer must have a "lr" attribute.'))
    return rate


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch. schedule: a function of the epoch, or of the epoch and the rate before."""

    def __init__(self, schedule: Callable[..., Any], verbose: int = 0) -> None:
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Sets the rate.

        Raises: ValueError for a schedule that gives no number.
        """
        before = float(keras_session().run(_learning_rate(self.model)))
        try:
            rate = self.schedule(epoch, before)
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.float32, np.float64)):
            raise ValueError(error_text('The output of the "schedule" function should be float.'))
        self.model.optimizer.lr = rate
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: LearningRateScheduler reducing learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Tells the rate."""
        if logs is not None:
            logs["lr"] = keras_session().run(_learning_rate(self.model))


class ReduceLROnPlateau(_Watching):
    """Multiplies the learning rate by `factor` when a value has not become better for `patience` epochs.

    cooldown: epochs to wait after it. min_lr: the least rate. Raises: ValueError for a factor of 1 or more.
    """

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0, mode: str = "auto",
        min_delta: float = 0.0001, cooldown: int = 0, min_lr: float = 0, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        if factor >= 1.0:
            raise ValueError(error_text("ReduceLROnPlateau does not support a factor >= 1.0."))
        self._watch(monitor, mode, kwargs.pop("epsilon", min_delta), "ReduceLROnPlateau")
        self.factor, self.patience, self.verbose = factor, patience, verbose
        self.cooldown, self.min_lr = cooldown, min_lr

    def on_train_begin(self, logs: Any = None) -> None:
        """Forgets a training before."""
        self.best, self.wait, self.cooldown_counter = self.worst, 0, 0

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Looks at the value."""
        logs = logs if logs is not None else {}
        rate = float(keras_session().run(_learning_rate(self.model)))
        logs["lr"] = np.float32(rate)
        current = self._watched(logs, "Reduce LR on plateau")
        if current is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.monitor_op(current - self.min_delta, self.best):
            self.best, self.wait = current, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience and rate > self.min_lr:
                new = max(rate * self.factor, self.min_lr)
                self.model.optimizer.lr = new
                if self.verbose > 0:
                    print(f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to {new}.")
                self.cooldown_counter, self.wait = self.cooldown, 0


class CSVLogger(Callback):
    """Writes each epoch's logs to a file, a row each."""

    def __init__(self, filename: str, separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename, self.sep, self.append = filename, separator, append
        self.keys: list[str] | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Opens the file."""
        has_head = False
        if self.append:
            try:
                with open(self.filename, encoding="utf-8") as file:
                    has_head = bool(file.readline())
            except FileNotFoundError:
                has_head = False
        self._has_head = has_head
        mode = "a" if self.append else "w"
        self._file = open(self.filename, mode, encoding="utf-8", newline="")  # noqa: SIM115 - on_train_end closes it

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes a row."""
        import csv  # here: Python imports a user's own csv.py instead, which then breaks this class alone

        logs = logs or {}
        if self.keys is None:
            self.keys = sorted(logs)
        writer = csv.DictWriter(self._file, ["epoch", *self.keys], delimiter=self.sep, lineterminator="\n")
        if not self._has_head:
            writer.writeheader()
            self._has_head = True
        row = collections.OrderedDict({"epoch": epoch})
        row.update((name, _cell(logs.get(name, "NA"))) for name in self.keys)
        writer.writerow(row)
        self._file.flush()

    def on_train_end(self, logs: Any = None) -> None:
        """Closes the file."""
        self._file.close()


def _cell(value: Any) -> Any:
    if isinstance(value, (list, tuple)) or (hasattr(value, "ndim") and value.ndim):
        return f'"[{", ".join(map(str, value))}]"'
    return value.item() if isinstance(value, np.generic) and not isinstance(value, np.floating) else value


__all__ = [
    "BaseLogger", "CSVLogger", "Callback", "CallbackList", "EarlyStopping", "History", "LambdaCallback",
    "LearningRateScheduler", "ModelCheckpoint", "ProgbarLogger", "ReduceLROnPlateau", "TerminateOnNaN",
]  # fmt: skip
