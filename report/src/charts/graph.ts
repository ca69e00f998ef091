// The network of one group in every condition: the same places, so that only the connections differ. Lines say what changed.
import { shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { count, decimal, significant, triangle } from "../numbers";
import type { Group, Run } from "../run";
import { selection } from "../state";
import { changeColour, groupColour, theme } from "../theme";
import { heading, panels } from "./axes";
import { layoutOf, type Place } from "./layout";

const mostLines = 100;
const hubs = 12;

export type Kind = "gained" | "lost" | "shared";

export interface Line {
  a: number;
  b: number;
  kind: Kind;
  /** Correlations, or weights where the values were not at hand: per condition. */
  values: number[];
}

/** The lines worth drawing: connected beyond `least` somewhere; those that changed most first. */
export function linesOf(group: Group, most = mostLines): { lines: Line[]; all: number } {
  const { graph } = group;
  if (!graph) return { lines: [], all: 0 };
  const matrices = graph.correlations ?? graph.conditions;
  const strongest = matrices.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12);
  const least = graph.correlations ? 0.25 : strongest / 8;
  const home = group.members.condition;
  const lines: (Line & { change: number })[] = [];
  for (let a = 1; a < graph.features.length; ++a) {
    for (let b = 0; b < a; ++b) {
      const values = matrices.map((one) => triangle(one, a, b));
      const here = Math.abs(values[home]!);
      const elsewhere = Math.max(...values.filter((_, m) => m !== home).map(Math.abs));
      if (Math.max(here, elsewhere) < least) continue;
      const kind: Kind = elsewhere < here / 2 ? "gained" : here < elsewhere / 2 ? "lost" : "shared";
      lines.push({ a, b, kind, values, change: Math.abs(here - elsewhere) });
    }
  }
  const changed = lines.filter((line) => line.kind !== "shared").sort((x, y) => y.change - x.change);
  const shared = lines.filter((line) => line.kind === "shared").sort((x, y) => Math.abs(y.values[home]!) - Math.abs(x.values[home]!));
  if (lines.length <= most) return { lines: [...changed, ...shared], all: lines.length };
  const room = Math.max(Math.min(shared.length, Math.floor(most / 4)), most - changed.length);  // of those that are shared
  return { lines: [...changed.slice(0, most - Math.min(room, shared.length)), ...shared.slice(0, room)], all: lines.length };
}

const words: Record<Kind, string> = { gained: "gained here", lost: "lost here", shared: "shared" };

function describeLine(run: Run, group: Group, line: Line): string {
  const names = group.graph!.features;
  const values = line.values.map((value, m) => `${decimal(value)} in ${run.conditions[m]!.name}`);
  return `${names[line.a]} – ${names[line.b]} (${words[line.kind]}): ${values.join(", ")}`;
}

function describeMember(run: Run, group: Group, lines: Line[], i: number): string {
  const name = group.graph!.features[i]!;
  const own = lines.filter((line) => line.a === i || line.b === i);
  const parts = (["gained", "lost", "shared"] as Kind[]).map((kind) => ({ kind, amount: own.filter((line) => line.kind === kind).length })).filter((one) => one.amount > 0);
  const best = [...own].sort((x, y) => Math.abs(y.values[group.members.condition]!) - Math.abs(x.values[group.members.condition]!))[0];
  const partner = best ? `; strongest with ${group.graph!.features[best.a === i ? best.b : best.a]} (${best.values.map((value, m) => `${significant(value, 2)} in ${run.conditions[m]!.name}`).join(", ")})` : "";
  return `${name}: ${parts.map((one) => `${one.amount} ${words[one.kind]}`).join(", ") || "no line drawn"}${partner}`;
}

/** Names for the members with most lines; the chosen one always. */
function named(group: Group, lines: Line[], small: boolean): Set<number> {
  const degree = group.graph!.features.map((feature, i) => (feature === selection.feature ? 1e6 : 0) + lines.filter((line) => line.a === i || line.b === i).length);
  const order = degree.map((_, i) => i).sort((i, j) => degree[j]! - degree[i]! || i - j);
  return new Set(order.slice(0, small ? 8 : Math.max(hubs, 0)));
}

function drawPanel(run: Run, group: Group, lines: Line[], m: number, places: Place[], target: SVGGElement, canvas: Canvas, small: boolean): number {
  const colours = theme();
  let drawn = 0;
  const home = group.members.condition;
  // Lines that are shared lie below those that changed.
  for (const line of [...lines].reverse()) {
    const value = Math.abs(line.values[m]!);
    const isOwn = line.kind === "gained" ? m === home : line.kind === "lost" ? m !== home && value >= Math.abs(line.values[home]!) * 2 : true;
    const near = selection.feature === group.graph!.features[line.a] || selection.feature === group.graph!.features[line.b];
    const [from, to] = [places[line.a]!, places[line.b]!];
    if (isOwn) ++drawn;
    const node = shape("line", {
      x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke: near && isOwn ? colours.ink : changeColour(line.kind),
      "stroke-width": isOwn ? 0.8 + 2.6 * Math.min(1, value) : 0.7, "stroke-opacity": isOwn ? (line.kind === "shared" ? 0.55 : 0.8) : 0.25, "stroke-dasharray": isOwn ? undefined : "1 5",
    });
    node.addEventListener("pointerenter", () => canvas.say(describeLine(run, group, line)));
    node.addEventListener("click", () => selection.choose({ pair: [group.graph!.features[line.a]!, group.graph!.features[line.b]!] }));
    target.append(node);
  }
  const withName = named(group, lines, small);
  const texts: SVGElement[] = [];
  group.graph!.features.forEach((feature, i) => {
    const picked = feature === selection.feature;
    const { x, y } = places[i]!;
    const dot = shape("circle", { cx: x, cy: y, r: picked ? 7 : withName.has(i) ? 5 : 3.5, fill: groupColour(group.index), stroke: picked ? colours.ink : colours.paper, "stroke-width": picked ? 2 : 1 });
    dot.addEventListener("pointerenter", () => canvas.say(describeMember(run, group, lines, i)));
    dot.addEventListener("click", () => selection.choose({ feature: picked ? null : feature }));
    target.append(dot);
    if (withName.has(i)) {
      texts.push(shape("text", { x, y: y - 8, "text-anchor": "middle", "font-size": 11, "font-weight": picked ? 700 : 600, fill: colours.ink, stroke: colours.paper, "stroke-width": 3, "paint-order": "stroke", "pointer-events": "none" }, feature.length > 12 ? `${feature.slice(0, 11)}…` : feature));
    }
  });
  target.append(...texts);
  return drawn;
}

function draw(run: Run, canvas: Canvas): void {
  const group = run.groups[selection.group];
  if (!group?.graph) {
    canvas.svg.append(shape("text", { y: 20, fill: theme().quiet }, "Only the first groups have a picture."));
    canvas.size(30);
    return;
  }
  const amount = run.conditions.length;
  const layout = panels(amount, canvas.width, { least: 300, height: Math.min(400, canvas.width / Math.min(amount, canvas.width < 620 ? 1 : 2) - 20), left: 8, gap: 8, top: 30, bottom: 8, most: amount === 4 ? 2 : 3 });
  const { lines } = linesOf(group);
  const { width, height } = layout.panels[0]!;
  const places = layoutOf(group.graph.features.length, lines, group.members.condition, width, height);
  run.conditions.forEach((condition, m) => {
    const panel = layout.panels[m]!;
    const target = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    const drawn = drawPanel(run, group, lines, m, places, target, canvas, canvas.width < 500);
    canvas.svg.append(heading(panel, `${condition.name}: ${count(drawn, "line")}`), target);
  });
  keyboard(canvas, () => group.graph!.features.length, (i) => canvas.say(describeMember(run, group, lines, i)));
  canvas.size(layout.height + 22);
  drawKey(canvas, layout.height + 8);
}

function drawKey(canvas: Canvas, y: number): void {
  let x = 8;
  for (const kind of ["gained", "lost", "shared"] as Kind[]) {
    canvas.svg.append(
      shape("line", { x1: x, x2: x + 24, y1: y, y2: y, stroke: changeColour(kind), "stroke-width": 3 }),
      shape("text", { x: x + 30, y: y + 4, "font-size": 11, fill: theme().quiet }, words[kind]));
    x += 118;
  }
}

export function graphFigure(run: Run): HTMLElement | null {
  if (run.data.graphs.length === 0) return null;
  const measure = run.data.graphs[0]!.correlations ? "correlation of at least 0.25" : "connection";
  return figure({
    id: "graph",
    title: "The group as a network",
    how: [`Dots are members (up to 40, those that changed most), at the same place in every condition; lines are pairs with a ${measure} in some condition. Colour says what happened to a pair in the group's own condition: gained (at least twice as strong as elsewhere), lost, or shared. At most ${mostLines} lines are drawn; dotted: not there in this condition. Choose a line to see its values, a dot to mark the feature.`],
    follows: true,
    draw: (canvas) => draw(run, canvas),
    label: () => {
      const group = run.groups[selection.group];
      const { lines } = group ? linesOf(group) : { lines: [] };
      const amount = (kind: Kind) => lines.filter((line) => line.kind === kind).length;
      return `Connections between the members of group ${group?.label ?? ""}: ${amount("gained")} gained, ${amount("lost")} lost, ${amount("shared")} shared; arrow keys walk through the members`;
    },
  });
}
