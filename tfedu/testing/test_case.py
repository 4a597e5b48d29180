"""`tf.test.TestCase`: unit tests of graphs, on top of absl's TestCase as in TF 1.15.

    class SquareTest(tf.test.TestCase):
        def test_square(self):
            with self.session():
                self.assertAllEqual(tf.square([2, 3]).eval(), [4, 9])

Each test starts on a fresh default graph with the same seeds. Loaded with `tf.test`. No state.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

try:
    from absl.testing import absltest
except ModuleNotFoundError as e:
    raise ModuleNotFoundError("tf.test needs the package absl-py:  pip install absl-py", name=e.name) from None

from ..engine.backends import cupy
from ..engine.base import errors
from ..engine.graph import (
    DeviceSpec,
    Graph,
    Tensor,
    get_default_graph,
    get_default_session,
    reset_default_graph,
)
from ..engine.runtime.config import ConfigProto
from ..engine.runtime.session import Session
from ..version import GRAPH_DEF_VERSION, GRAPH_DEF_VERSION_MIN_CONSUMER
from .array_asserts import ArrayAsserts
from .checked_thread import CheckedThread

# the seed of TF's TestCase, so that tests that expect its numbers pass
SEED = 87654321


def main(argv: list[str] | None = None) -> None:
    """Runs the tests of the program's module; exits with 0 if all pass."""
    absltest.main(argv=argv)
    raise SystemExit(0)


class TestCase(ArrayAsserts, absltest.TestCase):
    """A test case that starts each test with a new default graph, and compares arrays and tensors."""

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._threads: list[CheckedThread] = []
        self._folder: str | None = None
        self._cached: tuple[Session, tuple[Any, ...]] | None = None

    def setUp(self) -> None:
        super().setUp()
        self._forget_session()
        random.seed(SEED)
        np.random.seed(SEED)
        reset_default_graph()
        get_default_graph().seed = SEED

    def tearDown(self) -> None:
        for thread in self._threads:
            thread.check_termination()
        self._forget_session()
        super().tearDown()

    def _forget_session(self) -> None:
        if self._cached is not None:
            self._cached[0].close()
            self._cached = None

    def get_temp_dir(self) -> str:
        """A folder for this test alone; the same one at each call."""
        if self._folder is None:
            self._folder = tempfile.mkdtemp(dir=get_temp_dir())
            self.addCleanup(_delete, self._folder)
        return self._folder

    # -- sessions --

    @contextlib.contextmanager
    def session(
        self, graph: Graph | None = None, config: ConfigProto | None = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Session]:
        """A new session on a graph, both default inside; without use_gpu, nodes built inside are placed on the CPU."""
        with Session(graph=graph, config=_config(config, force_gpu)) as session:
            with _default(session, use_gpu, force_gpu):
                yield session

    @contextlib.contextmanager
    def cached_session(
        self, graph: Graph | None = None, config: ConfigProto | None = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Session]:
        """The session of this test, open between blocks. Raises: ValueError for other arguments than in the first call."""
        arguments = (graph, config, force_gpu)
        if self._cached is None:
            self._cached = Session(graph=graph, config=_config(config, force_gpu)), arguments
        else:
            for cached_argument, argument, name in zip(self._cached[1], arguments, ("graph", "config", "force_gpu"), strict=True):
                if cached_argument is not argument:
                    raise ValueError(
                        f"The {name} used to get the cached session is different than the one that was used to create it."
                    )
        session = self._cached[0]
        with _default(session, use_gpu, force_gpu):
            yield session

    def test_session(
        self, graph: Graph | None = None, config: ConfigProto | None = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> contextlib.AbstractContextManager[Session]:
        """`cached_session` without a graph, `session` with one. Deprecated in TF in favour of these two."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")  # unittest takes its name for a test's
        return (self.cached_session if graph is None else self.session)(graph, config, use_gpu, force_gpu)

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors, in the same structure, from the default session or a new one."""
        session = get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.test_session() as session:
            return session.run(tensors)

    def checkedThread(self, target: Callable[..., object], args: Any = None, kwargs: Any = None) -> CheckedThread:
        """A thread whose error fails the test that joins it."""
        thread = CheckedThread(self, target, args, kwargs)
        self._threads.append(thread)
        return thread

    # -- texts, errors, graphs --

    def assertStartsWith(self, actual: str, expected_start: str, msg: str | None = None) -> None:
        if not actual.startswith(expected_start):
            self.fail(f"{actual!r} does not start with {expected_start!r}" + (f" : {msg}" if msg else ""))

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type: Any, expected_err_re_or_predicate: Any) -> Iterator[None]:
        """Checks that a block raises an error of a type that contains a pattern or for which a function returns True."""
        try:
            yield
        except exception_type as error:
            if callable(expected_err_re_or_predicate):
                fits = expected_err_re_or_predicate(error)
            else:
                text = error.message if isinstance(error, errors.OpError) else str(error)
                op = error.op if isinstance(error, errors.OpError) else None
                fits = re.search(expected_err_re_or_predicate, f"{text}\nCaused by op: {op.name}" if op is not None else text)
            if not fits:
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
        else:
            self.fail(f"{getattr(exception_type, '__name__', exception_type)} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """Checks that a block raises an OpError that contains a pattern."""
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)

    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: str | None = None) -> None:
        """Checks that an array has the static shape of a tensor. Raises: TypeError for other types."""
        if not isinstance(np_array, np.ndarray | np.generic):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        if not isinstance(tf_tensor, Tensor):
            raise TypeError("tf_tensor must be a Tensor")
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg=msg)

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: str | None = None) -> None:
        one, other = (DeviceSpec.from_string(str(d)).to_string() for d in (device1, device2))
        self.assertEqual(one, other, f"Devices {one} and {other} are not equal. {msg}")

    def assertProtoEquals(self, expected_message_maybe_ascii: Any, message: Any, msg: str | None = None) -> None:
        """Checks that a message equals another one, or its text. Raises: TypeError for other types."""
        if isinstance(expected_message_maybe_ascii, str):
            from google.protobuf import text_format

            expected = type(message)()
            text_format.Merge(expected_message_maybe_ascii, expected, descriptor_pool=message.DESCRIPTOR.file.pool)
        elif type(expected_message_maybe_ascii) is type(message):
            expected = expected_message_maybe_ascii
        else:
            raise TypeError(
                f"Can't compare protos of type {type(expected_message_maybe_ascii)} and {type(message)}."
            )
        if expected != message:
            self.assertMultiLineEqual(str(expected), str(message), msg)
            self.fail(msg or "the messages differ, but not in their texts")

    def assertProtoEqualsVersion(
        self,
        expected: str,
        actual: Any,
        producer: int = GRAPH_DEF_VERSION,
        min_consumer: int = GRAPH_DEF_VERSION_MIN_CONSUMER,
        msg: str | None = None,
    ) -> None:
        """`assertProtoEquals` of a GraphDef's text to which its versions are added."""
        self.assertProtoEquals(f"versions {{ producer: {producer} min_consumer: {min_consumer} }};\n{expected}", actual, msg)

    # -- names that Python 3.12's unittest no longer has, and that programs of TF 1.x use --

    def assertRaisesRegexp(self, *args: Any, **kwargs: Any) -> Any:
        return self.assertRaisesRegex(*args, **kwargs)

    def assertRegexpMatches(self, *args: Any, **kwargs: Any) -> None:
        self.assertRegex(*args, **kwargs)

    def assertNotRegexpMatches(self, *args: Any, **kwargs: Any) -> None:
        self.assertNotRegex(*args, **kwargs)

    def assertEquals(self, *args: Any, **kwargs: Any) -> None:
        self.assertEqual(*args, **kwargs)

    def assertNotEquals(self, *args: Any, **kwargs: Any) -> None:
        self.assertNotEqual(*args, **kwargs)

    def assertAlmostEquals(self, *args: Any, **kwargs: Any) -> None:
        self.assertAlmostEqual(*args, **kwargs)

    def assertItemsEqual(self, *args: Any, **kwargs: Any) -> None:
        self.assertCountEqual(*args, **kwargs)

    def assert_(self, *args: Any, **kwargs: Any) -> None:
        self.assertTrue(*args, **kwargs)


def _config(config: ConfigProto | None, force_gpu: bool) -> ConfigProto:
    return ConfigProto(allow_soft_placement=not force_gpu) if config is None else config


@contextlib.contextmanager
def _default(session: Session, use_gpu: bool, force_gpu: bool) -> Iterator[None]:
    """Makes the session and its graph default, and sets the device that the test requests."""
    with session.graph.as_default(), session.as_default():
        device = "/device:GPU:0" if force_gpu else None if use_gpu else "/device:CPU:0"
        with session.graph.device(device) if device else contextlib.nullcontext():
            yield


def _delete(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


# -- what else tf.test has --


def get_temp_dir() -> str:
    """A folder for the files of the tests; the same one during a run of the program."""
    folder = os.environ.get("TEST_TMPDIR") or _temp_dirs.setdefault("", "")
    if not folder or not os.path.isdir(folder):
        folder = _temp_dirs[""] = tempfile.mkdtemp()
    return folder


_temp_dirs: dict[str, str] = {}


def test_src_dir_path(relative_path: str) -> str:
    """A path below the folder TEST_SRCDIR, as a build system sets it. Raises: KeyError."""
    return os.path.join(os.environ["TEST_SRCDIR"], "org_tensorflow/tensorflow", relative_path)


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None) -> bool:
    """Whether this machine has a GPU of that compute capability or a newer one, and CuPy for it."""
    found = cupy.gpu()
    return found is not None and found.capability >= (min_cuda_compute_capability or (0, 0))


def gpu_device_name() -> str:
    """The GPU's name in short; empty where there is none."""
    return "" if cupy.gpu() is None else "/device:GPU:0"


def is_built_with_cuda() -> bool:
    """False."""
    return False


def is_built_with_rocm() -> bool:
    """False."""
    return False


def is_built_with_gpu_support() -> bool:
    """False."""
    return False


def assert_equal_graph_def(
    actual: Any, expected: Any, checkpoint_v2: bool = False, hash_table_shared_name: bool = False
) -> None:
    """Whether two GraphDefs hold the same nodes, in any order. Raises: TypeError, AssertionError."""
    for given, name in ((actual, "actual"), (expected, "expected")):
        if type(given).__name__ != "GraphDef":
            raise TypeError(f"Expected tf.GraphDef for {name}, got {type(given).__name__}")
    nodes = [{node.name: node for node in graph.node} for graph in (actual, expected)]
    missing = [sorted(nodes[1 - i].keys() - nodes[i].keys()) for i in (0, 1)]
    if any(missing):
        raise AssertionError(f"Found 0 difference in shared nodes; only in expected: {missing[0]}, only in actual: {missing[1]}")
    for name, node in nodes[0].items():
        other = nodes[1][name]
        inputs = [sorted(i for i in n.input if i.startswith("^")) for n in (node, other)]
        data = [[i for i in n.input if not i.startswith("^")] for n in (node, other)]
        attributes = [{key: n.attr[key] for key in n.attr if not key.startswith("_output_shapes")} for n in (node, other)]
        if (node.op, node.device, inputs[0], data[0]) != (other.op, other.device, inputs[1], data[1]):
            raise AssertionError(f"Found difference in node '{name}':\nactual:\n{node}\nexpected:\n{other}")
        if attributes[0] != attributes[1]:
            raise AssertionError(f"Found difference in the attributes of node '{name}':\nactual:\n{node}\nexpected:\n{other}")


