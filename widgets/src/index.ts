/** The bundle of all widgets. Python's trait `kind` names the widget of a model. */
import type { AnyModel, InitializeProps, RenderProps } from "@anywidget/types";
import { h, nextPrefix } from "./base/dom";
import { createPace } from "./base/pace";
import { followSteps, goToQuestion, nameOnPage } from "./base/page-links";
import { followTheme } from "./base/page-theme";
import { createPanels } from "./base/panel-schedule";
import { createAsk } from "./base/questions";
import { batched, localStore, modelStore } from "./base/store";
import { createMeasure } from "./base/text-width";
import type { Context } from "./context";
import { button } from "./controls/button";
import { LANGUAGES, pickLanguage, translator } from "./i18n";
import { createHelp } from "./panels/help";
import { VERSION } from "./record";
import { createHead, followScreen } from "./stage/head";
import type { Widget, WidgetParts } from "./widget";
import { WIDGETS } from "./widgets/table";
import { createTriedChange } from "./widgets/tried-change";

interface Shared {
  kind: string;
  record: { version?: number; title?: string };
  lang: string;
  title: string;
  locked: boolean;
  /** The name of a question, or of the question that a widget waits for. */
  question?: string;
  run?: number;
  step?: number;
  /** Whether Python holds the programs, so that it answers questions about them. */
  explains?: boolean;
}

/** Unpacks a long record when the model arrives, while Python still draws its own picture. */
function initialize({ model }: InitializeProps): void {
  modelStore<Shared>(model).get("record");
}

function render({ model, el }: RenderProps): () => void {
  const mounted = new AbortController();
  let life = new AbortController();
  const prefix = nextPrefix();
  const pace = createPace();
  const root = h("div", { class: "tfedu", tabindex: "-1", "data-lm-suppress-shortcuts": "true" });
  el.append(root);
  followTheme(root, mounted.signal);
  followScreen(root, mounted.signal);
  followSteps(root, mounted.signal, (at) => modelStore<Shared>(model).set(at));
  let close = (): boolean => false;
  let keys: WidgetParts["keys"] = {};
  let common: WidgetParts["keys"] = {};

  const draw = (): void => {
    const focused = root.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-testid")
      : undefined;
    life.abort();
    life = new AbortController();
    const store = modelStore<Shared>(model);
    const lang = pickLanguage(store.get("lang") ?? "", navigator.languages);
    const t = translator(lang);
    root.lang = lang;
    nameOnPage(root, store.get("question") ?? "", store.get("kind") === "predict");
    // Not on the page yet, the element has no font; the page's style sheet has it.
    const family = getComputedStyle(root).fontFamily || "system-ui, sans-serif";
    const measure = createMeasure();
    const triedChange = createTriedChange(() => ctx);
    const ctx: Context = {
      t,
      lang,
      prefix,
      life: life.signal,
      width: (text, font, mono = false) => measure(text, { ...font, family: mono ? "monospace" : family }),
      ask: createAsk(model, life.signal),
      program: store.get("explains") ? 0 : null,
      highlights: localStore({ path: [], races: [] }),
      triedChange,
      panels: createPanels(root, life.signal),
      pace,
      calm: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
    };
    const record = store.get("record");
    const entry = WIDGETS[store.get("kind")];
    const title = store.get("title") || record.title || t(entry?.title ?? "graph.default_title");
    const parts = show(ctx, model, entry?.widget, title);
    const languages = h(
      "select",
      { "data-testid": "lang", change: () => store.set({ lang: languages.value }) },
      ...LANGUAGES.map(([code, name]) =>
        h("option", { value: code, lang: code, selected: code === lang }, name),
      ),
    );
    const head = createHead(ctx, {
      root,
      title,
      subject: parts.subject ?? null,
      tools: parts.tools ?? [],
      menu: [...(parts.menu ?? []), h("label", {}, h("span", {}, t("action.language")), languages)],
      help: () => help.toggle(),
    });
    const help = createHelp(ctx, head.helper, parts);
    close = () => [head.close, help.close, triedChange.close, parts.close].some((closes) => closes?.());
    // A widget may add keys to its own later.
    keys = parts.keys;
    common = { "?": help.toggle, f: head.present };
    root.classList.toggle("framed", parts.framed ?? false);
    root.replaceChildren(
      head.element,
      head.menu,
      help.element,
      ...(parts.framed ? parts.body : [h("div", { class: "page" }, ...parts.body)]),
      triedChange.element,
    );
    if (focused) root.querySelector<HTMLElement>(`[data-testid="${CSS.escape(focused)}"]`)?.focus();
  };

  followKeys(
    root,
    (key) => keys[key] ?? common[key],
    () => close(),
  );

  const again = batched(draw, mounted.signal);
  const shared = modelStore<Shared>(model);
  shared.watch(["lang", "title", "locked", "explains"], again, mounted.signal);
  if (!WIDGETS[shared.get("kind")]?.grows) shared.watch(["record"], again, mounted.signal);
  draw();
  return () => {
    life.abort();
    mounted.abort();
    root.remove();
  };
}

/** The keys of a widget: what a key does, and what Escape closes. */
function followKeys(
  root: HTMLElement,
  find: (key: string) => (() => void) | undefined,
  close: () => boolean,
): void {
  root.addEventListener("keydown", (event) => {
    const target = event.target as Element;
    const typing = target.matches("input:not([type=range]), textarea, select");
    const used = !event.isComposing && press(event, target, typing);
    if (used) event.preventDefault();
    // A key that leaks would run a notebook command. Two keys belong to the notebook: Escape on the widget itself returns the
    // keyboard, and saving must work from everywhere.
    const saves = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s";
    if (!saves && (event.key !== "Escape" || used)) event.stopPropagation();
  });

  function press(event: KeyboardEvent, target: Element, typing: boolean): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Escape") {
      if (close()) return true;
      if (target === root) return false;
      root.focus();
      return true;
    }
    // The picture has used its own keys already.
    if (typing || event.defaultPrevented) return false;
    const act = find(event.key);
    // Space presses the focused button or opens the focused summary; on a node in the picture it means "play".
    if (!act || (event.key === " " && target.matches("button, summary, input"))) return false;
    act();
    return true;
  }
}

function show(ctx: Context, model: AnyModel, widget: Widget<never> | undefined, title: string): WidgetParts {
  const shared = modelStore<Shared>(model);
  const only = (words: string, testid: string, ...more: HTMLElement[]): WidgetParts => ({
    body: [h("p", { class: "notice", "data-testid": testid }, words, ...more)],
    keys: {},
    steps: false,
  });
  if (shared.get("locked")) {
    const act = (): void => goToQuestion(shared.get("question") ?? "");
    const go = button({ testid: "to-question", icon: "up", words: ctx.t("locked.go"), wide: true, act });
    return only(ctx.t("locked.message"), "locked", go);
  }
  if (!widget) return only(ctx.t("widget.unknown", { kind: String(shared.get("kind")) }), "unknown");
  const { version } = shared.get("record");
  if (version !== VERSION) return only(ctx.t("widget.version", { version: String(version) }), "version");
  return widget(ctx, modelStore<never>(model), title);
}

export default { initialize, render };
