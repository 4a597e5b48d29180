/** A text field with its label and a button: Enter in the field presses the button. */
import { h } from "../base/dom";

export interface TextFieldOptions {
  id: string;
  testid: string;
  label: string | HTMLLabelElement;
  words: string;
  /** Elements between the label and the field. */
  before?: HTMLElement[];
  describedby?: string;
  list?: string;
  act: (text: string) => void;
}

export interface TextField {
  element: HTMLElement;
  input: HTMLInputElement;
}

export function createTextField({
  id,
  testid,
  label,
  words,
  before = [],
  act,
  ...more
}: TextFieldOptions): TextField {
  const input = h("input", {
    type: "text",
    id,
    "data-testid": testid,
    autocomplete: "off",
    spellcheck: "false",
    list: more.list,
    "aria-describedby": more.describedby,
    keydown: (event: KeyboardEvent) => {
      // The Enter that ends a composed character does not send the field.
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      act(input.value.trim());
    },
  });
  const name = typeof label === "string" ? h("label", {}, label) : label;
  name.htmlFor = id;
  const send = h(
    "button",
    { type: "button", "data-testid": `${testid}-send`, click: () => act(input.value.trim()) },
    words,
  );
  return { element: h("div", { class: "asking" }, ...before, name, input, send), input };
}
