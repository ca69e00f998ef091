// The terms of the page, each defined once: behind the word where it stands, and in a list at the end.
import { element } from "./dom";
import { hideHint, showHint } from "./hint";

export const definitions: Record<string, string> = {
  "p": "How often the best group of shuffled data looks at least as good as this one. The condition labels are shuffled between samples (or units) and the whole search is repeated, so p is already corrected for every group and condition that was searched.",
  "q": "False discovery rate: the share of chance findings to expect among everything with at most this q.",
  "stability": "Samples are drawn again with repetition and groups are searched anew: the mean Jaccard index with the most similar new group. 1: always the same features; below about 0.5: the borders of the group are uncertain.",
  "core": "The members whose connections with each other are new in this condition; the others were connected before.",
  "mean correlation": "The mean over all pairs of members of their correlation within one condition.",
  "weight": "How typical a feature is of its group: the z score of its correlation with the sum of the other members.",
  "loading energy": "Sum over the leading differential vectors of squared singular value times squared loading: the share of a feature in what only this condition has.",
  "statistic": "How much more the group is connected here than in the condition most like it, in standard errors. Shuffled data show what chance makes of it.",
  "z": "Change of a pair's correlation in standard errors, positive where it is larger here.",
  "z shared with many": "The part of z that many pairs share: explained by the leading modes of all changes. Single pairs are uncertain; changes that many pairs share are not.",
  "connection": "The weight between two features in the graph of a condition: their correlation less what sampling noise alone makes (0: none).",
  "elsewhere": "The condition among the others that is most like this one.",
  "permutation": "Shuffling the condition labels between samples or units. Data without any difference would look like the shuffled ones.",
  "unit": "What was sampled independently: a donor, an animal, a culture dish. Samples of one unit stay together when labels are shuffled.",
  "gained": "The members are connected in this condition and not, or less, in the others.",
  "lost": "The members are connected in the other conditions and not, or less, in this one.",
};

/** A word of the page with its definition: at the pointer, on focus, on touch. */
export function term(word: string, key = word): HTMLElement {
  const text = definitions[key];
  if (text === undefined) throw new Error(`no definition of ${key}`);
  const node: HTMLElement = element("button", { type: "button", class: "term", "aria-label": `${word}: ${text}` }, word);
  const show = () => {
    const { left, bottom } = node.getBoundingClientRect();
    showHint(text, left - 14, bottom - 12, node);
  };
  node.addEventListener("pointerenter", show);
  node.addEventListener("focus", show);
  node.addEventListener("click", show);
  for (const event of ["pointerleave", "blur"]) node.addEventListener(event, () => hideHint(node));
  return node;
}

export function glossary(): HTMLElement {
  return element("details", { id: "terms" }, element("summary", {}, "Terms of this page"),
    element("dl", { class: "glossary" }, ...Object.entries(definitions).sort(([a], [b]) => a.localeCompare(b)).flatMap(([word, text]) => [element("dt", {}, word), element("dd", {}, text)])));
}
