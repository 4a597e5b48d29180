"""The op types of optimizers and gradients, made by their raw names: each update is run once on small variables.

One form serves them all: what an op takes is read off TF's registry. Variables begin at [1, 2, 3] and the like, the gradient
is [0.5, -1, 2], a sparse one has rows 0 and 2; scalars are small and all different.
"""

import numpy as np
from cases import REGISTRY, case
from harness import raw

SCALARS = {
    "lr": 0.1, "alpha": 0.1, "rho": 0.9, "momentum": 0.8, "epsilon": 0.01, "beta1": 0.9, "beta2": 0.99, "beta1_power": 0.9,
    "beta2_power": 0.99, "l1": 0.02, "l2": 0.03, "l2_shrinkage": 0.04, "lr_power": -0.5,
}  # fmt: skip


def update(op_type):
    """A call that makes the op on fresh variables, and reads them all after it."""
    facts = REGISTRY[op_type]["in"]
    is_sparse = any(a["name"] == "indices" for a in facts)

    def call(tf):
        variables, given = [], {}
        for at, arg in enumerate(facts):
            name = arg["name"]
            if arg.get("ref") or arg.get("dtype") == "resource":
                start = np.array([1, 2, 3], np.float32) + np.float32(0.5 * at)
                variables.append(tf.Variable(start, use_resource="ref" not in arg, name=name))
                given[name] = variables[-1]
            elif name == "indices":
                given[name] = tf.constant([0, 2])
            elif name == "global_step":
                given[name] = tf.constant(3, tf.int64)
            elif name in ("grad", "delta"):
                given[name] = tf.constant([0.5, 2.0] if is_sparse else [0.5, -1.0, 2.0])
            else:
                given[name] = tf.constant(SCALARS[name])
        for name, variable in list(given.items()):
            if variable in variables:
                given[name] = variable.handle if hasattr(variable, "handle") else variable._ref()
        with tf.control_dependencies([v.initializer for v in variables]):
            made = raw(tf, op_type, "step", **given)
        with tf.control_dependencies([made]):
            return [v.read_value() for v in variables]

    return call


for _type in sorted(REGISTRY):
    _names = {a["name"] for a in REGISTRY[_type].get("in", ())}
    _is_update = _type.startswith(("Apply", "ResourceApply", "SparseApply", "ResourceSparseApply")) and "var" in _names
    if _is_update and _names <= {*SCALARS, "var", "accum", "accum_update", "m", "v", "vhat", "mg", "ms", "mom", "linear", "grad", "delta",
                                 "indices", "global_step", "gradient_accumulator", "gradient_squared_accumulator"}:  # fmt: skip
        case(f"raw_ops.{_type}", "one step", update(_type))

for _type in ("SigmoidGrad", "TanhGrad", "RsqrtGrad", "SqrtGrad", "InvGrad", "ReciprocalGrad"):
    case(
        f"raw_ops.{_type}", "form", lambda tf, y, dy, t=_type: raw(tf, t, "g", y=y, dy=dy),
        np.float32([[0.5, -0.25, 2.0]]), np.float32([[1.0, 3.0, -2.0]]), nodes=True,
    )  # fmt: skip
case(
    "raw_ops.BroadcastGradientArgs", "form", lambda tf, s0, s1: list(raw(tf, "BroadcastGradientArgs", "g", s0=s0, s1=s1)),
    np.int32([2, 1, 3]), np.int32([4, 1]), nodes=True,
)  # fmt: skip
case(
    "raw_ops.ConcatOffset", "form", lambda tf, a, b: list(raw(tf, "ConcatOffset", "g", concat_dim=tf.constant(1), shape=[a, b])),
    np.int32([2, 3]), np.int32([2, 5]), nodes=True,
)  # fmt: skip
case(
    "raw_ops.MirrorPadGrad", "form",
    lambda tf, x: raw(tf, "MirrorPadGrad", "g", input=x, paddings=tf.constant([[1, 1], [0, 2]]), mode="REFLECT"),
    np.arange(24, dtype=np.float32).reshape(4, 6), nodes=True,
)  # fmt: skip
case(
    "raw_ops.StridedSliceGrad", "form",
    lambda tf, s, dy: raw(
        tf, "StridedSliceGrad", "g", shape=s, begin=tf.constant([0, 1]), end=tf.constant([3, 4]), strides=tf.constant([1, 2]), dy=dy
    ),
    np.int32([3, 4]), np.float32([[1, 2], [3, 4], [5, 6]]), nodes=True,
)  # fmt: skip
case(
    "raw_ops.Bincount", "form", lambda tf, a, w: raw(tf, "Bincount", "b", arr=a, size=tf.constant(4), weights=w),
    np.int32([1, 1, 3, 9]), np.float32([0.5, 1, 2, 4]), nodes=True,
)  # fmt: skip
