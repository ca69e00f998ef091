// The answer in sentences, and what changes how to read it.
import { findings, standsApart } from "./cards";
import { element, name, type Content } from "./dom";
import { count, listOf, probability, significant, whole } from "./numbers";
import { readable, searchedAmong, type Group, type Run } from "./run";

function namesJoined(names: string[], last: string): Content[] {
  return names.flatMap((one, index) => [
    index === 0 ? null : index === names.length - 1 ? ` ${last} ` : ", ",
    element("em", {}, name(one)),
  ]);
}

/** "CXCL11, IDO1, APOBEC3A and 987 more" */
function members(run: Run, group: Group): Content[] {
  const told = run.told(group, 3);
  const more = group.members.size - told.length;
  return [...told.flatMap((one, index): Content[] => [index === 0 ? null : index === told.length - 1 && more <= 0 ? " and " : ", ", name(one)]), more > 0 ? ` and ${whole(more)} more` : null];
}

/** The news of the group with the largest change; named sets say it better than names of features. */
function news(run: Run, group: Group): Content[] {
  const condition = name(group.condition.name);
  const best = run.bestSet(group);
  const [typical] = run.told(group, 1);
  const pixels = (): Content[] => [count(group.members.size, "pixel"), ...(typical === undefined ? [] : [" around ", name(typical)])];
  const who: Content[] = run.data.images && group.members.size > 1 ? pixels() : best ? ["features of “", name(readable(best.set)), "”"] : members(run, group);
  if (group.summary.direction === "lost") return ["Lost in ", condition, ": ", ...who, " no longer vary together"];
  if (standsApart(run, group)) return ["Set apart in ", condition, ": ", ...who, " form a group of their own"];
  return ["New in ", condition, ": ", ...who, " vary together"];
}

/** Pairs that changed without any group: a finding of its own. */
function changedPairs(run: Run): number {
  return run.hasPValues ? (run.data.pairs?.changed ?? 0) : 0;
}

/** "at least 20,000 pairs": a run lists the strongest of very many. */
function pairsInWords(run: Run, word: string): string {
  const isPart = run.conditions.some(({ pairs }) => pairs && pairs.found > pairs.listed);
  return `${isPart ? "at least " : ""}${count(changedPairs(run), word)}`;
}

function headline(run: Run): Content[] {
  const [first] = run.leading;
  if (first) return news(run, first);
  if (!run.hasPValues) return ["No group of features was found"];
  const pairs = changedPairs(run);
  if (pairs > 0) return [`No group was found, but ${pairsInWords(run, "pair")} of features changed`];
  return [run.tooFew ? `Too few ${run.tooFew} to tell a group from chance` : "No difference beyond chance was found"];
}

/** How many groups there are, and where. */
function tally(run: Run): HTMLElement {
  const groups = run.leading;
  const where = run.targets.filter((condition) => condition.groups.length > 0).flatMap((condition, index): Content[] => [index > 0 ? ", " : null, String(groups.filter((group) => group.condition === condition).length), " in ", element("em", {}, name(condition.name))]);
  const silent = run.targets.filter((condition) => condition.groups.length === 0).map((condition) => condition.name);
  const verb = groups.length === 1 ? "differs" : "differ";
  const beyond = run.hasPValues ? ` beyond chance (level ${run.level})` : "";
  const pairs = changedPairs(run);
  return element("p", { class: "tally" }, element("strong", {}, count(groups.length, "group")), ` of features ${verb} between the conditions${beyond}: `, ...where, ...(silent.length > 0 ? ["; none in ", ...namesJoined(silent, "or")] : []), ".",
    pairs > 0 ? element("span", {}, ` In addition, ${pairsInWords(run, "single pair")} changed (`, element("a", { href: "#pairs-table" }, "table"), ").") : null);
}

/** The correlation between two features that so many samples show with a probability of 80 %, if a single pair is tested at 1e-4. */
function smallestCorrelation(samples: number): number {
  return Math.tanh((3.89 + 0.84) / Math.sqrt(Math.max(1, samples - 3)));
}

/** Why there is no group, where nothing else changed either. */
function whyNothing(run: Run): string {
  const { statistics } = run.summary;
  if (run.tooFew && statistics) return `The ${count(statistics.permutations, "permutation")} of ${run.units(statistics.units_in_design)} allow no p-value below ${significant(statistics.min_p)}, however clear a difference is: no group could have been found at level ${run.level}. More ${run.tooFew} are needed to tell.`;
  return `Nothing in these data connects features in one condition more than shuffling the ${run.unitWord}s between the conditions would (level ${run.level}). That is a result, but no proof that there is no difference: with more ${run.unitWord}s smaller differences can be found.`;
}

function nothing(run: Run): HTMLElement[] {
  const best = run.targets.flatMap((condition) => condition.candidates ?? []).sort((a, b) => (a.p ?? 1) - (b.p ?? 1))[0];
  if (!run.hasPValues) return [element("p", {}, "The settings of this run led to no group. No p-values were asked for.")];
  const pairs = changedPairs(run);
  const content = [
    element("p", {}, pairs > 0
      ? `No group of features changed beyond what shuffled data show (level ${run.level}), but single pairs did: ${pairsInWords(run, "pair")} at a false discovery rate of at most 0.05. Groups are the stronger claim; the pairs are listed in `
      : whyNothing(run),
      pairs > 0 ? element("a", { href: "#pairs-table" }, "a table below") : null, pairs > 0 ? "." : null),
  ];
  if (best) {
    const names = (best.features ?? best.top_features ?? []).slice(0, 5);
    content.push(element("p", {}, `The closest candidate has ${count(best.size, "feature")} and p = ${probability(best.p)}`, names.length > 0 ? ": " : null, ...names.flatMap((one, index): Content[] => [index > 0 ? ", " : null, name(one)]), names.length < best.size && names.length > 0 ? ` and ${whole(best.size - names.length)} more` : null, run.tooFew && best.p !== null && best.p !== undefined && best.p <= run.summary.statistics!.min_p ? ". That is the clearest that this design can show" : null, ". It is listed below under candidates."));
  }
  // Samples of a donor or a series are not independent: how many there are says little.
  if (run.summary.statistics?.samples_are_units === false) return run.tooFew || possible(run) === "" ? content : [...content, element("p", {}, possible(run).trim())];
  const fewest = Math.min(...run.conditions.map((condition) => condition.samples));
  content.push(element("p", {}, `What could have been seen: with ${count(fewest, "sample")} in the smaller condition, a single pair stands out from about a correlation of ${smallestCorrelation(fewest).toFixed(2)} on; groups show smaller ones, the more members they have.${run.tooFew ? "" : possible(run)}`));
  return content;
}

/** How small p could have become; a run that stopped early could have given smaller ones than its few permutations. */
function possible(run: Run): string {
  const { statistics } = run.summary;
  return statistics && !statistics.stopped_early ? ` The smallest p-value that was possible is ${probability(statistics.min_p)}.` : "";
}

/** Of images the maps are the answer: they stand before the cards. */
export function answer(run: Run, maps: HTMLElement | null): HTMLElement {
  const section = element("section", { id: "answer", "aria-labelledby": "headline" }, element("h1", { id: "headline" }, ...headline(run)));
  if (run.groups.length === 0) section.append(...nothing(run));
  else section.append(tally(run), maps ?? "", findings(run));
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
      ? fact("p-values from", `${statistics.exact ? "all " : ""}${count(statistics.permutations, "permutation")} of ${run.units(statistics.units_in_design)}`)
      : fact("p-values", "none"),
  );
}

/** Groups of very many features: often several types of samples (cells) that differ in all of them. */
function severalTypes(run: Run, large: Group[]): string {
  const share = Math.round((100 * Math.max(...large.map((group) => group.members.size))) / run.summary.features.used);
  const label = run.data.samples[0]?.labels.find((one) => /type|cluster|annot|tissue/i.test(one.name));
  const advice = label ? `The data have the label ${label.name}: compare within one of its values (--where "${label.name} == ${label.values[0] ?? "..."}") to see what changes inside a type.` : "If there are, compare within one type at a time.";
  return `${listOf(large.map((group) => group.label))} ${large.length === 1 ? "holds" : "hold"} up to ${share} % of all features. Groups this large come about where samples are of several types (cell types, tissues), whose features vary together in any condition; look at the members that changed most. ${advice}`;
}

const fewUnits = 12;

/** Warnings that differ in the name of the group alone are one. */
export function together(warnings: string[]): string[] {
  const found = new Map<string, string[]>();
  for (const warning of warnings) {
    const [, group, rest] = /^group (.+?) (follows the label .*)$/.exec(warning) ?? [null, null, warning];
    const key = group === null ? warning : rest!.replace(/explains \d+ %/, "explains");
    found.set(key, [...(found.get(key) ?? []), warning]);
  }
  return [...found.values()].map((alike) => {
    if (alike.length === 1) return alike[0]!;
    const groups = alike.map((one) => /^group (.+?) follows/.exec(one)![1]!);
    const shares = alike.map((one) => Number(/explains (\d+) %/.exec(one)?.[1] ?? 0)).sort((a, b) => a - b);
    const range = shares[0] === shares.at(-1) ? `${shares[0]} %` : `${shares[0]} to ${shares.at(-1)} %`;
    return alike[0]!.replace(/^group .+? follows/, `groups ${listOf(groups)} follow`).replace(/explains \d+ % of its score/, `explains ${range} of their scores`);
  });
}

/** The program calls a group "CTRL 1" in its warnings, the page "CTRL-1". */
function labeled(run: Run, warning: string): string {
  const told = /^group (.+?) follows the label /.exec(warning)?.[1];
  const group = told && run.groups.find((one) => one.label === told.replace(/ (?=[\d.]+$)/, "-"));
  return group ? warning.replace(told, () => group.label) : warning;
}

/** A warning as it stands in the page: names of files and options stay as they are. */
function asSentence(text: string): string {
  const begun = /^[a-z]+ /.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

export function cautions(run: Run): HTMLElement | null {
  const { statistics, features, warnings } = run.summary;
  const notes: string[] = [];
  const { level } = run;
  if (run.hasPValues && statistics) {
    // Where a label may say which samples belong together the program's own warning is better.
    if (statistics.samples_are_units && !warnings.some((one) => /^every sample was taken as independent/i.test(one))) {
      notes.push("Every sample was taken as independent. If several samples come from one donor, animal or subject (cells do), these p-values are too small: run again with --metadata TABLE --unit COLUMN.");
    }
    if (run.tooFew) {
      // The program says it, too.
      if (!warnings.some((one) => /no p-value can be below/.test(one))) notes.push(`With ${run.units(statistics.units_in_design)} no p-value can be below ${probability(statistics.min_p)}: nothing could have been found at level ${level}.`);
    } else if (statistics.units_in_design < fewUnits) {
      notes.push(`There are only ${run.units(statistics.units_in_design)}: only large differences can be told from chance.`);
    }
    if (statistics.units < statistics.units_in_design && !statistics.samples_are_units) {
      notes.push(`${whole(statistics.units_in_design)} units were put together into ${whole(statistics.units)} to save memory.`);
    }
    if (run.conditions.every((condition) => condition.pairs === null)) {
      notes.push("Groups were tested, but not single pairs of features: there are too many features, or too few permutations.");
    }
    if (statistics.n_features_tested < features.used) {
      notes.push(`${whole(statistics.n_features_tested)} of ${whole(features.used)} features, ${searchedAmong(run.summary.settings.used)}, were searched for groups; the others joined the groups they correlate with.`);
    }
    if (statistics.stopped_early) notes.push(`The permutations stopped early, after ${whole(statistics.permutations)}: it was clear that nothing would become significant.`);
  } else {
    notes.push("No p-values were computed: nothing on this page says whether chance alone could make these groups.");
  }
  const large = run.leading.filter((group) => group.members.size > 0.2 * features.used && features.used > 50);
  if (large.length > 0) notes.push(severalTypes(run, large));
  if (features.excluded_total > 0) {
    const first = features.excluded[0];
    notes.push(`${count(features.excluded_total, "feature was", "features were")} excluded${first ? `, such as ${first.feature} (${first.reason})` : ""}; the table at the end lists why.`);
  }
  notes.push(...together(warnings.map((one) => labeled(run, one))).map(asSentence));
  const rich = run.conditions.filter(({ dimensions }) => dimensions.chosen >= dimensions.computed && dimensions.rule === "parallel analysis");
  if (rich.length > 0) {
    notes.push(`The features of ${listOf(rich.map((condition) => condition.name))} vary in more than ${Math.max(...rich.map(({ dimensions }) => dimensions.computed))} ways, the most that are counted: the patterns and energies below may hold some of what the conditions share.`);
  }
  if (notes.length === 0) return null;
  return element("section", { id: "cautions", class: "cautions", "aria-labelledby": "cautions-title" },
    element("h2", { id: "cautions-title" }, "Before you rely on it"),
    element("ul", {}, ...notes.map((note) => element("li", {}, note))));
}
