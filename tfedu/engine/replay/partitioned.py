"""Runs on several devices for tools that know one: in the graph with the transfers (runtime/partition.py), every node has what
it needs where it is, so a run of that graph needs no devices.

`on_one_device(fetches, feed_dict, session)` is the run of a session with several devices; `on_devices(y, gpus=2)` gives fetches
that any tool takes. No state.
"""

from __future__ import annotations

from typing import Any

from ..runtime.config import ConfigProto
from ..runtime.session import Session
from ..runtime.signature import Call
from .trace import graph_of_fetches


def on_one_device(fetches: Any, feed_dict: Any, session: Session | None) -> tuple[Any, Any, Session | None]:
    """A run as its partition has it: in a session with several devices the same run in the graph with the transfers, which
    needs no devices, with the fetches in the same nest; any other run as it is.
    """
    if session is None or not session.placer.simulated:
        return fetches, feed_dict, session
    call = session.prepare(fetches, feed_dict)
    signature = call.signature
    scheduled = signature.schedule()
    within = Session(graph=scheduled.placed.pruned.graph, schedule=session.policy)
    within.noted = None
    within.store, within.speeds = session.store.copy(), session.speeds
    fed = dict(zip(signature.run_feeds, call.values))
    return _fetched(call), fed, within


def on_devices(fetches: Any, *, gpus: int = 1, cpus: int = 1) -> Any:
    """The same fetches in the graph of a run on so many simulated devices, for every tool that takes fetches.

    That graph is a copy with the transfers as nodes: `StepThrough(on_devices(y, gpus=2))`, `check(on_devices(y, gpus=2), …)`.
    What is fetched is what arrives at the first CPU. An operation among the fetches makes the result a list.
    Raises: as Session.run for wrong fetches, and for devices that a needed node cannot have.
    """
    config = ConfigProto(
        device_count={"CPU": cpus, "GPU": gpus},
        simulated_devices={"beside_gpu": True},
        graph_options={"place_pruned_graph": True},
    )
    with Session(graph=graph_of_fetches(fetches), config=config) as session:
        session.noted = None
        return _fetched(session.prepare(fetches))


def _fetched(call: Call) -> Any:
    """The fetches of a call as its schedule has them: the same nest; a list if an operation is among them."""
    elements = call.signature.run_elements
    return elements if call.structure.operations else call.structure.rebuild(elements)


__all__ = ["on_devices", "on_one_device"]
