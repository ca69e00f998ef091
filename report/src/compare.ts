// Another run beside this one: which groups are the same. The reader gives its groups.tsv; nothing leaves the page.
import { element, name } from "./dom";
import { count, decimal, whole } from "./numbers";
import type { Run } from "./run";

interface OtherGroup {
  condition: string;
  id: string;
  features: Set<string>;
}

interface Match {
  condition: string;
  here: string;
  there: string;
  verdict: "same" | "changed" | "new" | "gone";
  jaccard: number | null;
  sizes: string;
}

const sameFrom = 0.5;

function parse(text: string): OtherGroup[] {
  const [head = "", ...lines] = text.trimEnd().split(/\r?\n/);
  const columns = head.split("\t");
  const [condition, group, feature] = ["condition", "group", "feature"].map((column) => columns.indexOf(column));
  if ([condition, group, feature].includes(-1)) throw new Error("this file has no columns condition, group and feature: choose the groups.tsv of a run");
  const groups: OtherGroup[] = [];
  for (const line of lines) {
    const cells = line.split("\t");
    let last = groups[groups.length - 1];
    if (!last || last.condition !== cells[condition!] || last.id !== cells[group!]) groups.push(last = { condition: cells[condition!] ?? "", id: cells[group!] ?? "", features: new Set() });
    last.features.add(cells[feature!] ?? "");
  }
  return groups;
}

function jaccard(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const one of a) if (b.has(one)) ++common;
  return common / Math.max(1, a.size + b.size - common);
}

/** Every group has at most one partner of its condition: the best that is free. */
export function matches(run: Run, text: string): Match[] {
  const others = parse(text);
  const own = run.groups.map((group) => ({ group, features: new Set(group.members.features) }));
  const pairs = own.flatMap((one, i) => others.map((other, j) => ({ i, j, value: one.group.condition.name === other.condition ? jaccard(one.features, other.features) : 0 }))).filter((pair) => pair.value > 0).sort((a, b) => b.value - a.value);
  const partner = new Map<number, { j: number; value: number }>();
  const taken = new Set<number>();
  for (const { i, j, value } of pairs) {
    if (partner.has(i) || taken.has(j)) continue;
    partner.set(i, { j, value });
    taken.add(j);
  }
  const list = own.map(({ group, features }, i): Match => {
    const found = partner.get(i);
    if (!found) return { condition: group.condition.name, here: group.label, there: "", verdict: "new", jaccard: null, sizes: count(features.size, "feature") };
    const other = others[found.j]!;
    return { condition: group.condition.name, here: group.label, there: other.id, verdict: found.value >= sameFrom ? "same" : "changed", jaccard: found.value, sizes: `${whole(features.size)} and ${whole(other.features.size)}` };
  });
  others.forEach((other, j) => {
    if (!taken.has(j)) list.push({ condition: other.condition, here: "", there: other.id, verdict: "gone", jaccard: null, sizes: count(other.features.size, "feature") });
  });
  return list;
}

export function compareBox(run: Run): HTMLElement {
  const result = element("div", { role: "status" });
  const input = element("input", { type: "file", accept: ".tsv,text/tab-separated-values", id: "other-run" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (!file) return;
    file.text().then((text) => {
      const list = matches(run, text);
      const cell = (value: string) => element("td", {}, name(value));
      result.replaceChildren(list.length === 0 ? element("p", {}, "Neither run has a group.") : element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Groups of both runs" },
        element("table", { id: "compare-table" },
          element("thead", {}, element("tr", {}, ...["condition", "here", "in the other run", "verdict", "Jaccard index", "features"].map((title) => element("th", { scope: "col" }, title)))),
          element("tbody", {}, ...list.map((one) => element("tr", {}, cell(one.condition), cell(one.here || "–"), cell(one.there || "–"), cell(one.verdict), cell(one.jaccard === null ? "–" : decimal(one.jaccard)), cell(one.sizes)))))));
    }).catch((error: unknown) => result.replaceChildren(element("p", {}, `The file cannot be compared: ${error instanceof Error ? error.message : String(error)}.`)));
  });
  return element("details", { id: "compare" }, element("summary", {}, "Compare with another run"),
    element("p", { class: "how" }, "Choose the groups.tsv of another run over the same features. new: this run alone has the group; gone: the other one alone; same: the Jaccard index is at least 0.5. ", element("code", {}, "disc compare OUT1 OUT2"), " does the same."),
    element("label", {}, "groups.tsv of the other run ", input), result);
}
