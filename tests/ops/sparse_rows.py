"""What the rows of sparse tensors and of sets share: sparse tensors are made of fed parts, and results are given as parts."""

from typing import Any

from harness import raw


def flat(tf: Any, result: Any) -> list[Any]:
    """The tensors of a nest of tensors and sparse tensors."""
    if isinstance(result, (tf.SparseTensor, tf.IndexedSlices)):
        parts = (result.indices, result.values, result.dense_shape)
        return [p for p in parts if p is not None]
    if isinstance(result, (list, tuple)):
        return [t for part in result for t in flat(tf, part)]
    return [result]


def one(f: Any) -> Any:
    """A call of f with the sparse tensor of the first three inputs, then the others."""
    return lambda tf, i, v, s, *rest: flat(tf, f(tf, tf.SparseTensor(i, v, s), *rest))


def two(f: Any) -> Any:
    """A call of f with the sparse tensors of the first six inputs."""
    return lambda tf, *t: flat(tf, f(tf, tf.SparseTensor(*t[:3]), tf.SparseTensor(*t[3:6]), *t[6:]))


def open_parts(op: str, *names: str, **attrs: Any) -> Any:
    """A call of a raw op with inputs of which nothing is known when it is built."""
    return lambda tf, *inputs: listed(
        raw(tf, op, **dict(zip(names, [tf.placeholder_with_default(t, None) for t in inputs])), **attrs)
    )


def listed(made: Any) -> list[Any]:
    return list(made) if isinstance(made, (list, tuple)) else [made]
