// How strongly each group is connected in each condition, and how stable it is.
import { scaleLinear } from "d3-scale";
import { shape } from "../dom";
import { figure, type Canvas } from "../figure";
import { decimal } from "../numbers";
import type { Group, Run } from "../run";
import { selection } from "../state";
import { groupColor, theme } from "../theme";
import { bottomAxis, type Panel } from "./axes";

const most = 24;
const rowHeight = 30;

function rows(run: Run): Group[] {
  return run.groups.filter((group) => group.summary.conditions !== null).slice(0, most);
}

function drawRows(groups: Group[], canvas: Canvas, panel: Panel, drawRow: (group: Group, y: number) => void): void {
  groups.forEach((group, index) => {
    const y = panel.top + index * rowHeight + rowHeight / 2;
    const label = shape("text", { x: panel.left - 10, y: y + 4, "text-anchor": "end", fill: theme().ink, "font-weight": group.index === selection.group ? 700 : 400 }, group.label.length > 12 ? `${group.label.slice(0, 11)}…` : group.label);
    label.addEventListener("click", () => selection.choose({ group: group.index }));
    canvas.svg.append(label, shape("line", { x1: panel.left, x2: panel.left + panel.width, y1: y, y2: y, stroke: theme().line }));
    drawRow(group, y);
  });
}

function panelFor(groups: Group[], width: number): Panel {
  return { left: 110, top: 8, width: width - 150, height: groups.length * rowHeight };
}

// One mark per condition: a filled circle for the group's own, other shapes for the others, told apart without color.
function mark(kind: number, x: number, y: number, color: string): SVGElement {
  if (kind === 0) return shape("circle", { cx: x, cy: y, r: 6, fill: color });
  const attributes = { fill: theme().paper, stroke: theme().quiet, "stroke-width": 2 };
  if (kind === 1) return shape("rect", { x: x - 4.5, y: y - 4.5, width: 9, height: 9, ...attributes });
  return shape("path", { d: kind === 2 ? `M${x},${y - 6}l6,10h-12z` : `M${x},${y - 6}l6,6l-6,6l-6,-6z`, ...attributes });
}

interface Label {
  at: number;
  text: string;
}

/** Labels of marks from left to right; those that would lie on each other become one, "B, C". */
export function labels(wanted: Label[]): Label[] {
  const placed: (Label & { end: number })[] = [];
  const half = (text: string) => 3.5 * text.length + 2;
  for (const { at, text } of [...wanted].sort((a, b) => a.at - b.at)) {
    const last = placed[placed.length - 1];
    if (last && at - half(text) < last.end) {
      last.text += `, ${text}`;
      last.end = last.at + half(last.text);
    } else {
      placed.push({ at, text, end: at + half(text) });
    }
  }
  return placed;
}

function drawStrength(run: Run, canvas: Canvas): void {
  const groups = rows(run);
  const panel = panelFor(groups, canvas.width);
  const values = groups.flatMap((group) => group.summary.conditions!.flatMap((one) => [one.mean_correlation_low, one.mean_correlation_high, one.mean_correlation])).filter((value) => Number.isFinite(value));
  const x = scaleLinear([Math.min(0, ...values), Math.max(...values, 0.1)], [0, panel.width]).nice();
  canvas.svg.append(bottomAxis(x, panel, "mean correlation between members"));
  drawRows(groups, canvas, panel, (group, y) => {
    const all = [...group.summary.conditions!].sort((a, b) => Number(b.condition === group.condition.name) - Number(a.condition === group.condition.name));
    all.reverse().forEach((one, place) => {
      const kind = all.length - 1 - place;
      const color = kind === 0 ? groupColor(group.index) : theme().quiet;
      const at = panel.left + x(one.mean_correlation);
      const dot = mark(Math.min(kind, 3), at, y, color);
      dot.addEventListener("pointerenter", () => canvas.say(`${group.label} in ${one.condition}: mean correlation ${decimal(one.mean_correlation, 3)}, 95 % interval ${decimal(one.mean_correlation_low, 3)} to ${decimal(one.mean_correlation_high, 3)}${typeof one.conductance === "number" ? `; ${decimal(100 * one.conductance, 0)} % of its weight leaves the group` : ""}`));
      canvas.svg.append(shape("line", { x1: panel.left + x(one.mean_correlation_low), x2: panel.left + x(one.mean_correlation_high), y1: y, y2: y, stroke: color, "stroke-width": 3 }), dot);
    });
    for (const label of labels(all.map((one) => ({ at: panel.left + x(one.mean_correlation), text: one.condition.slice(0, 10) })))) {
      canvas.svg.append(shape("text", { x: label.at, y: y - 9, "text-anchor": "middle", "font-size": 10, fill: theme().quiet }, label.text));
    }
  });
  canvas.size(panel.height + 48);
}

function drawStability(run: Run, canvas: Canvas): void {
  const groups = rows(run);
  const panel = panelFor(groups, canvas.width);
  const x = scaleLinear([0, 1], [0, panel.width]);
  canvas.svg.append(bottomAxis(x, panel, "stability"));
  drawRows(groups, canvas, panel, (group, y) => {
    const value = group.summary.stability ?? 0;
    const bar = shape("rect", { x: panel.left, y: y - 8, width: Math.max(1, x(value)), height: 16, fill: groupColor(group.index) });
    bar.addEventListener("pointerenter", () => canvas.say(`${group.label}: ${decimal(value, 3)}`));
    canvas.svg.append(bar, shape("text", { x: panel.left + x(value) + 6, y: y + 4, "font-size": 11, fill: theme().ink }, decimal(value)));
  });
  canvas.size(panel.height + 48);
}

export function evidenceFigures(run: Run): HTMLElement[] {
  const groups = rows(run);
  if (groups.length === 0) return [];
  const part = groups.length < run.groups.length ? ` The first ${groups.length} of ${run.groups.length} groups are drawn.` : "";
  const withStability = groups.some((group) => typeof group.summary.stability === "number") && Number(run.summary.settings.used.bootstraps ?? 1) > 0;
  return [
    figure({
      id: "strength",
      title: "How strong is each group, here and elsewhere?",
      how: [`Filled circle: the condition in which the group is connected; hollow marks: the others; bars: 95 % intervals. The further apart, the larger the difference. Where they lie together, the group is as strong elsewhere but not on its own: see the picture of all features.${part}`],
      follows: true,
      draw: (canvas) => drawStrength(run, canvas),
      label: () => groups.map((group) => `${group.label}: ${group.summary.conditions!.map((one) => `${decimal(one.mean_correlation)} in ${one.condition}`).join(", ")}`).join("; "),
    }),
    ...(!withStability ? [] : [figure({
      id: "stability",
      title: "Would other samples give the same groups?",
      how: [`Samples are drawn again with repetition and groups are searched anew; the bar is how much the most similar new group overlaps with this one on average (Jaccard index; 1: always the same features).${part}`],
      follows: true,
      draw: (canvas) => drawStability(run, canvas),
      label: () => groups.map((group) => `${group.label}: ${decimal(group.summary.stability)}`).join("; "),
    })]),
  ];
}
