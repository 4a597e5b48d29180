/** Where the record of an element comes from: its property, a script element inside, or a file of the page's own origin. */
import { fail } from "./problem";

/** Elements that can be read from the page while it is still loading have all their children only then. */
export async function pageIsRead(): Promise<void> {
  if (document.readyState === "loading") {
    await new Promise((then) => document.addEventListener("DOMContentLoaded", then, { once: true }));
  }
}

/** Raises: ProblemError for data that is missing or no JSON. */
export async function loaded(element: HTMLElement, src: string, life: AbortSignal): Promise<unknown> {
  await pageIsRead();
  const inline = element.querySelector(':scope > script[type="application/json"]');
  if (inline) return parsed(inline.textContent ?? "");
  if (!src) return fail("missing");
  return parsed(await textOf(src, life));
}

async function textOf(src: string, life: AbortSignal): Promise<string> {
  const url = URL.canParse(src, document.baseURI) ? new URL(src, document.baseURI) : null;
  if (url === null) return fail("not_loaded", { src });
  if (url.origin !== location.origin) return fail("other_origin", { src, origin: location.origin });
  let answer: Response;
  try {
    // A redirection to another origin fails, too.
    answer = await fetch(url, { mode: "same-origin", signal: life });
    if (answer.ok) return await answer.text();
  } catch (error) {
    if (life.aborted) throw error;
    return fail("not_loaded", { src });
  }
  return fail("not_found", { src, status: answer.status });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail("not_json");
  }
}
