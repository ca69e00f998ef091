// A table that can be sorted, filtered and downloaded. Long ones show their first rows; the download has all.
import { button, download, element, name } from "./dom";
import { term } from "./glossary";
import { count, whole } from "./numbers";

export type Cell = string | number | null | undefined;

export interface Column<Row> {
  title: string;
  value: (row: Row) => Cell;
  /** How a number is shown; the download has it in full. */
  show?: (row: Row) => string;
  /** A name from the data. */
  isName?: boolean;
}

export interface TableOptions<Row> {
  id: string;
  title: string;
  rows: () => Row[];
  columns: Column<Row>[];
  onPick?: (row: Row) => void;
  isPicked?: (row: Row) => boolean;
  note?: string;
  /** Terms whose definitions stand below the title. */
  terms?: string[];
}

const rowsAtOnce = 100;

function compare(a: Cell, b: Cell): number {
  if (a === b) return 0;
  if (a === null || a === undefined || a === "") return 1;
  if (b === null || b === undefined || b === "") return -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function encode(cells: Cell[], separator: string): string {
  return cells
    .map((cell) => {
      const text = cell === null || cell === undefined ? "" : String(cell);
      if (separator === "\t") return text.replace(/[\t\r\n]/g, " ");
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(separator);
}

export class Table<Row> {
  readonly node: HTMLElement;
  private readonly body = element("tbody");
  private readonly status = element("p", { class: "status", role: "status" });
  private readonly heads: HTMLTableCellElement[];
  private readonly filter = element("input", { type: "search", placeholder: "filter" });
  private readonly more: HTMLButtonElement;
  private sorted: { column: number; falling: boolean } | null = null;
  private limit = rowsAtOnce;

  constructor(private readonly options: TableOptions<Row>) {
    const { id, title, columns } = options;
    this.heads = columns.map((column, index) =>
      element("th", { scope: "col", "aria-sort": "none" }, button(column.title, () => this.sortBy(index))));
    this.filter.setAttribute("aria-label", `Filter: ${title}`);
    this.filter.addEventListener("input", () => this.update());
    this.more = button("Show more rows", () => {
      this.limit *= 5;
      this.update();
    });
    this.node = element("section", { id, class: "table", "aria-labelledby": `${id}-title` },
      element("h3", { id: `${id}-title` }, title),
      options.note ? element("p", { class: "how" }, options.note) : null,
      options.terms ? element("p", { class: "how" }, "What is ", ...options.terms.flatMap((one, index) => [index > 0 ? " · " : null, term(one)]), "?") : null,
      element("div", { class: "controls" }, this.filter,
        button("TSV", () => this.save("tsv"), { "aria-label": `Download as TSV: ${title}` }),
        button("CSV", () => this.save("csv"), { "aria-label": `Download as CSV: ${title}` })),
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
        element("table", {}, element("thead", {}, element("tr", {}, ...this.heads)), this.body)),
      this.status,
      this.more);
    this.update();
  }

  private sortBy(column: number): void {
    this.sorted = { column, falling: this.sorted?.column === column && !this.sorted.falling };
    this.update();
  }

  private rows(): Row[] {
    const { columns } = this.options;
    const wanted = this.filter.value.trim().toLowerCase();
    let rows = this.options.rows();
    if (wanted) rows = rows.filter((row) => columns.some((column) => String(column.value(row) ?? "").toLowerCase().includes(wanted)));
    if (this.sorted) {
      const { column, falling } = this.sorted;
      rows = [...rows].sort((a, b) => compare(columns[column]!.value(a), columns[column]!.value(b)) * (falling ? -1 : 1));
    }
    return rows;
  }

  update(): void {
    const { columns, onPick, isPicked } = this.options;
    const rows = this.rows();
    this.heads.forEach((head, index) => {
      head.classList.toggle("number", rows.some((row) => typeof columns[index]!.value(row) === "number"));
      const own = this.sorted?.column === index;
      head.setAttribute("aria-sort", own ? (this.sorted!.falling ? "descending" : "ascending") : "none");
    });
    this.body.replaceChildren(...rows.slice(0, this.limit).map((row) => {
      const picked = isPicked?.(row) ?? false;
      const line = element("tr", { class: picked ? "picked" : undefined });
      columns.forEach((column, index) => {
        const value = column.value(row);
        const text = column.show ? column.show(row) : String(value ?? "");
        const content = column.isName ? name(text) : document.createTextNode(text);
        const cell = element("td", { class: typeof value === "number" ? "number" : undefined });
        if (index === 0 && onPick) {
          const pick = button("", () => onPick(row), { class: "link", "aria-pressed": picked ? "true" : "false" });
          pick.append(content);
          cell.append(pick);
        } else {
          cell.append(content);
        }
        line.append(cell);
      });
      return line;
    }));
    const shown = Math.min(rows.length, this.limit);
    const all = this.options.rows().length;
    this.status.textContent = rows.length < all ? `${whole(rows.length)} of ${count(all, "row")}` : shown < all ? `${whole(shown)} of ${count(all, "row")} shown` : count(all, "row");
    this.more.hidden = shown >= rows.length;
  }

  private save(kind: "tsv" | "csv"): void {
    const separator = kind === "tsv" ? "\t" : ",";
    const { columns, id } = this.options;
    const lines = [columns.map((column) => column.title), ...this.rows().map((row) => columns.map((column) => column.value(row)))];
    const text = `${lines.map((line) => encode(line, separator)).join("\n")}\n`;
    download(`${id}.${kind}`, new Blob([text], { type: kind === "tsv" ? "text/tab-separated-values" : "text/csv" }));
  }
}
