// The weights between features of every condition, side by side, in the same order, and how they differ; zoomed together.
import { max, quantileSorted } from "d3-array";
import { scaleLinear } from "d3-scale";
import { button, choice, element, shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { count, significant, triangle, whole } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColor, isDark, theme } from "../theme";
import { heading, panels, type Panel } from "./axes";

const smallest = 6; // lines that stay when zoomed in
const namesUpTo = 44; // lines: then they are named at the edge

interface View {
  first: number;
  last: number; // exclusive
  /** Whose groups stand first; null: those of the chosen group's condition. */
  condition: number | null;
}

/** Which lines stand where. */
interface Order {
  condition: number;
  lines: number[];
  /** Per place: the group of this condition that holds the line, or -1. */
  owner: number[];
}

const orders = new Map<number, Order>();

function orderFor(run: Run, condition: number): Order {
  const known = orders.get(condition);
  if (known) return known;
  const { lines } = run.data.weights!;
  const own = lines.map(({ groups }) => groups.find((group) => run.groups[group]!.members.condition === condition && !run.parentOf(run.groups[group]!)) ?? -1);
  const rank = (line: number) => (own[line]! >= 0 ? own[line]! : 1e6);
  const order = lines.map((_, line) => line).sort((a, b) => rank(a) - rank(b) || a - b);
  const made = { condition, lines: order, owner: order.map((line) => own[line]!) };
  orders.set(condition, made);
  return made;
}

function chosenCondition(run: Run): number {
  return run.groups[selection.group]?.members.condition ?? Math.max(0, run.conditions.indexOf(run.targets[0]!));
}

/** The largest weight drawn: a few very strong pairs must not make all others pale. */
function top(conditions: number[][]): number {
  const positive = conditions.flatMap((values) => values.filter((value) => value > 0)).sort((a, b) => a - b);
  return quantileSorted(positive, 0.995) || max(positive) || 1;
}

/** One condition less the one that is most like it, pair by pair. */
function difference(conditions: number[][], condition: number): number[] {
  const others = conditions.filter((_, m) => m !== condition);
  return conditions[condition]!.map((value, k) => value - Math.max(...others.map((values) => values[k]!)));
}

const images = new Map<string, string>();

/** The whole matrix as an image, one pixel per pair of lines. */
function imageOf(key: string, values: number[], order: Order, low: number, high: number, colors: string[]): string {
  const wanted = `${key} ${order.condition} ${isDark()}`;
  const known = images.get(wanted);
  if (known) return known;
  const scale = scaleLinear<string>(colors.map((_, k) => (k / (colors.length - 1)) * 255), colors).clamp(true);
  const palette = Array.from({ length: 256 }, (_, k) => (scale(k).match(/\d+/g) ?? []).map(Number));
  const size = order.lines.length;
  const canvas = element("canvas", { width: size, height: size });
  const context = canvas.getContext("2d")!;
  const picture = context.createImageData(size, size);
  for (let i = 0; i < size; ++i) {
    for (let j = 0; j < size; ++j) {
      const share = (triangle(values, order.lines[i]!, order.lines[j]!) - low) / (high - low);
      const shade = palette[Math.max(0, Math.min(255, Math.round(share * 255)))]!;
      picture.data.set([shade[0]!, shade[1]!, shade[2]!, 255], 4 * (i * size + j));
    }
  }
  context.putImageData(picture, 0, 0);
  const address = canvas.toDataURL("image/png");
  images.set(wanted, address);
  return address;
}

function lineName(run: Run, line: number): string {
  const { first, last, features } = run.data.weights!.lines[line]!;
  return features === 1 ? first : `${first} … ${last} (mean of ${count(features, "feature")})`;
}

/** Colored bars along the edges with the names of the groups, or of the features where these fit. */
function drawBars(run: Run, view: View, order: Order, cell: number, group: SVGGElement, zoom: (first: number, last: number) => void): void {
  const shown = view.last - view.first;
  for (let begin = view.first; begin < view.last; ) {
    const owner = order.owner[begin]!;
    let end = begin + 1;
    while (end < view.last && order.owner[end] === owner) ++end;
    if (owner >= 0) {
      const from = (begin - view.first) * cell;
      const length = (end - begin) * cell;
      const bar = { fill: groupColor(owner), class: "bar-of-group", "data-group": run.groups[owner]!.label, cursor: "pointer" };
      const bars = [shape("rect", { ...bar, x: -9, y: from, width: 6, height: length }), shape("rect", { ...bar, y: -9, x: from, height: 6, width: length })];
      for (const one of bars) one.addEventListener("click", () => {
        selection.choose({ group: owner });
        zoom(order.owner.indexOf(owner) - 2, order.owner.lastIndexOf(owner) + 3);
      });
      group.append(
        ...bars,
        shape("rect", { x: from, y: from, width: length, height: length, fill: "none", stroke: groupColor(owner), "stroke-width": owner === selection.group ? 2.5 : 1.2, "pointer-events": "none" }),
      );
      if (shown > namesUpTo && length > 14) {
        group.append(shape("text", { x: -13, y: from + length / 2 + 4, "text-anchor": "end", "font-size": 10, fill: theme().quiet }, short(run.groups[owner]!.label, 8)));
      }
    }
    begin = end;
  }
  if (shown > namesUpTo || cell < 7) return;
  for (let place = view.first; place < view.last; ++place) {
    const { first, features } = run.data.weights!.lines[order.lines[place]!]!;
    group.append(shape("text", { x: -12, y: (place - view.first + 0.5) * cell + 3.5, "text-anchor": "end", "font-size": Math.min(10, cell), fill: theme().ink }, short(features === 1 ? first : `${first} …`, 8)));
  }
}

function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function drawLegend(canvas: Canvas, largest: number, y: number): void {
  const width = Math.min(150, canvas.width / 2 - 110);
  const bar = (id: string, x: number, colors: string[], from: string, to: string, title: string) => {
    const gradient = shape("linearGradient", { id }, ...colors.map((color, i) => shape("stop", { offset: `${(i / (colors.length - 1)) * 100}%`, "stop-color": color })));
    const label = { "font-size": 11, fill: theme().quiet };
    canvas.svg.append(
      shape("defs", {}, gradient),
      shape("text", { x, y: y - 4, ...label }, title),
      shape("rect", { x, y, width, height: 10, fill: `url(#${id})`, stroke: theme().line }),
      shape("text", { x, y: y + 22, ...label }, from),
      shape("text", { x: x + width, y: y + 22, "text-anchor": "end", ...label }, to));
  };
  bar("weights-legend", 56, theme().weights, "0", `${significant(largest, 2)} or more`, "weight of the connection");
  bar("change-legend", 56 + width + 60, theme().change, "weaker", "stronger", "difference");
}

interface Drawn {
  title: string;
  key: string;
  values: number[];
  low: number;
  high: number;
  colors: string[];
}

function drawn(run: Run, condition: number, largest: number): Drawn[] {
  const { conditions } = run.data.weights!;
  const list: Drawn[] = conditions.map((values, m) => ({ title: run.conditions[m]!.name, key: String(m), values, low: 0, high: largest, colors: theme().weights }));
  if (conditions.length > 1) {
    const others = conditions.length > 2 ? "the nearest other" : run.others(run.conditions[condition]!)[0];
    list.push({ title: `${run.conditions[condition]!.name} minus ${others}`, key: `d${condition}`, values: difference(conditions, condition), low: -largest, high: largest, colors: theme().change });
  }
  return list;
}

/** The lines of a pair that is pointed at, drawn in all panels, and its weight in each condition in words. */
function pointer(run: Run, view: View, order: Order, canvas: Canvas, crosses: SVGGElement[], side: number): (i: number, j: number) => void {
  const { lines, conditions } = run.data.weights!;
  const cell = side / (view.last - view.first);
  return (i, j) => {
    const [a, b] = [order.lines[i]!, order.lines[j]!];
    const itself = a === b && lines[a]!.features === 1;
    const weights = conditions.map((values, m) => `${itself ? "itself" : significant(triangle(values, a, b))} in ${run.conditions[m]!.name}`);
    canvas.say(`${lineName(run, a)} and ${lineName(run, b)}: ${weights.join(", ")}`);
    const [x, y] = [(j - view.first + 0.5) * cell, (i - view.first + 0.5) * cell];
    for (const cross of crosses) {
      cross.replaceChildren(
        shape("line", { x1: 0, x2: side, y1: y, y2: y, stroke: theme().ink, "stroke-opacity": 0.5 }),
        shape("line", { x1: x, x2: x, y1: 0, y2: side, stroke: theme().ink, "stroke-opacity": 0.5 }),
      );
    }
  };
}

/** Hover names a pair, dragging zooms to what lies between, a click chooses the group or the pair. */
function listen(view: View, order: Order, surface: SVGRectElement, band: SVGRectElement, point: (i: number, j: number) => void, zoom: (first: number, last: number) => void): void {
  const side = Number(surface.getAttribute("width"));
  const cell = side / (view.last - view.first);
  const lineAt = (event: PointerEvent, horizontal: boolean) => {
    const box = surface.getBoundingClientRect();
    const share = horizontal ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    return Math.max(view.first, Math.min(view.last - 1, view.first + Math.floor(share * (view.last - view.first))));
  };
  let start: number | null = null;
  surface.addEventListener("pointerdown", (event) => {
    start = lineAt(event, true);
    surface.setPointerCapture(event.pointerId);
  });
  surface.addEventListener("pointermove", (event) => {
    const [i, j] = [lineAt(event, false), lineAt(event, true)];
    point(i, j);
    if (start === null) return;
    const [from, to] = [Math.min(start, j), Math.max(start, j) + 1];
    band.setAttribute("x", String((from - view.first) * cell));
    band.setAttribute("width", String((to - from) * cell));
    band.setAttribute("height", String(side));
  });
  surface.addEventListener("pointerup", (event) => {
    const end = lineAt(event, true);
    const group = order.owner[lineAt(event, false)]!;
    const from = start;
    start = null;
    if (from !== null && Math.abs(end - from) >= 2) zoom(Math.min(from, end), Math.max(from, end) + 1);
    else if (group >= 0) selection.choose({ group });
  });
}

function draw(run: Run, view: View, canvas: Canvas, zoom: (first: number, last: number) => void): void {
  const { lines, conditions } = run.data.weights!;
  const order = orderFor(run, view.condition ?? chosenCondition(run));
  const largest = top(conditions);
  const list = drawn(run, chosenCondition(run), largest);
  const most = list.length === 4 ? 2 : 3;
  const columns = Math.max(1, Math.min(list.length, most, Math.floor(canvas.width / 300)));
  const side = canvas.width / columns - 76;
  const layout = panels(list.length, canvas.width, { least: 300, height: side, left: 62, gap: 14, top: 34, bottom: 10, most });
  const crosses = list.map(() => shape("g", { "pointer-events": "none" }));
  const point = pointer(run, view, order, canvas, crosses, side);
  list.forEach((one, k) => drawPanel(run, view, order, one, layout.panels[k]!, side, crosses[k]!, canvas, point, zoom, k));
  drawLegend(canvas, largest, layout.height + 16);
  canvas.size(layout.height + 44);
  const place = selection.feature === null ? -1 : order.lines.findIndex((line) => lines[line]!.features === 1 && lines[line]!.first === selection.feature);
  if (place >= view.first && place < view.last) point(place, place);
  keyboard(canvas, () => view.last - view.first, (step) => point(view.first + step, view.first + step), {
    "+": () => zoomBy(view, 0.5, lines.length, zoom),
    "-": () => zoomBy(view, 2, lines.length, zoom),
    "0": () => zoom(0, lines.length),
  });
}

function drawPanel(run: Run, view: View, order: Order, one: Drawn, panel: Panel, side: number, cross: SVGGElement, canvas: Canvas, point: (i: number, j: number) => void, zoom: (first: number, last: number) => void, k: number): void {
  const size = order.lines.length;
  const cell = side / (view.last - view.first);
  const whole = { x: -view.first * cell, y: -view.first * cell, width: size * cell, height: size * cell };
  const clip = shape("clipPath", { id: `clip-${k}` }, shape("rect", { width: side, height: side }));
  const image = shape("image", { href: imageOf(one.key, one.values, order, one.low, one.high, one.colors), ...whole, preserveAspectRatio: "none" });
  image.style.imageRendering = "pixelated";
  const surface = shape("rect", { width: side, height: side, fill: "transparent", stroke: theme().rest, class: "surface" });
  const band = shape("rect", { fill: theme().accent, "fill-opacity": 0.25, width: 0, height: 0, "pointer-events": "none" });
  const group = shape("g", { transform: `translate(${panel.left},${panel.top})` }, clip, shape("g", { "clip-path": `url(#clip-${k})` }, image), surface, cross, band);
  drawBars(run, view, order, cell, group, zoom);
  listen(view, order, surface, band, point, zoom);
  canvas.svg.append(heading({ ...panel, top: panel.top - 6 }, one.title), group);
}

function zoomBy(view: View, factor: number, lines: number, zoom: (first: number, last: number) => void): void {
  const middle = (view.first + view.last) / 2;
  const half = Math.max(smallest / 2, Math.min(lines / 2, ((view.last - view.first) * factor) / 2));
  const first = Math.max(0, Math.min(lines - 2 * half, middle - half));
  zoom(Math.round(first), Math.round(first + 2 * half));
}

export function heatmapFigure(run: Run): HTMLElement | null {
  const weights = run.data.weights;
  if (!weights || weights.conditions.length === 0) return null;
  const lines = weights.lines.length;
  const view: View = { first: 0, last: lines, condition: null };
  const zoom = (first: number, last: number) => {
    const length = Math.max(Math.min(smallest, lines), last - first);
    view.first = Math.max(0, Math.min(lines - length, first));
    view.last = view.first + length;
    selection.choose({});
  };
  const toGroup = () => {
    view.condition = null;
    sorting.select.selectedIndex = 0;
    const own = orderFor(run, chosenCondition(run)).owner.map((owner, place) => (owner === selection.group ? place : -1)).filter((place) => place >= 0);
    if (own.length > 0) zoom(own[0]! - 2, own[own.length - 1]! + 3);
  };
  const sorting = choice("Order", ["groups of the chosen group's condition first", ...run.targets.map((one) => `groups of ${one.name} first`)], (index) => {
    view.condition = index === 0 ? null : run.conditions.indexOf(run.targets[index - 1]!);
    selection.choose({});
  });
  const shared = weights.lines.some((line) => line.features > 1);
  return figure({
    id: "weights",
    title: "All features: how are they connected in each condition?",
    how: [
      "Each point is a pair of features; the darker (brighter on a dark page), the stronger they are connected. All pictures have the same order of features.",
      run.groups.length > 0
        ? " A frame holds a group, and a click on its bar at the edge zooms to it: it is filled in one condition and empty in another, or it stands alone in one and runs into others elsewhere. In the last picture red pairs are more strongly connected in the condition of the chosen group, blue ones more weakly."
        : " In the last picture red pairs are more strongly connected in the condition that its title names first, blue ones more weakly.",
      shared ? ` ${whole(run.data.features.total)} features share ${lines} lines: a point is then the mean of several pairs.` : "",
      " Drag to zoom; names appear.",
    ],
    controls: [
      button("Zoom in", () => zoomBy(view, 0.5, lines, zoom)),
      button("Zoom out", () => zoomBy(view, 2, lines, zoom)),
      button("All features", () => zoom(0, lines)),
      run.groups.length > 0 ? button("Chosen group", toGroup) : null,
      run.groups.length > 0 ? sorting.node : null,
    ],
    follows: true,
    draw: (canvas) => draw(run, view, canvas, zoom),
    label: () => `Weights between features, lines ${view.first + 1} to ${view.last} of ${lines}; arrow keys walk along the diagonal, plus and minus zoom, 0 shows all`,
  });
}
