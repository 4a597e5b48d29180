/** Creates elements. Text enters by textContent only, so a hostile name stays a name. */

type Value = string | number | boolean | null | undefined | ((event: never) => void);
type Attributes = Record<string, Value>;
type Child = Node | string | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const name in attributes) {
    const value = attributes[name];
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child) element.append(child);
  }
  return element;
}

/** An HTML element; a function among the attributes listens to the event of that name. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** A part of a widget, a landmark if it has a label. No `<section>`: in slides, reveal.js takes each of these for a slide. */
export function section(attributes: Attributes = {}, ...children: Child[]): HTMLDivElement {
  const isNamed = attributes["aria-label"] || attributes["aria-labelledby"];
  return h("div", isNamed ? { role: "region", ...attributes } : attributes, ...children);
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag) as SVGElementTagNameMap[K], attributes, children);
}

/** Writes a text only if it changed: a live region that is written again would speak again. */
export function setText(element: Element, text: string): void {
  const [only, other] = element.childNodes;
  // The existing text node takes the new text: another one would be styled anew.
  if (only instanceof Text && !other) {
    if (only.data !== text) only.data = text;
  } else if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute only if it changed: style sheets and screen readers react to each write. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Makes these the children of an element, in this order, without touching those that are in place. */
export function arrange(parent: Element, children: readonly Element[]): void {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  let at = parent.firstElementChild;
  for (const child of children) {
    if (child === at) at = at.nextElementSibling;
    else parent.insertBefore(child, at);
  }
}

/** Whether two elements are equal except for their children. */
function isAlike(one: Node, other: Node): boolean {
  if (!(one instanceof Element) || !(other instanceof Element) || one.tagName !== other.tagName) return false;
  const names = one.getAttributeNames();
  return (
    names.length === other.attributes.length &&
    names.every((name) => one.getAttribute(name) === other.getAttribute(name))
  );
}

/** Makes the children of an element equal to these, which have no listeners, without touching equal ones. */
export function renew(parent: Node, wanted: readonly Node[]): void {
  const there = [...parent.childNodes];
  for (const old of there.slice(wanted.length)) old.remove();
  for (const [i, node] of wanted.entries()) {
    const old = there[i];
    if (old?.isEqualNode(node)) continue;
    if (old && isAlike(old, node)) renew(old, [...node.childNodes]);
    else if (old instanceof Text && node instanceof Text) old.data = node.data;
    else if (old) old.replaceWith(node);
    else parent.appendChild(node);
  }
}

let instances = 0;

/** A prefix for the ids of one widget, so that many of them live on one page. */
export function nextPrefix(): string {
  instances += 1;
  // Each widget loads its own copy of this module, so a counter alone would repeat.
  const salt = Math.floor(performance.timeOrigin + performance.now() * 1000).toString(36);
  return `tfedu-${salt}-${instances}`;
}

/** A text that may break at these places. */
export function breakable(text: string, places: RegExp): (Node | string)[] {
  return text.split(places).flatMap((part, i) => (i === 0 ? [part] : [h("wbr"), part]));
}
