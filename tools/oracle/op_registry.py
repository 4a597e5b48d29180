"""Writes every fact of the oracle's op registry (no descriptions) to tests/golden/op_registry.json.

Run with the oracle's interpreter: ``python tools/oracle/op_registry.py tests/golden/op_registry.json``.

The file holds ``{"made_with": {...}, "count": n, "ops": {name: facts}}``; one op a line. Facts of one op, left out when empty:

- ``in`` / ``out``: arguments in order, each ``{"name"}`` with ``dtype`` (fixed) or ``type_attr`` (named type attribute),
  ``number_attr`` (N times that type), ``type_list_attr`` (a list of types), ``ref: true`` (reference);
- ``attrs``: in order, each ``{"name", "type"}`` with ``default``, ``allowed`` (values in order), ``min`` (of an int, or length of a list);
  ``default`` absent means required; types are written as names ("float"), shapes as lists with null, unknown rank as null;
- ``stateful``, ``commutative``, ``uninitialized`` (accepts uninitialized reference inputs), ``aggregate``: true;
- ``grad``: "function" (a gradient is registered), "none" (declared not differentiable); absent: nothing is registered.
"""

import contextlib
import json
import sys

import _oracle


def dtype_name(number):
    """Name of a DataType number as TF's registry prints it ("float", "int32", "float_ref" does not occur here)."""
    from tensorflow.core.framework import types_pb2

    return types_pb2.DataType.Name(number).removeprefix("DT_").lower()


def attr_value(value):
    """A python value of one AttrValue message."""
    kind = value.WhichOneof("value")
    if kind == "s":
        return value.s.decode("latin-1")
    if kind == "type":
        return dtype_name(value.type)
    if kind == "shape":
        return None if value.shape.unknown_rank else [None if d.size < 0 else d.size for d in value.shape.dim]
    if kind == "tensor":
        return {"tensor": str(value.tensor)}
    if kind == "func":
        return {"func": value.func.name}
    if kind == "list":
        items = value.list
        for field, _ in items.ListFields():
            got = getattr(items, field.name)
            if field.name == "s":
                return [x.decode("latin-1") for x in got]
            if field.name == "type":
                return [dtype_name(x) for x in got]
            if field.name == "shape":
                return [
                    None if x.unknown_rank else [None if d.size < 0 else d.size for d in x.dim] for x in got
                ]
            if field.name in ("tensor", "func"):
                return [str(x) for x in got]
            return list(got)
        return []
    if kind == "f":
        import numpy

        return float(str(numpy.float32(value.f)))
    return getattr(value, kind)


def argument(arg):
    facts = {"name": arg.name}
    if arg.type:
        facts["dtype"] = dtype_name(arg.type)
    for key in ("type_attr", "number_attr", "type_list_attr"):
        if getattr(arg, key):
            facts[key] = getattr(arg, key)
    if arg.is_ref:
        facts["ref"] = True
    return facts


def attribute(attr):
    facts = {"name": attr.name, "type": attr.type}
    if attr.HasField("default_value"):
        facts["default"] = attr_value(attr.default_value)
    if attr.HasField("allowed_values"):
        facts["allowed"] = attr_value(attr.allowed_values)
    if attr.has_minimum:
        facts["min"] = attr.minimum
    return facts


def registry():
    """Name -> facts for every op the oracle knows."""
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python.client import pywrap_tf_session
    from tensorflow.python.framework import ops

    message = op_def_pb2.OpList()
    message.ParseFromString(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
    result = {}
    for op in sorted(message.op, key=lambda op: op.name):
        facts = {}
        if op.input_arg:
            facts["in"] = [argument(a) for a in op.input_arg]
        if op.output_arg:
            facts["out"] = [argument(a) for a in op.output_arg]
        if op.attr:
            facts["attrs"] = [attribute(a) for a in op.attr]
        if op.control_output:
            facts["control_outputs"] = list(op.control_output)
        for key, flag in (
            ("stateful", op.is_stateful),
            ("commutative", op.is_commutative),
            ("aggregate", op.is_aggregate),
            ("uninitialized", op.allows_uninitialized_input),
        ):
            if flag:
                facts[key] = True
        with contextlib.suppress(LookupError):
            facts["grad"] = "none" if ops.gradient_registry.lookup(op.name) is None else "function"
        result[op.name] = facts
    return result


def main(path):
    _oracle.load()
    found = registry()
    lines = ",\n".join(
        f"{json.dumps(name)}:{json.dumps(facts, separators=(',', ':'))}" for name, facts in found.items()
    )
    head = json.dumps({"made_with": _oracle.versions(), "count": len(found)})[:-1]
    with open(path, "w", encoding="utf-8") as out:
        out.write(f'{head}, "ops": {{\n{lines}\n}}}}\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
