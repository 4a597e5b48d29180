"""`multi_gpu_model`: a model on several GPUs, each of which takes a part of the batch. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.arrays import array, slicing
from ...lib.framework.scope_blocks import device, name_scope
from ..keras_layers.merge_layers import concatenate
from ..keras_layers.shape_layers import Lambda
from ..keras_parts.keras_session import keras_session
from .model import Model
from .model_configs import clone_model


@atomic
def multi_gpu_model(model: Any, gpus: Any, cpu_merge: bool = True, cpu_relocation: bool = False) -> Model:
    """A model whose batches are divided among GPUs that share the weights: a number of GPUs, or their numbers.

    cpu_merge: the parts of the outputs are joined on the CPU, not on the first GPU. cpu_relocation: a copy of the model with
    weights on the CPU is used. The session's GPUs may be simulated: `tf.ConfigProto(device_count={"GPU": 2})`.

    Raises: ValueError for fewer than two GPUs, and for those that the session does not have.
    """
    is_list = isinstance(gpus, (list, tuple))
    numbers = list(gpus) if is_list else list(range(gpus))
    if len(numbers) <= 1:
        wanted = "len(gpus) >= 2" if is_list else "gpus >= 2"
        raise ValueError(
            error_text(
                f"For multi-gpu usage to be effective, call `multi_gpu_model` with `{wanted}`. Received: `gpus={gpus}`"
            )
        )
    targets = ["/cpu:0", *[f"/gpu:{number}" for number in numbers]]
    available = [_short(each.name) for each in keras_session().list_devices()]
    if not set(targets) <= set(available):
        raise ValueError(
            error_text(
                f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following devices to be available: {targets}. "
                f"However this machine only has: {available}. Try reducing `gpus`.",
                fix="K.set_session(tf.Session(config=tf.ConfigProto(device_count={'GPU': 2}))) simulates two",
            )
        )
    if cpu_relocation:
        with device("/cpu:0"):
            model = clone_model(model)
    by_output: list[list[Any]] = [[] for _ in model.outputs]
    for place, number in enumerate(numbers):
        with device(f"/gpu:{number}"), name_scope(f"replica_{number}"):
            outputs = model([_part_layer(x, place, len(numbers))(x) for x in model.inputs])
            for parts, output in zip(by_output, outputs if isinstance(outputs, list) else [outputs]):
                parts.append(output)
    with device("/cpu:0" if cpu_merge else f"/gpu:{numbers[0]}"):
        merged = [concatenate(parts, axis=0, name=name) for name, parts in zip(model.output_names, by_output)]
        return Model(model.inputs, merged)


def _short(name: str) -> str:
    """`/job:localhost/replica:0/task:0/device:GPU:0` -> `/gpu:0`."""
    return "/" + ":".join(name.lower().replace("/", "").split(":")[-2:])


def _part_layer(x: Any, place: int, count: int) -> Lambda:
    """The layer that takes one of `count` parts of a batch."""
    shape = tuple(x.shape.as_list())[1:]
    return Lambda(part_of_batch, output_shape=lambda _: shape, arguments={"i": place, "parts": count})


def part_of_batch(data: Any, i: int, parts: int) -> Any:
    """Part i of a batch: [n, ...] -> [n // parts, ...]; the last part has the rest, too."""
    shape: Any = array.shape(data)
    batch_size, sample = shape[:1], shape[1:]
    step = batch_size // parts
    size = batch_size - step * i if i == parts - 1 else step
    begin = array.concat([step, sample * 0], axis=0) * i
    return slicing.slice(data, begin, array.concat([size, sample], axis=0))


__all__ = ["multi_gpu_model"]
