"""Compiles tfedu/engine/base/proto/*.proto to messages.binpb, which the package carries: `python tools/proto.py`.

The result is the plainest compiled form, a FileDescriptorSet: it holds no code, and every release of the protobuf library
reads it. Needs the network once, for the compiler (grpcio-tools, in a virtual environment that is thrown away).
`described(files)` writes a descriptor set as .proto text again; tests/interop/test_proto.py compares that with the sources,
so that a stale file is found without the compiler. No state.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile

PROTO = pathlib.Path(__file__).resolve().parents[1] / "tfedu" / "engine" / "base" / "proto"
COMPILED = PROTO / "messages.binpb"
COMPILER = "grpcio-tools==1.62.3"  # libprotoc 25.1


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        venv, sources = pathlib.Path(folder, "venv"), pathlib.Path(folder, "tfedu")
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv / "bin" / "pip", "install", "--quiet", COMPILER], check=True)
        sources.mkdir()
        files = [pathlib.Path(shutil.copy(path, sources)).name for path in sorted(PROTO.glob("*.proto"))]
        command = [venv / "bin" / "python", "-m", "grpc_tools.protoc", f"-I{folder}", f"--descriptor_set_out={COMPILED}"]
        subprocess.run([*command, *[f"tfedu/{name}" for name in files]], check=True)
    print(f"{COMPILED.relative_to(PROTO.parents[3])} written ({COMPILED.stat().st_size} bytes)")


# -- a descriptor as .proto text --------------------------------------------------------------------------------------


def described(file) -> list[str]:
    """The lines of the .proto file that this FileDescriptorProto was compiled from, without comments and blank ones."""
    lines = [f'syntax = "{file.syntax}";', f"package {file.package};"]
    lines += [f'import "{name}";' for name in file.dependency]
    package = f".{file.package}."
    for enum in file.enum_type:
        lines += _enum(enum)
    for message in file.message_type:
        lines += _message(message, f"{package}{message.name}", package)
    return lines


def written(path: pathlib.Path) -> list[str]:
    """The lines of a .proto file that say something; the enums before the messages, as a descriptor has them."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line and not line.startswith("//")]
    head = next(i for i, line in enumerate(lines) if line.endswith("{"))
    blocks, depth = [], 0
    for line in lines[head:]:
        if depth == 0:
            blocks.append([])
        blocks[-1].append(line)
        depth += line.endswith("{") - (line == "}")
    enums = [block for block in blocks if block[0].startswith("enum")]
    messages = [block for block in blocks if not block[0].startswith("enum")]
    return lines[:head] + [line for block in enums + messages for line in block]


def _enum(enum) -> list[str]:
    return [f"enum {enum.name} {{", *[f"{v.name} = {v.number};" for v in enum.value], "}"]


def _message(message, full: str, package: str) -> list[str]:
    lines = [f"message {message.name} {{"]
    for enum in message.enum_type:
        lines += _enum(enum)
    maps = {}
    for inner in message.nested_type:
        if inner.options.map_entry:
            maps[f"{full}.{inner.name}"] = inner
        else:
            lines += _message(inner, f"{full}.{inner.name}", package)
    choice = None
    for field in message.field:
        belongs = field.oneof_index if field.HasField("oneof_index") else None
        if choice is not None and belongs != choice:
            lines.append("}")
        if belongs is not None and belongs != choice:
            lines.append(f"oneof {message.oneof_decl[belongs].name} {{")
        choice = belongs
        entry = maps.get(field.type_name)
        if entry is not None:
            key, value = (_type(f, full, package) for f in entry.field)
            lines.append(f"map<{key}, {value}> {field.name} = {field.number};")
        else:
            repeated = "repeated " if field.label == field.LABEL_REPEATED else ""
            lines.append(f"{repeated}{_type(field, full, package)} {field.name} = {field.number};")
    if choice is not None:
        lines.append("}")
    return [*lines, "}"]


def _type(field, full: str, package: str) -> str:
    if not field.type_name:
        return field.Type.Name(field.type).removeprefix("TYPE_").lower()
    return field.type_name.removeprefix(f"{full}.").removeprefix(package).removeprefix(".")


if __name__ == "__main__":
    main()
