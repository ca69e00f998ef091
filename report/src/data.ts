// What a page shows. src/report/report_data.cpp writes it; what it takes over from summary.json has the types of schema.ts, which are
// made from docs/outputs.toml.
import type { SummaryFile, WrittenCondition, WrittenConditionCandidate, WrittenConditionGroup, WrittenFeatures } from "./schema";

/** One form for every group: src/report/groups_data.cpp makes it. */
export interface SummaryGroup extends Partial<Omit<WrittenConditionGroup, "id" | "size" | "level" | "parent" | "significant" | "direction" | "conditions" | "core" | "edges_gained">> {
  id: string;
  /** "STIM-1", or "STIM 1". */
  label: string;
  size: number;
  level: number;
  /** The id of the group that this one is a part of. */
  parent: string | null;
  significant: boolean;
  direction: "gained" | "lost";
  conditions: GroupInCondition[] | null;
  edges: Edge[];
}

export interface GroupInCondition {
  condition: string;
  mean_correlation: number;
  mean_correlation_low: number;
  mean_correlation_high: number;
  conductance?: number | null;
}

/** A pair of features with its correlation in a group's condition and the largest of the others. */
export interface Edge {
  a: string;
  b: string;
  here: number | null;
  elsewhere: number | null;
}

export interface Candidate extends Partial<WrittenConditionCandidate> {
  size: number;
  top_features?: string[];
}

export interface SummaryCondition extends Omit<WrittenCondition, "groups" | "candidates"> {
  groups: SummaryGroup[];
  candidates?: Candidate[];
}

/** Lists that grow with the number of features are cut; `excluded_total` and `excluded_reasons` count what was there. */
export interface Summary extends Omit<SummaryFile, "conditions" | "features"> {
  features: WrittenFeatures & { excluded_total: number; excluded_reasons?: { reason: string; features: number }[] };
  conditions: SummaryCondition[];
}

export interface GroupMembers {
  condition: number;
  id: string;
  /** Its place among the groups of its condition, from 1. */
  number: number;
  size: number;
  features: string[];
  weights: number[];
  /** Places in the list of members that go against the others. */
  opposite: number[];
  /** Which of them, by their places in the list, are in the core: their connections with each other are new. Null: not known, of very large groups. */
  core: number[] | null;
}

export interface WeightLine {
  first: string;
  last: string;
  features: number;
  /** Indices into `groups` of those that hold its first feature. */
  groups: number[];
}

/** Correlations are null where the values were not at hand; then there are weights only. */
export interface GroupGraph {
  features: string[];
  conditions: number[][];
  correlations: number[][] | null;
  /** Per condition: the mean over the pairs of the core, or of all members where it is not known. */
  coreCorrelation: number[] | null;
}

export interface ReportData {
  features: { total: number; names: string[]; places: number[] };
  /** Of the features with names above; `group` is an index into `groups`, or -1. */
  conditions: { energy: number[]; vectors: number[][]; group: number[] }[];
  groups: GroupMembers[];
  /** Lower triangles, row by row, with the diagonal. */
  weights: { lines: WeightLine[]; conditions: number[][] } | null;
  graphs: GroupGraph[];
  /** Values of a few features in a few samples: whole numbers from 0 to `top`, which stand for `low` to `high` of the feature. */
  values: {
    features: { name: string; low: number; high: number }[];
    top: number;
    conditions: { samples: string[]; levels: (number | null)[][] }[];
  } | null;
  /** Per condition and feature with a name above: place, weight, place, weight, ... of its strongest connections. */
  partners: number[][][] | null;
  samples: { total: number; names: string[]; x: number[]; y: number[]; metaFeatures: (number | null)[][]; labels: { name: string; values: string[] }[] }[];
  /** Donors, subjects: per group the mean correlation within it over their samples, and its score; null where every sample is a unit. */
  units: {
    units: { name: string; condition: number; samples: number }[];
    correlations: (number | null)[][];
    scores: (number | null)[][];
  } | null;
  images: {
    height: number;
    width: number;
    factor: number;
    conditions: { vectors: (number | null)[][]; mean: (number | null)[] | null; groups: (number | null)[] }[];
  } | null;
  enrichment: { columns: string[]; rows: string[][] } | null;
  /** `changed`: how many of all have a false discovery rate of at most 0.05. */
  pairs: { columns: string[]; rows: string[][]; total: number; changed: number } | null;
  summary: Summary;
  /** The page comes from disc explore, which answers questions. */
  asks?: boolean;
}

async function unzip(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** The data stand in the page as JSON, or compressed where they are large. */
export async function loadData(): Promise<ReportData> {
  const text = (document.getElementById("data")?.textContent ?? "").trim();
  return JSON.parse(text.startsWith("{") ? text : await unzip(text)) as ReportData;
}
