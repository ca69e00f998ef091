// The values of two features against each other, one panel per condition: what a change of correlation looks like.
import { scaleLinear } from "d3-scale";
import { element, shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { decimal, significant, triangle, whole } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColor, theme } from "../theme";
import { bottomAxis, heading, leftAxis, panels } from "./axes";

/** The chosen pair; else the strongest change of the chosen group, or of all pairs, whose values are at hand. */
export function pairOf(run: Run): [string, string] | null {
  const known = new Set((run.data.values?.features ?? []).map((one) => one.name));
  const at = (pair: [string, string]) => known.has(pair[0]) && known.has(pair[1]);
  if (selection.pair && at(selection.pair)) return selection.pair;
  const group = run.groups[selection.group];
  const { pairs } = run.data;
  const changed = pairs?.rows.map((row): [string, string] => [row[pairs.columns.indexOf("feature_a")]!, row[pairs.columns.indexOf("feature_b")]!]) ?? [];
  const told = group ? run.told(group, 12) : [];
  const options: [string, string][] = [...(group ? run.edges(group, 12).map((edge): [string, string] => [edge.a, edge.b]) : []), ...(told.length > 1 ? [[told[0]!, told[1]!] as [string, string]] : []), ...(group ? [] : changed)];
  return options.find(at) ?? null;
}

/** The correlation of a pair in a condition, from all samples where the page has it, else from those drawn. */
function correlation(run: Run, pair: [string, string], m: number, x: number[], y: number[]): number {
  const graph = run.groups[selection.group]?.graph;
  const [i, j] = pair.map((name) => graph?.features.indexOf(name) ?? -1);
  if (graph?.correlations && i! >= 0 && j! >= 0) return triangle(graph.correlations[m]!, i!, j!);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [mx, my] = [mean(x), mean(y)];
  const product = (a: number[], b: number[], ma: number, mb: number) => a.reduce((sum, value, k) => sum + (value - ma) * (b[k]! - mb), 0);
  return product(x, y, mx, my) / Math.sqrt(product(x, x, mx, mx) * product(y, y, my, my) || 1);
}

function jitter(index: number): number {
  return (((index * 0.618034) % 1) - 0.5) * 2;
}

function draw(run: Run, canvas: Canvas): void {
  const pair = pairOf(run);
  const { values } = run.data;
  if (!pair || !values) {
    canvas.svg.append(shape("text", { y: 20, fill: theme().quiet }, "No pair with values at hand is chosen."));
    canvas.size(30);
    return;
  }
  const features = pair.map((name) => values.features.findIndex((one) => one.name === name));
  const [low, high] = [0, 1].map((k) => values.features[features[k]!]!);
  const amount = run.conditions.length;
  const home = run.groups[selection.group]?.members.condition;
  const layout = panels(amount, canvas.width, { least: 300, height: Math.min(300, canvas.width - 80), left: 58, top: 30, bottom: 42, most: amount === 4 ? 2 : 3 });
  const describe: (() => void)[] = [];
  run.conditions.forEach((condition, m) => {
    const panel = layout.panels[m]!;
    const x = scaleLinear([low!.low, low!.high], [6, panel.width - 6]).nice();
    const y = scaleLinear([high!.low, high!.high], [panel.height - 6, 6]).nice();
    const value = (feature: { low: number; high: number }, level: number) => feature.low + ((feature.high - feature.low) * level) / values.top;
    const { samples, levels } = values.conditions[m]!;
    const points = samples.map((name, i) => ({ name, u: levels[features[0]!]![i], v: levels[features[1]!]![i] })).filter((one) => one.u !== null && one.v !== null).map(({ name, u, v }) => ({ name, u: value(low!, u!), v: value(high!, v!) }));
    const r = correlation(run, pair, m, points.map((one) => one.u), points.map((one) => one.v));
    const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    canvas.svg.append(heading(panel, `${condition.name}: correlation ${decimal(r)}`), leftAxis(y, panel), bottomAxis(x, panel, pair[0]), group);
    points.forEach((point, i) => {
      // Many samples without any count lie on one point; a little scatter shows them.
      const dot = shape("circle", { cx: x(point.u) + 2.5 * jitter(i), cy: y(point.v) + 2.5 * jitter(i + 7), r: 3, fill: m === home ? groupColor(selection.group) : theme().rest, "fill-opacity": 0.5 });
      const say = () => canvas.say(`${point.name} (${condition.name}): ${pair[0]} ${significant(point.u)}, ${pair[1]} ${significant(point.v)}`);
      dot.addEventListener("pointerenter", say);
      if (m === 0) describe.push(say);
      group.append(dot);
    });
    canvas.svg.append(shape("text", { transform: `translate(${panel.left - 42},${panel.top + panel.height / 2}) rotate(-90)`, "text-anchor": "middle", "font-size": 11, fill: theme().quiet }, pair[1]));
  });
  keyboard(canvas, () => describe.length, (i) => describe[i]?.());
  canvas.size(layout.height);
}

/** A picker of the pairs that changed most, and the scatter. */
export function pairFigure(run: Run): HTMLElement | null {
  const { values } = run.data;
  if (!values || pairOf(run) === null) return null;
  const drawnSamples = values.conditions.map((one) => one.samples.length);
  const total = run.conditions.reduce((sum, one) => sum + one.samples, 0);
  const drawnTotal = drawnSamples.reduce((sum, one) => sum + one, 0);
  const names = element("datalist", { id: "value-features" }, ...values.features.map((one) => element("option", { value: one.name })));
  const inputs = [0, 1].map((k) => {
    const input = element("input", { type: "text", list: "value-features", "aria-label": k === 0 ? "Feature of the horizontal axis" : "Feature of the vertical axis", size: 14 });
    input.addEventListener("change", () => {
      const pair = inputs.map((one) => one.value) as [string, string];
      if (pair.every((name) => values.features.some((one) => one.name === name))) selection.choose({ pair });
    });
    return input;
  });
  const follow = () => pairOf(run)?.forEach((name, k) => { inputs[k]!.value = name; });
  selection.onChange(follow);
  follow();
  return figure({
    id: "pair",
    title: "One pair, sample by sample",
    how: [`Each dot is a sample. ${drawnTotal < total ? `${whole(drawnTotal)} of ${whole(total)} samples are drawn, evenly spaced; correlations are of all. ` : ""}Choose a pair in the matrix, the network or a table, or write two of the ${whole(values.features.length)} features whose values the page has.`],
    controls: [element("label", { class: "choice" }, "Features ", inputs[0]!), element("label", { class: "choice" }, "and ", inputs[1]!), names],
    follows: true,
    draw: (canvas) => draw(run, canvas),
    label: () => `Values of ${pairOf(run)?.join(" and ") ?? "no pair"} in each sample, one panel per condition; arrow keys walk through the samples`,
  });
}
