"""Layout: nothing overlaps, lines run from source to target, and the same graph gets the same layout."""

import drawn_graphs as graphs
import pytest
from hypothesis import given, settings
from test_fold import records

from tfedu.view.build import graph_record
from tfedu.view.draw.folding import fold
from tfedu.view.draw.layout import layout
from tfedu.view.draw.layout_levels import Size


def placed(record, collapsed=None, limit=120):
    return layout(fold(record, collapsed, limit), lambda box: Size(60.0, 30.0), lambda text: 5.0 * len(text))


def overlap(a, b):
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height


def within(inner, outer):
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


def assert_well_placed(picture):
    boxes = list(picture.rects)
    assert set(boxes) == set(picture.folding.boxes())
    for index, a in enumerate(boxes):
        rect = picture.rects[a]
        assert rect.x >= 0
        assert rect.y >= 0
        assert rect.x + rect.width <= picture.width
        assert rect.y + rect.height <= picture.height
        if a.parent in picture.rects:
            assert within(rect, picture.rects[a.parent])
        for b in boxes[index + 1 :]:
            if a.parent is b.parent:
                assert not overlap(rect, picture.rects[b])
    assert len(picture.routes) == len(picture.folding.lines)
    for route in picture.routes:
        for box, (x, y) in ((route.line.source, route.points[0]), (route.line.target, route.points[-1])):
            rect = picture.rects[box]
            assert rect.x - 0.11 <= x <= rect.x + rect.width + 0.11
            assert min(abs(y - rect.y), abs(y - rect.y - rect.height)) < 0.15
        assert_through_no_box(picture, route)


def assert_through_no_box(picture, route):
    """Between its ends a line stays outside every closed box: curves lie within the span of their two points."""
    around = set()
    for box in (route.line.source, route.line.target):
        while box is not None:
            around.add(box)
            box = box.parent
    for (ax, ay), (bx, by) in zip(route.points, route.points[1:]):
        low, high = min(ay, by) + 0.3, max(ay, by) - 0.3
        if low >= high:
            continue
        for box, rect in picture.rects.items():
            if box in around:
                continue
            crosses = rect.y < high and low < rect.y + rect.height
            straight = abs(ax - bx) < 0.3
            if crosses and straight:
                assert not rect.x < ax < rect.x + rect.width, (box.path, box.node and box.node.name)
            if crosses and not straight and box.kind != "scope":
                assert not (rect.x < max(ax, bx) and min(ax, bx) < rect.x + rect.width)


@pytest.mark.parametrize("name", sorted(graphs.ALL))
def test_boxes_do_not_overlap_and_lines_go_round_them(name):
    assert_well_placed(placed(graph_record(graphs.ALL[name]())))


@settings(max_examples=120, deadline=None)
@given(records())
def test_any_graph_is_well_placed(record):
    assert_well_placed(placed(record))


def test_the_flow_goes_down():
    picture = placed(graph_record(graphs.mlp()))
    for route in picture.routes:
        assert route.points[0][1] < route.points[-1][1]


def test_inputs_stand_in_their_order():
    b = graphs.Builder()
    x, y = b.const(1.0, "x"), b.const(2.0, "y")
    b("Sub", y, x)
    picture = placed(graph_record(b.graph))
    ends = {route.line.edges[0].input: route.points[-1][0] for route in picture.routes}
    assert ends[0] < ends[1]


def test_the_same_graph_is_placed_the_same():
    def points():
        picture = placed(graph_record(graphs.cond()))
        return [route.points for route in picture.routes], list(picture.rects.values())

    assert points() == points()


def test_a_wide_row_is_put_in_several():
    b = graphs.Builder()
    inputs = [b.variable(0.0, f"v{i}")[1] for i in range(14)]
    b("AddN", *inputs)
    picture = placed(graph_record(b.graph), limit=1000)
    assert_well_placed(picture)
    assert picture.width < 2000  # one row would be almost twice as wide
    for route in picture.routes:
        assert route.points[0][1] < route.points[-1][1]


def test_a_cycle_is_drawn_with_its_way_back():
    b = graphs.Builder()
    enter = b("Enter", b.const(0.0))
    merge = b.op("Merge", enter, enter)
    back = b("NextIteration", merge.outputs[0])
    b.graph.update_input(merge, 1, back)
    picture = placed(graph_record(b.graph))
    assert_well_placed(picture)
    assert sum(route.points[0][1] > route.points[-1][1] for route in picture.routes) == 1
