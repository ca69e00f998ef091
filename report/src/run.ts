// The data with what every part of the page asks of them.
import type { Edge, GroupGraph, GroupMembers, ReportData, SummaryCondition, SummaryGroup } from "./data";
import { count, triangle } from "./numbers";

export interface Group {
  /** Index into ReportData.groups, the same everywhere on the page. */
  index: number;
  members: GroupMembers;
  summary: SummaryGroup;
  condition: SummaryCondition;
  /** "STIM-1": condition and number. */
  label: string;
  /** Of those that unfold below it. */
  parts: Group[];
  graph: GroupGraph | undefined;
}

/** A named set that shares features with a group. */
export interface NamedSetMatch {
  set: string;
  features: string[];
  size: number;
  q: number;
  coreShared: number | null;
  coreQ: number | null;
}

const namedAtOnce = 6;

/** "MouseID" of "MouseID:_", which names the part before the last _. */
export function unitName(option: string): string {
  return option.replace(/:.$/u, "");
}

export class Run {
  readonly groups: Group[];
  constructor(readonly data: ReportData) {
    this.groups = data.groups.map((members, index) => {
      const condition = data.summary.conditions[members.condition]!;
      const summary = condition.groups.find((one) => one.id === members.id) ?? { id: members.id, label: `${condition.name}-${members.id}`, size: members.size, level: 1, parent: null, direction: "gained" as const, significant: true, conditions: null, edges: [] };
      return { index, members, summary, condition, label: summary.label, parts: [], graph: data.graphs[index] };
    });
    for (const group of this.groups) this.parentOf(group)?.parts.push(group);
  }
  get summary() {
    return this.data.summary;
  }
  get conditions(): SummaryCondition[] {
    return this.data.summary.conditions;
  }
  get targets(): SummaryCondition[] {
    return this.conditions.filter((condition) => condition.is_target);
  }
  /** Groups that are no parts of others, those with the largest change first. */
  get leading(): Group[] {
    return this.groups.filter((group) => !this.parentOf(group)).sort((a, b) => this.gain(b) - this.gain(a) || a.index - b.index);
  }
  parentOf(group: Group): Group | undefined {
    const { parent } = group.summary;
    return parent === null ? undefined : this.groups.find((one) => one.condition === group.condition && one.members.id === parent);
  }
  others(condition: SummaryCondition): string[] {
    return this.conditions.filter((one) => one !== condition).map((one) => one.name);
  }
  get hasPValues(): boolean {
    return (this.summary.statistics?.permutations ?? 0) > 0;
  }
  get level(): number {
    return Number(this.summary.settings.used.level ?? 0.05);
  }
  get unitWord(): string {
    const used = this.summary.settings.used;
    if (typeof used.unit === "string") return unitName(used.unit);
    if (typeof used.paired === "string") return used.paired;
    return "sample";
  }
  /** What is permuted: samples, or units such as donors and blocks of a series. */
  private get unitKind(): "sample" | "unit" {
    return this.summary.statistics?.samples_are_units === false ? "unit" : "sample";
  }
  /** "10 units (patient_id)": a donor in two conditions counts twice, so this is not the number of donors. */
  units(amount: number): string {
    return `${count(amount, this.unitKind)}${this.unitWord === "sample" ? "" : ` (${this.unitWord})`}`;
  }
  /** Even the clearest difference could not have had a p at the level: of what there were too few, or nothing. */
  get tooFew(): "permutations" | "samples" | "units" | null {
    const { statistics } = this.summary;
    if (!this.hasPValues || !statistics || statistics.stopped_early || statistics.min_p <= this.level) return null;
    return statistics.exact ? `${this.unitKind}s` : "permutations";
  }
  get title(): string {
    const { title } = this.summary.settings.given;
    return typeof title === "string" && title !== "" ? title : this.conditions.map((condition) => condition.name).join(" vs ");
  }

  /** The members that tell the group: those whose correlations changed most, where that is known. */
  told(group: Group, most = namedAtOnce): string[] {
    return (group.graph?.features ?? group.members.features).slice(0, most);
  }
  /** Mean correlation between the members that tell the group, per condition; else that of all members, or nothing. */
  correlations(group: Group): { told: boolean; values: (number | null)[] } | null {
    const { graph } = group;
    if (graph?.correlations && graph.features.length > 1) {
      const most = Math.min(12, graph.features.length);
      return { told: true, values: graph.correlations.map((values) => meanOfPairs(values, this.signs(group, graph.features.slice(0, most)))) };
    }
    const known = group.summary.conditions;
    return known ? { told: false, values: known.map((one) => one.mean_correlation) } : null;
  }
  /** -1 for features that go against the others of the group. */
  private signs(group: Group, features: string[]): number[] {
    const opposite = new Set(group.members.opposite.map((place) => group.members.features[place]));
    return features.map((feature) => (opposite.has(feature) ? -1 : 1));
  }
  /** How much more the members correlate in the group's condition than anywhere else; for lost groups how much less. */
  gain(group: Group): number {
    if (!this.correlations(group)) return -Infinity;
    const { here, elsewhere } = this.change(group);
    return group.summary.direction === "lost" ? elsewhere - here : here - elsewhere;
  }
  /** Mean correlation of the members that tell the group in its condition, and in the one most like it. */
  change(group: Group): { here: number; elsewhere: number } {
    const values = (this.correlations(group)?.values ?? []).map((value) => value ?? 0);
    const rest = values.filter((_, m) => m !== group.members.condition);
    return { here: values[group.members.condition] ?? 0, elsewhere: rest.length === 0 ? 0 : group.summary.direction === "lost" ? Math.min(...rest) : Math.max(...rest) };
  }
  /** The pairs that gained (or lost) most: those the program lists, else those of the drawn members. */
  edges(group: Group, most = 3): Edge[] {
    if (group.summary.edges.length > 0) return group.summary.edges.slice(0, most);
    const { graph } = group;
    if (!graph?.correlations) return [];
    const sign = group.summary.direction === "lost" ? -1 : 1;
    const edges: Edge[] = [];
    graph.features.forEach((a, i) => graph.features.slice(0, i).forEach((b, j) => {
      const all = graph.correlations!.map((values) => triangle(values, i, j));
      const rest = all.filter((_, m) => m !== group.members.condition);
      edges.push({ a, b, here: all[group.members.condition]!, elsewhere: sign > 0 ? Math.max(...rest) : Math.min(...rest) });
    }));
    return edges.sort((x, y) => sign * (y.here! - y.elsewhere! - x.here! + x.elsewhere!)).slice(0, most);
  }
  sets(group: Group): NamedSetMatch[] {
    const { enrichment } = this.data;
    if (!enrichment) return [];
    const place = (name: string) => enrichment.columns.indexOf(name);
    const number = (row: string[], name: string) => {
      const text = row[place(name)];
      return text === undefined || text === "" ? null : Number(text);
    };
    return enrichment.rows
      .filter((row) => row[place("condition")] === group.condition.name && row[place("group")] === group.members.id)
      .map((row) => ({
        set: row[place("set")] ?? "", features: (row[place("features")] ?? "").split(",").filter((one) => one !== ""), size: number(row, "set_size") ?? 0,
        q: number(row, "q") ?? NaN, coreShared: number(row, "core_shared"), coreQ: number(row, "core_q"),
      }))
      .filter((one) => one.set !== "" && Number.isFinite(one.q))
      .sort((a, b) => a.q - b.q);
  }
  /** The set that agrees best with the core, or with the group, if any does beyond chance. */
  bestSet(group: Group): NamedSetMatch | undefined {
    const value = (one: NamedSetMatch) => Math.min(one.q, one.coreQ ?? 1);
    const best = this.sets(group).sort((a, b) => value(a) - value(b))[0];
    return best && value(best) <= 0.05 ? best : undefined;
  }
  core(group: Group): string[] {
    return (group.members.core ?? []).map((place) => group.members.features[place]!);
  }
}

export function meanOfPairs(values: number[], signs: number[]): number {
  let sum = 0;
  for (let i = 1; i < signs.length; ++i) for (let j = 0; j < i; ++j) sum += signs[i]! * signs[j]! * triangle(values, i, j);
  return sum / Math.max(1, (signs.length * (signs.length - 1)) / 2);
}

/** "HALLMARK_INTERFERON_GAMMA_RESPONSE" as one reads it. */
export function readable(set: string): string {
  if (!/^[A-Z0-9_]+$/.test(set)) return set;
  const words = set.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Which features were looked among for groups, where not all were. */
export function searchedAmong(used: Record<string, unknown>): string {
  if (used.graph === "knn") return "drawn at random";
  return used.graph === "prototypes" ? "one for each set of features that are alike" : "those most connected in all samples together";
}
