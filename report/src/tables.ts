// The tables of the page.
import type { Candidate, Edge } from "./data";
import { element, name, shape } from "./dom";
import { count, decimal, probability, significant, whole } from "./numbers";
import type { Group, Run } from "./run";
import { selection } from "./state";
import { Table, type Column } from "./table";

/** The first names, as many as fit in two lines or so. */
function shortList(names: string[]): string {
  let length = 0;
  const fitting = names.slice(0, 8).filter((one, index) => (length += one.length + 2) <= 36 || index < 2);
  return fitting.join(", ");
}

export function groupsTable(run: Run): HTMLElement | null {
  if (run.groups.length === 0) return null;
  const columns: Column<Group>[] = [
    { title: "group", value: (group) => group.label, isName: true },
    { title: "condition", value: (group) => group.condition.name, isName: true },
    { title: "features", value: (group) => group.members.size },
  ];
  if (run.hasPValues) {
    columns.push(
      { title: "p", value: (group) => group.summary.p, show: (group) => probability(group.summary.p) },
    );
  }
  if (run.groups.some((group) => run.parentOf(group))) columns.splice(1, 0, { title: "part of", value: (group) => run.parentOf(group)?.label ?? "", isName: true });
  if (run.groups.some((group) => group.summary.conditions)) {
    columns.push(
      { title: "statistic", value: (group) => group.summary.statistic, show: (group) => decimal(group.summary.statistic, 1) },
      { title: "stability", value: (group) => group.summary.stability, show: (group) => decimal(group.summary.stability) },
    );
    run.conditions.forEach((condition, m) => columns.push({
      title: `r in ${condition.name}`,
      value: (group) => group.summary.conditions?.[m]?.mean_correlation,
      show: (group) => decimal(group.summary.conditions?.[m]?.mean_correlation),
    }));
    columns.push(
      { title: "Δ mean", value: (group) => group.summary.mean_change, show: (group) => decimal(group.summary.mean_change) },
      { title: "Δ variance", value: (group) => group.summary.variance_change, show: (group) => decimal(group.summary.variance_change) },
    );
  }
  columns.push({ title: "changed most", value: (group) => shortList(run.told(group, 8)), isName: true });
  const table = new Table<Group>({
    id: "groups-table",
    title: "Groups",
    rows: () => run.groups,
    columns,
    onPick: (group) => selection.choose({ group: group.index }),
    isPicked: (group) => group.index === selection.group,
    note: "Choose a group to see it in all figures. r: mean correlation between all members. Δ mean (in standard deviations) and Δ variance (log2) are shown so that nobody mistakes them for a change of connection; they play no role in p.",
    terms: ["p", "statistic", "stability"],
  });
  selection.onChange(() => table.update());
  return table.node;
}

interface Member {
  feature: string;
  weight: number | undefined;
  energy: number | undefined;
  core: "yes" | "no" | "";
}

export function membersTable(run: Run): HTMLElement | null {
  if (run.groups.length === 0) return null;
  const placeOf = new Map(run.data.features.names.map((feature, index) => [feature, index]));
  const members = (): Member[] => {
    const group = run.groups[selection.group];
    if (!group) return [];
    const core = group.members.core && new Set(group.members.core);
    return group.members.features.map((feature, index) => {
      const place = placeOf.get(feature);
      return { feature, weight: group.members.weights[index], energy: place === undefined ? undefined : run.data.conditions[group.members.condition]!.energy[place], core: !core ? "" : core.has(index) ? "yes" : "no" };
    });
  };
  const hasCore = run.groups.some((group) => (group.members.core ?? []).length > 0);
  const table = new Table<Member>({
    id: "members-table",
    title: "Features of the chosen group",
    rows: members,
    columns: [
      { title: "feature", value: (member) => member.feature, isName: true },
      { title: "weight", value: (member) => member.weight, show: (member) => significant(member.weight) },
      { title: "loading energy", value: (member) => member.energy, show: (member) => significant(member.energy) },
      ...(hasCore ? [{ title: "core", value: (member: Member) => member.core }] : []),
    ],
    onPick: (member) => selection.choose({ feature: selection.feature === member.feature ? null : member.feature }),
    isPicked: (member) => member.feature === selection.feature,
    note: `Weight: how typical a feature is of the group. Loading energy: its share in what only this condition has.${hasCore ? " Core: the members whose connections with each other are new here; the others were connected before; empty where the group is too large to tell." : ""} Choosing a feature marks it in the figures.`,
    terms: ["weight", "loading energy", ...(hasCore ? ["core"] : [])],
  });
  const cut = element("p", { class: "how" });
  table.node.querySelector(".controls")?.after(cut);
  const update = () => {
    table.update();
    const group = run.groups[selection.group];
    cut.textContent = group && group.members.features.length < group.members.size ? `The ${count(group.members.features.length, "feature")} of largest weight of ${whole(group.members.size)}; groups.tsv has all.` : "";
  };
  update();
  selection.onChange(update);
  return table.node;
}

export function edgesTable(run: Run): HTMLElement | null {
  if (!run.groups.some((group) => group.summary.edges.length > 0)) return null;
  const table = new Table<Edge>({
    id: "edges-table",
    title: "Pairs that changed most",
    rows: () => run.groups[selection.group]?.summary.edges ?? [],
    columns: [
      { title: "feature", value: (edge) => edge.a, isName: true },
      { title: "and", value: (edge) => edge.b, isName: true },
      { title: "correlation here", value: (edge) => edge.here, show: (edge) => decimal(edge.here) },
      { title: "largest elsewhere", value: (edge) => edge.elsewhere, show: (edge) => decimal(edge.elsewhere) },
    ],
    onPick: (edge) => selection.choose({ pair: [edge.a, edge.b] }),
    isPicked: (edge) => selection.pair !== null && selection.pair.includes(edge.a) && selection.pair.includes(edge.b),
    note: "Pairs of members whose correlation changed most against the other conditions. Choosing one shows it sample by sample.",
  });
  selection.onChange(() => table.update());
  return table.node;
}

export function candidatesTable(run: Run): HTMLElement | null {
  const rows = run.targets.flatMap((condition) => (condition.candidates ?? []).map((candidate) => ({ condition: condition.name, candidate })));
  if (rows.length === 0) return null;
  type Row = { condition: string; candidate: Candidate };
  return new Table<Row>({
    id: "candidates-table",
    title: "Candidates that were not significant",
    rows: () => rows,
    columns: [
      { title: "condition", value: (row) => row.condition, isName: true },
      { title: "features", value: (row) => row.candidate.size },
      { title: "p", value: (row) => row.candidate.p, show: (row) => probability(row.candidate.p) },
      { title: "statistic", value: (row) => row.candidate.statistic, show: (row) => decimal(row.candidate.statistic, 1) },
      { title: "some of its features", value: (row) => (row.candidate.features ?? row.candidate.top_features ?? []).slice(0, 8).join(", "), isName: true },
    ],
    note: "Communities of a condition that the others have too, or that chance could make.",
    terms: ["p", "statistic"],
  }).node;
}

/** Choosing a pair shows it sample by sample, where the page has its values. */
export function pairsTable(run: Run): HTMLElement | null {
  const { pairs } = run.data;
  if (!pairs || pairs.rows.length === 0) return null;
  const names = ["condition", "feature_a", "feature_b"];
  const titles: Record<string, string> = { feature_a: "feature", feature_b: "and", correlation: "correlation here", z_low_rank: "z shared with many" };
  const pairOf = (row: string[]): [string, string] => [row[pairs.columns.indexOf("feature_a")] ?? "", row[pairs.columns.indexOf("feature_b")] ?? ""];
  return new Table<string[]>({
    id: "pairs-table",
    terms: ["z", "z shared with many", "q", "elsewhere"],
    onPick: (row) => selection.choose({ pair: pairOf(row) }),
    isPicked: (row) => selection.pair !== null && pairOf(row).every((one) => selection.pair!.includes(one)),
    title: "Single pairs that changed",
    rows: () => pairs.rows,
    columns: pairs.columns.map((column, index): Column<string[]> => names.includes(column)
      ? { title: titles[column] ?? column, value: (row) => row[index], isName: true }
      : { title: titles[column] ?? column, value: (row) => (row[index] === "" ? null : Number(row[index])), show: (row) => (column === "q" ? probability(Number(row[index])) : decimal(Number(row[index]), column.startsWith("z") ? 1 : 3)) }),
    note: `Pairs that are connected more strongly, with either sign, in one condition than in all others. q is the false discovery rate: how many pairs as strong shuffled data have on average, against how many there are here; 0 where ${count(run.summary.statistics?.permutations ?? 0, "permutation")} made none. Listed up to 0.1.${pairs.rows.length < pairs.total ? ` The first ${whole(pairs.rows.length)} of ${whole(pairs.total)}; pairs.tsv has all.` : ""}`,
  }).node;
}

export function excludedTable(run: Run): HTMLElement | null {
  const { excluded, excluded_total, excluded_reasons: reasons = [] } = run.summary.features;
  if (excluded_total === 0) return null;
  const table = new Table({
    id: "left-out-table",
    title: "Features excluded",
    rows: () => excluded,
    columns: [
      { title: "feature", value: (row) => row.feature, isName: true },
      { title: "reason", value: (row) => row.reason, isName: true },
    ],
    note: excluded.length < excluded_total ? `The first ${whole(excluded.length)} of ${whole(excluded_total)}; features.tsv has all.` : undefined,
  }).node;
  if (reasons.length > 1) table.querySelector(".controls")?.before(reasonBars(reasons));
  return table;
}

/** How many features each reason took. */
function reasonBars(reasons: { reason: string; features: number }[]): HTMLElement {
  const most = Math.max(...reasons.map((one) => one.features));
  return element("div", { class: "bars reasons" }, ...reasons.map(({ reason, features }) => element("div", { class: "bar-row" },
    element("span", {}, name(reason)),
    shape("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "bar", "aria-hidden": "true" }, shape("rect", { width: Math.max(0.5, (100 * features) / most), height: 10, fill: "currentColor", "fill-opacity": 0.45 })),
    element("span", { class: "bar-value" }, whole(features)))));
}
