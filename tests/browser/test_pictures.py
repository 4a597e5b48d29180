"""Static pictures in a real browser: texts fit in their boxes, and no name becomes markup or code."""

import base64

import pytest

import tfedu as tf

HOSTILE = [
    "<script>document.title='ran'</script>",
    "</title></desc></text></svg><img src=x onerror=\"document.title='ran'\">",
    '"><a href="javascript:document.title=\'ran\'">',
    "]]><script>document.title='ran'</script>",
    "&lt;script&gt;",
    "</style><script>document.title='ran'</script>",
    "evil\u202egnp\x00\x1b",
    "https://example.org/x.png",
]
WORLD = [
    "变量_权重矩阵_第一层",
    "가중치_행렬_첫번째_층",
    "重み",
    "\U0001f9d1\u200d\U0001f680",
    "W" * 26,
    "Ärger_ñandú",
]

OUTSIDE = """() => [...document.querySelectorAll("[data-node], [data-block], [data-nodes]")].flatMap(group => {
    const box = group.querySelector("path").getBoundingClientRect();
    return [...group.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()])
        .filter(([, r]) => r.width)
        .map(([text, r]) => [text, r.left - box.left, box.right - r.right, r.top - box.top, box.bottom - r.bottom])
        .filter(([, left, right, top, bottom]) => left < 0 || right < 0 || top < -1 || bottom < -1);
})"""


def named_nodes(names):
    graph = tf.Graph()
    before = ()
    for name in names:
        before = graph.add_node("Identity", name, before, {"note": name}, [tf.float32], [()]).outputs
    return graph


def counter():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.Variable(0.0)
        with tf.control_dependencies([tf.assign_add(x, 1)]):
            pass
        tf.global_variables_initializer()
        tf.reduce_mean(tf.matmul(tf.placeholder(tf.float32, (None, 4)), tf.ones((4, 2))))
    return graph


@pytest.fixture
def page(browser):
    """A page that records its requests and dialogs."""
    context = browser.new_context()
    page = context.new_page()
    page.seen = []
    page.on("dialog", lambda dialog: (page.seen.append("dialog"), dialog.dismiss()))
    page.on("request", lambda request: page.seen.append(request.url))
    yield page
    context.close()


@pytest.mark.parametrize("lang", ["en", "ko", "zh"])
@pytest.mark.parametrize("graph", [counter, lambda: named_nodes(WORLD), lambda: named_nodes(HOSTILE)])
def test_texts_stay_inside_their_boxes(page, graph, lang):
    page.set_content(tf.show(graph(), lang=lang).svg)
    assert page.evaluate(OUTSIDE) == []


def shown_inline(svg):
    return f"<!doctype html><title>quiet</title>{svg}"


def shown_as_image(svg):
    data = base64.b64encode(svg.encode()).decode()
    return f'<!doctype html><title>quiet</title><img src="data:image/svg+xml;base64,{data}">'


@pytest.mark.parametrize("way", [shown_inline, shown_as_image])
def test_hostile_names_have_no_effect_in_a_page(page, way):
    page.set_content(way(tf.show(named_nodes(HOSTILE), title=HOSTILE[1]).svg))
    page.wait_for_timeout(200)
    assert page.title() == "quiet"
    assert [url for url in page.seen if not url.startswith("data:")] == []
    if way is shown_inline:
        assert page.locator("[data-node]").count() == len(HOSTILE)
        assert page.locator("script, a, img, iframe, foreignObject").count() == 0


def test_hostile_names_have_no_effect_in_a_saved_file(page, tmp_path):
    path = tf.show(named_nodes(HOSTILE)).save(tmp_path / "picture.svg")
    page.goto(path.as_uri())
    page.wait_for_timeout(200)
    assert page.seen == [path.as_uri()]
    assert page.locator("[data-node]").count() == len(HOSTILE)


def test_the_dark_theme_has_a_dark_background(browser):
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.set_content(tf.show(counter()).svg)
    fill = page.locator(".tfedu-paper").first.evaluate("e => getComputedStyle(e).fill")
    context.close()
    red, green, blue = (int(part) for part in fill.removeprefix("rgb(").removesuffix(")").split(","))
    assert max(red, green, blue) < 64
