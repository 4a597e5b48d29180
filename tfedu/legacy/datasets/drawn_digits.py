"""Handwritten-looking digits of 28×28 pixels, as MNIST has them, drawn by writers who each have a hand of their own.

    images, labels = drawn_digits("train")      # [22000, 28, 28] and [22000], both of uint8; also "validation" and "test"

A digit is a row of points on smooth curves (STYLES). A writer chooses a style for each digit, moves its points, and slants and
stretches it; every single digit varies again. Ink is a blurred line: its strength and softness make thick, thin and grey pens.
As in MNIST a digit fills a box of 20×20 and its centre of mass is the image's middle. No writer is in two parts. The random
stream is one that NumPy keeps the same. State: the parts drawn so far.
"""

from __future__ import annotations

import functools

import numpy as np

# Points x,y in a box of 100×100, y downwards. A curve runs smoothly through its points; | is a corner, / lifts the pen.
STYLES = {
    0: [
        "55,0 20,15 5,50 20,88 50,100 80,88 95,50 80,14 52,0",
        "60,3 25,10 8,45 10,80 40,100 75,85 92,50 82,12 50,0 35,8",
        "30,10 8,40 10,78 42,100 78,86 95,52 80,12 48,2 28,14",
    ],
    1: ["50,0 50,50 50,100", "25,25 55,0 | 52,50 50,100", "20,25 52,0 | 52,100 / 20,100 85,100", "62,0 50,50 42,100"],
    2: [
        "8,25 25,3 60,0 85,20 75,48 40,75 5,100 | 50,97 95,97",
        "10,20 40,0 80,10 80,40 45,75 15,98 5,85 20,75 50,92 95,95",
        "10,15 50,0 85,22 60,55 8,98 | 60,92 95,100",
    ],
    3: [
        "10,12 45,0 82,18 60,42 38,47 | 70,52 92,75 60,100 5,88",
        "12,10 50,0 80,20 55,45 85,62 75,92 40,100 5,85",
        "8,3 50,4 88,3 | 42,42 | 80,50 92,78 55,100 5,90",
    ],
    4: [
        "20,0 15,30 10,55 | 50,54 95,52 / 72,5 70,50 68,100",
        "70,0 35,35 5,65 | 50,66 98,65 / 70,0 70,50 70,100",
        "25,2 12,50 50,56 80,48 / 82,0 75,50 70,100",
    ],
    5: [
        "90,3 55,2 25,3 | 18,42 | 55,35 92,62 70,95 35,100 5,90",
        "85,0 25,5 | 15,45 40,38 85,50 88,80 50,100 8,92",
        "88,5 35,5 15,35 50,45 85,65 65,97 5,95",
    ],
    6: [
        "75,0 35,20 8,60 25,98 65,98 88,72 60,52 20,68",
        "60,0 20,45 10,80 45,100 85,85 70,58 30,62 12,82",
        "80,5 40,12 10,55 20,92 60,100 90,78 65,58 25,70",
    ],
    7: [
        "5,8 50,7 95,3 | 60,45 40,100",
        "5,5 50,6 92,5 | 60,55 35,100 / 28,52 80,48",
        "8,20 10,5 | 50,6 90,3 | 55,50 42,100",
        "5,12 50,5 92,5 | 65,40 50,100",
    ],
    8: [
        "78,12 45,0 18,20 45,46 82,72 52,100 15,78 48,47 82,22 72,5",
        "50,47 15,25 50,0 85,22 50,47 | 10,75 50,100 90,75 50,47",
        "70,8 30,5 25,35 70,60 75,92 35,100 15,80 40,52 80,25 72,10",
    ],
    9: [
        "85,20 50,0 12,22 30,50 70,45 88,15 | 85,55 75,100",
        "80,15 45,2 12,30 40,55 78,35 84,12 85,60 65,95 20,98",
        "88,30 60,0 15,18 25,50 65,48 88,22 | 75,60 60,100",
    ],
}
PARTS = {"train": (22000, 220, 1), "validation": (2000, 20, 2), "test": (6000, 60, 3)}  # digits, writers, seed
DOTS = 96  # of ink on a digit
MOST_POINTS = 10  # of a style
CHUNK = 500  # digits at a time: their arrays stay in the cache


@functools.lru_cache(maxsize=len(PARTS))
def drawn_digits(part: str) -> tuple[np.ndarray, np.ndarray]:
    """(images [n, 28, 28] of uint8, labels [n] of uint8) of a part, "train", "validation" or "test"; read-only."""
    count, writers, seed = PARTS[part]
    random = np.random.RandomState(seed)
    hands = _Hands(random, writers)
    labels = (random.permutation(count) % 10).astype(np.uint8)
    images = np.empty((count, 28, 28), np.uint8)
    for start in range(0, count, CHUNK):
        chunk = slice(start, start + CHUNK)
        writer = random.randint(writers, size=len(labels[chunk]))
        images[chunk] = _ink(*_dots(random, hands, writer, labels[chunk]), *_pens(random, hands, writer))
    images.flags.writeable = labels.flags.writeable = False
    return images, labels


class _Hands:
    """What each of n writers does always: slant, width and pen [n]; of each digit the style [n, 10] and how points are moved."""

    def __init__(self, random: np.random.RandomState, count: int) -> None:
        self.style = random.randint(1000, size=(count, 10))
        self.moved = 7.0 * _wander(random, (count, 10))
        self.slant = 0.1 + 0.22 * random.standard_normal(count)
        self.width = np.exp(0.2 * random.standard_normal(count)) * 0.8
        self.thickness = random.uniform(1.0, 2.6, count)
        self.softness = random.uniform(0.55, 0.8, count)


def _wander(random: np.random.RandomState, shape: tuple[int, ...]) -> np.ndarray:
    """Normal offsets [*shape, MOST_POINTS, 2] of points, alike for neighbours, so that curves stay smooth; deviation 1."""
    steps = random.standard_normal((*shape, MOST_POINTS + 2, 2))
    return (steps[..., :-2, :] + steps[..., 1:-1, :] + steps[..., 2:, :]) / np.sqrt(3)


def _dots(
    random: np.random.RandomState, hands: _Hands, writer: np.ndarray, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(dots [n, DOTS, 2] in pixels of the image, ink [n, DOTS] as the length of line that a dot stands for)."""
    count = len(labels)
    dots, drawn = np.empty((count, DOTS, 2)), np.empty((count, DOTS - 1), bool)
    moved = hands.moved[writer, labels] + 4.0 * _wander(random, (count,))
    style = hands.style[writer, labels]
    for digit, styles in _curves().items():
        for i, (points, weights, connected) in enumerate(styles):
            own = (labels == digit) & (style % len(styles) == i)
            dots[own] = weights @ (points + moved[own, : len(points)])
            drawn[own] = connected
    dots = _bent(random, dots - 50.0)
    dots = _turned(random, dots, hands.slant[writer], hands.width[writer])
    dots *= (20.0 - 2.0) / np.ptp(dots, axis=1).max(1)[:, None, None]
    steps = np.hypot(*np.moveaxis(np.diff(dots, axis=1), -1, 0)) * drawn
    ink = np.zeros((count, DOTS))
    ink[:, :-1] += steps / 2
    ink[:, 1:] += steps / 2
    dots += 14.0 - (dots * ink[..., None]).sum(1, keepdims=True) / ink.sum(1)[:, None, None]
    return dots, ink


@functools.cache
def _curves() -> dict[int, list[tuple[np.ndarray, np.ndarray, np.ndarray]]]:
    """digit -> its styles: points [c, 2], weights [DOTS, c] of the points in each dot, whether a line leads to the next dot."""
    return {digit: [_curve(style) for style in styles] for digit, styles in STYLES.items()}


def _curve(style: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    points: list[list[float]] = []
    pieces: list[list[int]] = []  # the numbers of the points of each smooth piece
    starts: list[int] = []  # the pieces before which the pen is lifted
    for stroke in style.split("/"):
        starts.append(len(pieces))
        for j, piece in enumerate(stroke.split("|")):
            new = [[float(number) for number in pair.split(",")] for pair in piece.split()]
            numbers = list(range(len(points), len(points) + len(new)))
            pieces.append([len(points) - 1] * (j > 0) + numbers)
            points += new
    at = np.array(points)
    lengths = np.array([np.hypot(*np.diff(at[piece], axis=0).T).sum() for piece in pieces])
    ends = np.rint(np.cumsum(lengths) / lengths.sum() * DOTS).astype(int)
    shares = np.diff(ends, prepend=0)
    weights = [_spline(np.eye(len(at))[piece], share) for piece, share in zip(pieces, shares)]
    connected = np.ones(DOTS - 1, bool)
    connected[[ends[piece - 1] - 1 for piece in starts if piece]] = False
    return at, np.concatenate(weights), connected


def _spline(points: np.ndarray, count: int) -> np.ndarray:
    """`count` places [count, c] on the Catmull-Rom curve through points [k, c]."""
    beyond = 2 * points[[0, -1]] - points[[1, -2]]
    padded = np.concatenate([beyond[:1], points, beyond[1:]])
    t = np.linspace(0, len(points) - 1, count)
    i = np.minimum(t.astype(int), len(points) - 2)
    u = (t - i)[:, None]
    a, b, c, d = (padded[i + k] for k in range(4))
    return 0.5 * (2 * b + u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a))))


def _bent(random: np.random.RandomState, dots: np.ndarray) -> np.ndarray:
    """The dots moved by two slow waves across the box, of random direction and phase."""
    for _ in range(2):
        direction = random.standard_normal((len(dots), 2, 1)) / 120
        phase, size = random.uniform(0, 2 * np.pi, (len(dots), 1)), 5.0 * random.standard_normal((len(dots), 1, 2))
        dots = dots + size * np.sin(2 * np.pi * (dots @ direction)[..., 0] + phase)[..., None]
    return dots


def _turned(random: np.random.RandomState, dots: np.ndarray, slant: np.ndarray, width: np.ndarray) -> np.ndarray:
    """The dots stretched, slanted and turned."""
    count = len(dots)
    slant = slant + 0.08 * random.standard_normal(count)
    width = width * np.exp(0.08 * random.standard_normal(count))
    angle = 0.12 * random.standard_normal(count)
    x, y = dots[..., 0] * width[:, None], dots[..., 1]
    x = x - slant[:, None] * y
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)


def _pens(random: np.random.RandomState, hands: _Hands, writer: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(strength [n], softness [n] in pixels) of the lines: a strong line is broad, since ink beyond white is cut off."""
    strength = hands.thickness[writer] * np.exp(0.12 * random.standard_normal(len(writer)))
    return strength, hands.softness[writer]


def _ink(dots: np.ndarray, ink: np.ndarray, strength: np.ndarray, softness: np.ndarray) -> np.ndarray:
    """Images [n, 28, 28] of uint8: each dot a Gaussian of width `softness`, scaled by its ink, summed, and cut off at white."""
    columns, rows = (_gaussians(dots[..., k], softness) for k in (0, 1))  # a Gaussian of the plane is a product of two
    rows *= (ink * (strength / (softness * np.sqrt(2 * np.pi)))[:, None]).astype(np.float32)[..., None]
    shades = rows.transpose(0, 2, 1) @ columns
    return np.rint(255 * np.minimum(shades, 1)).astype(np.uint8)


def _gaussians(places: np.ndarray, width: np.ndarray) -> np.ndarray:
    """exp(-d²/2) [n, DOTS, 28] of the distances d from the places to the pixels' middles, in widths."""
    scale = np.sqrt(0.5) / width[:, None]
    pixels = ((np.arange(28) + 0.5) * scale).astype(np.float32)
    squares = pixels[:, None] - (places * scale).astype(np.float32)[..., None]
    squares *= squares
    np.negative(squares, out=squares)
    return np.exp(squares, out=squares)
