// Features that are pixels: vectors and groups as images.
import { interpolateRdBu } from "d3-scale-chromatic";
import { scaleLinear } from "d3-scale";
import { element, shape } from "../dom";
import { figure, type Canvas } from "../figure";
import { significant } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColor, theme } from "../theme";
import { heading, panels } from "./axes";

type Color = (value: number) => string | null;

/** The mean of the samples in shades between paper and ink, for what lies on it. */
function shade(value: number, low: number, high: number): string {
  const share = high > low ? (value - low) / (high - low) : 0;
  return scaleLinear<string>([0, 1], [theme().paper, theme().ink])(0.06 + 0.7 * share);
}

function imageOf(values: (number | null)[], width: number, height: number, color: Color, beneath?: (number | null)[]): string {
  const canvas = element("canvas", { width, height });
  const context = canvas.getContext("2d")!;
  const means = (beneath ?? []).filter((value): value is number => value !== null);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  beneath?.forEach((value, index) => {
    if (value === null) return;
    context.fillStyle = shade(value, low, high);
    context.fillRect(index % width, Math.floor(index / width), 1, 1);
  });
  values.forEach((value, index) => {
    if (value === null) return;
    const fill = color(value);
    context.globalAlpha = beneath ? 0.72 : 1;
    if (fill === null) return;
    context.fillStyle = fill;
    context.fillRect(index % width, Math.floor(index / width), 1, 1);
  });
  return canvas.toDataURL("image/png");
}

interface Tile {
  title: string;
  /** Groups come first, the vectors of all conditions after them. */
  isOfGroups: boolean;
  values: (number | null)[];
  color: Color;
  /** The mean image that groups are drawn on. */
  beneath?: (number | null)[];
  say: (value: number | null) => string;
}

function tiles(run: Run): Tile[] {
  const all: Tile[] = [];
  run.data.images!.conditions.forEach((images, m) => {
    const condition = run.conditions[m]!;
    if (!condition.is_target) return;
    const own = run.groups.filter((group) => group.members.condition === m);
    all.push({
      title: `${condition.name}: ${own.length > 0 ? "groups" : images.mean ? "mean, no group" : "no group"}`,
      isOfGroups: true,
      values: images.groups,
      color: (value) => (value === 0 ? (images.mean ? null : theme().band) : groupColor(own[value - 1]?.index ?? -1)),
      beneath: images.mean ?? undefined,
      say: (value) => (value === null ? "not used" : value === 0 ? "in no group" : `group ${own[value - 1]?.label ?? value}`),
    });
    // Vectors that chance could make are noise: only the first is worth a look then.
    images.vectors.slice(0, Math.max(1, condition.leading_vectors)).forEach((values, i) => {
      const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)), 1e-12);
      const scale = scaleLinear([-largest, largest], [1, 0]);
      all.push({
        title: `${condition.name}: vector ${i + 1}`,
        isOfGroups: false,
        values,
        color: (value) => interpolateRdBu(scale(value)),
        say: (value) => (value === null ? "not used" : significant(value)),
      });
    });
  });
  return all.sort((a, b) => Number(b.isOfGroups) - Number(a.isOfGroups));
}

function draw(run: Run, canvas: Canvas): void {
  const { width, height, factor } = run.data.images!;
  const all = tiles(run);
  const columns = Math.max(2, Math.min(5, Math.floor(canvas.width / 170)));
  const side = canvas.width / columns - 16;
  const tall = (side * height) / width;
  const layout = panels(all.length, canvas.width, { least: canvas.width / columns, height: tall, left: 4, gap: 12, top: 26, bottom: 4, most: columns });
  all.forEach((tile, index) => {
    const panel = layout.panels[index]!;
    const image = shape("image", { href: imageOf(tile.values, width, height, tile.color, tile.beneath), x: panel.left, y: panel.top, width: side, height: tall, preserveAspectRatio: "none" });
    image.style.imageRendering = "pixelated";
    image.addEventListener("pointermove", (event) => {
      const box = image.getBoundingClientRect();
      const column = Math.max(0, Math.min(width - 1, Math.floor(((event.clientX - box.left) / box.width) * width)));
      const row = Math.max(0, Math.min(height - 1, Math.floor(((event.clientY - box.top) / box.height) * height)));
      const value = tile.values[row * width + column] ?? null;
      canvas.say(`${tile.title}, row ${row * factor + 1}, column ${column * factor + 1}: ${tile.say(value)}`);
      image.dataset.pixel = `${row},${column}`;
    });
    image.addEventListener("click", () => {
      const [row, column] = (image.dataset.pixel ?? "0,0").split(",").map(Number);
      const value = tile.values[row! * width + column!];
      const own = run.groups.find((group) => `${group.condition.name}: groups` === tile.title && value === group.members.number);
      if (own) selection.choose({ group: own.index });
    });
    canvas.svg.append(heading(panel, tile.title), image, shape("rect", { x: panel.left, y: panel.top, width: side, height: tall, fill: "none", stroke: theme().rest, "pointer-events": "none" }));
  });
  canvas.size(layout.height);
}

export function imagesFigure(run: Run): HTMLElement | null {
  const images = run.data.images;
  if (!images) return null;
  return figure({
    id: "images",
    title: "Vectors and groups as images",
    how: [`Every pixel is a feature. ${run.groups.length > 0 ? `Groups have their colors${images.conditions.some((one) => one.mean) ? ", on the mean image of their condition" : ""}; in` : "In"} vectors, red and blue are opposite signs and white is zero. Pixels without color took no part.${images.factor > 1 ? ` Images are drawn ${images.factor} times smaller.` : ""}`],
    draw: (canvas) => draw(run, canvas),
    label: () => "Groups and differential vectors of each condition drawn as images",
  });
}
