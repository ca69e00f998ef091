// Samples: the mean of a group's features in each of them, and where they lie among each other.
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { interpolatePuOr } from "d3-scale-chromatic";
import { shape } from "../dom";
import { figure, type Canvas } from "../figure";
import { decimal, significant, whole } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColour, theme } from "../theme";
import { bottomAxis, heading, leftAxis, panels } from "./axes";

const manySamples = 30;

function finite(values: (number | null | undefined)[]): number[] {
  return values.filter((value): value is number => typeof value === "number");
}

function range(values: number[]): [number, number] {
  const [low, high] = extent(values);
  return low === undefined || high === undefined || low === high ? [(low ?? 0) - 1, (high ?? 0) + 1] : [low, high];
}

/** A fixed scatter between -1 and 1, so that the picture is always the same. */
function jitter(index: number): number {
  return (((index * 0.618034) % 1) - 0.5) * 2;
}

function spread(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length));
}

function drawStrips(run: Run, canvas: Canvas): void {
  const rowHeight = 74;
  const panel = { left: 110, top: 8, width: canvas.width - 130, height: rowHeight * run.data.samples.length };
  const all = run.data.samples.map((condition) => condition.metaFeatures[selection.group] ?? []);
  const x = scaleLinear(range(finite(all.flat())), [0, panel.width]).nice();
  canvas.svg.append(bottomAxis(x, panel, "mean of the group's features (standardised)"));
  all.forEach((values, m) => {
    const { names } = run.data.samples[m]!;
    const condition = run.conditions[m]!;
    const y = panel.top + rowHeight * m + rowHeight / 2;
    const own = run.groups[selection.group]?.members.condition === m;
    canvas.svg.append(
      shape("text", { x: panel.left - 10, y, "text-anchor": "end", fill: theme().ink, "font-weight": own ? 700 : 400 }, condition.name.length > 14 ? `${condition.name.slice(0, 13)}…` : condition.name),
      shape("text", { x: panel.left - 10, y: y + 15, "text-anchor": "end", "font-size": 11, fill: theme().quiet }, `spread ${decimal(spread(finite(values)))}`),
    );
    values.forEach((value, i) => {
      if (value === null) return;
      const dot = shape("circle", { cx: panel.left + x(value), cy: y + jitter(i) * rowHeight * 0.38, r: values.length > 300 ? 2 : 3, fill: own ? groupColour(selection.group) : theme().rest, "fill-opacity": 0.6 });
      dot.addEventListener("pointerenter", () => canvas.say(`${names[i]} (${condition.name}): ${significant(value)}`));
      canvas.svg.append(dot);
    });
  });
  canvas.size(panel.height + 48);
}

function drawMap(run: Run, canvas: Canvas): void {
  const layout = panels(run.data.samples.length, canvas.width, { least: 260, height: 240, left: 40 });
  const x0 = range(finite(run.data.samples.flatMap((one) => one.x)));
  const y0 = range(finite(run.data.samples.flatMap((one) => one.y)));
  const meta = run.data.samples.map((one) => one.metaFeatures[selection.group] ?? []);
  const largest = Math.max(...finite(meta.flat()).map(Math.abs), 1e-9);
  run.data.samples.forEach((samples, m) => {
    const panel = layout.panels[m]!;
    const x = scaleLinear(x0, [0, panel.width]).nice();
    const y = scaleLinear(y0, [panel.height, 0]).nice();
    const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    canvas.svg.append(heading(panel, run.conditions[m]!.name), leftAxis(y, panel), bottomAxis(x, panel, "component 1 (upwards: component 2)"), group);
    samples.x.forEach((value, i) => {
      const score = meta[m]![i];
      const colour = typeof score === "number" ? interpolatePuOr(0.5 + (0.5 * score) / largest) : theme().rest;
      const dot = shape("circle", { cx: x(value), cy: y(samples.y[i]!), r: 3, fill: colour, stroke: theme().rest, "stroke-width": 0.4 });
      dot.addEventListener("pointerenter", () => canvas.say(`${samples.names[i]} (${run.conditions[m]!.name})${typeof score === "number" ? `: mean of the group ${significant(score)}` : ""}`));
      group.append(dot);
    });
  });
  canvas.size(layout.height);
}

export function samplesFigures(run: Run): HTMLElement[] {
  const { samples } = run.data;
  if (samples.length === 0) return [];
  const total = samples.reduce((sum, one) => sum + one.total, 0);
  const shown = samples.reduce((sum, one) => sum + one.names.length, 0);
  const part = shown < total ? ` ${whole(shown)} of ${whole(total)} samples are drawn, evenly spaced; samples.tsv has all.` : "";
  const figures: HTMLElement[] = [];
  if (run.data.groups.length > 0) {
    figures.push(figure({
      id: "samples",
      title: "The group in the samples",
      how: [`Each dot is a sample, placed by the mean of the group's features. Features that move together make this mean vary: the spread is wide where the group is connected, and narrow where it is not. A shift to one side is a change of level, which plays no role in the p-value.${part}`],
      follows: true,
      draw: (canvas) => drawStrips(run, canvas),
      label: () => `Mean of group ${run.groups[selection.group]?.label ?? ""} in every sample, by condition`,
    }));
  }
  if (total >= manySamples) {
    figures.push(figure({
      id: "map",
      title: "Map of the samples",
      how: [`Samples that are alike lie together (principal components of ${run.summary.component_features === run.data.features.total ? "all" : `the ${run.summary.component_features ?? ""}`} features${run.summary.component_features === run.data.features.total ? "" : " with the most energy"}, all conditions together).${run.data.groups.length > 0 ? " Colour: the mean of the chosen group, brown high, purple low." : ""}${part}`],
      follows: true,
      draw: (canvas) => drawMap(run, canvas),
      label: () => "Principal components of the samples, one panel per condition",
    }));
  }
  return figures;
}
