"""Runs the kernels of the op table through CuPy's own code on a machine without a GPU: `python tools/dry_gpu.py`.

CuPy chooses the loop for the dtypes, checks arguments and shapes, and allocates results on the host; the GPU has the numbers
alone. So all of CuPy but its kernels runs on a CUDA that does nothing: dry_cuda.c. What this finds: functions and arguments that
CuPy lacks, dtypes that it refuses, results of another shape or dtype than NumPy's, results that share memory with an input,
and reads for which the host would wait although ops/gpu_kernels.py does not say so. The numbers are not looked at: a kernel that
looks at numbers itself may fail for what it finds, so those that are declared to read are run, but not judged.

It needs Linux on x86-64, a C compiler, `nm` and `readelf`, and an interpreter with CuPy 13 or 14 beside tfedu's own packages.
CuPy brings its own copies of the CUDA runtime, whose functions are overwritten in memory by jumps. `--launches` prints how many
kernels each type launches; what CuPy's libraries launch does not count. State: CuPy, patched for the rest of the process.
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
from typing import Any

CLONE = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CLONE), *[str(CLONE / "tests" / room) for room in ("ops", "semantics", "backends")]]
_LIBRARIES = ("cublas", "cusolver", "cusparse", "curand", "cufft")
# The modules with a copy of the CUDA runtime, and of no other one.
_WITH_RUNTIME = ("cub", "thrust", "_generator_api", "jitify")
# mov r11, <address>; jmp r11
_JUMP = (b"\x49\xbb", b"\x41\xff\xe3")


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


class Dry:
    """CUDA that does nothing, and the numbers of launches, of reads and of waits so far: `counts`."""

    def __init__(self) -> None:
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="tfedu-dry-"))
        os.environ["CUPY_CACHE_IN_MEMORY"] = "1"
        spec = importlib.util.find_spec("cupy")
        assert spec is not None, "this interpreter has no CuPy"
        assert spec.origin is not None
        self._modules = [*pathlib.Path(spec.origin).parents[1].glob("cupy*/**/*.so")]
        # The same library under several names: the loader takes what is there already for what a module needs.
        text = (pathlib.Path(__file__).parent / "dry_cuda.c").read_text()
        self._base = self._compiled(text, "libdry.so")
        self._driver = self._compiled(text, "libcuda.so.1")
        for name in ("libnvrtc.so.11.2", "libnvrtc.so.12", "libnvrtc.so.13"):
            self._compiled(text, name)
        for library in _LIBRARIES:
            self._stand_in(library, text)
        self._nothing = self._address("dry_nothing")
        (runtime,) = [path for path in self._modules if path.name.startswith("runtime.")]
        ctypes.CDLL(str(runtime))
        self._patch(runtime)
        self._find_no_others()
        import cupy  # noqa: F401 - it loads the modules below
        from cupy.cuda import cub, thrust  # noqa: F401

        for path in self._modules:
            if path.name.partition(".")[0] in _WITH_RUNTIME:
                self._patch(path)
        for name in ("sort", "lexsort", "argsort"):  # they want results of kernels
            setattr(thrust, name, lambda *_: None)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Returns the numbers of launches, reads and waits."""
        launches, reads, waits = (ctypes.c_long.in_dll(self._base, name).value for name in ("launches", "reads", "waits"))
        return launches + ctypes.c_long.in_dll(self._driver, "launches").value, reads, waits

    def _compiled(self, text: str, name: str) -> Any:
        source, library = self._folder / f"{name}.c", self._folder / name
        source.write_text(text)
        version = self._folder / f"{name}.map"
        version.write_text(f"{name} {{ global: *; }};")
        command = ["cc", "-shared", "-fPIC", "-w", "-O1", "-o", str(library), str(source)]
        subprocess.run([*command, f"-Wl,-soname,{name}", "-Wl,-Bsymbolic", f"-Wl,--version-script={version}"], check=True)
        return ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)

    def _stand_in(self, library: str, text: str) -> None:
        """A library of the functions that CuPy's module for it wants."""
        names: set[str] = set()
        symbols: set[str] = set()
        for path in self._modules:
            if path.name.startswith(f"{library}."):
                names |= set(re.findall(rf"\[(lib{library}\.so\.\d+)\]", _output("readelf", "-d", str(path))))
                symbols |= set(re.findall(rf" U ({library}\w+)", _output("nm", "-D", "--undefined-only", str(path))))
        text += "\n".join([f"int {name}(void) {{ return 0; }}" for name in sorted(symbols) if f"int {name}(" not in text])
        for name in names:
            self._compiled(text, name)

    def _address(self, name: str) -> int | None:
        function = getattr(self._base, name, None)
        return None if function is None else ctypes.cast(function, ctypes.c_void_p).value

    def _patch(self, path: pathlib.Path) -> None:
        """Makes the CUDA runtime within a loaded module jump to the functions here."""
        place_of_file = f" {path.resolve()}"
        maps = pathlib.Path("/proc/self/maps").read_text().splitlines()
        lines = [line.split() for line in maps if line.endswith(place_of_file)]
        found = re.findall(r"^([0-9a-f]+) [tT] (cuda[A-Z]\w*)$", _output("nm", str(path)), re.MULTILINE) if lines else []
        if not found:
            return
        libc = ctypes.CDLL(None)
        spans = [[int(end, 16) for end in fields[0].split("-")] + [fields[1]] for fields in lines]
        for begin, end, rights in spans:
            if "x" in rights:
                assert not libc.mprotect(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), 7)
        for place, name in found:
            target = self._address(f"dry_{re.sub('_v2$|_pt[ds][sz]$', '', name)}") or self._nothing
            jump = _JUMP[0] + target.to_bytes(8, "little") + _JUMP[1]
            ctypes.memmove(spans[0][0] + int(place, 16), jump, len(jump))

    def _find_no_others(self) -> None:
        """CuPy 14 looks for CUDA's libraries with a package of NVIDIA's: it gets those of here."""
        try:
            from cuda import pathfinder
        except ImportError:
            return
        folder = self._folder

        class Found:
            abs_path = None

            def __init__(self, name: str) -> None:
                self._handle_uint = ctypes.CDLL(str(folder / "libnvrtc.so.12"))._handle if name == "nvrtc" else 0

        pathfinder.load_nvidia_dynamic_lib = Found


def _shares_memory(result: Any, values: list[Any]) -> bool:
    begin, end = result.data.ptr, result.data.ptr + result.nbytes
    return any(begin < value.data.ptr + value.nbytes and value.data.ptr < end for value in values if hasattr(value, "data"))


def checked(dry: Dry) -> tuple[int, dict[str, str], dict[str, set[int]]]:
    """(how many calls ran, the first failure of each type, how many launches each type takes)."""
    import cupy
    import kernel_calls
    import numpy as np
    from test_gpu_kernels import of_other_dtypes

    from tfedu.engine.ops import gpu_kernels

    forms: dict[str, dict[Any, Any]] = collections.defaultdict(dict)
    for call in kernel_calls.calls():
        if kernel_calls.computes_on_gpu(call):
            key = tuple([(np.asarray(v).dtype.char, np.shape(v)) for v in call.values]), repr(call.attrs)[:300]
            forms[call.type].setdefault(key, call)

    def failure(call: Any) -> str:
        sent: list[Any] = []

        def moved(array: Any) -> Any:
            sent.append(cupy.asarray(array))
            return sent[-1]

        before = dry.counts
        results = kernel_calls.run_on(cupy, moved, call)
        after = dry.counts
        launches[call.type].add(after[0] - before[0])
        for at, (result, expected) in enumerate(zip(results, map(np.asarray, call.result), strict=True)):
            if not isinstance(result, cupy.ndarray):
                return f"output {at} is a {type(result).__name__}"
            if (result.shape, result.dtype) != (expected.shape, expected.dtype):
                return f"output {at} is {result.dtype}{list(result.shape)}, not {expected.dtype}{list(expected.shape)}"
            if call.op.definition.fresh and result.nbytes and _shares_memory(result, sent):
                return f"output {at} shares memory with an input"
        return "it reads what a kernel gives, and is not listed" if after[1:] != before[1:] else ""

    launches: dict[str, set[int]] = collections.defaultdict(set)
    failed: dict[str, str] = {}
    count = 0
    for kind, of_type in sorted(forms.items()):
        calls = list(of_type.values())
        for call in (*calls, *of_other_dtypes(calls[:60])):
            count += 1
            try:
                text = failure(call)
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
            if text and kind not in gpu_kernels.READS:
                dtypes = [np.asarray(value).dtype.name for value in call.values]
                failed.setdefault(kind, f"{call.row}, {dtypes}: {text[:300]}")
    return count, failed, launches


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--launches", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    dry = Dry()
    import cupy

    count, failed, launches = checked(dry)
    print(f"CuPy {cupy.__version__}: {count} calls of {len(launches)} types, {len(failed)} types failed")
    for kind, text in sorted(failed.items()):
        print(f"  {kind}: {text}")
    if options.launches:
        for kind, numbers in sorted(launches.items()):
            print(f"{kind}: {min(numbers)} to {max(numbers)} launches")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
