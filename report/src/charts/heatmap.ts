// The weights between features of every condition, side by side, in the same order; zoomed together.
import { max, quantileSorted } from "d3-array";
import { scaleLinear } from "d3-scale";
import { button, element, shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { count, significant, whole } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColour, isDark, theme } from "../theme";
import { heading, panels } from "./axes";

interface View {
  first: number;
  last: number; // exclusive
}
const smallest = 6; // lines that stay when zoomed in

export function triangle(values: number[], i: number, j: number): number {
  return i >= j ? values[(i * (i + 1)) / 2 + j]! : values[(j * (j + 1)) / 2 + i]!;
}

/** The largest weight drawn: a few very strong pairs must not make all others pale. */
function top(conditions: number[][]): number {
  const positive = conditions.flatMap((values) => values.filter((value) => value > 0)).sort((a, b) => a - b);
  return quantileSorted(positive, 0.995) || max(positive) || 1;
}

const images = new Map<string, string>();

/** The whole matrix as an image, one pixel per pair of lines. */
function imageOf(values: number[], lines: number, largest: number, condition: number): string {
  const key = `${condition} ${isDark()}`;
  const known = images.get(key);
  if (known) return known;
  const colours = theme().weights;
  const scale = scaleLinear<string>([0, largest / 3, (2 * largest) / 3, largest], colours).clamp(true);
  const palette = Array.from({ length: 256 }, (_, k) => (scale((k / 255) * largest).match(/\d+/g) ?? []).map(Number));
  const canvas = element("canvas", { width: lines, height: lines });
  const context = canvas.getContext("2d")!;
  const picture = context.createImageData(lines, lines);
  for (let i = 0; i < lines; ++i) {
    for (let j = 0; j < lines; ++j) {
      const shade = palette[Math.max(0, Math.min(255, Math.round((triangle(values, i, j) / largest) * 255)))]!;
      const at = 4 * (i * lines + j);
      picture.data[at] = shade[0]!;
      picture.data[at + 1] = shade[1]!;
      picture.data[at + 2] = shade[2]!;
      picture.data[at + 3] = 255;
    }
  }
  context.putImageData(picture, 0, 0);
  const address = canvas.toDataURL("image/png");
  images.set(key, address);
  return address;
}

function lineName(run: Run, line: number): string {
  const { first, last, features } = run.data.weights!.lines[line]!;
  return features === 1 ? first : `${first} … ${last} (mean of ${count(features, "feature")})`;
}

/** Coloured bars along the edges, and the names of the groups. */
function drawBars(run: Run, view: View, cell: number, group: SVGGElement): void {
  const { lines } = run.data.weights!;
  for (let begin = view.first; begin < view.last; ) {
    const owner = lines[begin]!.group;
    let end = begin + 1;
    while (end < view.last && lines[end]!.group === owner) ++end;
    if (owner >= 0) {
      const from = (begin - view.first) * cell;
      const length = (end - begin) * cell;
      const chosen = owner === selection.group;
      const bar = { fill: groupColour(owner) };
      group.append(
        shape("rect", { ...bar, x: -9, y: from, width: 6, height: length }),
        shape("rect", { ...bar, y: -9, x: from, height: 6, width: length }),
        shape("rect", { x: from, y: from, width: length, height: length, fill: "none", stroke: groupColour(owner), "stroke-width": chosen ? 2.5 : 1.2, "pointer-events": "none" }),
      );
      if (length > 26) {
        group.append(shape("text", { x: -13, y: from + length / 2 + 4, "text-anchor": "end", "font-size": 10, fill: theme().quiet }, run.groups[owner]!.label.slice(0, 8)));
      }
    }
    begin = end;
  }
}

function drawLegend(canvas: Canvas, largest: number, y: number): void {
  const width = Math.min(220, canvas.width - 180);
  const colours = theme().weights;
  const gradient = shape("linearGradient", { id: "weights-legend" }, ...colours.map((colour, i) => shape("stop", { offset: `${(i / 3) * 100}%`, "stop-color": colour })));
  canvas.svg.append(
    shape("defs", {}, gradient),
    shape("text", { x: 52, y: y + 10, "font-size": 11, fill: theme().quiet }, "0"),
    shape("rect", { x: 64, y, width, height: 12, fill: "url(#weights-legend)", stroke: theme().line }),
    shape("text", { x: 70 + width, y: y + 10, "font-size": 11, fill: theme().quiet }, `${significant(largest, 2)} and more`),
  );
}

/** The lines of a pair that is pointed at, drawn in all conditions, and its weight in each of them in words. */
function pointer(run: Run, view: View, canvas: Canvas, crosses: SVGGElement[], side: number): (i: number, j: number) => void {
  const { lines, conditions } = run.data.weights!;
  const cell = side / (view.last - view.first);
  return (i, j) => {
    const itself = i === j && lines[i]!.features === 1;
    const weights = conditions.map((values, m) => `${itself ? "itself" : significant(triangle(values, i, j))} in ${run.conditions[m]!.name}`);
    canvas.say(`${lineName(run, i)} and ${lineName(run, j)}: ${weights.join(", ")}`);
    const [x, y] = [(j - view.first + 0.5) * cell, (i - view.first + 0.5) * cell];
    for (const cross of crosses) {
      cross.replaceChildren(
        shape("line", { x1: 0, x2: side, y1: y, y2: y, stroke: theme().ink, "stroke-opacity": 0.5 }),
        shape("line", { x1: x, x2: x, y1: 0, y2: side, stroke: theme().ink, "stroke-opacity": 0.5 }),
      );
    }
  };
}

/** Hover names a pair, dragging zooms to what lies between, a click chooses the group. */
function listen(run: Run, view: View, surface: SVGRectElement, band: SVGRectElement, point: (i: number, j: number) => void, zoom: (view: View) => void): void {
  const { lines } = run.data.weights!;
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
    const group = lines[lineAt(event, false)]!.group;
    const from = start;
    start = null;
    if (from !== null && Math.abs(end - from) >= 2) zoom({ first: Math.min(from, end), last: Math.max(from, end) + 1 });
    else if (group >= 0) selection.choose({ group });
  });
}

function draw(run: Run, view: View, canvas: Canvas, zoom: (view: View) => void): void {
  const { lines, conditions } = run.data.weights!;
  const columns = Math.max(1, Math.min(conditions.length, 3, Math.floor(canvas.width / 300)));
  const side = canvas.width / columns - 70;
  const layout = panels(conditions.length, canvas.width, { least: 300, height: side, left: 56, gap: 14, top: 34, bottom: 10 });
  const largest = top(conditions);
  const cell = side / (view.last - view.first);
  const whole = { x: -view.first * cell, y: -view.first * cell, width: lines.length * cell, height: lines.length * cell };
  const crosses = conditions.map(() => shape("g", { "pointer-events": "none" }));
  const point = pointer(run, view, canvas, crosses, side);

  conditions.forEach((values, m) => {
    const panel = layout.panels[m]!;
    const clip = shape("clipPath", { id: `clip-${m}` }, shape("rect", { width: side, height: side }));
    const image = shape("image", { href: imageOf(values, lines.length, largest, m), ...whole, preserveAspectRatio: "none" });
    image.style.imageRendering = "pixelated";
    const surface = shape("rect", { width: side, height: side, fill: "transparent", stroke: theme().rest, class: "surface" });
    const band = shape("rect", { fill: theme().accent, "fill-opacity": 0.25, width: 0, height: 0, "pointer-events": "none" });
    const group = shape("g", { transform: `translate(${panel.left},${panel.top})` }, clip, shape("g", { "clip-path": `url(#clip-${m})` }, image), surface, crosses[m], band);
    drawBars(run, view, cell, group);
    listen(run, view, surface, band, point, zoom);
    canvas.svg.append(heading({ ...panel, top: panel.top - 6 }, run.conditions[m]!.name), group);
  });
  drawLegend(canvas, largest, layout.height + 4);
  canvas.size(layout.height + 26);
  const place = selection.feature === null ? -1 : lines.findIndex((one) => one.features === 1 && one.first === selection.feature);
  if (place >= view.first && place < view.last) point(place, place);

  keyboard(canvas, () => view.last - view.first, (step) => point(view.first + step, view.first + step), {
    "+": () => zoomBy(view, 0.5, lines.length, zoom),
    "-": () => zoomBy(view, 2, lines.length, zoom),
    "0": () => zoom({ first: 0, last: lines.length }),
  });
}

function zoomBy(view: View, factor: number, lines: number, zoom: (view: View) => void): void {
  const middle = (view.first + view.last) / 2;
  const half = Math.max(smallest / 2, Math.min(lines / 2, ((view.last - view.first) * factor) / 2));
  const first = Math.max(0, Math.min(lines - 2 * half, middle - half));
  zoom({ first: Math.round(first), last: Math.round(first + 2 * half) });
}

export function heatmapFigure(run: Run): HTMLElement | null {
  const weights = run.data.weights;
  if (!weights || weights.conditions.length === 0) return null;
  const lines = weights.lines.length;
  const view: View = { first: 0, last: lines };
  const zoom = (to: View) => {
    const length = Math.max(Math.min(smallest, lines), to.last - to.first);
    view.first = Math.max(0, Math.min(lines - length, to.first));
    view.last = view.first + length;
    selection.choose({});
  };
  const toGroup = () => {
    const own = weights.lines.map((line, index) => (line.group === selection.group ? index : -1)).filter((index) => index >= 0);
    if (own.length > 0) zoom({ first: own[0]! - 2, last: own[own.length - 1]! + 3 });
  };
  const shared = weights.lines.some((line) => line.features > 1);
  const overlapping = run.groups.some((group) => weights.lines.reduce((sum, line) => sum + (line.group === group.index ? line.features : 0), 0) < group.members.size);
  return figure({
    id: "weights",
    title: "How are the features connected in each condition?",
    how: [
      "Each point is a pair of features; the darker (brighter on a dark page), the stronger they are connected. All conditions have the same order of features. A frame holds a group: it is filled in one condition and empty in another, or it stands alone in one and runs into others elsewhere. Blocks that are the same everywhere are shared.",
      shared ? ` ${whole(run.data.features.total)} features share ${lines} lines: a point is then the mean of several pairs.` : "",
      overlapping ? " Where groups of several conditions have features in common, these are drawn with the first of them." : "",
      " Drag to zoom.",
    ],
    controls: [
      button("Zoom in", () => zoomBy(view, 0.5, lines, zoom)),
      button("Zoom out", () => zoomBy(view, 2, lines, zoom)),
      button("All features", () => zoom({ first: 0, last: lines })),
      run.groups.length > 0 ? button("Chosen group", toGroup) : null,
    ],
    follows: true,
    draw: (canvas) => draw(run, view, canvas, zoom),
    label: () => `Weights between features, lines ${view.first + 1} to ${view.last} of ${lines}; arrow keys walk along the diagonal, plus and minus zoom, 0 shows all`,
  });
}
