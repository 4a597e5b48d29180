"""Every test starts on a fresh default graph, as every program does; the tests in a browser come last."""

import logging
import sys

import hypothesis
import pytest

# `make test` draws the same examples each time; what is marked long says otherwise for itself
hypothesis.settings.register_profile("same", derandomize=True, database=None, deadline=None)
hypothesis.settings.load_profile("same")


@pytest.fixture(autouse=True)
def fresh_default_graph():
    default_graph = sys.modules.get("tfedu.engine.graph.default_graph")  # a test that never imported the engine needs none
    if default_graph is not None:
        default_graph.reset_default_graph()


@pytest.fixture(autouse=True)
def same_verbosity():
    """A lesson that a test runs may choose what is logged."""
    logger = logging.getLogger("tensorflow")
    level = logger.level
    yield
    logger.setLevel(level)


@pytest.fixture
def counter():
    """The identity of the counter x, behind an addition, in a graph of its own."""
    import tfedu as tf  # the tests of files and tools need no engine

    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        bump = tf.assign_add(x, 1, name="bump")
        with tf.control_dependencies([bump]):
            yield tf.identity(x, name="y")


def pytest_collection_modifyitems(items):
    # they are the slowest, and Playwright keeps an event loop running in the main thread
    items.sort(key=lambda item: "browser" in item.path.parts)
