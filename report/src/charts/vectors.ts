// Energy or entries of the differential vectors over the features, colored by group.
import { scaleLinear, scaleLog } from "d3-scale";
import { copyButton } from "../copy";
import { button, choice, element, shape } from "../dom";
import { figure, keyboard, type Canvas } from "../figure";
import { count, significant, whole } from "../numbers";
import type { Run } from "../run";
import { selection } from "../state";
import { groupColor, theme } from "../theme";
import { bottomAxis, heading, leftAxis, panels } from "./axes";
import { lasso } from "./lasso";

interface View {
  vector: number; // 0: energy, else the vector
  order: "rank" | "group" | "file";
}

const namesShown = 10;

function order(run: Run, condition: number, view: View, values: number[]): number[] {
  const all = run.data.features.names.map((_, index) => index);
  if (view.order === "file") return all;
  if (view.order === "rank") return all.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  const rank = (index: number) => {
    const own = run.data.conditions[condition]!.group[index]!;
    const any = run.data.conditions.map((one) => one.group[index]!).find((group) => group >= 0);
    return own >= 0 ? own : any !== undefined ? 1000 + any : 1e9;
  };
  return all.sort((a, b) => rank(a) - rank(b) || a - b);
}

function draw(run: Run, view: View, canvas: Canvas): void {
  const targets = run.conditions.map((condition, index) => ({ condition, index })).filter((one) => one.condition.is_target);
  const layout = panels(targets.length, canvas.width, { least: 420, height: 170, left: 50, most: 1 });
  const { names, places, total } = run.data.features;
  const colors = theme();
  const first = { dots: [] as SVGCircleElement[], describe: [] as (() => void)[] };
  for (const [row, { condition, index }] of targets.entries()) {
    const panel = layout.panels[row]!;
    const values = view.vector === 0 ? run.data.conditions[index]!.energy : (run.data.conditions[index]!.vectors[view.vector - 1] ?? []);
    const sequence = order(run, index, view, values);
    const along = view.order === "rank" ? sequence.map((_, place) => place + 1) : view.order === "group" ? sequence.map((_, place) => place) : sequence.map((feature) => places[feature]!);
    const x = view.order === "rank" ? scaleLog([1, Math.max(2, names.length)], [4, panel.width - 4]) : scaleLinear([0, Math.max(1, view.order !== "file" ? names.length - 1 : total - 1)], [4, panel.width - 4]);
    const low = Math.min(0, ...values);
    const high = Math.max(...values, 1e-12);
    const y = scaleLinear([low * 1.08, high * 1.08], [panel.height, 0]);
    const title = { rank: "rank of the feature", group: "features, those of groups first", file: "features, in the order of the file" }[view.order];
    const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    canvas.svg.append(heading(panel, `${condition.name}: ${view.vector === 0 ? "loading energy" : `vector ${view.vector}`}`), leftAxis(y, panel), bottomAxis(x, panel, title, Math.max(3, Math.min(10, Math.floor(panel.width / 80)))), group);
    const chosen: SVGElement[] = [];
    const marked = new Set(selection.marked);
    sequence.forEach((feature, place) => {
      const own = run.data.conditions[index]!.group[feature]!;
      const value = values[feature];
      if (value === undefined) return;
      const picked = selection.feature === names[feature] || marked.has(names[feature]!);
      const dot = shape("circle", {
        cx: x(along[place]!), cy: y(value), r: selection.feature === names[feature] ? 6 : own < 0 ? 2 : own === selection.group ? 4.5 : 3, fill: groupColor(own), "fill-opacity": own >= 0 ? 0.9 : 0.6,
        stroke: picked ? colors.ink : "none", "stroke-width": picked ? 2 : 0,
      });
      const describe = () => canvas.say(`${names[feature]}: ${significant(value)} in ${condition.name}${own >= 0 ? `, group ${run.groups[own]!.label}` : ", in no group"}`);
      dot.addEventListener("pointerenter", describe);
      dot.addEventListener("click", () => selection.choose({ group: own >= 0 ? own : selection.group, feature: names[feature]! }));
      if (row === 0) {
        first.dots.push(dot);
        first.describe.push(describe);
      }
      if (own >= 0 || picked) chosen.push(dot);
      else group.append(dot);
    });
    group.append(...chosen);
    lasso(group, panel.width, panel.height, sequence.map((feature, place) => ({ name: names[feature]!, x: x(along[place]!), y: y(values[feature] ?? 0) })));
    labelHighest(sequence.map((feature, place) => ({ name: names[feature]!, value: values[feature] ?? 0, x: x(along[place]!), y: y(values[feature] ?? 0) })), group, panel.width);
  }
  let marked: SVGCircleElement | undefined;
  keyboard(canvas, () => first.dots.length, (place) => {
    marked?.setAttribute("stroke", "none");
    marked = first.dots[place];
    marked?.setAttribute("stroke", colors.ink);
    marked?.setAttribute("stroke-width", "2");
    first.describe[place]?.();
  });
  canvas.size(layout.height);
}

/** Names of the highest dots, above each other where they would lie on each other. */
function labelHighest(dots: { name: string; value: number; x: number; y: number }[], group: SVGGElement, width: number): void {
  const placed: { x: number; y: number; width: number }[] = [];
  for (const dot of [...dots].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, namesShown)) {
    const text = dot.name.length > 14 ? `${dot.name.slice(0, 13)}…` : dot.name;
    const length = 6.2 * text.length;
    let at = { x: dot.x + 7 + length > width ? dot.x - 7 - length : dot.x + 7, y: dot.y + 3, width: length };
    for (let turn = 0; turn < 12 && placed.some((one) => Math.abs(one.y - at.y) < 11 && at.x < one.x + one.width + 4 && one.x < at.x + at.width + 4); ++turn) at = { ...at, y: at.y + 11 };
    placed.push(at);
    group.append(shape("path", { d: `M${dot.x},${dot.y}L${at.x - 1},${at.y - 3}`, stroke: theme().rest, "stroke-width": 0.6 }), shape("text", { x: at.x, y: at.y, "font-size": 10.5, fill: theme().ink, stroke: theme().paper, "stroke-width": 2.5, "paint-order": "stroke" }, text));
  }
}

export function vectorsFigure(run: Run): HTMLElement {
  const view: View = { vector: 0, order: "rank" };
  const most = Math.max(...run.data.conditions.map((condition) => condition.vectors.length));
  const { names, total } = run.data.features;
  const redraw = () => selection.choose({});
  const what = choice("Show", ["loading energy", ...Array.from({ length: most }, (_, i) => `vector ${i + 1}`)], (index) => { view.vector = index; redraw(); });
  const how = choice("Order", ["highest first", "by group", "as in the file"], (index) => { view.order = (["rank", "group", "file"] as const)[index]!; redraw(); });
  const marked = element("span", { class: "controls", role: "status" });
  const tell = () => {
    const amount = selection.marked.length;
    marked.replaceChildren(...(amount === 0 ? [] : [`${count(amount, "feature")} marked `, copyButton("Copy", () => `${selection.marked.join("\n")}\n`, "Copy the marked features"), " ", button("Unmark", () => selection.choose({ marked: [] }))]));
  };
  selection.onChange(tell);
  return figure({
    id: "vectors",
    title: "Which features carry the difference?",
    how: [
      `One dot per feature; high dots take part in what only this condition has. The ten highest have their names.${run.groups.length > 0 ? " Colored dots belong to a group, gray ones to none; the chosen group is drawn larger." : ""} Each condition has a scale of its own. Draw a line around dots with the mouse to mark their features.`,
      names.length < total ? ` ${whole(names.length)} of ${count(total, "feature")} are drawn: those of largest weight in every group, then those with the most loading energy; features.tsv has all.` : "",
    ],
    controls: [what.node, how.node, marked],
    follows: true,
    draw: (canvas) => draw(run, view, canvas),
    label: () => `Loading energy of ${count(names.length, "feature")} in each condition; use the arrow keys to walk through them`,
  });
}
