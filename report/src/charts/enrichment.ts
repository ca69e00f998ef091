// Named sets of features, such as pathways, that share features with the chosen group.
import { scaleLinear } from "d3-scale";
import { shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { probability } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColor, theme } from "../theme";
import { bottomAxis } from "./axes";

const most = 12;
const rowHeight = 24;

interface Overlap {
  set: string;
  shared: string[];
  q: number;
  coreQ: number | null;
}

function overlaps(run: Run): Overlap[] {
  const group = run.groups[selection.group];
  if (!group) return [];
  return run.sets(group).map(({ set, features, q, coreQ }) => ({ set, shared: features, q, coreQ })).sort((a, b) => Math.min(a.q, a.coreQ ?? 1) - Math.min(b.q, b.coreQ ?? 1)).slice(0, most);
}

function draw(run: Run, canvas: Canvas): void {
  const rows = overlaps(run);
  const names = Math.min(280, canvas.width * 0.45);
  const panel = { left: names, top: 8, width: canvas.width - names - 60, height: Math.max(1, rows.length) * rowHeight };
  const size = (q: number) => -Math.log10(Math.max(q, 1e-300));
  const x = scaleLinear([0, Math.max(...rows.flatMap((row) => [size(row.q), size(row.coreQ ?? 1)]), 2)], [0, panel.width]).nice();
  canvas.svg.append(bottomAxis(x, panel, "−log10 q"));
  if (rows.length === 0) canvas.svg.append(shape("text", { x: panel.left + 6, y: 24, fill: theme().quiet }, "no set shares features with this group"));
  const room = Math.floor((names - 6) / 7.6); // capitals are wide
  rows.forEach((row, index) => {
    const y = panel.top + index * rowHeight;
    const bar = shape("rect", { x: panel.left, y: y + 4, width: Math.max(1, x(size(row.q))), height: rowHeight - 8, fill: groupColor(selection.group), "fill-opacity": row.q <= 0.05 ? 1 : 0.4 });
    const text = shape("text", { x: panel.left - 6, y: y + 16, "text-anchor": "end", "font-size": 11, fill: theme().ink }, row.set.length > room ? `${row.set.slice(0, room - 1)}…` : row.set);
    const marks: SVGElement[] = [bar, text];
    if (row.coreQ !== null) marks.push(shape("path", { class: "core-mark", d: `M${panel.left + x(size(row.coreQ))},${y + 3}v${rowHeight - 6}`, stroke: theme().ink, "stroke-width": 3 }));
    for (const part of marks) part.addEventListener("click", () => selection.choose({ marked: row.shared }));
    for (const part of marks) part.addEventListener("pointerenter", () => canvas.say(`${row.set}: q = ${probability(row.q)}${row.coreQ === null ? "" : `, of the core ${probability(row.coreQ)}`}; shared: ${row.shared.join(", ")}`));
    canvas.svg.append(...marks, shape("text", { x: panel.left + x(size(row.q)) + 5, y: y + 16, "font-size": 10, fill: theme().quiet }, probability(row.q)));
  });
  canvas.size(panel.height + 48);
}

export function enrichmentFigure(run: Run): HTMLElement | null {
  if (!run.data.enrichment || run.groups.length === 0) return null;
  return figure({
    id: "enrichment",
    title: "Known sets that share features with the group",
    how: ["The longer the bar, the less would chance make so large an overlap between the set and this group, among the features that were tested (hypergeometric, false discovery rate). Pale bars: q above 0.05. Choose a bar to mark the features that it shares in the other pictures. An upright line is the q of the core alone, where the group has one."],
    follows: true,
    draw: (canvas) => {
      draw(run, canvas);
      const rows = overlaps(run);
      let place = 0;
      keyboard(canvas, () => rows.length, (k) => {
        place = k;
        const row = rows[k];
        if (row) canvas.say(`${row.set}: q = ${probability(row.q)}; shared: ${row.shared.join(", ")}; Enter marks them`);
      }, { Enter: () => { if (rows[place]) selection.choose({ marked: rows[place]!.shared }); } });
    },
    label: () => overlaps(run).map((row) => `${row.set}, q = ${probability(row.q)}`).join("; ") || "no set shares features with this group",
  });
}
