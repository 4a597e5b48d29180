"""Makes the pictures of the README from the real widgets, in Chromium: `python tools/pictures.py` (`make pictures`).

docs/pictures/ gets one picture of each widget, one of the stage in light and in dark, and one that plays by itself; README.md
gets them at its top and in its table of widgets. docs/pictures/index.json says of which front end and of which programs they
are; tests/repo/test_readme_pictures.py tests that they are the ones of today. No library writes the pictures: the browser
encodes each as WebP, and `animated` puts frames together.
"""

import base64
import hashlib
import json
import linecache
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

PICTURES = ROOT / "docs" / "pictures"
INDEX = PICTURES / "index.json"
README = ROOT / "README.md"
MOST = 56_000
"""The largest picture that does not move, in bytes; of one that moves, the largest frames of a motion and after it."""
MOVING, RESTING = 16_000, 24_000
MOMENTS = (210, 420, 640)
"""The moments of a step's motion that are shown, in milliseconds."""
SHOWN = 260
"""The width of a picture in the table, in pixels."""

COUNTER = """import tfedu as tf
from tfedu.widgets import *
x = tf.Variable(0.0)
x_plus_1 = tf.assign_add(x, 1)

with tf.control_dependencies([x_plus_1]):
    y = tf.identity(x)
"""
NETWORK = """import tfedu as tf
from tfedu.widgets import *
x = tf.placeholder(tf.float32, [None, 32], name="x")
labels = tf.placeholder(tf.float32, [None, 10], name="labels")
y = x
for k in range(6):
    with tf.variable_scope(f"layer{k + 1}"):
        w = tf.get_variable("w", [32, 10 if k == 5 else 32])
        b = tf.get_variable("b", [10 if k == 5 else 32])
        y = tf.matmul(y, w) + b
        if k < 5:
            y = tf.nn.relu(y)
with tf.name_scope("loss"):
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=y)
    loss = tf.reduce_mean(losses)
train = tf.train.AdamOptimizer().minimize(loss)
"""
TWO = """import tfedu as tf
from tfedu.widgets import *
with tf.Graph().as_default():
    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1)]):
        y = x
    first = y
with tf.Graph().as_default():
    x = tf.Variable(0.0)
    with tf.control_dependencies([tf.assign_add(x, 1)]):
        y = tf.identity(x)
    second = y
both = {"y = x": first, "y = tf.identity(x)": second}
"""
RACE = """import tfedu as tf
from tfedu.widgets import *
x = tf.Variable(1.0, name="x")
write = tf.assign(x, 5.0, name="write")
double = tf.multiply(x, 2.0, name="double")
"""
PUZZLE = """import tfedu as tf
from tfedu.widgets import *
def program():
    x = tf.Variable(1.0)
    up = tf.assign_add(x, 1.0)
    with tf.control_dependencies([up]):
        y = tf.identity(x * 2.0)
    return y
def broken():
    x = tf.Variable(1.0)
    up = tf.assign_add(x, 1.0)
    y = tf.identity(x * 2.0)
    return tf.tuple([y, up])[0]
"""
TRAINING = """import tfedu as tf
from tfedu.widgets import *
w = TrainingView(live=False, title="Loss and accuracy")
for step in range(60):
    loss, accuracy = 2.0 * 0.93**step + 0.05 * (step % 3), 1.0 - 0.8 * 0.92**step
    values = [tf.Summary.Value(tag=tag, simple_value=value) for tag, value in (("loss", loss), ("accuracy", accuracy))]
    w.add(tf.Summary(value=values), step)
w.refresh()
"""
VALUE = """import numpy as np
from tfedu.widgets import *
i, j = np.mgrid[0:24, 0:40]
w = Value(np.sin(i / 4.0) * np.cos(j / 6.0))
"""
WINDOW = """import tfedu as tf
from tfedu.widgets import *

image = tf.constant([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0], [2.0, 0.0, 1.0]], name="image")
kernel = tf.constant([[0.0, 1.0], [1.0, -2.0]], name="kernel")
y = tf.nn.conv2d(tf.reshape(image, [1, 3, 3, 1]), tf.reshape(kernel, [2, 2, 1, 1]), [1, 1, 1, 1], "SAME")
"""
PIPELINES = """import tfedu as tf
from tfedu.widgets import *
source = tf.data.Dataset.range(5)
first = source.shuffle(3, seed=1).repeat(2)
second = source.repeat(2).shuffle(3, seed=1)
w = PipelineView({"shuffle, then repeat": first, "repeat, then shuffle": second})
"""
PROGRAMS = {
    "GraphView": NETWORK + "w = GraphView(tf.get_default_graph(), title='A network and its training')",
    "GraphDiff": TWO + "w = GraphDiff(first.graph, second.graph)",
    "BuildFilm": PUZZLE + "w = BuildFilm(program)",
    "Passes": COUNTER + "w = Passes(y * (tf.constant(2.0) + 3.0))",
    "StepThrough": COUNTER + "w = StepThrough(y, runs=3, title='The second counter')",
    "OutcomeExplorer": RACE + "w = OutcomeExplorer([write, double])",
    "Compare": TWO + "w = Compare(both, runs=3, title='The two counters')",
    "Predict": TWO + "w = Predict(both, runs=3, prompt='What do the two counters print?')",
    "BeTheExecutor": COUNTER + "w = BeTheExecutor(y)",
    "Parsons": PUZZLE + "w = Parsons(program, must_run=['up'])",
    "Repair": PUZZLE + "w = Repair(broken, expected=[4, 6, 8], must_run=['up'])",
    "Lint": COUNTER.replace("tf.identity(x)", "x") + "w = Lint(tf.get_default_graph())",
    "GradientFlow": "import tfedu as tf\nfrom tfedu.widgets import *\n"
    "a = tf.constant(3.0, name='a')\ny = tf.multiply(tf.square(a), a, name='y')\nw = GradientFlow(y, [a])",
    "TrainingView": TRAINING,
    "Value": VALUE,
    "Reads": WINDOW + "w = Reads(y)",
    "PipelineView": PIPELINES,
}
STEPS = {"StepThrough": 10, "Compare": 4, "BuildFilm": 3, "GradientFlow": 2, "OutcomeExplorer": 0, "PipelineView": 24}
"""How often the picture of a widget has been stepped."""

# Of a screenshot the part that differs from the one before, as WebP: without loss, or with some where that is too large.
ENCODE = """async ([png, most, all]) => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const [w, h] = [image.width, image.height];
    const paint = (x, y, width, height) => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [width, height];
        const context = canvas.getContext("2d", { alpha: false });
        context.drawImage(image, -x, -y);
        return [canvas, context];
    };
    const pixels = new Uint32Array(paint(0, 0, w, h)[1].getImageData(0, 0, w, h).data.buffer);
    const before = window.before?.length === pixels.length && !all ? window.before : null;
    window.before = pixels;
    let [left, top, right, bottom] = before ? [w, h, 0, 0] : [0, 0, w, h];
    for (let i = 0; before && i < pixels.length; i += 1) {
        if (pixels[i] === before[i]) continue;
        const [x, y] = [i % w, Math.floor(i / w)];
        [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    }
    if (left >= right) return null;
    // A frame begins at an even place.
    [left, top] = [left - left % 2, top - top % 2];
    const [canvas] = paint(left, top, right - left, bottom - top);
    let data = "";
    for (const quality of [1, 0.92, 0.85, 0.75, 0.6, 0.45]) {
        data = canvas.toDataURL("image/webp", quality).split(",")[1];
        if (data.length * 0.75 <= most) break;
    }
    return { data, x: left, y: top, w: right - left, h: bottom - top };
}"""
# All that moves stands at one moment of its motion; what has ended by then is gone.
AT = """time => { for (const each of document.getAnimations()) {
    if (each.effect.getComputedTiming().endTime <= time) each.finish();
    else { each.pause(); each.currentTime = time; }
} }"""
END = """() => { for (const each of document.getAnimations()) each.finish(); }"""
DRAWN = "() => new Promise(then => requestAnimationFrame(() => requestAnimationFrame(then)))"


def fingerprint():
    """What the pictures are made from: the front end, and this file with its programs."""
    from tfedu.widgets.pages.front_end_code import bundle, front_end_code

    made_from = [front_end_code(), bundle("widget.css"), pathlib.Path(__file__).read_text(encoding="utf-8")]
    return hashlib.sha256("".join(made_from).encode()).hexdigest()


def widget(name):
    """The widget of a program."""
    import tfedu as tf

    file, text = "program.py", PROGRAMS[name]
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space = {}
    with tf.Graph().as_default():
        exec(compile(text, file, "exec"), space)
    return space["w"]


def animated(frames, width, height):
    """A picture that plays: frames are (WebP, x, y, width, height, milliseconds)."""

    def chunk(kind, data):
        return kind + len(data).to_bytes(4, "little") + data + b"\0" * (len(data) % 2)

    def three(number):
        return number.to_bytes(3, "little")

    body = chunk(b"VP8X", b"\x02\0\0\0" + three(width - 1) + three(height - 1))
    body += chunk(b"ANIM", b"\xff\xff\xff\xff\0\0")
    for data, x, y, w, h, time in frames:
        place = three(x // 2) + three(y // 2) + three(w - 1) + three(h - 1) + three(time)
        body += chunk(b"ANMF", place + b"\x02" + bitstream(data))
    return b"RIFF" + (len(body) + 4).to_bytes(4, "little") + b"WEBP" + body


def bitstream(data):
    """The coded image in a WebP file, without what is said about it."""
    place = 12
    while data[place : place + 4] not in (b"VP8 ", b"VP8L"):
        size = int.from_bytes(data[place + 4 : place + 8], "little")
        place += 8 + size + size % 2
    return data[place:]


class Studio:
    """A browser that photographs widgets."""

    def __init__(self, browser):
        self.browser = browser
        self.workshop = browser.new_page()
        self.made = {}

    def page(self, *, dark=False, scale=1.0, still=True):
        import stage

        context = self.browser.new_context(
            viewport={"width": 996, "height": 1100},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            device_scale_factor=scale,
        )
        return stage.Stage(context.new_page())

    def encoded(self, root, most, whole=True):
        """A screenshot, or what has changed in it: (WebP, x, y, width, height); None where nothing has."""
        png = base64.b64encode(root.screenshot(animations="allow")).decode()
        found = self.workshop.evaluate(ENCODE, [png, most, whole])
        return found and (base64.b64decode(found["data"]), found["x"], found["y"], found["w"], found["h"])

    def still(self, file, name, **look):
        shown = self.page(**look)
        root = shown.show(widget(name))
        for _ in range(STEPS.get(name, 0)):
            root.get_by_test_id("step").first.click()
        shown.page.evaluate(DRAWN)
        shown.page.wait_for_timeout(300)
        self.made[file] = self.encoded(root, MOST)[0]
        shown.page.context.close()

    def film(self, file, name, steps):
        """The steps of a run, each with some moments of its motion."""
        shown = self.page(still=False)
        root = shown.show(widget(name))
        shown.page.wait_for_timeout(500)
        first = (*self.encoded(root, MOST), 1200)
        frames = [first]
        for _ in range(steps):
            root.get_by_test_id("step").first.evaluate("button => button.click()")
            shown.page.evaluate(DRAWN)
            for time in (*MOMENTS, None):
                shown.page.evaluate(END) if time is None else shown.page.evaluate(AT, time)
                shown.page.wait_for_timeout(200 if time is None else 20)
                part = self.encoded(root, RESTING if time is None else MOVING, whole=False)
                if part:
                    frames.append((*part, 1000 if time is None else 140))
        shown.page.context.close()
        self.made[file] = animated(frames, first[3], first[4])


def file_of(name):
    """The picture of a widget: step-through.webp of StepThrough."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower() + ".webp"


def linked(name):
    """The picture of a widget in a table: a small one that leads to the whole."""
    path = f"docs/pictures/{file_of(name)}"
    return f'<a href="{path}"><img src="{path}" width="{SHOWN}" alt="{name}"></a>'


def in_readme(text):
    """README.md with the stage at its top, and in each row of its table the pictures of the row's widgets."""
    begin, end = "<!-- tools/pictures.py: stage -->", "<!-- end -->"
    top = f"""{begin}
<picture>
<source media="(prefers-color-scheme: dark)" srcset="docs/pictures/stage-dark.webp">
<img src="docs/pictures/stage-light.webp" width="980" alt="StepThrough: code, graph, variables and what was printed, at one step">
</picture>

![The same run, step by step: values glide into the node that runs](docs/pictures/playing.webp)
{end}"""
    text = re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: top, text, flags=re.DOTALL)
    lines = []
    for line in text.split("\n"):
        cells = line.split(" | ")
        # A widget that a row names twice has one picture.
        names = [name for name in dict.fromkeys(re.findall(r"`(\w+)\(", line)) if name in PROGRAMS]
        if line.startswith("| widget | shows"):
            line = "| widget | shows | looks like |"
        elif lines and lines[-1].startswith("| widget | shows"):
            line = "| --- | --- | --- |"
        elif line.startswith("| `") and names:
            pictures = " ".join(linked(name) for name in names)
            line = f"{cells[0]} | {cells[1].removesuffix(' |')} | {pictures} |"
        lines.append(line)
    return "\n".join(lines)


def stale():
    """What the committed pictures lack, in words; nothing before the first are made."""
    if not INDEX.exists():
        return []
    index = json.loads(INDEX.read_text(encoding="utf-8"))
    reasons = [] if index["fingerprint"] == fingerprint() else ["the front end or the programs have changed since"]
    files = {file.name: file.stat().st_size for file in PICTURES.glob("*.webp")}
    if files != index["files"]:
        reasons.append("the folder has other pictures than its index")
    text = README.read_text(encoding="utf-8")
    if text != in_readme(text):
        reasons.append("README.md has other pictures")
    return reasons


def main():
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]
    import driver
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=driver.chromium(), args=driver.CHROMIUM)
        studio = Studio(browser)
        studio.still("stage-light.webp", "StepThrough", scale=1.5)
        studio.still("stage-dark.webp", "StepThrough", scale=1.5, dark=True)
        studio.film("playing.webp", "StepThrough", 9)
        for name in PROGRAMS:
            studio.still(file_of(name), name)
        browser.close()
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("*.webp"):
        old.unlink()
    for file, data in studio.made.items():
        (PICTURES / file).write_bytes(data)
        print(f"{len(data):9,} bytes  {file}")
    print(f"{sum(map(len, studio.made.values())):9,} bytes in all")
    index = {"fingerprint": fingerprint(), "files": {file: len(data) for file, data in sorted(studio.made.items())}}
    INDEX.write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
    README.write_text(in_readme(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
