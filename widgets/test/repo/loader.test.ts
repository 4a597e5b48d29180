/** How a widget finds the front end that another model holds. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import loader from "../../src/loader";

interface Called {
  initialized: unknown[];
  rendered: unknown[];
  runs: number;
}
const seen = globalThis as unknown as { seen: Called };

/** The text of a module that records its calls as a front end. */
const CODE = `globalThis.seen.runs += 1;
export default {
  initialize(props) { globalThis.seen.initialized.push(props.model); },
  render(props) { globalThis.seen.rendered.push(props.model); return "the end"; },
};`;
let count = 0;
/** Each test has its own text, since a page runs each module once. */
const fresh = (code = CODE): string => {
  count += 1;
  return `${code}\n// ${count}`;
};

beforeEach(() => {
  seen.seen = { initialized: [], rendered: [], runs: 0 };
  // Node imports data URLs, but no blob URLs.
  vi.stubGlobal(
    "Blob",
    class {
      constructor(public parts: string[]) {}
    },
  );
  vi.spyOn(URL, "createObjectURL").mockImplementation(
    (blob) =>
      `data:text/javascript,${encodeURIComponent((blob as unknown as { parts: string[] }).parts.join(""))}`,
  );
  vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const page = (code: string) => {
  const shared = { get: (name: string) => (name === "code" ? code : undefined) };
  const widget_manager = {
    get_model: async (id: string) => {
      if (id !== "f00") throw new Error(`no model ${id}`);
      return shared;
    },
  };
  const widget = (front_end = "anywidget:f00") => ({
    get: (name: string) => (name === "front_end" ? front_end : undefined),
    widget_manager,
  });
  return { shared, widget };
};
const begin = (model: unknown): unknown => loader.initialize({ model } as never);
const show = (model: unknown): unknown => loader.render({ model } as never);

test("the front end runs once, when its model comes, and receives each widget's model and view", async () => {
  const { shared, widget } = page(fresh());
  begin(shared);
  const [one, two] = [widget(), widget()];
  begin(one);
  begin(two);
  expect(await show(one)).toBe("the end");
  await show(two);
  expect(seen.seen).toEqual({ initialized: [one, two], rendered: [one, two], runs: 1 });
  expect(URL.revokeObjectURL).toHaveBeenCalledTimes(1);
});

test("a saved notebook may load its models in any order", async () => {
  const { widget } = page(fresh());
  const one = widget();
  await show(one);
  expect(seen.seen.rendered).toEqual([one]);
});

test("kernels with other versions have their own front end on the same page", async () => {
  const [old, now] = [page(fresh()), page(fresh())];
  await show(old.widget());
  await show(now.widget());
  expect(seen.seen.runs).toBe(2);
});

test("initialize does not wait for the front end, and a failure is shown in the widget", async () => {
  const { widget } = page(fresh());
  expect(begin(widget("anywidget:gone"))).toBeUndefined();
  await expect(show(widget("anywidget:gone"))).rejects.toThrow("no model gone");
  const broken = page(fresh("throw new Error('too old')"));
  begin(broken.shared);
  await expect(show(broken.widget())).rejects.toThrow("too old");
});
