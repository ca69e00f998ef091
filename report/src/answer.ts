// The answer in sentences, and what changes how to read it.
import { button, element, name, type Content } from "./dom";
import { count, decimal, listOf, probability, whole } from "./numbers";
import type { Group, Run } from "./run";
import { selection } from "./state";
import { groupColour } from "./theme";

function namesJoined(names: string[], last: string): Content[] {
  return names.flatMap((one, index) => [
    index === 0 ? null : index === names.length - 1 ? ` ${last} ` : ", ",
    element("em", {}, name(one)),
  ]);
}

// Whether the news is that the group left a larger set, rather than that its members connect.
function leftOthers(group: Group): boolean {
  return (group.summary.separation ?? 0) > (group.summary.strength ?? 0);
}

// Whether its members are connected elsewhere about as much.
function standsApart(group: Group): boolean {
  const own = group.summary.conditions?.find((one) => one.condition === group.condition.name)?.mean_correlation ?? 0;
  const elsewhere = group.summary.conditions?.filter((one) => one.condition !== group.condition.name).map((one) => one.mean_correlation) ?? [];
  return leftOthers(group) && Math.max(...elsewhere) > own / 2;
}

function headline(run: Run): string {
  const groups = run.groups.length;
  if (groups === 0) {
    return run.hasPValues ? "No difference beyond chance was found" : "No group of features was found";
  }
  const targets = run.targets.filter((condition) => condition.groups.length > 0);
  const others = run.conditions.length > 2 ? "others" : "other";
  const where = targets.length > 1 ? `one condition and not in the ${others}` : `${targets[0]!.name} and not in ${run.others(targets[0]!).join(", ")}`;
  const verb = run.groups.every(standsApart) ? (groups === 1 ? "stands apart" : "stand apart") : groups === 1 ? "is connected" : "are connected";
  return `${count(groups, "group")} of features ${verb} in ${where}`;
}

function evidence(run: Run, group: Group): string {
  const { p, q, stability } = group.summary;
  const parts: string[] = [];
  if (run.hasPValues) parts.push(`p = ${probability(p)}, q = ${probability(q)}`);
  if (stability !== undefined) parts.push(`stability ${decimal(stability)} of 1`);
  return parts.length > 0 ? ` (${parts.join("; ")})` : "";
}

// "Mean correlation 0.45 in B, 0.01 in A."
function strength(run: Run, group: Group): Content[] {
  const all = group.summary.conditions;
  if (!all) return [];
  const own = all.filter((one) => one.condition === group.condition.name);
  const rest = all.filter((one) => one.condition !== group.condition.name);
  const content: Content[] = [" Mean correlation "];
  [...own, ...rest].forEach((one, index) => {
    content.push(index === 0 ? "" : ", ", `${decimal(one.mean_correlation)} in `, element("em", {}, name(one.condition)));
  });
  content.push(".");
  if (standsApart(group)) {
    content.push(" They are connected with each other elsewhere too, but there together with further features.");
  } else if (leftOthers(group)) {
    content.push(" Elsewhere these features belong to a larger set; here they stand apart from it.");
  }
  const { core_size: core, size } = group.summary;
  if (!leftOthers(group) && core !== undefined && core > 0 && core < size) {
    content.push(` ${count(core, "of them is", "of them are")} the core: their connections with each other are new here.`);
  }
  return run.hasPValues || group.summary.conditions ? content : [];
}

function sentence(run: Run, group: Group): HTMLElement {
  const shown = group.members.features.slice(0, 6);
  const chip = element("span", { class: "chip", "aria-hidden": "true" });
  chip.style.background = groupColour(group.index);
  const pick = button(group.label, () => {
    selection.choose({ group: group.index });
    document.getElementById("group")?.scrollIntoView({ behavior: "smooth" });
  }, { class: "link", "aria-label": `Show group ${group.label}` });
  return element(
    "li",
    {},
    chip,
    pick,
    ": ",
    element("strong", {}, count(group.members.size, "feature")),
    standsApart(group) ? " form a group of their own in " : group.members.size === 1 ? " connects in " : " connect in ",
    element("em", {}, name(group.condition.name)),
    " and not in ",
    ...namesJoined(run.others(group.condition), "or"),
    evidence(run, group),
    ".",
    ...strength(run, group),
    element("span", { class: "members" },
      " Most typical: ",
      ...shown.flatMap((feature, index) => [index > 0 ? ", " : null, name(feature)]),
      group.members.size > shown.length ? ", …" : "."),
  );
}

function nothing(run: Run): Content[] {
  const best = run.targets.flatMap((condition) => condition.candidates ?? []).sort((a, b) => (a.p ?? 1) - (b.p ?? 1))[0];
  const level = String(run.summary.settings.used.level ?? "0.05");
  const content: Content[] = [
    element("p", {}, run.hasPValues
      ? `Nothing in these data connects features in one condition more than a random exchange of ${run.unitWord}s between the conditions would (level ${level}). That is a result, but no proof that there is no difference: with more ${run.unitWord}s smaller differences can be found.`
      : "The settings of this run led to no group. No p-values were asked for."),
  ];
  if (best && run.hasPValues) {
    content.push(element("p", {}, `The closest candidate has ${count(best.size, "feature")} and p = ${probability(best.p)}; it is listed below under candidates.`));
  }
  return content;
}

export function answer(run: Run): HTMLElement {
  const section = element("section", { id: "answer", "aria-labelledby": "headline" }, element("h1", { id: "headline" }, headline(run)));
  const most = 12;
  if (run.groups.length === 0) {
    section.append(...nothing(run).filter((part): part is Node => part instanceof Node));
  } else {
    section.append(element("ul", { class: "answers" }, ...run.groups.slice(0, most).map((group) => sentence(run, group))));
    if (run.groups.length > most) section.append(element("p", {}, `… and ${run.groups.length - most} more, in the table of groups below.`));
    const silent = run.targets.filter((condition) => condition.groups.length === 0);
    if (silent.length > 0) {
      section.append(element("p", {}, run.hasPValues ? "No group beyond chance is special to " : "No group is special to ", ...namesJoined(silent.map((one) => one.name), "or"), "."));
    }
  }
  section.append(facts(run));
  return section;
}

function facts(run: Run): HTMLElement {
  const { features, statistics } = run.summary;
  const fact = (term: string, ...content: Content[]) => element("div", {}, element("dt", {}, term), element("dd", {}, ...content));
  return element("dl", { class: "facts" },
    fact("Compared", ...run.conditions.flatMap((condition, index) => [index > 0 ? ", " : null, name(condition.name), ` (${count(condition.samples, "sample")})`])),
    fact("Features", `${whole(features.used)} used of ${whole(features.total)}`),
    statistics && run.hasPValues
      ? fact("p-values from", `${statistics.all_permutations ? "all " : ""}${count(statistics.permutations, "random exchange")} of ${count(statistics.units_named, run.unitWord)}`)
      : fact("p-values", "none"),
  );
}

const fewUnits = 12;

export function cautions(run: Run): HTMLElement | null {
  const { statistics, features, settings, warnings } = run.summary;
  const notes: string[] = [];
  const level = Number(settings.used.level ?? 0.05);
  if (run.hasPValues && statistics) {
    if (statistics.samples_are_units) {
      notes.push("Every sample was taken as independent. If several samples come from one donor, animal or subject (cells do), these p-values are too small: run again with --samples TABLE --unit COLUMN.");
    }
    if (statistics.min_p > level) {
      notes.push(`With ${count(statistics.units_named, run.unitWord)} no p-value can be below ${probability(statistics.min_p)}: nothing could have been found at level ${level}.`);
    } else if (statistics.units_named < fewUnits) {
      notes.push(`There are only ${count(statistics.units_named, run.unitWord)}: only large differences can be told from chance.`);
    }
    if (statistics.units < statistics.units_named && !statistics.samples_are_units) {
      notes.push(`${whole(statistics.units_named)} units were put together into ${whole(statistics.units)} to save memory.`);
    }
    if (!run.hasVectorPValues && run.conditions.some((condition) => condition.sigma.length > 0)) {
      notes.push("With this many features groups were tested, but neither single pairs of features nor single patterns.");
    }
    if (statistics.features_tested < features.used) {
      notes.push(`${whole(statistics.features_tested)} of ${whole(features.used)} features, drawn at random, were tested; the others joined the groups they correlate with.`);
    }
    if (statistics.stopped_early) notes.push(`The exchanges stopped early, after ${whole(statistics.permutations)}: it was clear that nothing would become significant.`);
  } else {
    notes.push("No p-values were computed: nothing on this page says whether chance alone could make these groups.");
  }
  if (features.excluded_total > 0) {
    const first = features.excluded[0];
    notes.push(`${count(features.excluded_total, "feature was", "features were")} excluded${first ? `, such as ${first.feature} (${first.reason})` : ""}; the table at the end lists why.`);
  }
  notes.push(...warnings);
  const rich = run.conditions.filter(({ dimensions }) => dimensions.chosen >= dimensions.computed && dimensions.rule === "parallel analysis");
  if (rich.length > 0) {
    notes.push(`The features of ${listOf(rich.map((condition) => condition.name))} vary in more than ${Math.max(...rich.map(({ dimensions }) => dimensions.computed))} ways, the most that are counted: the patterns and energies below may hold some of what the conditions share.`);
  }
  if (notes.length === 0) return null;
  return element("section", { id: "cautions", class: "cautions", "aria-labelledby": "cautions-title" },
    element("h2", { id: "cautions-title" }, "Before you rely on it"),
    element("ul", {}, ...notes.map((note) => element("li", {}, note))));
}
