/** Draws a node. Its outline shows its role, as in flow charts: a cylinder stores, a stadium is a constant. */
import { s } from "../base/dom";
import { shorten } from "../base/text";
import type { Box, Point } from "../layout/geometry";
import { addedName, isInLane } from "../model/device-lanes";
import { shortDevice } from "../model/device-names";
import { titleOf } from "../model/loops/loop-titles";
import type { NodeRecord, Role } from "../record";

export const NAME = { size: 13, weight: 600 };
export const TYPE = { size: 12, weight: 400 };
const VALUE = { size: 13, weight: 600 };
/** The height of a line of text, of a node by its lines, and of what a cylinder needs more. */
const LINE = 16;
const HEIGHTS = [0, 36, 44, 62];
const LID = 16;
const LIMIT = 30;
const SIDE: Record<Role, number> = {
  constant: 16,
  placeholder: 20,
  variable: 14,
  read: 16,
  update: 18,
  noop: 18,
  control: 20,
  op: 14,
};

/** The name inside the scope's box, or that of the loop variable, and below it the type if it says more. */
export function nodeLines(node: NodeRecord): { name: string; type: string } {
  // A node may have the name of a scope: "Variable" beside "Variable/read".
  // The scope of a part begins with the part, which no name has.
  const scope = node.scope.replace(/^:[^/]*\/?/, "");
  const around = node.name === scope ? scope.slice(0, scope.lastIndexOf("/") + 1) : `${scope}/`;
  const own = node.name.startsWith(around) ? node.name.slice(around.length) : node.name;
  const name = shorten(titleOf(node) ?? (isInLane(node) ? addedName(node) : null) ?? own, LIMIT);
  // Beside the scope that uses it, a variable's shape says more than its type.
  const [output] = node.scope.startsWith(":variables") ? node.outputs : [];
  const shape = output?.shape?.map((size) => size ?? "?").join("×");
  const type = shorten([shape || node.type, placeOf(node)].filter(Boolean).join(" "), LIMIT);
  return { name, type: type === name ? "" : type };
}

/** Where a node of a run on several devices is, as the end of a line; of a send, where its tensor goes. In a lane nothing: the lane
 * and the lines say so. Only the nodes of such a run have whole names of devices. */
function placeOf(node: NodeRecord): string {
  const own = shortDevice(node.device);
  const target = shortDevice(node.attrs.find(([key]) => key === "recv_device")?.[1] ?? "");
  if (isInLane(node)) return "";
  return own && target && target !== own ? `→ ${target}` : own && `· ${own}`;
}

export function nodeSize(
  node: NodeRecord,
  width: (text: string, font: typeof NAME) => number,
  extra = "",
  side = 0,
  formula = "",
): Box {
  const { name, type } = nodeLines(node);
  const text = Math.max(
    width(name, NAME),
    width(type, TYPE),
    width(formula, TYPE),
    extra ? width(extra, VALUE) : 0,
  );
  const h = HEIGHTS[1 + (type ? 1 : 0) + (extra ? 1 : 0)] ?? 0;
  return {
    x: 0,
    y: 0,
    w: Math.max(64, Math.ceil(text) + 2 * Math.max(side, SIDE[node.role])),
    h: node.role === "variable" ? h + LID : h,
  };
}

/** How far a role's outline is from the top and the bottom of its box at this place. */
export function outlineInset(role: Role, { x, w, h }: Box, at: number): number {
  const side = Math.max(0, Math.min(at - x, x + w - at));
  const round = (rx: number, ry: number): number =>
    ry * (1 - Math.sqrt(1 - (1 - Math.min(1, side / rx)) ** 2));
  switch (role) {
    case "constant":
      return round(h / 2, h / 2);
    case "noop":
      return round(w / 2, h / 2);
    case "variable":
      return round(w / 2, LID / 2);
    case "read":
      return Math.max(0, 9 - side);
    case "control":
      return Math.max(0, 1 - side / 12) * (h / 2);
    default:
      return 0;
  }
}

/** The outline of a role, in a box. */
export function nodeOutline(role: Role, { x, y, w, h }: Box, className = "shape"): SVGElement {
  const r = x + w;
  const b = y + h;
  const path = (d: string): SVGElement => s("path", { class: className, d });
  switch (role) {
    case "constant":
      return s("rect", { class: className, x, y, width: w, height: h, rx: h / 2 });
    case "noop":
      return s("ellipse", { class: className, cx: x + w / 2, cy: y + h / 2, rx: w / 2, ry: h / 2 });
    case "placeholder":
      return path(`M${x + 12} ${y}H${r}L${r - 12} ${b}H${x}Z`);
    case "control":
      return path(`M${x + 12} ${y}H${r - 12}L${r} ${y + h / 2}L${r - 12} ${b}H${x + 12}L${x} ${y + h / 2}Z`);
    case "read":
      return path(
        `M${x + 9} ${y}H${r - 9}L${r} ${y + 9}V${b - 9}L${r - 9} ${b}H${x + 9}L${x} ${b - 9}V${y + 9}Z`,
      );
    case "variable": {
      const e = LID / 2;
      const rx = w / 2;
      return path(
        `M${x} ${y + e}A${rx} ${e} 0 0 1 ${r} ${y + e}V${b - e}A${rx} ${e} 0 0 1 ${x} ${b - e}Z` +
          `M${x} ${y + e}A${rx} ${e} 0 0 0 ${r} ${y + e}`,
      );
    }
    case "update":
      return path(`M${x} ${y}H${r}V${b}H${x}ZM${x + 6} ${y}V${b}M${r - 6} ${y}V${b}`);
    default:
      return s("rect", { class: className, x, y, width: w, height: h, rx: Math.min(8, h / 2) });
  }
}

/** One of several outputs, with its number, on the node's border. */
export function drawPort({ x, y }: Point, output: number): SVGGElement {
  const text = s("text", { x, y, "text-anchor": "middle", dy: "0.36em" });
  text.textContent = String(output);
  const box = s("rect", { x: x - 7, y: y - 6, width: 14, height: 12, rx: 3 });
  return s("g", { class: "port", "data-output": output }, box, text);
}

export interface NodeMark {
  group: SVGGElement;
  /** The text element of a variable's value. */
  value: SVGTextElement | null;
}

/** `mark`: the box that a marked node's frame surrounds; `value`: adds a line for a variable's value; `below`: room under the text. */
export function drawNode(
  node: NodeRecord,
  box: Box,
  mark: Box | null,
  value: boolean,
  below: number,
): NodeMark {
  const { name, type } = nodeLines(node);
  const lid = node.role === "variable" ? LID * 0.75 : 0;
  const lines = 1 + (type ? 1 : 0) + (value ? 1 : 0);
  const middle = box.x + box.w / 2;
  let y = box.y + lid + (box.h - lid - below) / 2 - (lines - 1) * (LINE / 2);
  const line = (className: string, content: string): SVGTextElement => {
    const text = s("text", { class: className, x: middle, y, "text-anchor": "middle", dy: "0.35em" });
    text.textContent = content;
    y += LINE;
    return text;
  };
  const texts = [line("name", name)];
  if (type) texts.push(line("type", type));
  const valueLine = value ? line("value", "") : null;
  const group = s(
    "g",
    { class: "node", "data-id": node.id, "data-role": node.role, "data-marked": mark !== null || undefined },
    mark &&
      s("rect", {
        class: "mark",
        x: mark.x - 7,
        y: mark.y - 7,
        width: mark.w + 14,
        height: mark.h + 14,
        rx: 10,
      }),
    s("rect", { class: "focus", x: box.x - 4, y: box.y - 4, width: box.w + 8, height: box.h + 8, rx: 9 }),
    nodeOutline(node.role, box),
    // Separate lines of text, for copying and for screen readers.
    ...texts.flatMap((text) => [text, " "]),
    valueLine,
  );
  // Written as text: a name may contain anything.
  group.setAttribute("data-name", node.name);
  return { group, value: valueLine };
}
