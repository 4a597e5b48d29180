"""What recording gives sessions: a run that RunOptions(trace_level=…) asks to trace leaves its record in RunMetadata.

`attach()` is called once, by the package's __init__. No state.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Final

from ..runtime.config import RunMetadata
from ..runtime.deadline import Check
from ..runtime.session import BaseSession
from ..runtime.signature import Call
from .recorder import Trace, on_host, run_traced
from .trace import labelled


def run_recorded(session: BaseSession, call: Call, metadata: RunMetadata | None, check: Check | None) -> list[Any]:
    """The values of the fetched tensors; `metadata.trace` holds the recorded run.

    check: is called before every turn, and may end the run by an error.
    Raises: the failing node's error.
    """
    signature = call.signature
    scheduled = signature.schedule()
    fed = dict(zip(signature.run_feeds, call.values))
    gpu = session.store.gpu
    with nullcontext() if gpu is None else gpu.gpu.counted() as memory:
        run, computed = run_traced(scheduled, session.store, fed, signature.run_fetches, check=check, memory=memory)
    if gpu is not None:
        on_host(run, gpu.on_host)
    if metadata is not None:
        trace: Any = Trace(scheduled.placed.pruned.graph, labelled(signature.run_elements), fed, scheduled, [run])
        trace.speeds = session.speeds if session.placer.simulated else None
        metadata.trace = trace
    if run.error is not None:
        raise run.error
    values = signature.with_fed(computed, call.values)
    by_tensor: dict[Any, Any] = dict(zip(signature.tensors, values))
    run.fetched = [by_tensor.get(element) for element in signature.elements]
    return values


ATTACHED: Final = {(BaseSession, "_run_recorded"): run_recorded}


def attach() -> None:
    """Puts each function of the table on its class."""
    for (owner, name), function in ATTACHED.items():
        setattr(owner, name, function)
