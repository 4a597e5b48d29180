"""A mock comm: what a widget sends is kept as JSON, what a browser would send goes in by `receive`."""

import json

import comm
import pytest


class Recorded(comm.DummyComm):
    sent: list[dict]

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
        self.__dict__.setdefault("sent", []).append(json.loads(json.dumps({"type": msg_type, "data": data or {}})))


class Wire:
    """The two ends of the comm of one widget."""

    def __init__(self, widget):
        self.widget = widget

    @property
    def opened(self) -> dict:
        """The state that the browser is given first."""
        return self.widget.comm.sent[0]["data"]["state"]

    @property
    def updates(self) -> list[dict]:
        """The states that were sent later."""
        return [m["data"]["state"] for m in self.widget.comm.sent[1:] if m["data"].get("method") == "update"]

    def receive(self, **state) -> None:
        """What the browser changes."""
        data = {"method": "update", "state": state, "buffer_paths": []}
        self.widget.comm.handle_msg({"content": {"comm_id": self.widget.comm.comm_id, "data": data}, "buffers": []})


@pytest.fixture(autouse=True)
def wire(monkeypatch):
    monkeypatch.setattr(comm, "create_comm", lambda *args, **kwargs: Recorded(*args, **kwargs))
    return Wire
