// Samples: the mean of a group's features in each of them, and where they lie among each other.
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { interpolatePuOr } from "d3-scale-chromatic";
import { choice, shape } from "../dom";
import { figure, type Canvas } from "../figure";
import { decimal, significant, whole } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColor, theme } from "../theme";
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
  canvas.svg.append(bottomAxis(x, panel, "mean of the group's features (standardized)"));
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
      const dot = shape("circle", { cx: panel.left + x(value), cy: y + jitter(i) * rowHeight * 0.38, r: values.length > 300 ? 2 : 3, fill: own ? groupColor(selection.group) : theme().rest, "fill-opacity": 0.6 });
      dot.addEventListener("pointerenter", () => canvas.say(`${names[i]} (${condition.name}): ${significant(value)}`));
      canvas.svg.append(dot);
    });
    drawUnits(run, m, values, x, panel.left, y, canvas);
  });
  canvas.size(panel.height + 48);
}

/** How far the scores of every unit (donor, animal) spread: a bar from one standard deviation below its mean to one above. */
function drawUnits(run: Run, m: number, values: (number | null)[], x: (value: number) => number, left: number, y: number, canvas: Canvas): void {
  const { unit } = run.summary.settings.used;
  const label = run.data.samples[m]!.labels.find((one) => one.name === unit);
  if (!label) return;
  const units = [...new Set(label.values)];
  units.forEach((name, k) => {
    const own = finite(values.filter((_, i) => label.values[i] === name));
    if (own.length < 3) return;
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
    const at = y + ((k + 0.5) / units.length - 0.5) * 56;
    const bar = shape("line", { x1: left + x(mean - spread(own)), x2: left + x(mean + spread(own)), y1: at, y2: at, stroke: theme().ink, "stroke-width": 2.5 });
    bar.addEventListener("pointerenter", () => canvas.say(`${String(unit)} ${name} (${run.conditions[m]!.name}): mean ${decimal(mean)}, spread ${decimal(spread(own))}, ${whole(own.length)} samples drawn`));
    canvas.svg.append(bar);
  });
}

type Samples = Run["data"]["samples"][number];

/** Embeddings that the file brought along: labels "X_umap 1" and "X_umap 2". */
function embeddings(samples: Samples): string[] {
  const names = new Set(samples.labels.map((one) => one.name));
  return [...names].flatMap((one) => (/^X_.* 1$/.test(one) && names.has(one.replace(/1$/, "2")) ? [one.slice(0, -2)] : []));
}

/** Places in an embedding, or by principal components where none is named. */
function placesOf(samples: Samples, name: string): { x: (number | null)[]; y: (number | null)[] } {
  if (name === "") return samples;
  const axis = (k: number) => (samples.labels.find((one) => one.name === `${name} ${k}`)?.values ?? []).map((value) => (value === "" ? null : Number(value)));
  return { x: axis(1), y: axis(2) };
}

interface MapView {
  /** The embedding whose places are drawn; empty: principal components. */
  places: string;
  /** Which label colors the samples; -1: the score of the chosen group. */
  label: number;
}

function drawMap(run: Run, view: MapView, canvas: Canvas): void {
  const labels = run.data.samples.map((one) => one.labels[view.label]);
  const known = [...new Set(labels.flatMap((one) => one?.values ?? []))].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const legend = drawLabels(canvas, known);
  const layout = panels(run.data.samples.length, canvas.width, { least: 260, height: 240, left: 40, top: 26 + legend });
  const places = run.data.samples.map((one) => placesOf(one, view.places));
  const x0 = range(finite(places.flatMap((one) => one.x)));
  const y0 = range(finite(places.flatMap((one) => one.y)));
  const meta = run.data.samples.map((one) => one.metaFeatures[selection.group] ?? []);
  const largest = Math.max(...finite(meta.flat()).map(Math.abs), 1e-9);
  run.data.samples.forEach((samples, m) => {
    const panel = layout.panels[m]!;
    const x = scaleLinear(x0, [0, panel.width]).nice();
    const y = scaleLinear(y0, [panel.height, 0]).nice();
    const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    canvas.svg.append(heading(panel, run.conditions[m]!.name), leftAxis(y, panel), bottomAxis(x, panel, view.places === "" ? "component 1 (upwards: component 2)" : `${view.places} 1 (upwards: 2)`), group);
    places[m]!.x.forEach((value, i) => {
      const above = places[m]!.y[i];
      if (typeof value !== "number" || typeof above !== "number") return;
      const score = meta[m]![i];
      const label = labels[m]?.values[i];
      const color = label !== undefined ? groupColor(known.indexOf(label)) : typeof score === "number" ? interpolatePuOr(0.5 + (0.5 * score) / largest) : theme().rest;
      const dot = shape("path", { transform: `translate(${x(value)},${y(above)})`, d: symbol(label === undefined ? 0 : known.indexOf(label)), fill: color, stroke: theme().rest, "stroke-width": 0.4 });
      dot.addEventListener("pointerenter", () => canvas.say(`${samples.names[i]} (${run.conditions[m]!.name})${label !== undefined ? `: ${samples.labels[view.label]!.name} ${label}` : typeof score === "number" ? `: mean of the group ${significant(score)}` : ""}`));
      group.append(dot);
    });
  });
  canvas.size(layout.height);
}

/** Marks beside colors: eight colors serve more values than eight. */
function symbol(place: number): string {
  const marks = ["M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0", "M-3,-3h6v6h-6z", "M0,-4l4,7h-8z"];
  return marks[Math.floor(Math.max(0, place) / 8) % marks.length]!;
}

/** What colors mean, in lines above the maps; returns how high it is. */
function drawLabels(canvas: Canvas, known: string[]): number {
  let [x, y] = [44, 12];
  known.forEach((label, place) => {
    const text = label.length > 18 ? `${label.slice(0, 17)}…` : label || "(none)";
    const width = 22 + 6.6 * text.length;
    if (x + width > canvas.width && x > 44) [x, y] = [44, y + 17];
    canvas.svg.append(shape("path", { transform: `translate(${x},${y - 4})`, d: symbol(place), fill: groupColor(place) }), shape("text", { x: x + 8, y, "font-size": 11, fill: theme().ink }, text));
    x += width;
  });
  return known.length === 0 ? 0 : y + 6;
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
      how: [`Each dot is a sample, placed by the mean of the group's features. Features that move together make this mean vary: the spread is wide where the group is connected, and narrow where it is not. A shift to one side is a change of level, which plays no role in the p-value.${typeof run.summary.settings.used.unit === "string" && samples[0]!.labels.some((one) => one.name === run.summary.settings.used.unit) ? ` Dark bars: the spread within each ${run.unitWord}; the group is there in every one whose bar is wide.` : ""}${part}`],
      follows: true,
      draw: (canvas) => drawStrips(run, canvas),
      label: () => `Mean of group ${run.groups[selection.group]?.label ?? ""} in every sample, by condition`,
    }));
  }
  if (total >= manySamples) {
    const known = embeddings(samples[0]!);
    const labels = samples[0]!.labels.map((one, index) => ({ name: one.name, index })).filter((one) => !known.some((stem) => one.name === `${stem} 1` || one.name === `${stem} 2`));
    const names = labels.map((one) => one.name);
    let redraw: () => void = () => undefined;
    const view: MapView = { places: known[0] ?? "", label: run.data.groups.length > 0 || names.length === 0 ? -1 : labels[0]!.index };
    const color = choice("Color", [run.data.groups.length > 0 ? "the chosen group" : "none", ...names], (index) => { view.label = index === 0 ? -1 : labels[index - 1]!.index; redraw(); }, { id: "map-color" });
    color.select.selectedIndex = view.label < 0 ? 0 : 1;
    const place = choice("Places", [...known, "principal components"], (index) => { view.places = known[index] ?? ""; redraw(); }, { id: "map-places" });
    figures.push(figure({
      id: "map",
      controls: [names.length > 0 ? color.node : null, known.length > 0 ? place.node : null],
      title: "Map of the samples",
      how: [`Samples that are alike lie together (${known.length > 0 ? `${known.join(", ")}: as the file has it; else ` : ""}principal components of ${run.summary.component_features === run.data.features.total ? "all" : `the ${run.summary.component_features ?? ""}`} features${run.summary.component_features === run.data.features.total ? "" : " with the most loading energy"}, all conditions together).${run.data.groups.length > 0 ? " Color: the mean of the chosen group, brown high, purple low." : ""}${part}`],
      follows: true,
      draw: (canvas) => drawMap(run, view, canvas),
      handle: (draws) => { redraw = draws; },
      label: () => `${view.places === "" ? "Principal components" : view.places} of the samples, one panel per condition`,
    }));
  }
  return figures;
}
