"""Every test starts on a fresh default graph, as every program does."""

import sys

import pytest


@pytest.fixture(autouse=True)
def fresh_default_graph():
    stacks = sys.modules.get("tfedu.engine.graph.stacks")  # a test that never imported the engine needs none
    if stacks is not None:
        stacks.reset_default_graph()
