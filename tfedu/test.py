"""`tf.test`: unit tests of graphs."""

# ruff: noqa: I001 - the names stand in paragraphs
from unittest import mock as _mock

from .engine.base.lazy import lazy as _lazy
from .testing.test_case import (
    TestCase, assert_equal_graph_def, get_temp_dir, gpu_device_name, is_built_with_cuda,
    is_built_with_gpu_support, is_built_with_rocm, is_gpu_available, main, test_src_dir_path,
)  # fmt: skip
from .testing.stubs import StubOutForTesting
from .testing.benchmark import Benchmark, benchmark_config

mock = _mock

__all__ = [
    "Benchmark", "StubOutForTesting", "TestCase", "assert_equal_graph_def", "benchmark_config",
    "get_temp_dir", "gpu_device_name", "is_built_with_cuda", "is_built_with_gpu_support",
    "is_built_with_rocm", "is_gpu_available", "main", "mock", "test_src_dir_path",
]  # fmt: skip

__getattr__, __dir__ = _lazy(__name__, {"tfedu.engine.autodiff.checker": "compute_gradient compute_gradient_error"})
