// A picture: title, one sentence on how to read it, the drawing, a line that says what is under the pointer, and downloads.
import { button, download, element, shape, type Content } from "./dom";
import { hideHint, showHint } from "./hint";
import { printFigures, type Printable } from "./paper";
import { selection } from "./state";
import { onThemeChange, theme } from "./theme";

export interface Canvas {
  /** An svg of this width; the drawing decides the height and calls size(). */
  svg: SVGSVGElement;
  width: number;
  size(height: number): void;
  /** Says what is under the pointer, or at the cursor of the keyboard. */
  say(text: string): void;
}

export interface FigureOptions {
  id: string;
  title: string;
  how: Content[];
  draw: (canvas: Canvas) => void;
  controls?: Content[];
  /** Draw again when another group or feature is chosen. */
  follows?: boolean;
  /** Gets what draws the figure again. */
  handle?: (draw: () => void) => void;
  label: () => string;
}

const silence = "\u00a0";

/** Every figure of the page, for the archive of all of them and for paper. */
export const figures: (Printable & { id: string; svg: () => string })[] = [];

function copied(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.removeAttribute("tabindex");
  copy.prepend(shape("rect", { width, height, fill: theme().paper }));
  return copy;
}

function serialized(svg: SVGSVGElement): string {
  return new XMLSerializer().serializeToString(copied(svg));
}

function saveSvg(svg: SVGSVGElement, id: string): void {
  download(`${id}.svg`, new Blob([serialized(svg)], { type: "image/svg+xml" }));
}

function savePng(svg: SVGSVGElement, id: string): void {
  const scale = 2;
  const { width, height } = svg.viewBox.baseVal;
  const address = URL.createObjectURL(new Blob([serialized(svg)], { type: "image/svg+xml" }));
  const image = new Image();
  image.addEventListener("load", () => {
    const canvas = element("canvas", { width: width * scale, height: height * scale });
    canvas.getContext("2d")?.drawImage(image, 0, 0, width * scale, height * scale);
    URL.revokeObjectURL(address);
    canvas.toBlob((blob) => { if (blob) download(`${id}.png`, blob); });
  });
  image.src = address;
}

export function figure(options: FigureOptions): HTMLElement {
  const { id, title } = options;
  const holder = element("div", { class: "drawing" });
  const readout = element("p", { class: "readout", "aria-live": "polite" }, silence);
  let svg = shape("svg");
  let width = 0;
  let pointer: { x: number; y: number } | null = null;
  holder.addEventListener("pointermove", (event) => { pointer = { x: event.clientX, y: event.clientY }; }, { capture: true });
  holder.addEventListener("pointerover", (event) => { pointer = { x: event.clientX, y: event.clientY }; }, { capture: true });
  holder.addEventListener("pointerout", (event) => {
    // Leaving a mark, for the drawing or beyond: what was said is about it no longer.
    if (event.target !== svg) hideHint(holder);
  });
  holder.addEventListener("pointerleave", () => { pointer = null; hideHint(holder); });
  figures.push({ id, title, svg: () => serialized(svg), copy: () => copied(svg) });

  const draw = () => {
    width = Math.max(280, Math.floor(holder.clientWidth));
    const hadFocus = document.activeElement === svg;
    hideHint(holder);
    svg = shape("svg", { role: "img", "aria-label": options.label(), "font-family": "system-ui, sans-serif", "font-size": 12, fill: theme().ink });
    holder.replaceChildren(svg);
    options.draw({
      svg,
      width,
      size: (height) => {
        svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
        svg.setAttribute("height", String(height));
      },
      say: (text) => {
        readout.textContent = text || silence;
        if (pointer && text) showHint(text, pointer.x, pointer.y, holder);
      },
    });
    svg.setAttribute("width", "100%");
    if (hadFocus) svg.focus();
  };

  new ResizeObserver(() => {
    if (Math.max(280, Math.floor(holder.clientWidth)) !== width) draw();
  }).observe(holder);
  onThemeChange(draw);
  if (options.follows) selection.onChange(draw);
  options.handle?.(draw);

  return element("figure", { id, class: "picture" },
    element("figcaption", {}, element("h3", {}, title), element("p", { class: "how" }, ...options.how)),
    options.controls && element("div", { class: "controls" }, ...options.controls),
    holder,
    element("div", { class: "below" }, readout,
      button("SVG", () => saveSvg(svg, id), { "aria-label": `Download as SVG: ${title}` }),
      button("PNG", () => savePng(svg, id), { "aria-label": `Download as PNG: ${title}` }),
      button("PDF", () => printFigures([{ title, copy: () => copied(svg) }]), { "aria-label": `Print, or save as PDF: ${title}`, title: "Opens the print dialog of the browser with this figure alone: choose to save as PDF" })));
}

/** Makes a drawing usable by keyboard: it gets the focus, and arrow keys move a cursor over `length` things. */
export function keyboard(canvas: Canvas, length: () => number, show: (place: number) => void, more: Record<string, () => void> = {}): void {
  let place = -1;
  canvas.svg.setAttribute("tabindex", "0");
  canvas.svg.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 };
    const step = steps[event.key];
    if (step !== undefined) {
      place = Math.min(length() - 1, Math.max(0, place + step));
      show(place);
    } else if (more[event.key]) {
      more[event.key]!();
    } else {
      return;
    }
    event.preventDefault();
  });
}
