/**
 * The timeline of runs on several devices: the width is simulated time, and each device has a row, so that work at the same time
 * stands one above the other. A transfer is a broken line below the row of the device that sends.
 */
import { s, setAttribute } from "../base/dom";
import { type ClockSpan, type RunClock, timeAt } from "../model/steps/run-clock";
import { type Lane, segmentAt } from "../model/steps/track";
import { drawSignAt } from "./track-drawing";
import { type Column, columnAt, HEIGHT, scrollTo } from "./track-geometry";
import type { Row, Scene } from "./track-scene";

const TOP = 20;
/** The rows in view, each high enough for its name; more of them are scrolled. */
const MOST = 3;
const LEAST = 96;
const SPACE = 16;
/** A span that takes less than this is as wide. */
const THIN = 2;

/** A column for each run, as wide as its time. */
function columnsOf(clocks: readonly RunClock[], width: number): Column[] {
  const whole = clocks.reduce((sum, { total }) => sum + total, 0) || 1;
  const free = Math.max(0, width - (SPACE + LEAST) * clocks.length + SPACE);
  let left = 0;
  return clocks.map(({ total }) => {
    const column = { left, width: LEAST + (free * total) / whole, pitch: 0, gap: 0 };
    left += column.width + SPACE;
    return column;
  });
}

interface Bar {
  span: ClockSpan;
  segment: number;
  y: number;
  /** Its ends in pixels. */
  from: number;
  to: number;
  element: SVGElement;
}

/** Where the times and devices of a lane are, in pixels. `top`: the first device in view. */
function geometryOf(lane: Lane, columns: readonly Column[], top: number) {
  const clocks = lane.clocks ?? [];
  const devices = clocks[0]?.devices ?? [];
  const high = Math.floor((HEIGHT - TOP) / MOST);
  const x = (segment: number, time: number): number => {
    const [column, clock] = [columns[segment], clocks[segment]];
    return column && clock ? column.left + (column.width * time) / (clock.total || 1) : 0;
  };
  return {
    lane,
    clocks,
    devices,
    high,
    x,
    middle: (row: number): number => TOP + high * (row - top) + high / 2 - 1,
    isShown: (row: number): boolean => row >= top && row < top + MOST,
    /** The row at a height. */
    rowAt: (y: number): number =>
      top + Math.max(0, Math.min(Math.min(MOST, devices.length) - 1, Math.floor((y - TOP) / high))),
    /** Where a step is: its run, its row, and the ends of its span. */
    place(offset: number) {
      const { segment, cell } = segmentAt(lane, offset);
      const clock = clocks[segment];
      if (!clock) return null;
      const span = clock.byStep.get(cell);
      const end = x(segment, timeAt(clock, cell));
      const begin = span ? x(segment, span.begin) : end;
      return { segment, cell, row: span?.row ?? 0, sends: span?.to != null, begin, end };
    },
  };
}
type Geometry = ReturnType<typeof geometryOf>;

function drawSpan({ x, middle, high }: Geometry, span: ClockSpan, segment: number): Bar {
  const [from, to] = [x(segment, span.begin), x(segment, span.end)];
  const w = Math.max(THIN, to - from - 1);
  const y = middle(span.row);
  const size = high - 6;
  const below = y + size / 2 + 1;
  const element = span.to
    ? s("line", { class: "sends", x1: from, x2: from + w, y1: below, y2: below })
    : s("rect", { class: "works", x: from, y: y - size / 2 - 1, width: w, height: size, rx: 1 });
  return { span, segment, y, from, to, element };
}

function drawSign(geometry: Geometry, offset: number, sign: Parameters<typeof drawSignAt>[0]): SVGElement[] {
  const { place, isShown, middle, high } = geometry;
  const at = place(offset);
  if (!at || !isShown(at.row)) return [];
  return [drawSignAt(sign, at.end - 2, middle(at.row), { half: high / 2 - 3, sign: 4 })];
}

/** The bars of all spans that take time, and the other marks: the grounds of the rows under them, signs over them. */
function drawRuns(geometry: Geometry): { bars: Bar[]; under: SVGElement[]; over: SVGElement[] } {
  const { lane, clocks, devices, isShown, middle, x } = geometry;
  const bars = clocks.flatMap(({ spans }, segment) =>
    spans
      .filter(({ row, begin, end }) => isShown(row) && end > begin)
      .map((span) => drawSpan(geometry, span, segment)),
  );
  const under = clocks.flatMap(({ total }, segment) =>
    [...devices.keys()].filter(isShown).map((row) => {
      const y = middle(row);
      return s("line", { class: "ground", x1: x(segment, 0), x2: x(segment, total), y1: y, y2: y });
    }),
  );
  const over = [
    ...[...lane.signs].flatMap(([offset, sign]) => drawSign(geometry, offset, sign)),
    ...lane.hits.flatMap((offset) => drawSign(geometry, offset, "stop")),
  ];
  return { bars, under, over };
}

/** The bar at a point of a run: the nearest one of its row, a broken line if the point is low in the row. */
function nearestBar(
  { middle, high, rowAt }: Geometry,
  bars: readonly Bar[],
  segment: number,
  x: number,
  y: number,
) {
  const row = middle(rowAt(y));
  const isLow = y > row + high / 2 - 4;
  const far = ({ span, from, to }: Bar): number =>
    Math.max(0, from - x, x - to) + ((span.to !== null) === isLow ? 0 : 1);
  const own = bars.filter((bar) => bar.segment === segment && bar.y === row);
  return own.toSorted((a, b) => far(a) - far(b))[0];
}

function setAll(element: SVGElement, values: Record<string, number>): void {
  for (const [name, value] of Object.entries(values)) setAttribute(element, name, String(value));
}

export function createClockScene(): Scene {
  const marks = s("g");
  const head = s("path", { class: "playhead" });
  const now = s("rect", { class: "now", rx: 2 });
  const under = s("rect", { class: "under", rx: 2, hidden: "" });
  const moved = s("g", {}, head, marks, now, under);
  const drawing = s("svg", { "aria-hidden": "true", width: "100%", height: HEIGHT }, moved);
  let geometry: Geometry | null = null;
  let columns: Column[] = [];
  let rows: Row[] = [];
  let bars: Bar[] = [];
  let [width, left, top] = [0, 0, 0];

  function draw(lane: Lane): Geometry {
    const own = geometryOf(lane, columns, top);
    const { devices, isShown, middle } = own;
    rows = [...devices.entries()]
      .filter(([row]) => isShown(row))
      .map(([row, words]) => ({ lane, y: middle(row), words, stretches: new Map() }));
    const drawn = drawRuns(own);
    bars = drawn.bars;
    marks.replaceChildren(...drawn.under, ...bars.map(({ element }) => element), ...drawn.over);
    moved.setAttribute("transform", `translate(${-left} 0)`);
    return own;
  }

  return {
    drawing,
    rows: () => rows,
    columns: () => columns.map((column, i) => [i, { ...column, left: column.left - left }] as const),
    show(_, lane, offset, room) {
      const before = `${left} ${top}`;
      const isNew = lane !== geometry?.lane || room !== width;
      width = room;
      if (isNew) columns = columnsOf(lane.clocks ?? [], width);
      const row = geometryOf(lane, columns, 0).place(offset)?.row ?? 0;
      left = scrollTo(columns, segmentAt(lane, offset).segment, width, left);
      top = Math.min(row, Math.max(top, row - MOST + 1));
      const isMoved = isNew || before !== `${left} ${top}`;
      if (isMoved || !geometry) geometry = draw(lane);
      const place = geometry.place(offset);
      if (!place) return isMoved;
      for (const { span, segment, element } of bars) {
        const isDone = segment < place.segment || (segment === place.segment && span.step <= place.cell);
        element.classList.toggle("done", isDone);
      }
      const [y, size] = [geometry.middle(place.row), geometry.high - 6];
      setAll(now, {
        x: place.begin,
        width: Math.max(4, place.end - place.begin),
        y: place.sends ? y + size / 2 - 1 : y - size / 2 - 2,
        height: place.sends ? 4 : size + 2,
      });
      setAttribute(head, "d", `M${place.end} ${TOP - 4}V${HEIGHT - 2}`);
      return isMoved;
    },
    at(x, y) {
      if (!geometry || !rows[0]) return null;
      const segment = Math.min(geometry.clocks.length - 1, columnAt(columns, x + left));
      const bar = y < TOP ? undefined : nearestBar(geometry, bars, segment, x + left, y);
      const row = rows.find((own) => own.y === bar?.y) ?? rows[0];
      return { row, column: segment, cell: bar?.span.step ?? 0 };
    },
    light(at) {
      under.toggleAttribute("hidden", !at);
      const bar = at && bars.find((own) => own.segment === at.column && own.span.step === at.cell);
      if (!bar || !geometry) return;
      const { high } = geometry;
      setAll(under, {
        x: bar.from,
        width: Math.max(4, bar.to - bar.from),
        y: bar.y - high / 2 + 1,
        height: high - 2,
      });
    },
  };
}
