// Axes, and the panels that conditions stand in side by side.
import { axisBottom, axisLeft, type AxisScale } from "d3-axis";
import { select } from "d3-selection";
import { shape } from "../dom";
import { theme } from "../theme";

export interface Panel {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Panels in as many columns as fit; all of one size. */
export function panels(amount: number, width: number, options: { least: number; height: number; top?: number; left?: number; gap?: number; bottom?: number; most?: number }): { panels: Panel[]; height: number } {
  const { least, height, top = 26, left = 44, gap = 16, bottom = 36, most = 3 } = options;
  const columns = Math.max(1, Math.min(amount, most, Math.floor(width / least)));
  const cell = width / columns;
  const list = Array.from({ length: amount }, (_, index) => ({
    left: (index % columns) * cell + left,
    top: Math.floor(index / columns) * (height + top + bottom) + top,
    width: cell - left - gap,
    height,
  }));
  return { panels: list, height: Math.ceil(amount / columns) * (height + top + bottom) };
}

export function heading(panel: Panel, text: string): SVGTextElement {
  const most = Math.max(8, Math.floor(panel.width / 8.5));
  return shape("text", { x: panel.left, y: panel.top - 10, "font-weight": 600, "font-size": 13, fill: theme().ink }, text.length > most ? `${text.slice(0, most - 1)}…` : text);
}

function soften(group: SVGGElement): void {
  select(group).selectAll(".domain").attr("stroke", theme().rest);
  select(group).selectAll("line").attr("stroke", theme().line);
  select(group).selectAll("text").attr("fill", theme().quiet).attr("font-size", 11);
  group.setAttribute("font-family", "inherit");
}

export function bottomAxis(scale: AxisScale<number>, panel: Panel, title: string, ticks = 5): SVGGElement {
  const group = shape("g", { transform: `translate(${panel.left},${panel.top + panel.height})` });
  const isLogarithmic = "base" in scale;
  select(group).call(isLogarithmic ? axisBottom(scale).ticks(ticks, "~s").tickSizeOuter(0) : axisBottom(scale).ticks(ticks).tickSizeOuter(0));
  soften(group);
  group.append(shape("text", { x: panel.width / 2, y: 32, "text-anchor": "middle", fill: theme().quiet, "font-size": 11 }, title));
  return group;
}

export function leftAxis(scale: AxisScale<number>, panel: Panel, ticks = 4): SVGGElement {
  const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
  // Many zeros would not fit in front of the axis.
  const tiny = scale.domain().every((end) => Math.abs(end) < 1e-3);
  select(group).call(axisLeft(scale).ticks(ticks, tiny ? "~e" : undefined).tickSizeOuter(0).tickSizeInner(-panel.width));
  soften(group);
  return group;
}
