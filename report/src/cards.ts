// What each group is, at a glance: one sentence, the members that tell it, its strongest pairs, the best known set.
import { button, element, name, shape, type Content } from "./dom";
import { copyButton } from "./copy";
import { term } from "./glossary";
import { count, decimal, listOf, probability, whole } from "./numbers";
import { readable, type Group, type Run } from "./run";
import { selection } from "./state";
import { groupColor } from "./theme";

const cardsUpTo = 6;

/** Whether its members are connected elsewhere about as much: the news is that they form a set of their own. */
export function standsApart(run: Run, group: Group): boolean {
  const values = run.correlations(group)?.values;
  if (!values || group.summary.direction === "lost") return false;
  const here = values[group.members.condition] ?? 0;
  const elsewhere = Math.max(...values.filter((_, m) => m !== group.members.condition).map((value) => value ?? 0));
  const isSetApart = group.summary.view?.startsWith("separation") ?? false;
  return isSetApart && (elsewhere > 0.4 * here || here - elsewhere < clearly);
}

const clearly = 0.15;

/** "vary together in STIM and not in CTRL" */
export function happened(run: Run, group: Group): Content[] {
  const condition = element("em", {}, name(group.condition.name));
  const others = run.others(group.condition).flatMap((one, index): Content[] => [index > 0 ? " or " : null, element("em", {}, name(one))]);
  if (group.summary.direction === "lost") return ["vary together in ", ...others, " and no longer in ", condition];
  if (standsApart(run, group)) return ["form a group of their own in ", condition, "; elsewhere they vary together with further features"];
  const { here, elsewhere } = run.change(group);
  if (here - elsewhere < clearly) return ["vary together a little more in ", condition, " than in ", ...others];
  return elsewhere > 0.4 * here ? ["vary together more closely in ", condition, " than in ", ...others] : ["vary together in ", condition, " and not in ", ...others];
}

/** Whether all members changed as those that are named did, or only these. */
function allChanged(group: Group): boolean {
  const means = group.summary.conditions;
  if (!means) return true;
  const own = means.find((one) => one.condition === group.condition.name)?.mean_correlation ?? 0;
  const rest = means.filter((one) => one.condition !== group.condition.name).map((one) => one.mean_correlation);
  return group.summary.direction === "lost" ? own < Math.min(...rest) / 2 : own > 2 * Math.max(...rest);
}

/** "They stand out in a group of 990, which as a whole changed less (mean correlation 0.08, elsewhere 0.07)." */
function wholeGroup(run: Run, group: Group): string {
  const means = group.summary.conditions;
  if (!means || allChanged(group) || group.members.size <= run.told(group).length) return "";
  const value = (condition: string) => decimal(means.find((one) => one.condition === condition)?.mean_correlation);
  const rest = run.others(group.condition);
  return ` They stand out in a group of ${count(group.members.size, "feature")}, which as a whole changed less: its mean correlation is ${value(group.condition.name)} (${listOf(rest.map((one) => `${value(one)} in ${one}`))}).`;
}

function chip(group: Group): HTMLElement {
  const node = element("span", { class: "chip", "aria-hidden": "true" });
  node.style.background = groupColor(group.index);
  return node;
}

export function pick(group: Group): HTMLElement {
  return button(group.label, () => {
    selection.choose({ group: group.index });
    document.getElementById("group")?.scrollIntoView({ behavior: "smooth" });
  }, { class: "link", "aria-label": `Show group ${group.label}` });
}

function shortNames(names: string[], total: number): Content[] {
  const more = total - names.length;
  return [...names.flatMap((one, index): Content[] => [index > 0 ? ", " : null, element("strong", {}, name(one))]), more > 0 ? ` and ${whole(more)} more` : null];
}

/** Bars for the mean correlation of the members that tell the group, one per condition. */
function correlationBars(run: Run, group: Group): HTMLElement | null {
  const known = run.correlations(group);
  if (!known) return null;
  const most = Math.min(12, group.graph?.features.length ?? 0);
  const order = known.values.map((value, m) => ({ value: value ?? 0, m })).sort((a, b) => Number(b.m === group.members.condition) - Number(a.m === group.members.condition) || a.m - b.m);
  const words = known.told ? (most < group.members.size ? `the ${most} that changed most` : "all members") : "all members";
  return element("div", { class: "bars" },
    element("p", { class: "small" }, term("mean correlation"), ` of ${words}`),
    ...order.map(({ value, m }) => {
      const bar = shape("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "bar", "aria-hidden": "true" },
        shape("rect", { width: 100, height: 10, class: "trough" }),
        shape("rect", { width: Math.max(1, 100 * Math.abs(value)), height: 10, fill: m === group.members.condition ? groupColor(group.index) : "currentColor", "fill-opacity": m === group.members.condition ? 1 : 0.45 }));
      return element("div", { class: "bar-row" }, element("span", { class: "bar-name" }, name(run.conditions[m]!.name)), bar, element("span", { class: "bar-value" }, decimal(value)));
    }));
}

function strongestPairs(run: Run, group: Group): HTMLElement | null {
  const edges = run.edges(group, 3);
  if (edges.length === 0) return null;
  return element("div", {},
    element("p", { class: "small" }, group.summary.direction === "lost" ? "Pairs that lost most" : "Pairs that gained most"),
    element("ul", { class: "pairs" }, ...edges.map((edge) => element("li", {},
      button("", () => { selection.choose({ group: group.index }); selection.choose({ pair: [edge.a, edge.b] }); document.getElementById("pair")?.scrollIntoView({ behavior: "smooth" }); }, { class: "link", "aria-label": `${edge.a} – ${edge.b}: show them sample by sample` }),
      " ", decimal(edge.here), " here, ", decimal(edge.elsewhere), " elsewhere"))));
}

function setLine(run: Run, group: Group): HTMLElement | null {
  const best = run.bestSet(group);
  if (!best) return run.data.enrichment ? element("p", {}, "No known set agrees with it beyond chance.") : null;
  const ofCore = best.coreQ !== null && best.coreShared !== null;
  return element("p", {}, "Known set: ", element("strong", { title: best.set }, name(readable(best.set))), `, ${whole(best.features.length)} of its ${count(best.size, "feature")} (`, term("q"), ` = ${probability(best.q)}`,
    ofCore ? `; core: ${whole(best.coreShared!)}, q = ${probability(best.coreQ)}` : null, ").");
}

function numbers(run: Run, group: Group): Content[] {
  const { summary } = group;
  const parts: Content[][] = [[count(group.members.size, "feature")]];
  const core = summary.core_size ?? (group.members.core ?? []).length;
  if (core > 0 && core < group.members.size) parts.push([term("core"), ` of ${whole(core)}`]);
  if (run.hasPValues && summary.p !== undefined) parts.push([term("p"), ` = ${probability(summary.p)}${summary.p_tail === undefined ? "" : ` (extrapolated: ${probability(summary.p_tail)})`}`]);
  if (summary.stability !== undefined && Number(run.summary.settings.used.bootstraps ?? 1) > 0) parts.push([term("stability"), ` ${decimal(summary.stability)} of 1`]);
  const against = group.members.opposite.length;
  if (against > 0) parts.push([`${whole(Math.min(against, group.members.size - against))} in the opposite direction`]);
  if (summary.direction === "lost") parts.push([term("lost"), " here"]);
  return parts.flatMap((one, index) => [index > 0 ? " · " : null, ...one]);
}

function changeOfLevel(group: Group): string {
  const change = group.summary.mean_change;
  if (typeof change !== "number" || Math.abs(change) < 0.5) return "";
  return ` Their level is ${change > 0 ? "higher" : "lower"} here, too (by ${decimal(Math.abs(change), 1)} standard deviations).`;
}

/** A group with its parts, as a list that unfolds. */
export function tree(group: Group, run: Run): HTMLElement | null {
  if (group.parts.length === 0) return null;
  return element("details", { class: "parts" },
    element("summary", {}, `${count(group.parts.length, "part")}: ${listOf(group.parts.map((part) => part.label))}`),
    element("ul", {}, ...group.parts.map((part) => element("li", {}, chip(part), pick(part), " ", ...numbers(run, part), ": ", ...shortNames(run.told(part, 5), part.members.size), setLine(run, part), tree(part, run)))));
}

function copyButtons(run: Run, group: Group): HTMLElement {
  const core = run.core(group);
  return element("div", { class: "actions" },
    copyButton("Copy list", () => `${group.members.features.join("\n")}\n`, `Copy list: the features of ${group.label}`),
    core.length > 0 && core.length < group.members.size ? copyButton("Copy core", () => `${core.join("\n")}\n`, `Copy core: of ${group.label}`) : null);
}

export function card(run: Run, group: Group): HTMLElement {
  const told = run.told(group);
  const node = element("li", { class: "card", "data-group": group.label },
    element("h2", { class: "card-title" }, chip(group), pick(group)),
    element("p", { class: "finding" }, ...shortNames(told, allChanged(group) ? group.members.size : told.length), " ", ...happened(run, group), "."),
    element("p", {}, wholeGroup(run, group), changeOfLevel(group)),
    element("div", { class: "evidence" }, correlationBars(run, group), strongestPairs(run, group)),
    setLine(run, group),
    element("p", { class: "small" }, ...numbers(run, group)),
    tree(group, run),
    copyButtons(run, group));
  node.querySelectorAll(".pairs button").forEach((one, index) => {
    const edge = run.edges(group, 3)[index]!;
    one.append(name(edge.a), " – ", name(edge.b));
  });
  node.style.borderInlineStartColor = groupColor(group.index);
  return node;
}

function row(run: Run, group: Group): HTMLElement {
  const values = run.correlations(group)?.values;
  const best = run.bestSet(group);
  const cell = (...content: Content[]) => element("td", {}, ...content);
  return element("tr", { "data-group": group.label },
    element("th", { scope: "row" }, chip(group), pick(group)),
    cell(whole(group.members.size)),
    cell(...shortNames(run.told(group, 4), 0)),
    run.leading.some((one) => one.summary.direction === "lost") ? cell(group.summary.direction) : null,
    cell(values ? decimal(values[group.members.condition]) : "–"),
    cell(values ? decimal(Math.max(...values.filter((_, m) => m !== group.members.condition).map((value) => value ?? 0))) : "–"),
    run.hasPValues ? cell(probability(group.summary.p)) : null,
    run.data.enrichment ? cell(best ? name(readable(best.set)) : "–") : null);
}

/** Cards, or a compact table where there are more groups than cards can be read. The largest change comes first. */
export function findings(run: Run): HTMLElement {
  const groups = run.leading;
  if (groups.length <= cardsUpTo) return element("ul", { class: "answers" }, ...groups.map((group) => card(run, group)));
  const isAnyLost = groups.some((group) => group.summary.direction === "lost");
  const titles: Content[] = ["group", "features", "changed most", ...(isAnyLost ? ["here"] : []), "r here", "r elsewhere"];
  if (run.hasPValues) titles.push("p");
  if (run.data.enrichment) titles.push("known set");
  const rest = groups.slice(2);
  return element("div", {},
    element("ul", { class: "answers" }, ...groups.slice(0, 2).map((group) => card(run, group))),
    element("section", { class: "table", "aria-labelledby": "compact-title" },
      element("h3", { id: "compact-title" }, `The other ${whole(rest.length)} groups`),
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The other groups" },
        element("table", { id: "compact" },
          element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))),
          element("tbody", {}, ...rest.map((group) => row(run, group)))))));
}
