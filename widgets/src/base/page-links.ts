/** Ways from one widget of a page to another: from a locked one to its question, and from a question to what it opened. */

const GO = "tfedu-go";

/** Names a widget on the page: a question by its own name, any other widget by that of the question before it. */
export function nameOnPage(root: HTMLElement, question: string, isQuestion: boolean): void {
  if (question) root.dataset[isQuestion ? "question" : "after"] = question;
}

const found = (name: "question" | "after", value: string): HTMLElement | null =>
  value ? document.querySelector<HTMLElement>(`.tfedu[data-${name}="${CSS.escape(value)}"]`) : null;

/** Goes to the first field of a question that has no answer yet. */
export function goToQuestion(question: string): void {
  const root = found("question", question);
  const fields = [...(root?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[data-slot]") ?? [])];
  const isOpen = (field: HTMLInputElement | HTMLTextAreaElement): boolean =>
    field.type === "radio"
      ? !fields.some((other) => other.name === field.name && "checked" in other && other.checked)
      : field.value.trim() === "";
  const target = fields.find(isOpen) ?? fields[0] ?? root;
  root?.scrollIntoView({ block: "center" });
  target?.focus({ preventScroll: true });
}

/** The first widget that waits, or waited, for this question. */
export const waitingFor = (question: string): HTMLElement | null => found("after", question);

/** Takes a widget to a step, and the reader to the widget. */
export function goToStep(root: HTMLElement, run: number, step: number): void {
  root.dispatchEvent(new CustomEvent(GO, { detail: { run, step } }));
  root.scrollIntoView({ block: "center" });
  root.focus({ preventScroll: true });
}

/** Calls `go` when another widget sends the reader to a step of this one. */
export function followSteps(
  root: HTMLElement,
  life: AbortSignal,
  go: (at: { run: number; step: number }) => void,
): void {
  root.addEventListener(
    GO,
    (event) => {
      const { run, step } = (event as CustomEvent<{ run: unknown; step: unknown }>).detail ?? {};
      if (Number.isInteger(run) && Number.isInteger(step)) go({ run: Number(run), step: Number(step) });
    },
    { signal: life },
  );
}
