"""The methods of a model that run it: `fit`, `evaluate`, `predict`, their forms for one batch and for generators. No state."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from ...base.errors import error_text
from . import training_data, training_loop
from .batch_sources import batches_of, is_array_like


class TrainingMethods:
    """The part of a model that runs it over arrays, generators and datasets."""

    # -- data ----------------------------------------------------------------------------------------------------------

    def _standardized(self: Any, x: Any, y: Any, sample_weight: Any = None, class_weight: Any = None) -> Any:
        """(inputs, targets, weights) as lists of arrays that fit the model.

        Raises: ValueError for data that does not.
        """
        self._settle_inputs(x)
        inputs = training_data.as_arrays(x, self.input_names, "input")
        training_data.check_shapes(inputs, self.input_names, self.inputs, "input")
        trained = [endpoint for endpoint in self._endpoints if endpoint.is_trained]
        if y is None and sample_weight is None:
            training_data.number_of_samples(inputs, [], [])
            return inputs, [], []
        names = [endpoint.name for endpoint in trained]
        targets = training_data.as_arrays(y, names, "target")
        for target, endpoint in zip(targets, trained):
            training_data.check_shapes([target], [endpoint.name], [endpoint.target], "target")
        training_data.check_targets(targets, trained)
        weights = training_data.sample_weights_of(sample_weight, class_weight, trained, targets)
        training_data.number_of_samples(inputs, targets, weights)
        if any(weight is not None for weight in weights):
            self._use_sample_weights()
        return inputs, targets, weights

    def _values(self: Any, inputs: Any, targets: Any, weights: Any, mode: str) -> list[Any]:
        """The values of what a step feeds, in the order of `_fed`."""
        values = list(inputs)
        if mode != "predict":
            trained = [endpoint for endpoint in self._endpoints if endpoint.is_trained]
            values += [*targets, *[None] * (len(trained) - len(targets))]
            if any(endpoint.sample_weight is not None for endpoint in trained):
                length = len(values[0])
                found = [*weights, *[None] * (len(trained) - len(weights))]
                values += [np.ones(length, np.float32) if weight is None else weight for weight in found]
        return values

    def _step(self: Any, values: list[Any], mode: str) -> Any:
        """One run: the loss and metrics, or the outputs."""
        function = self._function(mode)
        if len(function.inputs) > len(values):
            values = [*values, mode == "train"]
        return function(values)

    # -- one batch -----------------------------------------------------------------------------------------------------

    def train_on_batch(
        self: Any, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None, reset_metrics: bool = True
    ) -> Any:
        """One training step: the loss, or a list of the loss and the metrics, before it.

        Raises: ValueError for data that does not fit; RuntimeError before `compile`.
        """
        self._check_compiled()
        inputs, targets, weights = self._standardized(x, y, sample_weight, class_weight)
        found = self._step(self._values(inputs, targets, weights, "train"), "train")
        if reset_metrics:
            self.reset_metrics()
        return found[0] if len(found) == 1 else found

    def test_on_batch(self: Any, x: Any, y: Any = None, sample_weight: Any = None, reset_metrics: bool = True) -> Any:
        """Returns the loss of one batch, or a list of its loss and metrics, without a change of the weights.

        Raises: ValueError for data that does not fit; RuntimeError before `compile`.
        """
        self._check_compiled()
        inputs, targets, weights = self._standardized(x, y, sample_weight)
        found = self._step(self._values(inputs, targets, weights, "test"), "test")
        if reset_metrics:
            self.reset_metrics()
        return found[0] if len(found) == 1 else found

    def predict_on_batch(self: Any, x: Any) -> Any:
        """The outputs for a batch."""
        inputs, _, _ = self._standardized(x, None)
        found = self._step(self._values(inputs, [], [], "predict"), "predict")
        return found[0] if len(found) == 1 else found

    # -- many batches --------------------------------------------------------------------------------------------------

    def fit(
        self: Any,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: int = 1,
        callbacks: Any = None,
        validation_split: float = 0.0,
        validation_data: Any = None,
        shuffle: Any = True,
        class_weight: Any = None,
        sample_weight: Any = None,
        initial_epoch: int = 0,
        steps_per_epoch: int | None = None,
        validation_steps: int | None = None,
        validation_freq: Any = 1,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Trains the model over arrays, a generator, a Sequence or a dataset; gives the History of each epoch's loss and metrics.

        validation_split: the part of the samples, the last ones, that is only measured. validation_data: (x, y) or (x, y,
        weights), a generator or a dataset. verbose: 0 silent, 1 a bar, 2 a line for each epoch. shuffle: the samples of
        arrays, the batches of a Sequence. workers: above 1, that many threads prepare the batches of a Sequence.

        Raises: ValueError for data that does not fit; RuntimeError before `compile`; TypeError for an unknown keyword.
        """
        epochs = kwargs.pop("nb_epoch", epochs)
        if kwargs:
            raise TypeError(error_text(f"Unrecognized keyword arguments: {kwargs}"))
        self._check_compiled()
        if not is_array_like(x):
            source = batches_of(self, x, steps_per_epoch, "steps_per_epoch", shuffle=bool(shuffle), workers=workers)
        else:
            arrays = self._standardized(x, y, sample_weight, class_weight)
            if validation_data is None and 0.0 < validation_split < 1.0:
                at = int(len(arrays[0][0]) * (1.0 - validation_split))
                halves = [training_data.split(each, at) for each in arrays]
                arrays, validation_data = [half[0] for half in halves], training_loop.Arrays(*[half[1] for half in halves])
            source = training_loop.source_of(self, arrays, batch_size, steps_per_epoch, "train", shuffle)
        # Where `fit` trains on arrays, Keras of 1.15 shuffles the validation samples, too, even with shuffle=False.
        validation = self._validation_source(validation_data, batch_size, validation_steps, workers, is_array_like(x))
        with contextlib.closing(source), contextlib.closing(validation or source):
            return training_loop.fit(
                self, source, validation, epochs=epochs, verbose=verbose, callbacks=callbacks, initial_epoch=initial_epoch,
                validation_freq=validation_freq, batch_size=batch_size,
            )  # fmt: skip

    def _validation_source(self: Any, data: Any, batch_size: Any, steps: Any, workers: int, shuffle: bool) -> Any:
        """The batches of a validation. shuffle: whether those of arrays come in a new order each time."""
        if data is None:
            return None
        if isinstance(data, training_loop.Arrays):
            return training_loop.source_of(self, data, batch_size, steps, "test", shuffle)
        if isinstance(data, (tuple, list)):
            if len(data) not in (2, 3):
                raise ValueError(
                    error_text(
                        "When passing a `validation_data` argument, it must contain either 2 items (x_val, y_val), or 3 items "
                        "(x_val, y_val, val_sample_weights), or alternatively it could be a dataset or a dataset or a dataset "
                        f"iterator. However we received `validation_data={data}`"
                    )
                )
            return training_loop.source_of(self, self._standardized(*data), batch_size, steps, "test", shuffle)
        return batches_of(self, data, steps, "validation_steps", workers=workers)

    def evaluate(
        self: Any,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        verbose: int = 1,
        sample_weight: Any = None,
        steps: int | None = None,
        callbacks: Any = None,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
    ) -> Any:
        """The loss, or a list of the loss and the metrics, over all samples.

        Raises: ValueError for data that does not fit; RuntimeError before `compile`.
        """
        self._check_compiled()
        if is_array_like(x):
            arrays = self._standardized(x, y, sample_weight)
            source = training_loop.source_of(self, arrays, batch_size, steps, "test")
        else:
            source = batches_of(self, x, steps, "steps", workers=workers)
        with contextlib.closing(source):
            found = training_loop.evaluate(self, source, verbose=verbose, callbacks=callbacks)
        return found[0] if len(found) == 1 else found

    def predict(
        self: Any,
        x: Any,
        batch_size: int | None = None,
        verbose: int = 0,
        steps: int | None = None,
        callbacks: Any = None,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
    ) -> Any:
        """Runs the model on all samples and returns its outputs: an array, or a list of arrays.

        Raises: ValueError for data that does not fit.
        """
        if is_array_like(x):
            arrays = self._standardized(x, None)
            source = training_loop.source_of(self, arrays, batch_size, steps, "predict")
        else:
            source = batches_of(self, x, steps, "steps", has_targets=False, workers=workers)
        with contextlib.closing(source):
            found = training_loop.predict(self, source, verbose=verbose, callbacks=callbacks)
        return found[0] if len(found) == 1 else found

    # -- the older names for generators --------------------------------------------------------------------------------

    def fit_generator(
        self: Any, generator: Any, steps_per_epoch: int | None = None, epochs: int = 1, verbose: int = 1, callbacks: Any = None,
        validation_data: Any = None, validation_steps: int | None = None, validation_freq: Any = 1, class_weight: Any = None,
        max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False, shuffle: bool = True,
        initial_epoch: int = 0,
    ) -> Any:  # fmt: skip
        """`fit` over a generator or a Sequence."""
        return self.fit(
            generator, steps_per_epoch=steps_per_epoch, epochs=epochs, verbose=verbose, callbacks=callbacks,
            validation_data=validation_data, validation_steps=validation_steps, validation_freq=validation_freq,
            class_weight=class_weight, shuffle=shuffle, initial_epoch=initial_epoch, workers=workers,
        )  # fmt: skip

    def evaluate_generator(
        self: Any, generator: Any, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10, workers: int = 1,
        use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:  # fmt: skip
        """`evaluate` over a generator or a Sequence."""
        return self.evaluate(generator, steps=steps, callbacks=callbacks, verbose=verbose, workers=workers)

    def predict_generator(
        self: Any, generator: Any, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10, workers: int = 1,
        use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:  # fmt: skip
        """`predict` over a generator or a Sequence."""
        return self.predict(generator, steps=steps, callbacks=callbacks, verbose=verbose, workers=workers)



__all__ = ["TrainingMethods"]
