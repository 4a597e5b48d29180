"""TensorBoard: a callback that writes losses, metrics, distributions, pictures and embeddings for TensorBoard.

State: the callback's writer, its summaries' node, and how many batches and samples it has seen.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...base import proto
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...interop.summary_writer import FileWriter
from ...lib.arrays import array
from ...lib.summaries import summary
from ...lib.variables.variables import Variable
from ...training.checkpoints.saver import Saver
from ..keras_parts.keras_config import image_data_format
from ..keras_parts.keras_session import keras_session, note_variable
from .training_callbacks import Callback

_NO_VALUES = ("batch", "size", "num_steps")


class TensorBoard(Callback):
    """Writes an event file into the folder log_dir.

    histogram_freq: after so many epochs, the distributions of weights and of layers' outputs for each batch of the validation;
    then write_grads: those of gradients, too, and write_images: weights as pictures. write_graph: the graph. update_freq: "epoch"
    for the values of epochs alone, "batch", or a number of samples after which a batch's values are written, too.

    embeddings_freq: after so many epochs, the outputs of embedding layers for embeddings_data, for the projector.
    embeddings_layer_names: of these layers, by default all Embeddings. embeddings_metadata: a file's name, or one for each layer.
    batch_size: of embeddings_data. profile_batch has no effect: no profile is written.

    Raises: ValueError without embeddings_data where embeddings_freq asks for them.
    """

    def __init__(
        self, log_dir: str = "./logs", histogram_freq: int = 0, batch_size: int = 32, write_graph: bool = True,
        write_grads: bool = False, write_images: bool = False, embeddings_freq: int = 0, embeddings_layer_names: Any = None,
        embeddings_metadata: Any = None, embeddings_data: Any = None, update_freq: Any = "epoch", profile_batch: int = 2,
    ) -> None:  # fmt: skip
        super().__init__()
        if embeddings_freq and embeddings_data is None:
            raise ValueError(error_text("To visualize embeddings, embeddings_data must be provided."))
        self.log_dir, self.histogram_freq, self.batch_size = log_dir, histogram_freq, batch_size
        self.write_graph, self.write_grads, self.write_images = write_graph, write_grads, write_images
        self.embeddings_freq, self.embeddings_layer_names = embeddings_freq, embeddings_layer_names
        self.embeddings_metadata, self.embeddings_data = embeddings_metadata, embeddings_data
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self.merged: Any = None
        self.writer: Any = None
        self._samples_seen = self._samples_at_last_write = 0
        self._train_batches = self._validation_batches = 0
        self._embeddings: dict[str, Any] = {}
        self._is_training = False

    # -- what a training begins with -----------------------------------------------------------------------------------

    def set_model(self, model: Any) -> None:
        """Takes the model, and builds the nodes of the summaries that no earlier training has built."""
        if self.writer is not None:  # a training before, which may have failed
            self._release()
            self.writer.close()
        super().set_model(model)
        self.writer = FileWriter(self.log_dir, keras_session().graph if self.write_graph else None)
        get_default_graph().attempt(self._build)

    def _build(self) -> None:
        if self.histogram_freq and self.merged is None:
            for layer in self.model.layers:
                self._summarize(layer)
        self.merged = summary.merge_all()
        if self.embeddings_freq and not self._embeddings:
            self._embeddings = self._embedding_variables()
            self.saver = Saver([variable for variable, _ in self._embeddings.values()])
            self._write_projector_config()

    def _summarize(self, layer: Any) -> None:
        """Summaries of a layer's weights and outputs."""
        for weight in layer.weights:
            summary.histogram(_tag(weight), weight)
            if self.write_images:
                _summarize_as_image(weight)
        for weight in layer.trainable_weights if self.write_grads else []:
            gradients = self.model.optimizer.get_gradients(self.model.total_loss, weight)
            summary.histogram(f"{_tag(weight)}_grad", [getattr(each, "values", each) for each in gradients])
        outputs = layer.output if len(layer.inbound_nodes) == 1 else None
        if isinstance(outputs, list):
            for number, output in enumerate(outputs):
                summary.histogram(f"{layer.name}_out_{number}", output)
        elif outputs is not None:
            summary.histogram(f"{layer.name}_out", outputs)

    # -- values --------------------------------------------------------------------------------------------------------

    def _write_values(self, prefix: str, step: int, logs: Any) -> None:
        for name, value in (logs or {}).items():
            if name not in _NO_VALUES:
                told = proto.Summary(value=[proto.Summary.Value(tag=f"{prefix}{name}", simple_value=float(value))])
                self.writer.add_summary(told, step)
        self.writer.flush()

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Writes the values of the batch, if enough samples have passed."""
        self._samples_seen += (logs or {}).get("size", 1)
        if self.update_freq != "epoch" and self._samples_seen - self._samples_at_last_write >= self.update_freq:
            self._write_values("batch_", self._train_batches, logs)
            self._samples_at_last_write = self._samples_seen
        self._train_batches += 1

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Lets the validation of this epoch run the summaries."""
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            function = self.model._function("test")
            if self.merged not in function.fetches:
                function.fetches.append(self.merged)
            function.fetch_callbacks[self.merged] = self._write_summary

    def _write_summary(self, value: Any) -> None:
        self.writer.add_summary(value, self._validation_batches)
        self._validation_batches += 1

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes the values of the epoch, and the embeddings."""
        self._write_values("epoch_", epoch if self.update_freq == "epoch" else self._samples_seen, logs)
        self._release()
        if self.embeddings_freq and epoch % self.embeddings_freq == 0:
            self._write_embeddings(epoch)

    def _release(self) -> None:
        """Ends what on_epoch_begin began."""
        function = self.model._functions.get("test")
        if function is not None and self.merged in function.fetch_callbacks:
            function.fetches.remove(self.merged)
            del function.fetch_callbacks[self.merged]

    def on_train_begin(self, logs: Any = None) -> None:
        """Keeps the event file open until on_train_end."""
        self._is_training = True

    def on_train_end(self, logs: Any = None) -> None:
        """Closes the event file."""
        self._is_training = False
        self._release()
        self.writer.close()

    def on_test_end(self, logs: Any = None) -> None:
        """Closes the event file, unless the evaluation is part of a training."""
        if not self._is_training:
            self.writer.close()

    def on_predict_end(self, logs: Any = None) -> None:
        """Closes the event file."""
        self.on_test_end(logs)

    # -- embeddings ----------------------------------------------------------------------------------------------------

    def _embedding_variables(self) -> dict[str, tuple[Any, Any]]:
        """For each layer its name, with a variable [samples, size] and the layer's output."""
        chosen = self.embeddings_layer_names
        layers = [
            layer for layer in self.model.layers
            if (layer.name in chosen if chosen else type(layer).__name__ == "Embedding")
        ]  # fmt: skip
        count = len(self._inputs()[0])
        found = {}
        for layer in layers:
            size = math.prod(layer.output.shape.as_list()[1:])
            zeros = np.zeros((count, size), layer.output.dtype.as_numpy_dtype)
            variable = Variable(zeros, trainable=False, name=f"{layer.name}_embedding", use_resource=True)
            note_variable(variable)
            found[layer.name] = variable, layer.output
        return found

    def _inputs(self) -> list[Any]:
        data = self.embeddings_data
        return [np.asarray(each) for each in (data if isinstance(data, (list, tuple)) else [data])]

    def _write_projector_config(self) -> None:
        """Tells the projector of TensorBoard which variables it shows, and the files with their labels."""
        files = self.embeddings_metadata or {}
        if not isinstance(files, dict):
            files = dict.fromkeys(self._embeddings, files)
        unknown = [name for name in files if name not in self._embeddings]
        if unknown:
            raise ValueError(error_text(f"Unrecognized `Embedding` layer names passed to embeddings_metadata: {unknown}"))
        with open(os.path.join(self.log_dir, "projector_config.pbtxt"), "w", encoding="utf-8") as file:
            for name, (variable, _) in self._embeddings.items():
                label = f'  metadata_path: "{files[name]}"\n' if name in files else ""
                file.write(f'embeddings {{\n  tensor_name: "{variable.name}"\n{label}}}\n')

    def _batches(self) -> Iterator[list[Any]]:
        inputs = self._inputs()
        for begin in range(0, len(inputs[0]), self.batch_size):
            yield [each[begin : begin + self.batch_size] for each in inputs]

    def _write_embeddings(self, epoch: int) -> None:
        session = keras_session()
        outputs = [output for _, output in self._embeddings.values()]
        parts = []
        for batch in self._batches():
            fed = self.model._fed(False)
            feeds = dict(zip(fed, batch))
            parts.append(session.run(outputs, feeds | dict.fromkeys(fed[len(batch) :], False)))  # the learning phase
        for (variable, _), values in zip(self._embeddings.values(), zip(*parts)):
            variable.load(np.concatenate(values).reshape(variable.shape.as_list()), session)
        self.saver.save(session, os.path.join(self.log_dir, "keras_embedding.ckpt"), epoch)


def _tag(weight: Any) -> str:
    return str(weight.name).replace(":", "_")


def _summarize_as_image(weight: Any) -> None:
    """A summary of a weight as pictures, if it has three axes or fewer that are longer than 1."""
    image = array.squeeze(weight)
    sizes = image.shape.as_list()
    if len(sizes) == 2 and sizes[0] > sizes[1]:
        image = array.transpose(image)
    if len(sizes) == 3 and image_data_format() == "channels_last":
        image = array.transpose(image, perm=[2, 0, 1])
    sizes = image.shape.as_list()
    if len(sizes) in (1, 2, 3):
        shape = {1: [1, *sizes, 1, 1], 2: [1, *sizes, 1], 3: [*sizes, 1]}[len(sizes)]
        summary.image(_tag(weight), array.reshape(image, shape))


__all__ = ["TensorBoard"]
