// The graph of one group in every condition: the same places, so that only the connections differ.
import { max } from "d3-array";
import { shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { significant } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColour, theme } from "../theme";
import { heading, panels } from "./axes";
import { triangle } from "./heatmap";

const weakest = 0.06; // of the strongest: thinner lines cannot be seen

function draw(run: Run, canvas: Canvas): void {
  const graph = run.data.graphs[selection.group];
  if (!graph) return;
  const amount = graph.features.length;
  const columns = Math.max(1, Math.min(graph.conditions.length, 3, Math.floor(canvas.width / 280)));
  const side = Math.min(440, canvas.width / columns - 24);
  const layout = panels(graph.conditions.length, canvas.width, { least: 280, height: side, left: 12, gap: 12, top: 34, bottom: 8 });
  const strongest = max(graph.conditions.flat()) || 1;
  const colour = groupColour(selection.group);
  const space = 62; // for names around the circle
  const radius = side / 2 - space;
  const place = (i: number, distance: number): [number, number] => {
    const angle = (2 * Math.PI * i) / amount - Math.PI / 2;
    return [side / 2 + distance * Math.cos(angle), side / 2 + distance * Math.sin(angle)];
  };
  const strongestOf = (i: number, values: number[]) => {
    let best = -1;
    for (let j = 0; j < amount; ++j) if (j !== i && (best < 0 || triangle(values, i, j) > triangle(values, i, best))) best = j;
    return best;
  };
  const describe = (i: number) => canvas.say(`${graph.features[i]}: ${graph.conditions.map((values, m) => {
    const best = strongestOf(i, values);
    const weight = best < 0 ? 0 : triangle(values, i, best);
    return weight > 0 ? `strongest in ${run.conditions[m]!.name} with ${graph.features[best]} (${significant(weight)})` : `no connection within the group in ${run.conditions[m]!.name}`;
  }).join("; ")}`);

  graph.conditions.forEach((values, m) => {
    const panel = layout.panels[m]!;
    const group = shape("g", { transform: `translate(${panel.left + (panel.width - side) / 2},${panel.top})` });
    let edges = 0;
    for (let i = 0; i < amount; ++i) {
      for (let j = 0; j < i; ++j) {
        const share = triangle(values, i, j) / strongest;
        if (share < weakest) continue;
        ++edges;
        const [x1, y1] = place(i, radius);
        const [x2, y2] = place(j, radius);
        const near = selection.feature === graph.features[i] || selection.feature === graph.features[j];
        group.append(shape("line", { x1, y1, x2, y2, stroke: near ? theme().ink : colour, "stroke-width": 0.6 + 2 * share, "stroke-opacity": Math.min(1, 0.12 + 0.6 * share) }));
      }
    }
    graph.features.forEach((feature, i) => {
      const [x, y] = place(i, radius);
      const angle = (360 * i) / amount - 90;
      const flip = angle > 90 && angle < 270;
      const [tx, ty] = place(i, radius + 8);
      const picked = feature === selection.feature;
      const dot = shape("circle", { cx: x, cy: y, r: picked ? 6 : 4, fill: colour, stroke: picked ? theme().ink : theme().paper, "stroke-width": picked ? 2 : 1 });
      dot.addEventListener("pointerenter", () => describe(i));
      dot.addEventListener("click", () => selection.choose({ feature }));
      const short = feature.length > 9 ? `${feature.slice(0, 8)}…` : feature;
      group.append(dot, shape("text", {
        transform: `translate(${tx},${ty}) rotate(${flip ? angle + 180 : angle})`, "text-anchor": flip ? "end" : "start", "dominant-baseline": "middle",
        "font-size": amount > 28 ? 9 : 10.5, fill: theme().ink, "font-weight": picked ? 700 : 400,
      }, short));
    });
    const own = run.groups[selection.group]!.members.condition === m;
    canvas.svg.append(heading({ ...panel, top: panel.top - 8 }, `${run.conditions[m]!.name}${own ? " (its condition)" : ""}: ${edges} connections`), group);
  });
  keyboard(canvas, () => amount, describe);
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
