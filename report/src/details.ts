// How the result was made: a paragraph for a paper, the command that makes it again, settings, versions and times.
import { copyButton } from "./copy";
import { element, name, type Content } from "./dom";
import { glossary } from "./glossary";
import { count, decimal, duration, listOf, whole } from "./numbers";
import { searchedAmong, type Run } from "./run";

const references = [
  "Sristi R. D., Mishne G., Jaffe A. DiSC: Differential Spectral Clustering of Features. Advances in Neural Information Processing Systems 35 (2022). arXiv:2211.05314.",
  "Westfall P. H., Young S. S. Bootstrapping-Based Multiple Testing. Wiley (1993).",
  "Benjamini Y., Hochberg Y. Controlling the false discovery rate. Journal of the Royal Statistical Society B 57, 289–300 (1995).",
  "Horn J. L. A rationale and test for the number of factors in factor analysis. Psychometrika 30, 179–185 (1965).",
];

// With many features only those next to each other are connected.
function nearest(used: Record<string, unknown>): string {
  if (used.graph !== "knn") return "";
  const found = used["knn-search"] === "exact" ? "" : `, sought approximately, at a recall of at least ${String(used.recall)}`;
  return `, each with its ${String(used.knn)} nearest features${found}`;
}

function graphSentence(used: Record<string, unknown>): string {
  const ofRanks: Record<string, string> = { spearman: "rank (Spearman) correlations", "normal-scores": "correlations of normal scores (ranks, as values of a normal distribution)" };
  const ranks = ofRanks[String(used.distance)] ?? `${String(used.distance)} distances`;
  if (used.kernel === "precomputed") return "The weights between features were given.";
  if (used.kernel !== "association") {
    return `Features were connected by the ${String(used.kernel)} kernel on ${String(used.distance)} distances${nearest(used)}.`;
  }
  const correlations = used.distance === "correlation" ? "Pearson correlations" : ranks;
  const cut = used["association-cut"] === "fdr"
    ? `those below a false discovery rate of ${String(used["association-fdr"])} were dropped`
    : used["association-cut"] === "hard"
      ? `those below ${String(used["association-z"])}/√n were dropped`
      : `reduced by their sampling noise, ${String(used["association-z"])}/√n`;
  return `Features were connected by their positive ${correlations}, ${cut}${nearest(used)}.`;
}

/** How many features took no part, with the reasons that took most of them. */
function excluded(run: Run): string {
  const { excluded_total, excluded_reasons: reasons = [] } = run.summary.features;
  if (excluded_total === 0) return "";
  const told = reasons.slice(0, 3).map(({ reason, features }) => (reasons.length > 1 ? `${whole(features)} ${reason}` : reason));
  return `${count(excluded_total, "feature was", "features were")} excluded${told.length > 0 ? ` (${told.join("; ")}${reasons.length > told.length ? "; others for further reasons" : ""})` : ""}.`;
}

export function methods(run: Run): string {
  const { summary } = run;
  const { used } = summary.settings;
  const { statistics } = summary;
  const conditions = listOf(run.conditions.map((condition) => `${condition.name} (n = ${whole(condition.samples)})`));
  const dimensions = run.conditions.map((condition) => condition.dimensions.chosen).join(", ");
  const rules = run.conditions.map((condition) => condition.dimensions.rule);
  const noise = rules.some((rule) => rule !== "given" && !rule.startsWith("20")) ? " by parallel analysis (Horn 1965)" : "";
  const rule = noise && rules.some((rule) => rule === "split halves") ? `${noise}, and not more than two halves of the samples agree on` : noise;
  const sentences = [
    `Groups of features that are connected in one condition and not in the others were sought with DiSC ${summary.version} (differential spectral clustering of features; Sristi et al. 2022), comparing ${conditions} over ${count(summary.features.used, "feature")}.`,
    excluded(run),
    used.normalize && used.normalize !== "none" ? `Values were normalized (${String(used.normalize)}).` : "",
    typeof used.covariate === "string" ? `The linear effect of ${used.covariate} was removed within each condition.` : "",
    used["remove-global-signal"] === true ? "What all features of a sample share was removed." : "",
    graphSentence(used),
    `The leading eigenvectors of each condition's random walk (${dimensions}${rule}) were removed from the walk of every other condition, and the leading singular vectors of what remained are the differential vectors.`,
    used.grouping === "communities"
      ? "Groups are communities of a condition's own graph that the other conditions lack."
      : used.grouping === "kmeans" ? "Features were grouped by k-means on these vectors." : "Features were grouped by a threshold on these vectors.",
  ];
  if (statistics && run.hasPValues) {
    const within = typeof used.strata === "string" ? ` within ${used.strata}` : "";
    sentences.push(
      statistics.n_features_tested < summary.features.used ? `${whole(statistics.n_features_tested)} features, ${searchedAmong(used)}, were searched for groups; the others joined the groups they correlate with.` : "",
      `p-values come from ${statistics.exact ? "all " : ""}${count(statistics.permutations, "permutation")} of ${run.units(statistics.units_in_design)} between conditions${within}, with the whole analysis repeated each time, and are corrected for all groups and conditions by the largest statistic (Westfall & Young 1993).${statistics.stopped_early ? " The permutations stopped early, when it was clear that nothing would become significant." : ""}`,
      "Features were centered and scaled within conditions, so that changes of mean or variance do not count as changes of connection.",
      run.groups.some((group) => group.summary.stability !== undefined) && Number(used.bootstraps ?? 0) > 0 ? `Stability is the mean Jaccard index over ${count(Number(used.bootstraps), "bootstrap")}.` : "",
      run.data.pairs && run.data.pairs.rows.length > 0 || run.data.enrichment ? `q is the false discovery rate${run.data.enrichment ? " (of named sets: hypergeometric test, Benjamini & Hochberg 1995)" : ""}.` : "",
    );
  }
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

// Settings that were given, without those that change no number.
function givenSettings(run: Run): [string, unknown][] {
  return Object.entries(run.summary.settings.given).filter(([flag]) => !["seed", "threads", "quiet"].includes(flag));
}

/** A run from Python: no files, or several per condition. */
function pythonCall(run: Run): string {
  const literal = (value: unknown) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));
  const data = run.conditions.map((condition) => `${JSON.stringify(condition.name)}: ...`).join(", ");
  const settings = givenSettings(run).map(([flag, value]) => `, ${flag.replaceAll("-", "_")}=${literal(value)}`);
  return `disc.run({${data}}${settings.join("")}${run.summary.seed !== 0 ? `, seed=${run.summary.seed}` : ""})`;
}

export function command(run: Run): string {
  const { inputs, settings, seed } = run.summary;
  const named = "manifest" in settings.given || "condition" in settings.given;
  if (!named && inputs.length !== 1 && inputs.length !== run.conditions.length) return pythonCall(run);
  const listed = named ? [] : inputs;
  const words = ["disc", "run", ...listed.map((input) => quoted(input.file))];
  for (const [flag, value] of givenSettings(run)) {
    if (flag === "strict") words.push("--strict");
    // What was given several times has a line each.
    else for (const one of String(value === true ? "yes" : value === false ? "no" : value).split("\n")) words.push(`--${flag}`, quoted(one));
  }
  if (seed !== 0) words.push("--seed", String(seed));
  return words.join(" ");
}

function list(rows: [string, Content][], columns: [string, string]): HTMLElement {
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": columns.join(" and ") },
    element("table", { class: "plain" },
      element("thead", {}, element("tr", {}, ...columns.map((title) => element("th", { scope: "col" }, title)))),
      element("tbody", {}, ...rows.map(([term, value]) => element("tr", {}, element("th", { scope: "row" }, name(term)), element("td", {}, value))))));
}

/** The notices of the code that the page is made of; the build puts them in. */
function licenses(): HTMLElement {
  const notices = document.getElementById("notices")?.textContent?.trim() ?? "";
  return element("details", { id: "licenses" }, element("summary", {}, "Licenses of the code in this page"), element("pre", { tabindex: 0 }, notices));
}

export function details(run: Run): HTMLElement {
  const { summary } = run;
  const paragraph = element("p", { class: "paste", id: "methods-text" }, methods(run));
  const sources = element("ul", {}, ...references.map((reference) => element("li", {}, reference)));
  const code = element("code", {}, command(run));
  const used = Object.entries(summary.settings.used).filter(([, value]) => value !== null);
  const given = new Set(Object.keys(summary.settings.given));
  const total = summary.timings.reduce((sum, stage) => sum + stage.seconds, 0);
  return element("section", { id: "details", "aria-labelledby": "details-title" },
    element("h2", { id: "details-title" }, "How it was made"),
    element("h3", {}, "For the methods section"),
    element("div", { class: "paste-box" }, paragraph, sources, copyButton("Copy", () => `${methods(run)}\n\n${references.join("\n")}\n`, "Copy the methods paragraph", paragraph)),
    element("h3", {}, "To make it again"),
    element("div", { class: "paste-box" }, element("pre", { tabindex: 0 }, code), copyButton("Copy", () => command(run), "Copy the command", code)),
    list(summary.inputs.map((input) => [input.file, input.digest]), ["input", "digest of its bytes"]),
    (summary.preparation ?? []).length > 0 && element("h3", {}, "What was done to the data first"),
    (summary.preparation ?? []).length > 0 && list(summary.preparation!.map((one): [string, string] => [one.condition === null ? one.step : `${one.step} (${one.condition})`, `${whole(one.count)} ${one.changed}`]), ["step", "effect"]),
    element("details", {}, element("summary", {}, `All settings (${given.size} given, the others chosen or default)`),
      list(used.map(([flag, value]) => [flag, `${String(value)}${given.has(flag) ? " (given)" : ""}`]), ["setting", "value used"])),
    element("details", {}, element("summary", {}, `Version, time and memory (${duration(total)}, ${decimal(summary.peak_memory_bytes / 2 ** 20, 0)} MiB)`),
      list([
        ["disc", summary.version], ["made", summary.date ?? "not recorded"], ["seed", String(summary.seed)], ["threads", `${summary.threads} (the result does not depend on it)`],
        ...summary.timings.map((stage): [string, string] => [stage.stage, duration(stage.seconds)]),
      ], ["what", "value"])),
    glossary(),
    licenses(),
  );
}
