"""`tf.data`: datasets and iterators, which bring data into a graph element by element."""


from .engine.data.pipeline.dataset import Dataset
from .engine.data.pipeline.iterators import Iterator
from .engine.data.pipeline.options import Options

__all__ = [
    "Dataset", "Iterator", "Options",
]  # fmt: skip
