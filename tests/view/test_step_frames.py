"""The steps of steppers as pictures: one a step, as files, as a PDF, as a GIF, and as an SVG that plays by itself."""

import io
import re
import sys
import xml.etree.ElementTree as ElementTree

import hostile_names as hostile
import pytest
import traced_programs as programs
from PIL import Image

import tfedu as tf
from tfedu.explain.gradient_steps import explained_flow
from tfedu.view import picture_files
from tfedu.view.build import compare_record, trace_record
from tfedu.view.draw.playing import playing
from tfedu.view.make.graph_film import filmed
from tfedu.view.make.pipeline_flow.pipeline_records import flow_record
from tfedu.view.make.run_passes import passes_record
from tfedu.view.make.scratch_runs import traced_runs
from tfedu.view.picture_files import PictureError, Saving, Shown, write_picture
from tfedu.view.record_kinds import KINDS, frame_count, frames_of
from tfedu.view.records import RunRecord

SVG = "{http://www.w3.org/2000/svg}"


def counter():
    x = tf.Variable(0.0, name="x")
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        return tf.identity(x, name="y")


def flow():
    w = tf.Variable([[1.0], [2.0]])
    x = tf.placeholder(tf.float32, [None, 2])
    return explained_flow(tf.reduce_mean(tf.square(tf.matmul(x, w))), [w], {x: [[1.0, 2.0]]}, None)[0]


def dataset(*sizes):
    return [tf.data.Dataset.range(size).map(lambda v: v * 2).batch(2) for size in sizes]


RECORDS = {
    "trace": lambda: trace_record(programs.traced(True)),
    "compare": lambda: compare_record({"with": programs.traced(True), "without": programs.traced(False)}),
    "film": lambda: filmed(counter, None)[0],
    "flow": flow,
    "passes": lambda: passes_record(counter(), None),
    "pipeline": lambda: flow_record(dataset(4), 3, None, None),
    "two pipelines": lambda: flow_record(dataset(4, 6), 3, None, None),
}


@pytest.fixture(params=RECORDS)
def record(request):
    with tf.Graph().as_default():
        return RECORDS[request.param]()


@pytest.fixture
def shown():
    return Shown("A StepThrough", trace_record(programs.traced(True)), "The counter", "en")


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text") if element.get("aria-hidden") is None]


def test_all_frames_are_well_formed_differ_and_have_one_size(record):
    frames = frames_of(record, range(frame_count(record)), "The title", "en")
    assert len(frames) > 3
    assert len({re.match(r'<svg [^>]*?viewBox="([^"]+)"', frame)[1] for frame in frames}) == 1
    assert len(set(frames)) == len(frames)
    assert all("The title" in texts(frame) or "with" in texts(frame) for frame in frames)


def test_a_chosen_frame_looks_the_same_among_others(record):
    last = frame_count(record) - 1
    assert frames_of(record, [0, last], lang="en")[1].count("<path") == frames_of(record, [last], lang="en")[0].count("<path")


def test_texts_have_one_place_in_all_frames():
    record = trace_record(programs.traced(True))
    frames = frames_of(record, range(frame_count(record)), None, "en")
    places = [re.findall(r'y="([\d.]+)"[^>]*>(?:variable Variable|run 1|node\'s turn|the node)', frame) for frame in frames]
    assert {place[0] for place in places} == {places[0][0]}
    assert {place[-1] for place in places} == {places[0][-1]}


def test_a_trace_shows_turns_values_variables_and_results():
    record = trace_record(programs.traced(True))
    steps = len(record.runs[0].steps)
    frames = [texts(frame) for frame in frames_of(record, range(steps + 2), None, "en")]
    assert f"Run 1 of {len(record.runs)} · step 0 of {steps}" in frames[0]
    assert "Ready queue: Variable one" in frames[0]
    assert any("variable Variable: 0.0" in text for text in frames[0])
    assert f"Run 1 of {len(record.runs)} · over, step {steps} of {steps}" in frames[steps]
    assert any("variable Variable: 1.0" in text for text in frames[steps])
    assert "= 1.0" in frames[steps]
    assert "run 1: 1.0" in frames[steps]
    assert "run 1: 1.0" in frames[steps + 1]
    assert f"Run 2 of {len(record.runs)} · step 0 of {steps}" in frames[steps + 1]


def test_a_closed_scope_shows_what_its_nodes_do():
    with tf.Graph().as_default():
        for scope in range(70):
            with tf.name_scope(f"s{scope}"):
                y = tf.add(tf.constant(1.0), 2.0)
        record = trace_record(traced_runs(y, runs=1))
    frames = [ElementTree.fromstring(frame) for frame in frames_of(record, range(frame_count(record)))]
    closed = [[box for box in frame.iter(f"{SVG}g") if box.get("data-nodes")] for frame in frames]
    assert len({len(boxes) for boxes in closed}) == 1
    assert all(box.get("opacity") for box in closed[0])
    assert any(box.get("opacity") is None for box in closed[-1])
    assert [any(path.get("stroke-width") == "2.5" for box in boxes for path in box) for boxes in closed][:2] == [False, True]


def test_values_stay_within_the_picture():
    with tf.Graph().as_default():
        x = tf.Variable([123456.789] * 20, name="x")
        record = trace_record(traced_runs(x + 1.0, runs=1))
    svg = frames_of(record, [frame_count(record) - 1])[0]
    right = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
    pills = [list(map(float, found)) for found in re.findall(r'class="tfedu-pill"[^>]* d="M([\d.]+) [\d.]+H([\d.]+)', svg)]
    assert pills
    assert all(0 < left < end < right - 8 for left, end in pills)


def test_a_film_begins_empty_and_ends_with_everything():
    with tf.Graph().as_default():
        record = filmed(counter, None)[0]
    frames = frames_of(record, range(frame_count(record)), None, "en")
    counts = [frame.count("data-node=") for frame in frames]
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert counts[-1] == len(record.graph.nodes)
    assert frames[0].count("data-edge=") == 0
    assert frames[-1].count("data-edge=") == len(record.graph.edges)


def test_records_without_steps_have_no_frames():
    assert {kind for kind, row in KINDS.items() if row.frames is None and issubclass(kind, RunRecord)} == set()
    record = trace_record(programs.traced(True)).graph
    assert frame_count(record) == 0
    with pytest.raises(TypeError, match="not a record with steps: GraphRecord"):
        frames_of(record, [0])


# -- an SVG that plays -----------------------------------------------------------------------------------------------


def at_frame(svg, frame, count):
    """The elements of a playing SVG that are visible in a frame, as a frame's own elements."""
    root = ElementTree.fromstring(svg)
    style = root.find(f"{SVG}style")
    frames = {}
    for name, steps in re.findall(r"@keyframes (tfedu-t\d+)\{((?:[\d.]+%\{[^}]*\})*)\}", style.text):
        changes = [(float(at), word) for at, word in re.findall(r"([\d.]+)%\{visibility:(\w+)\}", steps)]
        here = 100 * (frame + 0.5) / (count + 1)
        frames[name] = [word for at, word in changes if at <= here][-1] == "visible"
    for parent in root.iter():
        for child in list(parent):
            names = child.get("class", "").split()
            timed = [name for name in names if name in frames]
            if timed and not frames[timed[0]]:
                parent.remove(child)
            elif timed:
                child.attrib.pop("visibility", None)
                rest = " ".join(name for name in names if name not in frames)
                child.attrib.pop("class") if not rest else child.set("class", rest)
    return plain(root)


def plain(root):
    """An SVG as lines, without style and description, with attributes in order."""
    for name in ("style", "desc"):
        root.remove(root.find(f"{SVG}{name}"))
    for element in root.iter():
        element.attrib = dict(sorted(element.attrib.items()))
    return re.findall(r"<[^>]*>[^<]*", ElementTree.tostring(root, encoding="unicode"))


def test_at_each_time_the_playing_svg_is_that_frame(record):
    frames = frames_of(record, range(frame_count(record)), "<title> & ]]>", "en")
    svg = playing(frames, 0.5)
    for number, frame in enumerate(frames):
        assert at_frame(svg, number, len(frames)) == plain(ElementTree.fromstring(frame)), number


def test_a_playing_svg_is_small_without_script_and_respects_reduced_motion(record):
    frames = frames_of(record, range(frame_count(record)))
    svg = playing(frames, 0.5)
    assert len(svg) < 0.6 * sum(map(len, frames))
    assert svg == playing(frames, 0.5)
    style = re.search(r"<style>(.*?)</style>", svg)[1]
    outside = style.partition("@media screen and (prefers-reduced-motion:no-preference)")[0]
    assert "animation:" not in outside
    assert "animation-play-state:paused" in style
    assert "<script" not in svg
    assert f"animation:tfedu-t0 {0.5 * (len(frames) + 1):g}s step-end infinite" in style


def test_without_animations_the_last_frame_is_shown():
    record = trace_record(programs.traced(True))
    frames = frames_of(record, range(frame_count(record)), None, "en")
    root = ElementTree.fromstring(playing(frames, 1.0))
    for parent in root.iter():
        for child in list(parent):
            if child.get("visibility") == "hidden":
                parent.remove(child)
    last = ElementTree.fromstring(frames[-1])
    assert [e.text for e in root.iter(f"{SVG}text")] == [e.text for e in last.iter(f"{SVG}text")]


def test_one_frame_does_not_move():
    record = trace_record(programs.traced(True))
    svg = playing(frames_of(record, [2]), 1.0)
    assert "@keyframes" not in svg


def test_hostile_names_stay_text():
    with tf.Graph().as_default():
        trace = programs.traced(True)
    record = trace_record(trace)
    for node, name in zip(record.graph.nodes, hostile.NAMES):
        node.name = name
    svg = playing(frames_of(record, range(frame_count(record)), hostile.NAMES[0]), 1.0)
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()}
    assert tags <= {"svg", "title", "desc", "style", "g", "path", "text"}


# -- files -----------------------------------------------------------------------------------------------------------


def test_frames_are_a_file_each(shown, tmp_path):
    count = frame_count(shown.record)
    paths = write_picture(shown, tmp_path / "run.svg", Saving(frames=True))
    assert [path.name for path in paths] == [f"run-{number:02}.svg" for number in range(1, count + 1)]
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    assert len({path.read_bytes() for path in paths}) == count
    some = write_picture(shown, tmp_path / "b.png", Saving(1, frames=range(2, 4)))
    assert [path.name for path in some] == ["b-02.png", "b-03.png"]
    assert some[0].read_bytes()[:24] == some[1].read_bytes()[:24]  # with width and height


def test_a_pdf_of_frames_has_a_page_each(shown, tmp_path):
    path = write_picture(shown, tmp_path / "run.pdf", Saving(frames=[1, 3, 5]))
    assert re.search(rb"/Type/Pages/Count 3\b", path.read_bytes())


def test_a_gif_has_all_frames_and_begins_again(shown, tmp_path):
    path = write_picture(shown, tmp_path / "run.gif", Saving(0.5, frames=range(1, 7), seconds=0.4))
    with Image.open(path) as film:
        assert film.n_frames == 6
        assert film.info["loop"] == 0
        times = []
        for number in range(6):
            film.seek(number)
            times.append(film.info["duration"])
    assert times == [400] * 5 + [800]
    again = write_picture(shown, tmp_path / "b.gif", Saving(0.5, frames=range(1, 7), seconds=0.4))
    assert path.read_bytes() == again.read_bytes()


def test_an_svg_that_plays_is_one_file(shown, tmp_path):
    path = write_picture(shown, tmp_path / "run.svg", Saving(play=True, seconds=2))
    assert "@keyframes" in path.read_text("utf-8")
    ElementTree.parse(path)


@pytest.mark.parametrize(
    ("ending", "saving", "error", "words"),
    [
        ("txt", Saving(frames=True), PictureError, r"frames is for \.svg, \.png, \.pdf, \.gif, not for \.txt"),
        ("png", Saving(play=True), PictureError, r"play is for \.svg, not for \.png"),
        ("svg", Saving(frames=[0]), ValueError, r"numbered from 1 to \d+; there is no frame 0"),
        ("svg", Saving(frames=[1, 9999]), ValueError, "there is no frame 9999"),
        ("svg", Saving(frames=["<b>"]), ValueError, "there is no frame '<b>'"),
        ("svg", Saving(frames=[]), ValueError, "names no frame"),
        ("gif", Saving(seconds=0), ValueError, "seconds must be from"),
        ("gif", Saving(seconds="1"), ValueError, "seconds must be from"),
        ("gif", Saving(scale=100), ValueError, "pictures of .* have too many pixels"),
    ],
)
def test_wrong_options_are_refused_and_no_file_is_made(shown, tmp_path, ending, saving, error, words):
    with pytest.raises(error, match=words):
        write_picture(shown, tmp_path / f"a.{ending}", saving)
    assert list(tmp_path.iterdir()) == []


def test_what_has_no_steps_says_so(shown, tmp_path):
    graph = shown._replace(name="A GraphView", record=shown.record.graph)
    with pytest.raises(PictureError, match=r"A GraphView has no steps and is saved as \.svg, .*, not as 'a\.gif'"):
        write_picture(graph, tmp_path / "a.gif")
    for saving in (Saving(frames=True), Saving(play=True)):
        with pytest.raises(PictureError, match="A GraphView has no steps: it is one picture"):
            write_picture(graph, tmp_path / "a.svg", saving)
    assert list(tmp_path.iterdir()) == []


def test_too_many_frames_name_a_part_that_fits(shown, tmp_path, monkeypatch):
    monkeypatch.setattr(picture_files, "MOST_FRAMES", 5)
    with pytest.raises(PictureError, match=r"frames are too many\n  fix: frames=range\(1, 6\)"):
        write_picture(shown, tmp_path / "a.svg", Saving(frames=True))
    assert len(write_picture(shown, tmp_path / "a.svg", Saving(frames=range(1, 6)))) == 5


def test_a_failed_frame_leaves_no_new_files(shown, tmp_path, monkeypatch):
    old = tmp_path / "a-01.svg"
    old.write_text("old")
    written = []

    def write(path, data):
        if len(written) == 3:
            raise OSError("disk full")
        written.append(path)
        path.write_bytes(data)
        return path

    monkeypatch.setattr(picture_files, "write_bytes", write)
    with pytest.raises(OSError, match="disk full"):
        write_picture(shown, tmp_path / "a.svg", Saving(frames=True))
    assert list(tmp_path.iterdir()) == [old]


@pytest.mark.parametrize("package", ["resvg_py", "PIL"])
def test_a_missing_package_of_gifs_names_its_extra(shown, tmp_path, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=r"tfedu\[export\]"):
        write_picture(shown, tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


def test_a_picture_of_a_trace_takes_the_options(tmp_path):
    picture = tf.show(programs.traced(True))
    assert len(picture.save(tmp_path / "a.svg", frames=[1, 2])) == 2
    assert picture.save(tmp_path / "b.svg", play=True).exists()
    assert io.BytesIO(picture.save(tmp_path / "a.gif", frames=[1, 2]).read_bytes()).read(3) == b"GIF"
