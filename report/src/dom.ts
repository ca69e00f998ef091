// Elements are made here, from names and text. Nothing is ever parsed as HTML, so names of features stay text.

export type Content = Node | string | null | undefined | false;
export type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

function fill(node: Element, attributes: Attributes, content: Content[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const part of content) {
    if (part) node.append(part);
  }
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...content: Content[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  fill(node, attributes, content);
  return node;
}

export function shape<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...content: Content[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(node, attributes, content);
  return node;
}

/** A name from the data: text of any script and direction that does not disturb what stands beside it. */
export function name(text: string): HTMLElement {
  return element("bdi", {}, text);
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return element("button", { type: "button", click: onClick, ...attributes }, label);
}

/** A labeled choice between texts. */
export function choice(label: string, options: string[], onChange: (index: number) => void, attributes: Attributes = {}): {
  node: HTMLLabelElement;
  select: HTMLSelectElement;
} {
  const select = element("select", attributes);
  options.forEach((text, index) => select.append(element("option", { value: index }, text)));
  select.addEventListener("change", () => onChange(select.selectedIndex));
  return { node: element("label", { class: "choice" }, label, " ", select), select };
}

export function download(fileName: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = element("a", { href: address, download: fileName });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
