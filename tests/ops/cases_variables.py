"""Rows of the op table: the ops of reference and resource variables, each call in an order of its own."""

import numpy as np
from cases import case, form
from harness import raw

A = np.arange(6, dtype=np.float32).reshape(2, 3)
N = np.int32(2)


def reference(tf, x, op_type="VariableV2", name="v"):
    """A reference variable and the op that gives it x."""
    v = raw(tf, op_type, name, shape=x.shape if x.shape.ndims is not None else None, dtype=x.dtype)
    return v, raw(tf, "Assign", f"{name}/init", ref=v, value=x)


def resource(tf, x, name="v"):
    """A resource variable's handle and the op that gives it x."""
    v = raw(tf, "VarHandleOp", name, shape=x.shape if x.shape.ndims is not None else None, dtype=x.dtype, shared_name=name)
    return v, raw(tf, "AssignVariableOp", f"{name}/init", resource=v, value=x)


def then(tf, first, make):
    with tf.control_dependencies([first]):
        return make()


def updated(op_type):
    def call(tf, x, d):
        v, init = reference(tf, x)
        return tf.identity(then(tf, init, lambda: raw(tf, op_type, "update", ref=v, value=d)))

    return call


def resource_updated(op_type):
    def call(tf, x, d):
        v, init = resource(tf, x)
        update = then(tf, init, lambda: raw(tf, op_type, "update", resource=v, value=d))
        return then(tf, update, lambda: raw(tf, "ReadVariableOp", "read", resource=v, dtype=x.dtype))

    return call


def counted(tf, x, limit=3):
    v, init = reference(tf, x)
    return then(tf, init, lambda: raw(tf, "CountUpTo", "count", ref=v, limit=limit))


def resource_counted(tf, x, limit=3):
    v, init = resource(tf, x)
    return then(tf, init, lambda: raw(tf, "ResourceCountUpTo", "count", resource=v, limit=limit, T=x.dtype))


def old_variable(tf, x):
    v, init = reference(tf, x, "Variable")
    return then(tf, init, lambda: tf.identity(v))


def ref_identity(tf, x):
    v, init = reference(tf, x)
    return tf.identity(then(tf, init, lambda: raw(tf, "RefIdentity", "same", input=v)))


def initialized(tf, x):
    v, init = reference(tf, x)
    other, _ = reference(tf, x, name="w")
    return then(tf, init, lambda: raw(tf, "IsVariableInitialized", ref=v)), raw(tf, "IsVariableInitialized", ref=other)


def resource_initialized(tf, x):
    v, init = resource(tf, x)
    other, _ = resource(tf, x, name="w")
    after = then(tf, init, lambda: raw(tf, "VarIsInitializedOp", resource=v))
    return after, raw(tf, "VarIsInitializedOp", resource=other)


def shape_of(tf, x, **out):
    v, init = resource(tf, x)
    return then(tf, init, lambda: raw(tf, "VariableShape", "shape", input=v, **out))


def destroyed(tf, x):
    v, init = resource(tf, x)
    gone = then(tf, init, lambda: raw(tf, "DestroyResourceOp", "gone", resource=v))
    return then(tf, gone, lambda: raw(tf, "VarIsInitializedOp", resource=v))


def refused(op_type, label, call, make, *inputs, start=A):
    """A row of a call that is not built, on a variable that is there before."""
    case(f"raw_ops.{op_type}", label, call, *inputs, before=lambda tf: make(tf, tf.constant(start))[0])


for op_type in ("Assign", "AssignAdd", "AssignSub"):
    form(f"raw_ops.{op_type}", "form", updated(op_type), A, np.ones((2, 3), np.float32))
    form(f"raw_ops.{op_type}", "scalar", updated(op_type), N, N)
    for label, value in (("shapes differ", A[0]), ("dtypes differ", np.ones((2, 3), np.int32))):
        refused(op_type, label, lambda tf, v, d, t=op_type: raw(tf, t, "update", ref=v, value=d), reference, value)
for op_type in ("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"):
    form(f"raw_ops.{op_type}", "form", resource_updated(op_type), A, np.ones((2, 3), np.float32))
    for label, value in (("shapes differ", A[0]), ("dtypes differ", np.ones((2, 3), np.int32))):
        refused(op_type, label, lambda tf, v, d, t=op_type: raw(tf, t, "update", resource=v, value=d), resource, value)
form("raw_ops.CountUpTo", "form", counted, N)
case("raw_ops.CountUpTo", "reached", lambda tf, x: counted(tf, x, 2), N)
refused("CountUpTo", "vector", lambda tf, v: raw(tf, "CountUpTo", ref=v, limit=3), reference, start=np.array([1, 2], np.int32))
form("raw_ops.ResourceCountUpTo", "form", resource_counted, N)
case("raw_ops.ResourceCountUpTo", "reached", lambda tf, x: resource_counted(tf, x, 2), N)
form("raw_ops.Variable", "form", old_variable, A)
case("raw_ops.VariableV2", "not given a value", lambda tf: tf.identity(raw(tf, "VariableV2", "v", shape=[2], dtype=tf.float32)), nodes=True)
case("raw_ops.VariableV2", "open shape", lambda tf: tf.identity(raw(tf, "VariableV2", "v", shape=[None], dtype=tf.float32)))
case(
    "raw_ops.ReadVariableOp",
    "not given a value",
    lambda tf: raw(tf, "ReadVariableOp", "read", resource=raw(tf, "VarHandleOp", "v", shape=[2], dtype=tf.float32, shared_name="v"), dtype=tf.float32),
    nodes=True,
)
refused("ReadVariableOp", "another dtype", lambda tf, v: raw(tf, "ReadVariableOp", resource=v, dtype=tf.int32), resource)
form("raw_ops.RefIdentity", "form", ref_identity, A)
form("raw_ops.IsVariableInitialized", "form", initialized, A)
form("raw_ops.VarIsInitializedOp", "form", resource_initialized, A)
form("raw_ops.VariableShape", "form", shape_of, A)
form("raw_ops.VariableShape", "int64", lambda tf, x: shape_of(tf, x, out_type=tf.int64), A)
form("raw_ops.DestroyResourceOp", "form", destroyed, A)
