// The network of one group in every condition: the same places, so that only the connections differ. Lines say what changed.
import { element, shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { count, decimal, significant, triangle } from "../numbers";
import type { Group, Run } from "../run";
import { selection } from "../state";
import { changeColor, groupColor, theme } from "../theme";
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

/** Correlations that are worth a line, and the share of the strongest weight where there are no correlations. */
const leastCorrelation = 0.25, leastShare = 0.125;

/** The lines worth drawing: connected beyond `least` (of 1, or of the strongest weight) somewhere; those that changed most first. */
export function linesOf(group: Group, most = mostLines, share?: number): { lines: Line[]; all: number } {
  const { graph } = group;
  if (!graph) return { lines: [], all: 0 };
  const matrices = graph.correlations ?? graph.conditions;
  const strongest = matrices.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12);
  const least = graph.correlations ? share ?? leastCorrelation : strongest * (share ?? leastShare);
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

/** Members that have a line; of all where none has. */
function drawnMembers(group: Group, lines: Line[]): number[] {
  const all = group.graph!.features.map((_, i) => i);
  const linked = new Set(lines.flatMap((line) => [line.a, line.b]));
  const picked = group.graph!.features.indexOf(selection.feature ?? "");
  return linked.size < 3 ? all : all.filter((i) => linked.has(i) || i === picked);
}

interface Name {
  member: number;
  x: number;
  y: number;
}

/** Names for the members with most lines, the chosen one always, where they fit without lying on each other. */
function placeNames(group: Group, lines: Line[], members: number[], places: Place[]): Name[] {
  const names = group.graph!.features;
  const degree = (i: number) => (names[i] === selection.feature ? 1e6 : 0) + lines.filter((line) => line.a === i || line.b === i).length;
  const boxes: { x: number; y: number; half: number }[] = [];
  const placed: Name[] = [];
  for (const k of members.map((_, k) => k).sort((a, b) => degree(members[b]!) - degree(members[a]!) || a - b)) {
    if (placed.length === hubs) break;
    const member = members[k]!;
    const half = 3.6 * Math.min(12, names[member]!.length);
    const free = [-9, 17].map((dy) => ({ x: places[k]!.x, y: places[k]!.y + dy, half })).find((box) => boxes.every((one) => Math.abs(one.y - box.y) > 12 || Math.abs(one.x - box.x) > one.half + half + 2));
    if (!free) continue;
    boxes.push(free);
    placed.push({ member, x: free.x, y: free.y });
  }
  return placed;
}

interface Scene {
  lines: Line[];
  /** Which members are drawn, and where each of them stands. */
  members: number[];
  places: Place[];
  names: Name[];
}

/** Members keep their places when a stronger connection is asked for. */
function sceneOf(group: Group, width: number, height: number, share?: number): Scene {
  const all = linesOf(group).lines;
  const { lines } = share === undefined ? { lines: all } : linesOf(group, mostLines, share);
  const members = drawnMembers(group, [...all, ...lines]);
  const rank = new Map(members.map((member, k) => [member, k]));
  const places = layoutOf(members.length, all.map(({ a, b, values }) => ({ a: rank.get(a)!, b: rank.get(b)!, values })), group.members.condition, width, height);
  return { lines, members, places, names: placeNames(group, lines, members, places) };
}

function drawLines(run: Run, group: Group, scene: Scene, m: number, target: SVGGElement, canvas: Canvas): number {
  const colors = theme();
  const names = group.graph!.features;
  const home = group.members.condition;
  const placeOf = new Map(scene.members.map((member, k) => [member, scene.places[k]!]));
  let drawn = 0;
  for (const line of [...scene.lines].reverse()) {  // those that changed lie above those that are shared
    const value = Math.abs(line.values[m]!);
    const isThere = line.kind === "gained" ? m === home : line.kind === "lost" ? m !== home && value >= 2 * Math.abs(line.values[home]!) : true;
    const near = selection.feature === names[line.a] || selection.feature === names[line.b];
    const [from, to] = [placeOf.get(line.a)!, placeOf.get(line.b)!];
    if (isThere) ++drawn;
    const node = shape("line", {
      x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke: near && isThere ? colors.ink : changeColor(line.kind),
      "stroke-width": isThere ? 0.6 + 2.2 * Math.min(1, value) : 0.7, "stroke-opacity": isThere ? (line.kind === "shared" ? 0.55 : 0.7) : 0.2, "stroke-dasharray": isThere ? undefined : "1 5",
    });
    node.addEventListener("pointerenter", () => canvas.say(describeLine(run, group, line)));
    node.addEventListener("click", () => selection.choose({ pair: [names[line.a]!, names[line.b]!] }));
    target.append(node);
  }
  return drawn;
}

function drawMembers(run: Run, group: Group, scene: Scene, target: SVGGElement, canvas: Canvas): void {
  const colors = theme();
  const named = new Set(scene.names.map((one) => one.member));
  scene.members.forEach((member, k) => {
    const feature = group.graph!.features[member]!;
    const picked = feature === selection.feature;
    const outlined = picked || selection.marked.includes(feature);
    const { x, y } = scene.places[k]!;
    const dot = shape("circle", { cx: x, cy: y, r: picked ? 7 : named.has(member) ? 5 : 3.5, fill: groupColor(group.index), stroke: outlined ? colors.ink : colors.paper, "stroke-width": outlined ? 2.5 : 1 });
    dot.addEventListener("pointerenter", () => canvas.say(describeMember(run, group, scene.lines, member)));
    dot.addEventListener("click", () => selection.choose({ feature: picked ? null : feature }));
    target.append(dot);
  });
  for (const { member, x, y } of scene.names) {
    const feature = group.graph!.features[member]!;
    target.append(shape("text", { x, y, "text-anchor": "middle", "font-size": 11, "font-weight": feature === selection.feature ? 700 : 600, fill: colors.ink, stroke: colors.paper, "stroke-width": 3, "paint-order": "stroke", "pointer-events": "none" }, feature.length > 12 ? `${feature.slice(0, 11)}…` : feature));
  }
}

function draw(run: Run, canvas: Canvas, share?: number): void {
  const group = run.groups[selection.group];
  if (!group?.graph) {
    canvas.svg.append(shape("text", { y: 20, fill: theme().quiet }, "Only the first groups have a picture."));
    canvas.size(30);
    return;
  }
  const amount = run.conditions.length;
  const layout = panels(amount, canvas.width, { least: 300, height: Math.min(400, canvas.width / Math.min(amount, canvas.width < 620 ? 1 : 2) - 20), left: 8, gap: 8, top: 30, bottom: 8, most: amount === 4 ? 2 : 3 });
  const scene = sceneOf(group, layout.panels[0]!.width, layout.panels[0]!.height, share);
  run.conditions.forEach((condition, m) => {
    const panel = layout.panels[m]!;
    const target = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    const drawn = drawLines(run, group, scene, m, target, canvas);
    drawMembers(run, group, scene, target, canvas);
    canvas.svg.append(heading(panel, `${condition.name}: ${count(drawn, "line")}`), target);
  });
  keyboard(canvas, () => scene.members.length, (k) => canvas.say(describeMember(run, group, scene.lines, scene.members[k]!)));
  canvas.size(layout.height + 22);
  drawKey(canvas, layout.height + 8);
}

function drawKey(canvas: Canvas, y: number): void {
  let x = 8;
  for (const kind of ["gained", "lost", "shared"] as Kind[]) {
    canvas.svg.append(
      shape("line", { x1: x, x2: x + 24, y1: y, y2: y, stroke: changeColor(kind), "stroke-width": 3 }),
      shape("text", { x: x + 30, y: y + 4, "font-size": 11, fill: theme().quiet }, words[kind]));
    x += 118;
  }
}

/** How strong a connection must be, somewhere, to be drawn. */
function strengthSlider(isCorrelation: boolean): { node: HTMLElement; slider: HTMLInputElement; share: () => number | undefined } {
  const least = isCorrelation ? leastCorrelation : leastShare;
  const slider = element("input", { type: "range", id: "network-least", min: least, max: 0.95, step: 0.025, value: least });
  const said = element("output", { for: "network-least" });
  const share = () => (Number(slider.value) > least ? Number(slider.value) : undefined);
  const say = () => {
    const value = Number(slider.value);
    const text = isCorrelation ? decimal(value) : `${Math.round(100 * value)} % of the strongest`;
    said.textContent = text;
    slider.setAttribute("aria-valuetext", text);
  };
  slider.addEventListener("input", say);
  say();
  return { node: element("label", { class: "choice" }, isCorrelation ? "Least correlation " : "Least weight ", slider, " ", said), slider, share };
}

export function graphFigure(run: Run): HTMLElement | null {
  if (run.data.graphs.length === 0) return null;
  const isCorrelation = Boolean(run.data.graphs[0]!.correlations);
  const measure = isCorrelation ? `correlation of at least ${leastCorrelation}` : "connection";
  const strength = strengthSlider(isCorrelation);
  return figure({
    id: "graph",
    title: "The group as a network",
    how: [`Dots are members (up to 40, those that changed most), at the same place in every condition; lines are pairs with a ${measure} in some condition. Color says what happened to a pair in the group's own condition: gained (at least twice as strong as elsewhere), lost, or shared. At most ${mostLines} lines are drawn; dotted: not there in this condition. Choose a line to see its values, a dot to mark the feature.`],
    follows: true,
    controls: [strength.node],
    handle: (again) => strength.slider.addEventListener("input", again),
    draw: (canvas) => draw(run, canvas, strength.share()),
    label: () => {
      const group = run.groups[selection.group];
      const { lines } = group ? linesOf(group, mostLines, strength.share()) : { lines: [] };
      const amount = (kind: Kind) => lines.filter((line) => line.kind === kind).length;
      return `Connections between the members of group ${group?.label ?? ""}: ${amount("gained")} gained, ${amount("lost")} lost, ${amount("shared")} shared; arrow keys walk through the members`;
    },
  });
}
