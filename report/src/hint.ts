// A small box at the pointer: what lies under it in a figure, and definitions of terms.
import { element } from "./dom";

const box = element("div", { class: "hint", role: "tooltip", id: "hint", hidden: true });
let owner: Element | null = null;

/** Shows text near a point of the window, within it. */
export function showHint(text: string, x: number, y: number, from: Element): void {
  if (!box.isConnected) document.body.append(box);
  owner = from;
  box.textContent = text;
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(x + 14, window.innerWidth - width - 8);
  const above = y + 18 + height > window.innerHeight;
  box.style.left = `${Math.max(8, left)}px`;
  box.style.top = `${above ? Math.max(8, y - height - 12) : y + 18}px`;
}

export function hideHint(from?: Element): void {
  if (from && owner !== from) return;
  box.hidden = true;
  owner = null;
}

window.addEventListener("scroll", () => hideHint(), { passive: true });
window.addEventListener("keydown", (event) => { if (event.key === "Escape") hideHint(); });
