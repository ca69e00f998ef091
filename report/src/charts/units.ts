// Does every unit (donor, subject) show the chosen group? One dot per unit and condition, by the mean correlation within the group.
import { scaleLinear } from "d3-scale";
import { choice, shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { count, decimal, whole } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColor, theme } from "../theme";
import { leftAxis } from "./axes";

interface Dot {
  name: string;
  condition: number;
  samples: number;
  value: number;
}

type Measure = "correlations" | "scores";

const words: Record<Measure, string> = { correlations: "mean correlation within the group", scores: "mean of its features" };

function dots(run: Run, measure: Measure): Dot[] {
  const values = run.data.units?.[measure][selection.group] ?? [];
  return run.data.units!.units.flatMap((unit, u) => (typeof values[u] === "number" ? [{ ...unit, value: values[u]! }] : []));
}

/** Dots of one condition beside each other where they would lie on each other. */
function spreadOut(own: Dot[], y: (value: number) => number, room: number): { dot: Dot; x: number }[] {
  const placed: { dot: Dot; x: number; y: number }[] = [];
  for (const dot of [...own].sort((a, b) => a.value - b.value)) {
    const at = y(dot.value);
    const free = [0, 1, -1, 2, -2, 3, -3, 4, -4].map((k) => 11 * k).find((x) => Math.abs(x) < room / 2 && placed.every((one) => Math.hypot(one.x - x, one.y - at) > 10)) ?? 0;
    placed.push({ dot, x: free, y: at });
  }
  return placed;
}

function draw(run: Run, measure: Measure, canvas: Canvas): void {
  const all = dots(run, measure);
  const colors = theme();
  if (all.length === 0) {
    canvas.svg.append(shape("text", { y: 20, fill: colors.quiet }, run.groups[selection.group] ? "No unit has enough samples for this group." : "No group is chosen."));
    canvas.size(30);
    return;
  }
  const panel = { left: 48, top: 12, width: Math.min(canvas.width - 60, 200 * run.conditions.length), height: 230 };
  const y = scaleLinear([Math.min(0, ...all.map((one) => one.value)), Math.max(0.1, ...all.map((one) => one.value))], [panel.height, 0]).nice();
  const step = panel.width / run.conditions.length;
  const home = run.groups[selection.group]!.members.condition;
  canvas.svg.append(leftAxis(y, panel));
  const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
  const describe: (() => void)[] = [];
  const places = run.conditions.flatMap((_, m) => spreadOut(all.filter((one) => one.condition === m), y, step - 20).map(({ dot, x }) => ({ dot, x: (m + 0.5) * step + x, y: y(dot.value) })));
  // The same unit in several conditions: the line says which way it goes.
  for (const one of places) {
    const next = places.find((other) => other.dot.name === one.dot.name && other.dot.condition === one.dot.condition + 1);
    if (next) group.append(shape("path", { d: `M${one.x},${one.y}L${next.x},${next.y}`, stroke: colors.rest, "stroke-width": 1 }));
  }
  for (const { dot, x, y: at } of places) {
    const node = shape("circle", { cx: x, cy: at, r: 5, fill: dot.condition === home ? groupColor(selection.group) : colors.paper, stroke: dot.condition === home ? colors.paper : colors.quiet, "stroke-width": dot.condition === home ? 1 : 2 });
    const say = () => canvas.say(`${dot.name} (${run.conditions[dot.condition]!.name}): ${words[measure]} ${decimal(dot.value)}, ${count(dot.samples, "sample")}`);
    node.addEventListener("pointerenter", say);
    describe.push(say);
    group.append(node);
  }
  run.conditions.forEach((condition, m) => {
    const text = condition.name.length > 22 ? `${condition.name.slice(0, 21)}…` : condition.name;
    group.append(shape("text", { x: (m + 0.5) * step, y: panel.height + 22, "text-anchor": "middle", fill: colors.ink, "font-weight": m === home ? 700 : 400 }, text));
  });
  canvas.svg.append(group);
  keyboard(canvas, () => describe.length, (k) => describe[k]?.());
  canvas.size(panel.top + panel.height + 34);
}

/** What the picture shows, in numbers. */
function inWords(run: Run, measure: Measure): string {
  const all = dots(run, measure);
  const home = run.groups[selection.group]?.members.condition;
  return run.conditions.map((condition, m) => {
    const own = all.filter((one) => one.condition === m).map((one) => one.value).sort((a, b) => a - b);
    return own.length === 0 ? `${condition.name}: none` : `${condition.name}${m === home ? " (its condition)" : ""}: ${whole(own.length)} from ${decimal(own[0])} to ${decimal(own[own.length - 1])}`;
  }).join("; ");
}

export function unitsFigure(run: Run): HTMLElement | null {
  if (!run.data.units || run.groups.length === 0) return null;
  let measure: Measure = "correlations";
  let redraw: () => void = () => undefined;
  const what = choice("Show", [words.correlations, words.scores], (index) => {
    measure = index === 0 ? "correlations" : "scores";
    redraw();
  });
  return figure({
    id: "units",
    title: `Does every ${run.unitWord === "sample" ? "unit" : run.unitWord} show it?`,
    how: [`One dot per ${run.unitWord === "sample" ? "unit" : run.unitWord} and condition: the mean correlation within the chosen group over its samples alone. Filled: the group's own condition. Lines join the same ${run.unitWord === "sample" ? "unit" : run.unitWord} in two conditions. If few of them lie apart from the others, the group rests on these few.`],
    controls: [what.node],
    follows: true,
    handle: (draws) => { redraw = draws; },
    draw: (canvas) => draw(run, measure, canvas),
    label: () => `${words[measure]} of ${run.groups[selection.group]?.label ?? ""}, one dot per unit. ${inWords(run, measure)}`,
  });
}
