"""The static layout and the browser's agree on what stands above what: tests/golden/layout.json is laid out by both.

The file has records of graphs, and of a loop, which is cut where it goes round;
widgets/test/layout/shared-layout.test.ts reads it too.
After a wanted change of records, write it anew with `python tests/view/test_shared_layout.py`.
"""

import json
from pathlib import Path

import drawn_graphs as graphs
import pytest

from tfedu.view.build import graph_record
from tfedu.view.draw.folding import fold
from tfedu.view.draw.layout import layout
from tfedu.view.draw.layout_levels import Size
from tfedu.view.records import from_json, to_json

SHARED = Path(__file__).parents[1] / "golden" / "layout.json"
NAMES = ["without", "with", "cond", "mlp", "loop"]


def records():
    return {name: to_json(graph_record(graphs.ALL[name]())) | {"codes": []} for name in NAMES}


def test_the_shared_records_are_the_ones_of_today():
    assert json.loads(SHARED.read_text("utf-8")) == json.loads(json.dumps(records()))


@pytest.mark.parametrize("name", NAMES)
def test_every_node_stands_below_what_it_depends_on(name):
    record = from_json(json.loads(SHARED.read_text("utf-8"))[name])
    placed = layout(fold(record), lambda box: Size(60.0, 30.0), lambda text: 5.0 * len(text))
    rects = {box.node.id: rect for box, rect in placed.rects.items() if box.node is not None}
    types = {node.id: node.type for node in record.nodes}
    for edge in record.edges:
        above, below = rects[edge.source], rects[edge.target]
        if types[edge.source] == "NextIteration":
            above, below = below, above
        assert above.y + above.height < below.y


if __name__ == "__main__":
    SHARED.write_text(json.dumps(records(), indent=1, sort_keys=True) + "\n", "utf-8")
