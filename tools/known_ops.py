"""Writes what a graph file needs to know of every op type of TF to tfedu/engine/interop/known_ops.txt, one op a line.

`python tools/known_ops.py` reads tests/golden/op_registry.json (the oracle's registry). A line is
`Type inputs -> outputs ; attribute ; …`: an argument is `name:T` (an attribute's type), `name:float!` (a fixed one),
`name:N*T`, `name:[Tin]` (a list of types), `name:&T` (a reference); an attribute is `name:kind`, `name:kind=default`
or `name:kind>=least=default`.
tests/interop/test_known_ops.py says when the file is stale.
"""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT / "tests" / "golden" / "op_registry.json"
TABLE = ROOT / "tfedu" / "engine" / "interop" / "known_ops.txt"


def argument(arg):
    if "type_list_attr" in arg:
        kind = f"[{arg['type_list_attr']}]"
    else:
        kind = arg.get("type_attr") or f"{arg['dtype']}!"
    count = f"{arg['number_attr']}*" if "number_attr" in arg else ""
    return f"{arg['name']}:{count}{'&' if arg.get('ref') else ''}{kind}"


def attribute(attr):
    default = f"={json.dumps(attr['default'], separators=(',', ':'))}" if "default" in attr else ""
    least = f">={attr['min']}" if "min" in attr else ""
    return f"{attr['name']}:{attr['type']}{least}{default}"


def lines():
    for name, facts in json.loads(SOURCE.read_text(encoding="utf-8"))["ops"].items():
        inputs, outputs = (",".join(map(argument, facts.get(key, ()))) for key in ("in", "out"))
        yield " ; ".join([f"{name} {inputs} -> {outputs}", *map(attribute, facts.get("attrs", ()))])


def main():
    TABLE.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    print(f"{TABLE.relative_to(ROOT)}: {TABLE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
