// The data with what every part of the page asks of them.
import type { GroupMembers, ReportData, SummaryCondition, SummaryGroup } from "./data";

export interface Group {
  /** Index into ReportData.groups, the same everywhere on the page. */
  index: number;
  members: GroupMembers;
  summary: SummaryGroup;
  condition: SummaryCondition;
  /** "B1": condition and number. */
  label: string;
}

export class Run {
  readonly groups: Group[];
  constructor(readonly data: ReportData) {
    this.groups = data.groups.map((members, index) => {
      const condition = data.summary.conditions[members.condition]!;
      const summary = condition.groups.find((one) => String(one.id) === members.id)!;
      return { index, members, summary, condition, label: `${condition.name} ${members.id}` };
    });
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
  others(condition: SummaryCondition): string[] {
    return this.conditions.filter((one) => one !== condition).map((one) => one.name);
  }
  get hasPValues(): boolean {
    return (this.summary.statistics?.permutations ?? 0) > 0;
  }
  /** Whether single vectors were tested; with very many features only groups are. */
  get hasVectorPValues(): boolean {
    return this.targets.some((condition) => (condition.vector_p ?? []).some((p) => p !== null));
  }
  get unitWord(): string {
    const used = this.summary.settings.used;
    if (typeof used.unit === "string") return used.unit;
    if (typeof used.paired === "string") return used.paired;
    return "sample";
  }
}
