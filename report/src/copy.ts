// Buttons that put text on the clipboard.
import { button, element } from "./dom";

function selectedBy(block: HTMLElement): void {
  const range = document.createRange();
  range.selectNodeContents(block);
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
}

/** Where a page may not write to the clipboard, the old way: the text is selected in a field and copied by command. */
function copyByCommand(text: string): boolean {
  const field = element("textarea", { class: "off-screen", readonly: true, "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

export function copyButton(title: string, text: () => string, label: string, block?: HTMLElement): HTMLButtonElement {
  const node = button(title, () => {
    const say = (word: string) => {
      node.textContent = word;
      setTimeout(() => { node.textContent = title; }, 2000);
    };
    const otherwise = () => {
      if (copyByCommand(text())) return say("Copied");
      if (block) selectedBy(block);
      say(block ? "Selected" : "Not possible here");
    };
    if (!navigator.clipboard) return otherwise();
    navigator.clipboard.writeText(text()).then(() => say("Copied"), otherwise);
  }, { "aria-label": label });
  return node;
}
