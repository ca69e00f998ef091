// The graph of one group in every condition: the same places, so that only the connections differ.
import { max } from "d3-array";
import type { ReportData } from "../data";
import { shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { count, significant } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColour, theme } from "../theme";
import { heading, panels } from "./axes";
import { triangle } from "./heatmap";

const weakest = 0.06; // of the strongest: thinner lines cannot be seen

type Graph = ReportData["graphs"][number];

/** Where members stand: on a circle, the same in all conditions. */
class Circle {
  constructor(private readonly members: number, private readonly side: number) {}
  get radius(): number {
    const space = 62; // for names around it
    return this.side / 2 - space;
  }
  degrees(i: number): number {
    return (360 * i) / this.members - 90;
  }
  place(i: number, distance = this.radius): [number, number] {
    const angle = (this.degrees(i) * Math.PI) / 180;
    return [this.side / 2 + distance * Math.cos(angle), this.side / 2 + distance * Math.sin(angle)];
  }
}

function describe(run: Run, graph: Graph, i: number): string {
  const parts = graph.conditions.map((values, m) => {
    const others = graph.features.map((_, j) => j).filter((j) => j !== i);
    const best = others.reduce((a, b) => (triangle(values, i, b) > triangle(values, i, a) ? b : a), others[0] ?? i);
    const weight = best === i ? 0 : triangle(values, i, best);
    const { name } = run.conditions[m]!;
    return weight > 0 ? `strongest in ${name} with ${graph.features[best]} (${significant(weight)})` : `no connection within the group in ${name}`;
  });
  return `${graph.features[i]}: ${parts.join("; ")}`;
}

/** Draws the lines of one condition; returns how many. They are thinner where there are many of them, so that single ones can be told apart. */
function drawLines(graph: Graph, values: number[], strongest: number, circle: Circle, group: SVGGElement, slim: number): number {
  let drawn = 0;
  for (let i = 0; i < graph.features.length; ++i) {
    for (let j = 0; j < i; ++j) {
      const share = triangle(values, i, j) / strongest;
      if (share < weakest) continue;
      ++drawn;
      const [x1, y1] = circle.place(i);
      const [x2, y2] = circle.place(j);
      const near = selection.feature === graph.features[i] || selection.feature === graph.features[j];
      group.append(shape("line", { x1, y1, x2, y2, stroke: near ? theme().ink : groupColour(selection.group), "stroke-width": slim * (0.4 + 2.2 * share), "stroke-opacity": slim * (0.1 + 0.65 * share) }));
    }
  }
  return drawn;
}

function drawMembers(run: Run, graph: Graph, circle: Circle, canvas: Canvas, group: SVGGElement): void {
  graph.features.forEach((feature, i) => {
    const [cx, cy] = circle.place(i);
    const [x, y] = circle.place(i, circle.radius + 8);
    const angle = circle.degrees(i);
    const flip = angle > 90 && angle < 270;
    const picked = feature === selection.feature;
    const dot = shape("circle", { cx, cy, r: picked ? 6 : 4, fill: groupColour(selection.group), stroke: picked ? theme().ink : theme().paper, "stroke-width": picked ? 2 : 1 });
    dot.addEventListener("pointerenter", () => canvas.say(describe(run, graph, i)));
    dot.addEventListener("click", () => selection.choose({ feature }));
    group.append(dot, shape("text", {
      transform: `translate(${x},${y}) rotate(${flip ? angle + 180 : angle})`, "text-anchor": flip ? "end" : "start", "dominant-baseline": "middle",
      "font-size": graph.features.length > 28 ? 9 : 10.5, fill: theme().ink, "font-weight": picked ? 700 : 400,
    }, feature.length > 9 ? `${feature.slice(0, 8)}…` : feature));
  });
}

function draw(run: Run, canvas: Canvas): void {
  const graph = run.data.graphs[selection.group];
  if (!graph) {
    canvas.svg.append(shape("text", { y: 20, fill: theme().quiet }, "Only the first groups have a picture."));
    canvas.size(30);
    return;
  }
  const columns = Math.max(1, Math.min(graph.conditions.length, 3, Math.floor(canvas.width / 280)));
  const side = Math.min(440, canvas.width / columns - 24);
  const layout = panels(graph.conditions.length, canvas.width, { least: 280, height: side, left: 12, gap: 12, top: 34, bottom: 8 });
  const strongest = max(graph.conditions.flat()) || 1;
  const circle = new Circle(graph.features.length, side);
  const slim = Math.min(1, 12 / graph.features.length) ** 0.6;
  graph.conditions.forEach((values, m) => {
    const panel = layout.panels[m]!;
    const group = shape("g", { transform: `translate(${panel.left + (panel.width - side) / 2},${panel.top})` });
    const connections = drawLines(graph, values, strongest, circle, group, slim);
    drawMembers(run, graph, circle, canvas, group);
    const own = run.groups[selection.group]!.members.condition === m;
    canvas.svg.append(heading({ ...panel, top: panel.top - 8 }, `${run.conditions[m]!.name}${own ? " (its condition)" : ""}: ${count(connections, "connection")}`), group);
  });
  keyboard(canvas, () => graph.features.length, (i) => canvas.say(describe(run, graph, i)));
  canvas.size(layout.height);
}

export function graphFigure(run: Run): HTMLElement | null {
  if (run.data.graphs.length === 0) return null;
  return figure({
    id: "graph",
    title: "The group as a graph",
    how: ["Dots are members (up to 40, the most typical), lines are connections, thicker where stronger, on one scale for all conditions. Places are the same everywhere: only the lines differ."],
    follows: true,
    draw: (canvas) => draw(run, canvas),
    label: () => `Connections between the members of group ${run.groups[selection.group]?.label ?? ""} in each condition; arrow keys walk through the members`,
  });
}
