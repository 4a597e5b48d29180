/** Light or dark as the page is, not as the machine is: a notebook has its own theme. Paper is light. */

export type Theme = "light" | "dark";

export function pageTheme(root: Element): Theme {
  const { body } = document;
  const jupyter = body.getAttribute("data-jp-theme-light");
  const named = root.closest(".theme-dark, .theme-light");
  if (matchMedia(PAPER).matches) return "light";
  if (named) return named.matches(".theme-dark") ? "dark" : "light";
  if (jupyter !== null) return jupyter === "false" ? "dark" : "light";
  const code = body.getAttribute("data-vscode-theme-kind");
  if (code !== null) return code.includes("dark") || code === "vscode-high-contrast" ? "dark" : "light";
  return matchMedia(DARK).matches ? "dark" : "light";
}

const DARK = "(prefers-color-scheme: dark)";
const PAPER = "print";

/** Keeps `data-theme` right when the page changes its theme. */
export function followTheme(root: HTMLElement, life: AbortSignal): void {
  const set = (): void => root.setAttribute("data-theme", pageTheme(root));
  const attributes = ["class", "data-jp-theme-light", "data-vscode-theme-kind"];
  const observer = new MutationObserver(set);
  for (const watched of [document.body, document.documentElement]) {
    observer.observe(watched, { attributes: true, attributeFilter: attributes });
  }
  for (const media of [DARK, PAPER]) matchMedia(media).addEventListener("change", set, { signal: life });
  life.addEventListener("abort", () => observer.disconnect());
  set();
  // At first the element may not be on the page yet, and its surroundings decide.
  requestAnimationFrame(set);
}
