/** The custom elements: one class for all, which finds its record, checks it, and shows it by the widget of its kind. */

import { h } from "../base/dom";
import { type ShownOnPage, showOnPage } from "../base/page-model";
import { pageTheme } from "../base/page-theme";
import { batched } from "../base/store";
import { type Lang, pickLanguage, translator } from "../i18n";
import front from "../index";
import type { PredictResult } from "../record";
import { problemOf } from "./check-record";
import ELEMENTS from "./elements.json";
import { loaded, pageIsRead } from "./load";
import { type Problem, ProblemError, problem } from "./problem";
import type { AnsweredDetail, ElementTheme, ElementView, PositionDetail, TfeduElementApi } from "./public";
import { addStyle, createFrame, type Frame, SLOT } from "./shadow";
import { STYLE } from "./style";
import { viewTraits } from "./view";

export type ElementName = keyof typeof ELEMENTS;

const ATTRIBUTES = ["src", "heading", "lang", "theme", "height", "view"] as const;
const THEMES: readonly string[] = ["light", "dark"] satisfies ElementTheme[];
/** Traits that tell where a reader is. */
const POSITION = ["run", "step"];

// Where a server renders pages there are no elements; importing the package there does nothing.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

interface Shown extends ShownOnPage {
  place: HTMLElement;
  record: Record<string, unknown>;
}

export class TfeduElement extends Base implements TfeduElementApi {
  static readonly observedAttributes: readonly string[] = ATTRIBUTES;
  /** The name of the element, which decides what it shows. */
  static readonly shows: ElementName;

  #frame: Frame | null = null;
  #shown: Shown | null = null;
  #life = new AbortController();
  #record: unknown = null;
  #view: ElementView | string | null = null;
  /** What an attribute asks for in vain, beside a widget that is shown. */
  #wrong = new Map<string, Problem>();

  get record(): unknown {
    return this.#record;
  }
  set record(record: unknown) {
    this.#record = record ?? null;
    if (this.isConnected) this.#renew();
  }
  get src(): string {
    return this.getAttribute("src") ?? "";
  }
  set src(src: string) {
    this.setAttribute("src", src);
  }
  get heading(): string {
    return this.getAttribute("heading") ?? "";
  }
  set heading(heading: string) {
    this.setAttribute("heading", heading);
  }
  get theme(): ElementTheme | "" {
    const theme = this.getAttribute("theme") ?? "";
    return THEMES.includes(theme) ? (theme as ElementTheme) : "";
  }
  set theme(theme: ElementTheme | "") {
    this.setAttribute("theme", theme);
  }
  get height(): string {
    return this.getAttribute("height") ?? "";
  }
  set height(height: string) {
    this.setAttribute("height", String(height));
  }
  get view(): ElementView | string | null {
    return this.#view ?? this.getAttribute("view");
  }
  set view(view: ElementView | string | null) {
    this.#view = view;
    this.#follow("view");
  }

  connectedCallback(): void {
    // A property that was set before the element was defined hides the one of this class.
    for (const name of ["record", "view"] as const) {
      if (!Object.hasOwn(this, name)) continue;
      const early = this[name];
      delete (this as Partial<TfeduElement>)[name];
      Object.assign(this, { [name]: early });
    }
    this.#frame ??= createFrame(this);
    this.#renew();
  }

  disconnectedCallback(): void {
    // An element that is moved is back at once, and starts anew only where it is shown in another tree.
    queueMicrotask(() => {
      if (!this.isConnected) this.#end();
    });
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    if (name === "view") this.#view = null;
    if (name === "src") this.#renew();
    else this.#follow(name);
  }

  /** The language of the element: its own, that of the page around it, or the browser's. */
  #language(): Lang {
    const around = this.parentElement?.closest<HTMLElement>("[lang]")?.lang;
    return pickLanguage(this.lang, [around ?? "", ...navigator.languages]);
  }

  /** Shows the element's record anew. */
  async #renew(): Promise<void> {
    this.#life.abort();
    const life = new AbortController();
    this.#life = life;
    try {
      await pageIsRead();
      const record = this.#record ?? (await loaded(this, this.src, life.signal));
      if (life.signal.aborted || !this.isConnected) return;
      const { record: kind } = ELEMENTS[(this.constructor as typeof TfeduElement).shows];
      const found = problemOf(record, kind);
      if (found) throw new ProblemError(found);
      this.#show(record as Record<string, unknown>);
      this.#told("");
    } catch (error) {
      if (life.signal.aborted) return;
      const told =
        error instanceof ProblemError ? error.problem : problem("not_shown", { error: String(error) });
      this.#end();
      this.#say(told);
      this.#told(told.code);
    }
  }

  #show(record: Record<string, unknown>): void {
    this.#end();
    const { kind, traits } = ELEMENTS[(this.constructor as typeof TfeduElement).shows];
    addStyle(this.getRootNode(), STYLE);
    const place = h("div", { class: "tfedu-place", slot: SLOT });
    this.append(place);
    const changes: Record<string, unknown> = {};
    const life = this.#life.signal;
    const tell = batched(() => this.#tellChanges(changes), life);
    const lang = this.#language();
    const own = {
      ...structuredClone(traits),
      ...this.#asked(record),
      kind,
      record,
      lang,
      title: this.heading,
    };
    try {
      const shown = showOnPage(front, place, own, {
        noPython: translator(lang)("page.no_python"),
        heard(name, value) {
          changes[name] = value;
          tell();
        },
      });
      this.#shown = { ...shown, place, record };
    } catch (error) {
      place.remove();
      throw error;
    }
    for (const name of ["theme", "height"]) this.#follow(name);
    this.#frame?.show(true);
    this.#say(null);
  }

  #end(): void {
    this.#shown?.end();
    this.#shown?.place.remove();
    this.#shown = null;
    this.#frame?.show(false);
  }

  /** The traits that the attribute or property `view` asks for. */
  #asked(record: Record<string, unknown>): Record<string, unknown> {
    this.#wrong.delete("view");
    try {
      return viewTraits(this.view, record);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.#wrong.set("view", error.problem);
      return {};
    }
  }

  /** Does as a changed attribute asks. */
  #follow(name: string): void {
    const shown = this.#shown;
    if (!shown) return;
    this.#wrong.delete(name);
    if (name === "view") {
      // A host that answers each position by a view must come to an end.
      for (const [trait, value] of Object.entries(this.#asked(shown.record))) {
        if (!isEqual(shown.model.get(trait), value)) shown.model.set(trait, value);
      }
    } else if (name === "heading") shown.model.set("title", this.heading);
    else if (name === "lang") shown.model.set("lang", this.#language());
    else if (name === "theme") this.#followTheme(shown.place);
    else if (name === "height") this.#followHeight(shown.place);
    this.#say(null);
  }

  #followTheme(place: HTMLElement): void {
    const asked = this.getAttribute("theme") ?? "";
    if (asked && !this.theme) {
      this.#wrong.set("theme", problem("wrong_attribute", { name: "theme", expected: THEMES.join(", ") }));
    }
    for (const theme of THEMES) place.classList.toggle(`theme-${theme}`, this.theme === theme);
    const root = place.firstElementChild;
    root?.setAttribute("data-theme", pageTheme(root));
  }

  #followHeight(place: HTMLElement): void {
    const asked = this.height.trim();
    const length = /^\d+(?:\.\d+)?$/.test(asked) ? `${asked}px` : asked;
    const isLength = length !== "" && CSS.supports("height", length);
    if (length && !isLength) {
      this.#wrong.set("height", problem("wrong_attribute", { name: "height", expected: "600, 600px, 80vh" }));
    }
    place.classList.toggle("of-height", isLength);
    if (isLength) place.style.setProperty("--tfedu-height", length);
    else place.style.removeProperty("--tfedu-height");
  }

  /** Tells why nothing is shown, else what an attribute asks for in vain. */
  #say(told: Problem | null): void {
    const lang = this.#language();
    const t = translator(lang);
    const all = told ? [told] : [...this.#wrong.values()];
    this.#frame?.say(all.map(({ code, params }) => t(`element.${code}`, params)).join(" "), lang);
  }

  #told(problem: string): void {
    this.#send("tfedu-shown", { problem });
  }

  #tellChanges(changes: Record<string, unknown>): void {
    const model = this.#shown?.model;
    if (!model) return;
    const changed = { ...changes };
    for (const name of Object.keys(changes)) delete changes[name];
    this.#send("tfedu-changed", changed);
    if (POSITION.some((name) => name in changed)) {
      const at = POSITION.filter((name) => Number.isInteger(model.get(name)));
      this.#send(
        "tfedu-position",
        Object.fromEntries(at.map((name) => [name, model.get(name)])) as unknown as PositionDetail,
      );
    }
    if ("result" in changed) this.#send("tfedu-answered", answered(changed.result as PredictResult));
  }

  #send(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

const answered = ({ targets }: PredictResult): AnsweredDetail => ({
  correct: targets.every(({ correct }) => correct),
  targets: targets.map(({ key, predicted, right }) => ({ key, predicted, right })),
});

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Defines an element; a page that loads two copies of the package keeps the first. */
export function define(name: ElementName): typeof TfeduElement {
  const own = class extends TfeduElement {
    static override readonly shows = name;
  };
  const registry = globalThis.customElements;
  if (!registry) return own;
  if (!registry.get(name)) registry.define(name, own);
  return registry.get(name) as typeof TfeduElement;
}
