/**
 * What each widget of a Jupyter kernel brings: the way to the front end, which one model has for all of them (`FrontEnd` in
 * base.py). A page runs it once, from when that model comes; so it is there when Python has made the first record.
 */
import type { AnyModel, Initialize, Render } from "@anywidget/types";
import type front from ".";

interface Traits {
  /** A widget's: which model has the front end. */
  front_end?: string;
  /** That model's: the front end. */
  code?: string;
}

const KEY = Symbol.for("tfedu.front_ends");
const page = globalThis as { [KEY]?: Map<string, Promise<typeof front>> };

/** The front end of this text: a page may show notebooks of several kernels. */
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
  // Not waited for, since anywidget gives up on a model that takes two seconds; what fails here fails in `render` and is told.
  begun.catch(() => {});
};

const render: Render<Traits> = async (props) => (await frontEnd(props.model)).render(props);

export default { initialize, render };
