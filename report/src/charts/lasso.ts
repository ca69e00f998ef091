// A line that the reader draws around dots marks their features.
import { shape } from "../dom";
import { selection } from "../state";
import { theme } from "../theme";

export interface Dot {
  name: string;
  x: number;
  y: number;
}

interface Point {
  x: number;
  y: number;
}

/** Whether a point lies within a closed line: a ray from it crosses the line an odd number of times. */
export function isWithin(point: Point, line: Point[]): boolean {
  let inside = false;
  for (let i = 0, j = line.length - 1; i < line.length; j = i++) {
    const [a, b] = [line[i]!, line[j]!];
    if (a.y > point.y !== b.y > point.y && point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

const leastLength = 12; // of a drawn line; less is a click

/** Lets the reader draw with mouse or pen in `group`, which is `width` x `height`; fingers scroll. */
export function lasso(group: SVGGElement, width: number, height: number, dots: Dot[]): void {
  const surface = shape("rect", { width, height, fill: "transparent", class: "surface" });
  group.prepend(surface);
  group.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    const at = (one: PointerEvent): Point => {
      const point = new DOMPoint(one.clientX, one.clientY).matrixTransform(group.getScreenCTM()!.inverse());
      return { x: point.x, y: point.y };
    };
    const line: Point[] = [at(event)];
    const drawn = shape("path", { fill: theme().accent, "fill-opacity": 0.15, stroke: theme().accent, "stroke-dasharray": "4 3", "pointer-events": "none" });
    group.append(drawn);
    const move = (one: PointerEvent) => {
      line.push(at(one));
      drawn.setAttribute("d", `M${line.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}Z`);
    };
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      drawn.remove();
      const length = line.slice(1).reduce((sum, point, i) => sum + Math.hypot(point.x - line[i]!.x, point.y - line[i]!.y), 0);
      if (length >= leastLength) selection.choose({ marked: dots.filter((dot) => isWithin(dot, line)).map((dot) => dot.name) });
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
    event.preventDefault();
  });
}
