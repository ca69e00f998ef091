// Figures as PDF, printed by the browser itself: lines and letters stay lines and letters, in any script, and nothing needs to be bundled for it.
import { element } from "./dom";

/** A figure and what makes a copy of its drawing as it is at that moment. */
export interface Printable {
  title: string;
  copy: () => SVGSVGElement;
}

let wanted: Printable[] = [];
let sheet: HTMLElement | null = null;
let rule: CSSRule | null = null;

/** Opens the print dialog of the browser with these figures alone: a single one on paper of its size, several with their titles on A4. */
export function printFigures(figures: Printable[]): void {
  wanted = figures;
  window.print();
}

function layOut(): void {
  if (wanted.length === 0) return;
  const chosen = wanted.map(({ title, copy }) => ({ title, drawing: copy() }));
  const isSingle = chosen.length === 1;
  sheet = element("div", { id: "sheet" }, ...chosen.map(({ title, drawing }) => element("div", {}, !isSingle && element("h3", {}, title), drawing)));
  document.body.append(sheet);
  const { width, height } = chosen[0]!.drawing.viewBox.baseVal;
  const styles = document.styleSheets[0]!;
  const place = styles.insertRule(isSingle ? `@page { size: ${Math.ceil(width)}px ${Math.ceil(height) + 1}px; margin: 0; }` : "@page { size: A4; margin: 14mm; }", styles.cssRules.length);
  rule = styles.cssRules[place]!;
}

function clearUp(): void {
  sheet?.remove();
  const styles = document.styleSheets[0]!;
  const place = [...styles.cssRules].findIndex((one) => one === rule);
  if (place >= 0) styles.deleteRule(place);
  [wanted, sheet, rule] = [[], null, null];
}

/** After the theme, which draws everything anew for white paper. */
export function startPaper(): void {
  window.addEventListener("beforeprint", layOut);
  window.addEventListener("afterprint", clearUp);
}
