// The members of the chosen group that changed most: their correlations in every condition, and the difference.
import { scaleLinear } from "d3-scale";
import { shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { decimal, triangle } from "../numbers";
import type { Group, Run } from "../run";
import { selection } from "../state";
import { theme } from "../theme";
import { heading, panels, type Panel } from "./axes";

const most = 30;
const nameSpace = 66;

interface Drawn {
  title: string;
  values: (i: number, j: number) => number;
}

function drawn(run: Run, group: Group): Drawn[] {
  const matrices = group.graph!.correlations!;
  const home = group.members.condition;
  const order = [home, ...matrices.map((_, m) => m).filter((m) => m !== home)];
  const list: Drawn[] = order.map((m) => ({ title: `${run.conditions[m]!.name}${m === home ? " (its condition)" : ""}`, values: (i, j) => triangle(matrices[m]!, i, j) }));
  const others = matrices.filter((_, m) => m !== home);
  const nearest = (i: number, j: number) => (group.summary.direction === "lost" ? Math.min : Math.max)(...others.map((values) => triangle(values, i, j)));
  list.push({ title: "difference", values: (i, j) => triangle(matrices[home]!, i, j) - nearest(i, j) });
  return list;
}

function draw(run: Run, canvas: Canvas): void {
  const group = run.groups[selection.group];
  if (!group?.graph?.correlations) {
    canvas.svg.append(shape("text", { y: 20, fill: theme().quiet }, "Only the first groups have a picture."));
    canvas.size(30);
    return;
  }
  const names = group.graph.features.slice(0, most);
  const list = drawn(run, group);
  const columns = Math.max(1, Math.min(list.length, list.length === 4 ? 2 : 3, Math.floor(canvas.width / 320)));
  const side = Math.min(460, canvas.width / columns - nameSpace - 8);
  const layout = panels(list.length, canvas.width, { least: 320, height: side, left: nameSpace, gap: 8, top: 30, bottom: 10, most: list.length === 4 ? 2 : 3 });
  const describe = (i: number, j: number) => canvas.say(`${names[i]} and ${names[j]}: ${group.graph!.correlations!.map((values, m) => `${i === j ? "itself" : decimal(triangle(values, i, j))} in ${run.conditions[m]!.name}`).join(", ")}`);
  list.forEach((one, k) => drawPanel(names, one, layout.panels[k]!, side, canvas, describe));
  keyboard(canvas, () => names.length - 1, (i) => describe(i, i + 1));
  drawKey(canvas, layout.height + 18);
  canvas.size(layout.height + 46);
}

function drawPanel(names: string[], one: Drawn, panel: Panel, side: number, canvas: Canvas, describe: (i: number, j: number) => void): void {
  const color = scaleLinear<string>([-1, 0, 1], theme().change).clamp(true);
  const cell = side / names.length;
  const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
  names.forEach((name, i) => {
    const picked = name === selection.feature;
    if (cell >= 6.5) {
      const text = shape("text", { x: -5, y: (i + 0.5) * cell + 3.5, "text-anchor": "end", "font-size": Math.min(10.5, cell + 1), "font-weight": picked || selection.marked.includes(name) ? 700 : 400, "text-decoration": selection.marked.includes(name) ? "underline" : undefined, fill: theme().ink }, name.length > 10 ? `${name.slice(0, 9)}…` : name);
      text.addEventListener("click", () => selection.choose({ feature: picked ? null : name }));
      group.append(text);
    }
    names.forEach((other, j) => {
      if (i === j) return;
      const chosen = selection.pair !== null && selection.pair.includes(name) && selection.pair.includes(other);
      const rect = shape("rect", { x: j * cell, y: i * cell, width: cell + 0.3, height: cell + 0.3, fill: color(one.values(i, j)), stroke: chosen ? theme().ink : "none", "stroke-width": 1.5 });
      rect.addEventListener("pointerenter", () => describe(i, j));
      rect.addEventListener("click", () => selection.choose({ pair: [name, other] }));
      group.append(rect);
    });
  });
  group.append(shape("rect", { width: side, height: side, fill: "none", stroke: theme().rest, "pointer-events": "none" }));
  canvas.svg.append(heading(panel, one.title), group);
}

function drawKey(canvas: Canvas, y: number): void {
  const gradient = shape("linearGradient", { id: "correlation-legend" }, ...theme().change.map((color, i) => shape("stop", { offset: `${i * 50}%`, "stop-color": color })));
  const label = { "font-size": 11, fill: theme().quiet, "text-anchor": "middle" };
  canvas.svg.append(shape("defs", {}, gradient), shape("rect", { x: nameSpace, y, width: 180, height: 10, fill: "url(#correlation-legend)", stroke: theme().line }),
    ...["−1", "0", "1"].map((text, i) => shape("text", { x: nameSpace + 90 * i, y: y + 23, ...label }, text)),
    shape("text", { x: nameSpace, y: y - 5, ...label, "text-anchor": "start" }, "correlation, or its change"));
}

export function matrixFigure(run: Run): HTMLElement | null {
  if (!run.data.graphs.some((graph) => graph.correlations)) return null;
  return figure({
    id: "matrix",
    title: "What changed: correlations in the group, here and elsewhere",
    how: [`The members whose correlations changed most (up to ${most}), with the others of ${run.groups.some((group) => (group.members.core ?? []).length > 0) ? "the core" : "the group"}: they were chosen for their change, so single values are a little too high. Red: they rise and fall together; blue: one rises where the other falls. Choose a point to see the samples behind it.`],
    follows: true,
    draw: (canvas) => draw(run, canvas),
    label: () => `Correlations between the members of group ${run.groups[selection.group]?.label ?? ""} that changed most, in each condition and their difference; arrow keys walk along the diagonal`,
  });
}
