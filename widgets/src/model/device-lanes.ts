/** The lanes of a run on several devices: the outermost scopes of its picture, one a device, with the name scopes inside. */
import type { GraphRecord, NodeRecord, ScopeRecord } from "../record";
import { shortDevice } from "./device-names";

/** The lane of what is on no device. No scope has this path: names have no colon. */
export const UNPLACED = ":unplaced";

/** Among the closed scopes it says that no send is drawn: the line of a transfer begins at the node whose tensor it carries. */
export const SENDS = ":sends";

export interface DeviceLanes {
  /** The paths of the lanes: the names of the devices. */
  lanes: string[];
  places: ScopeRecord[];
  home: Map<number, string>;
}

const standing = new WeakSet<NodeRecord>();

/** Whether a node stands in the lane of its device, which then names the device. */
export const isInLane = (node: NodeRecord): boolean => standing.has(node);

/** The nodes that the partition adds have such names under the name of the node whose tensor or end they carry. */
const ADDED = /[^/]+\/_\d+$/;

/** The short name of a node that the partition added; null for another node. */
export const addedName = (node: NodeRecord): string | null => ADDED.exec(node.name)?.[0] ?? null;

const taskOf = (device: string): string =>
  /\/job:([^/]+).*\/task:(\d+)/.exec(device)?.slice(1).join(":") ?? "";

/** The device that a name ends with: "/device:GPU:0" and "/gpu:0" are "GPU:0". */
const namedDevice = (device: string): string =>
  /(?:^|\/)(?:device:)?([a-z]+:\d+)$/i.exec(device)?.[1]?.toUpperCase() ?? "";

/** Null for the graph of a run on one device, and for one of which parts are left out. */
export function deviceLanes(record: GraphRecord, boxes: boolean): DeviceLanes | null {
  for (const node of record.nodes) standing.delete(node);
  if (boxes || record.sealed.length > 0) return null;
  const placed = record.nodes.filter(({ device }) => shortDevice(device) !== "");
  const tasks = new Set(placed.map(({ device }) => taskOf(device)));
  const nameOf = (device: string): string =>
    tasks.size > 1 ? `${taskOf(device)} ${shortDevice(device)}` : shortDevice(device);
  const known = new Set(placed.map(({ device }) => nameOf(device)));
  if (known.size < 2) return null;
  const lanes = [...known].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const laneOf = ({ device }: NodeRecord): string => {
    const own = shortDevice(device) === "" ? namedDevice(device) : nameOf(device);
    return known.has(own) ? own : UNPLACED;
  };
  const own = record.nodes.filter((node) => addedName(node) === null);
  const scopes = new Set(own.flatMap(({ name }) => around(name)));
  const home = new Map<number, string>();
  for (const node of record.nodes) {
    const lane = laneOf(node);
    if (lane !== UNPLACED) standing.add(node);
    // What the partition adds stands in the lane itself: the scope in its name is a node.
    const scope =
      addedName(node) !== null ? "" : scopes.has(node.name) ? node.name : (around(node.name).at(-1) ?? "");
    home.set(node.id, scope === "" ? lane : `${lane}/${scope}`);
  }
  if ([...home.values()].some((path) => path.split("/")[0] === UNPLACED)) lanes.push(UNPLACED);
  return { lanes, home, places: placesOf(lanes, home.values()) };
}

/** As deep as this a record has scopes. */
const DEPTH = 24;

/** The name scopes around a node, from the outermost one inwards: not the parts of a large graph, which are no name scopes. */
function around(name: string): string[] {
  const parts = name.split("/", DEPTH + 1).slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

/** The lanes, and in each of them the scopes of its nodes, outer ones first. */
function placesOf(lanes: readonly string[], homes: Iterable<string>): ScopeRecord[] {
  const parent = new Map<string, string>(lanes.map((lane) => [lane, ""]));
  for (const home of new Set(homes))
    for (let path = home; !parent.has(path); path = parent.get(path) ?? "")
      parent.set(path, path.slice(0, path.lastIndexOf("/")));
  const depth = (path: string): number => path.split("/").length;
  const paths = [...parent.keys()].sort((a, b) => depth(a) - depth(b));
  return paths.map((path) => ({ path, parent: parent.get(path) ?? "" }));
}
