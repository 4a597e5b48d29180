"""CUDA C on a machine without a GPU: `compiled(codes)` compiles the bodies of kernels with the C++ compiler of the host.

A kernel's body works on one element; here a loop takes one after the other, where CUDA has a thread for each. What CUDA has and
C++ has not is in `_CUDA`. `needs_compiler` skips a test where there is no compiler, `library(text)` compiles any text.
"""

import ctypes
import functools
import hashlib
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np
import pytest

COMPILER = next(filter(None, map(shutil.which, ("g++", "clang++", "c++"))), None)
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler: apt-get install g++")

_CUDA = """
#include <math.h>
#include <string.h>
#include <pthread.h>
#include <utility>
using namespace std;
#define __global__
#define __device__
#define __shared__ static
struct Index { unsigned int x, y, z; };
static Index blockIdx, blockDim, gridDim;
static thread_local Index threadIdx;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_are_here = PTHREAD_COND_INITIALIZER;
static unsigned int waiting, meeting;
static void __syncthreads() {
  pthread_mutex_lock(&lock);
  const unsigned int here = meeting;
  if (++waiting == blockDim.x) {
    waiting = 0;
    ++meeting;
    pthread_cond_broadcast(&all_are_here);
  }
  while (here == meeting) pthread_cond_wait(&all_are_here, &lock);
  pthread_mutex_unlock(&lock);
}
template <class Run> struct Thread { Run* run; unsigned int x; pthread_t id; };
template <class Run> static void* started(void* argument) {
  Thread<Run>* thread = (Thread<Run>*)argument;
  threadIdx.x = thread->x;
  (*thread->run)();
  return nullptr;
}
template <class Run> static void run_block(bool waits, Run run) {
  if (!waits) {
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) run();
    return;
  }
  Thread<Run>* threads = new Thread<Run>[blockDim.x];
  for (unsigned int x = 0; x < blockDim.x; ++x) {
    threads[x].run = &run;
    threads[x].x = x;
    pthread_create(&threads[x].id, nullptr, started<Run>, &threads[x]);
  }
  for (unsigned int x = 0; x < blockDim.x; ++x) pthread_join(threads[x].id, nullptr);
  delete[] threads;
}
template <class... Types, size_t... At>
static void launch(void (*kernel)(Types...), const unsigned int* sizes, void** arguments, index_sequence<At...>) {
  gridDim = {sizes[0], sizes[1], 1};
  blockDim = {sizes[2], 1, 1};
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
      run_block(sizes[3], [=] { kernel(*(Types*)arguments[At]...); });
}
template <class... Types>
static void launch(void (*kernel)(Types...), const unsigned int* sizes, void** arguments) {
  launch(kernel, sizes, arguments, index_sequence_for<Types...>());
}
static inline void __threadfence() {}
static inline unsigned int atomicAdd(unsigned int* at, unsigned int number) { return __sync_fetch_and_add(at, number); }
static inline float __int_as_float(int bits) { float x; memcpy(&x, &bits, 4); return x; }
static inline int __float_as_int(float x) { int bits; memcpy(&bits, &x, 4); return bits; }
struct __half { _Float16 number; };
static inline __half __float2half_rn(float x) { return {(_Float16)x}; }
static inline __half __double2half(double x) { return {(_Float16)x}; }
static inline float __half2float(__half x) { return (float)x.number; }
struct float16 {  // CuPy's
  __half data;
  float16(float x) : data(__float2half_rn(x)) {}
  operator float() const { return __half2float(data); }
};
static inline double __longlong_as_double(long long bits) { double x; memcpy(&x, &bits, 8); return x; }
"""


@functools.cache
def library(text):
    """The functions of a text in C++, compiled as strictly as NVIDIA's compiler does with `--fmad=false`."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tfedu-cuda-"))
    try:
        source, binary = folder / "kernels.cpp", folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.so"
        source.write_text(_CUDA + text)
        options = ["-O1", "-std=c++17", "-pthread", "-ffp-contract=off", "-shared", "-fPIC"]
        command = [COMPILER, *options, "-o", str(binary), str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert not done.returncode, f"{done.stderr[:3000]}\n{text[:3000]}"
        return ctypes.CDLL(str(binary))
    finally:
        shutil.rmtree(folder)


def loop(code, name):
    """A function in C++ that does for each element what the body does."""
    from tfedu.engine.backends.scalar_code import C_TYPES

    lines = [f'extern "C" void {name}(long long count, void** arrays) {{', "for (long long i = 0; i < count; ++i) {"]
    arrays = [*[(f"in{at}", t) for at, t in enumerate(code.inputs)], *[(f"out{at}", t) for at, t in enumerate(code.outputs)]]
    for at, (array, dtype) in enumerate(arrays):
        type = C_TYPES.get(dtype, "float16")
        lines.append(f"{'const ' * array.startswith('in')}{type}& {array} = (({type}*)arrays[{at}])[i];")
    return "\n".join([*lines, code.body, "}}"])


def compiled(codes):
    """A function of arrays, which broadcast, for each code: it gives a tuple of arrays."""
    library_of_all = library("\n".join([loop(code, f"kernel{at}") for at, code in enumerate(codes)]))
    return [_function(code, getattr(library_of_all, f"kernel{at}")) for at, code in enumerate(codes)]


def _function(code, function):
    def run(*values):
        assert [np.asarray(value).dtype for value in values] == list(code.inputs)
        arrays = [np.ascontiguousarray(array) for array in np.broadcast_arrays(*values)]
        shape = np.broadcast_shapes(*[np.shape(value) for value in values])
        results = [np.empty(shape, dtype) for dtype in code.outputs]
        pointers = [array.ctypes.data for array in (*arrays, *results)]
        function(ctypes.c_longlong(results[0].size), (ctypes.c_void_p * len(pointers))(*pointers))
        return tuple(results)

    return run


def kernel(source, name):
    """A whole kernel in CUDA C, as cupy.RawKernel, with NumPy's arrays and numbers. The threads of a block run one after the
    other, or are threads of the host where they wait for each other.

    It is called with the numbers of blocks and of threads along each axis, of which two and one may differ from 1.
    """
    start = f'extern "C" void start(unsigned int* sizes, void** arguments) {{ launch({name}, sizes, arguments); }}'
    function = library(f"{source}\n{start}").start

    def run(grid, block, arguments):
        assert len(grid) <= 2
        assert len(block) == 1
        sizes = (ctypes.c_uint * 4)(*(*grid, 1)[:2], *block, "__syncthreads" in source)
        held = []
        for value in arguments:
            assert isinstance(value, np.ndarray | np.generic)
            is_array = isinstance(value, np.ndarray)
            assert not is_array or value.flags.c_contiguous
            held.append(np.array(value.ctypes.data, np.uint64) if is_array else np.array(value))
        function(sizes, (ctypes.c_void_p * len(held))(*[one.ctypes.data for one in held]))

    return run
