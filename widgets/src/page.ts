/**
 * The script of an exported page (tfedu/widgets/pages/export.py): it unpacks the front end and the traits of the widgets, and shows each
 * widget in its place. There is no Python: a question gets the answer that says so.
 */
import type front from ".";
import { showOnPage } from "./base/page-model";

interface Packed {
  code: string;
  css: string;
  widgets: Record<string, unknown>[];
  /** What a widget says to a question that Python alone can answer. */
  noPython: string;
}

async function unpacked(): Promise<Packed> {
  const text = document.getElementById("packed")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

async function start(): Promise<void> {
  const { code, css, widgets, noPython } = await unpacked();
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const module: { default: typeof front } = await import(url);
  URL.revokeObjectURL(url);
  widgets.forEach((traits, i) => {
    const place = document.querySelector<HTMLElement>(`[data-widget="${i}"] > .running`);
    if (!place) return;
    showOnPage(module.default, place, traits, { noPython });
    place.parentElement?.classList.add("shown");
  });
}

start().catch((error: unknown) => {
  for (const place of document.querySelectorAll(".failed")) {
    place.removeAttribute("hidden");
    place.append(` ${error instanceof Error ? error.message : String(error)}`);
  }
});
