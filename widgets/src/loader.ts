/**
 * The part of a widget that every Jupyter model loads: it finds the front end, which one model holds for all (`FrontEnd` in
 * base.py). A page runs it once, when that model comes; so it is there when Python has made the first record.
 */
import type { AnyModel, Initialize, Render } from "@anywidget/types";
import type front from ".";

interface Traits {
  /** On a widget: the model that holds the front end. */
  front_end?: string;
  /** On that model: the front end. */
  code?: string;
}

const KEY = Symbol.for("tfedu.front_ends");
const page = globalThis as { [KEY]?: Map<string, Promise<typeof front>> };

/** The front ends by their text: a page may show notebooks of several kernels. */
function run(code: string): Promise<typeof front> {
  page[KEY] ??= new Map();
  let begun = page[KEY].get(code);
  if (!begun) {
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    begun = import(url).then((module) => module.default).finally(() => URL.revokeObjectURL(url));
    page[KEY].set(code, begun);
  }
  return begun;
}

async function frontEnd(model: AnyModel<Traits>): Promise<typeof front> {
  const id = model.get("front_end")?.replace("anywidget:", "") ?? "";
  const shared = await model.widget_manager.get_model<Traits>(id);
  return run(shared.get("code") ?? "");
}

const initialize: Initialize<Traits> = (props) => {
  const code = props.model.get("code");
  const begun = code ? run(code) : frontEnd(props.model).then((front) => front.initialize(props));
  // Not awaited, since anywidget gives up on a model that takes two seconds; a failure shows in `render`.
  begun.catch(() => {});
};

const render: Render<Traits> = async (props) => (await frontEnd(props.model)).render(props);

export default { initialize, render };
