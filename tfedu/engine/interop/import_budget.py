"""What the import of a GraphDef would take, before it takes it: `charge(message, budget)`.

A node of thirty bytes can claim a constant of gigabytes or a quarter of a million outputs, and a file has many nodes: so the sum
over all nodes is compared with the budget before the first node exists. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.budget import Account, Budget
from ..op.definition import Arg
from . import op_signatures, tensor_messages
from .op_signatures import Signature


def charge(message: Any, budget: Budget) -> None:
    """Checks the whole GraphDef against the budget.

    Raises: ResourceExhaustedError, which names the limit.
    """
    account = budget.account("The GraphDef")
    account.take("nodes", len(message.node))
    signatures: dict[str, Signature] = {}
    for node in message.node:
        signature = signatures.get(node.op)
        if signature is None:
            signature = signatures[node.op] = op_signatures.signature(node.op) or Signature(node.op, (), (), ())
        attrs = node.attr
        count = len(attrs)
        for key, value in attrs.items():
            kind = value.WhichOneof("value")
            if kind == "list":
                count += sum(len(items) for _, items in value.list.ListFields())
            elif kind == "tensor" and key in signature.by_name:  # others stay messages
                account.take("bytes", tensor_messages.bytes_to_fill(value.tensor))
        if count:
            account.take("attributes", count)
        _take_outputs(account, signature.outputs, attrs)


def _take_outputs(account: Account, outputs: Sequence[Arg], attrs: Any) -> None:
    count = 0
    for arg in outputs:
        if arg.number_attr is not None:
            count += max(0, attrs[arg.number_attr].i) if arg.number_attr in attrs else 0
        elif arg.type_list_attr is not None:
            count += len(attrs[arg.type_list_attr].list.type) if arg.type_list_attr in attrs else 0
        else:
            count += 1
    if count:
        account.take("outputs", count)


__all__ = ["charge"]
