/**
 * The script of an exported page (tfedu/widgets/pages/export.py): it unpacks the front end and the traits of the widgets, and shows each
 * widget in its place. A question gets the answer that there is no Python, except where `tfedu view` serves the page.
 */
import type front from ".";
import { showOnPage } from "./base/page-model";

interface Packed {
  code: string;
  css: string;
  widgets: Record<string, unknown>[];
  /** The numbers of the widgets whose questions the page's server answers. */
  asked: number[];
  /** What a widget says to a question that Python alone can answer. */
  noPython: string;
}

async function unpacked(): Promise<Packed> {
  const text = document.getElementById("packed")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** The server's reply; the token in the page's address says that the page may ask. */
async function served(question: object): Promise<object> {
  const url = `/ask${location.search}`;
  const body = JSON.stringify(question);
  const reply = await fetch(url, { mode: "same-origin", method: "POST", body });
  if (!reply.ok) throw new Error(reply.statusText);
  return reply.json();
}

async function start(): Promise<void> {
  const { code, css, widgets, asked, noPython } = await unpacked();
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const module: { default: typeof front } = await import(url);
  URL.revokeObjectURL(url);
  widgets.forEach((traits, i) => {
    const place = document.querySelector<HTMLElement>(`[data-widget="${i}"] > .running`);
    if (!place) return;
    const answer = (question: object) => served({ widget: i, ...question });
    showOnPage(module.default, place, traits, { noPython, ...(asked.includes(i) && { answer }) });
    place.parentElement?.classList.add("shown");
  });
}

start().catch((error: unknown) => {
  for (const place of document.querySelectorAll(".failed")) {
    place.removeAttribute("hidden");
    place.append(` ${error instanceof Error ? error.message : String(error)}`);
  }
});
