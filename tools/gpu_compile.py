"""`python tools/gpu_compile.py`: NVIDIA's compiler compiles all kernels that tfedu writes in CUDA C, on any machine.

No GPU is needed, but CuPy and the libraries of CUDA, as `pip install tfedu[gpu12]` brings them. The kernels are those of
tools/gpu_generated.py, elementwise ones in the text that CuPy puts around them, for arrays that lie in one piece and for others.
The command prints what does not compile, and ends with 1 then. No state.
"""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Iterator
from typing import Any

CLONE = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CLONE), str(CLONE / "tools"), *[str(CLONE / "tests" / room) for room in ("ops", "semantics", "backends")]]

import numpy as np

# The oldest and the newest kind of GPU that both CUDA 12 and 13 compile for.
_ARCHITECTURES = ("75", "120")
_AT_ONCE = 60  # elementwise kernels in one text
# CuPy's number for an argument that is an array, and for a loop.
_ARRAY, _LOOP = 1, 2


def written() -> tuple[list[Any], list[str]]:
    """(the formulas of elementwise kernels, the sources of the others) that the checks of gpu_generated.py ask a GPU for."""
    import gpu_generated

    from tfedu.engine.backends.cupy import Gpu

    formulas: dict[Any, None] = {}
    sources: dict[str, None] = {}

    def elementwise(code: Any) -> Any:
        formulas[code] = None
        return lambda *arrays: arrays[:1]

    def raw(source: str, name: str) -> Any:
        sources[source] = None
        return lambda grid, block, arguments: None

    gpu = Gpu(np, np.ndarray, np.asarray, np.asarray, elementwise=elementwise, raw=raw, address=lambda array: array.ctypes.data)
    gpu_generated.checked(gpu)
    return list(formulas), list(sources)


def texts(formulas: list[Any], sources: list[str]) -> Iterator[tuple[str, str]]:
    """(what it is, the text as CuPy gives it to the compiler), for each text."""
    import cupy
    from cupy._core import _carray, _kernel, core

    for source in sources:
        yield source.strip().partition("\n")[0], source
    header = "".join([f"#include <{name}>\n" for name in core._cupy_header_list])
    for in_one_piece, axes in ((True, 1), (False, 3)):
        for start in range(0, len(formulas), _AT_ONCE):
            parts = []
            for number, code in enumerate(formulas[start : start + _AT_ONCE]):
                inputs = ", ".join([f"{dtype.name} in{i}" for i, dtype in enumerate(code.inputs)])
                outputs = ", ".join([f"{dtype.name} out{i}" for i, dtype in enumerate(code.outputs)])
                kernel = cupy.ElementwiseKernel(inputs, outputs, code.body, preamble=code.preamble)
                arguments = [
                    _kernel._ArgInfo(_ARRAY, cupy.ndarray, dtype.type, axes, in_one_piece, in_one_piece)
                    for dtype in (*code.inputs, *code.outputs)
                ]
                arguments.append(_kernel._ArgInfo(_LOOP, _carray.Indexer, None, axes, True, in_one_piece))
                parts.append(_kernel._get_elementwise_kernel_code(
                    tuple(arguments), _kernel._TypeMap(()), kernel.params, code.body, f"kernel{number}", code.preamble
                ))  # fmt: skip
            yield f"{len(parts)} elementwise kernels from number {start}", header + "".join(parts)


def main() -> int:
    import cupy
    from cupy._core import core
    from cupy.cuda import nvrtc

    from tfedu.engine.backends.scalar_code import OPTIONS

    formulas, sources = written()
    print(f"{len(formulas)} elementwise kernels, {len(sources)} others; CuPy {cupy.__version__}, NVRTC {nvrtc.getVersion()}")
    options = (*core.assemble_cupy_compiler_options(OPTIONS), "--device-as-default-execution-space")
    failed = 0
    for architecture in _ARCHITECTURES:
        for name, text in texts(formulas, sources):
            program = nvrtc.createProgram(text, "kernels.cu", (), ())
            try:
                nvrtc.compileProgram(program, (*options, f"-arch=compute_{architecture}"))
            except nvrtc.NVRTCError:
                failed += 1
                print(f"compute_{architecture}: {name}:\n{nvrtc.getProgramLog(program)[:3000]}")
            finally:
                nvrtc.destroyProgram(program)
    print("all compile" if not failed else f"{failed} texts do not compile")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
