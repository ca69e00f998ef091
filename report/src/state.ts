// What the reader looks at; figures and tables follow it.

type Listener = () => void;

class Selection {
  private listeners: Listener[] = [];
  /** Index into ReportData.groups; -1 where there are none. */
  group = -1;
  feature: string | null = null;
  /** Two features whose values are drawn against each other. */
  pair: [string, string] | null = null;
  /** Features that the reader drew a line around. */
  marked: string[] = [];

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }
  choose(change: { group?: number; feature?: string | null; pair?: [string, string] | null; marked?: string[] }): void {
    if (change.group !== undefined && change.group !== this.group) {
      this.group = change.group;
      this.feature = null;
      this.pair = null;
    }
    if (change.feature !== undefined) this.feature = change.feature;
    if (change.pair !== undefined) this.pair = change.pair;
    if (change.marked !== undefined) this.marked = change.marked;
    for (const listener of this.listeners) listener();
  }
}

export const selection = new Selection();
