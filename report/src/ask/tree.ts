// How a set falls apart: its features joined two and two, cut where a slider says.
import { scaleLinear } from "d3-scale";
import { button, element, name, shape } from "../dom";
import { figure, type Canvas } from "../figure";
import { count, decimal, whole } from "../numbers";
import type { Group, Run } from "../run";
import { selection } from "../state";
import { groupColor, theme } from "../theme";
import { leftAxis } from "../charts/axes";
import { engine, type NamedFeatures, type Tree } from "./engine";

const mostLeaves = 400;
const smallest = 3;

interface Piece {
  node: number;
  leaves: number[];
  correlations: number[];
}

/** The largest parts whose features were joined at `cut` or above, with at least three of them. */
export function piecesAt(tree: Tree, cut: number): Piece[] {
  const leaves = tree.features.length;
  const pieces: Piece[] = [];
  const visit = (part: number) => {
    if (part < leaves) return;
    const node = tree.nodes[part - leaves]!;
    if (node.height >= cut) {
      if (node.size >= smallest) pieces.push({ node: part, leaves: leavesOf(tree, part), correlations: node.correlations });
      return;
    }
    visit(node.left);
    visit(node.right);
  };
  visit(leaves + tree.nodes.length - 1);
  return pieces.sort((a, b) => b.leaves.length - a.leaves.length);
}

function leavesOf(tree: Tree, part: number): number[] {
  const leaves = tree.features.length;
  const waiting = [part];
  const found: number[] = [];
  while (waiting.length > 0) {
    const one = waiting.pop()!;
    if (one < leaves) found.push(one);
    else waiting.push(tree.nodes[one - leaves]!.right, tree.nodes[one - leaves]!.left);
  }
  return found;
}

class TreeView {
  tree: Tree | null = null;
  group: Group | null = null;
  cut = 1;
  redraw: () => void = () => undefined;
  readonly pieces = element("div");
  readonly value = element("output", { for: "tree-cut" });
  readonly slider = element("input", { type: "range", min: 0, max: 1, step: 0.01, id: "tree-cut", disabled: true });

  constructor(private readonly run: Run, private readonly take: (set: NamedFeatures) => void) {
    this.slider.addEventListener("input", () => this.cutAt(Number(this.slider.value)));
  }

  show(tree: Tree, group: Group): void {
    this.tree = tree;
    this.group = group;
    const heights = tree.nodes.map((node) => node.height);
    this.slider.min = String(Math.floor(100 * Math.min(0, ...heights)) / 100);
    this.slider.max = String(Math.ceil(100 * Math.max(...heights)) / 100);
    this.slider.disabled = false;
    const best = this.largestNumberOfPieces();
    this.slider.value = String(best);
    this.cutAt(best);
  }

  /** Where most pieces are to be seen: a place to begin. */
  private largestNumberOfPieces(): number {
    const [low, high] = [Number(this.slider.min), Number(this.slider.max)];
    let best = { cut: low, pieces: 0 };
    for (let k = 0; k <= 40; ++k) {
      const cut = low + ((high - low) * k) / 40;
      const pieces = piecesAt(this.tree!, cut).length;
      if (pieces > best.pieces) best = { cut, pieces };
    }
    return best.cut;
  }

  private cutAt(cut: number): void {
    this.cut = cut;
    this.slider.setAttribute("aria-valuetext", `correlation ${decimal(cut)}`);
    this.value.textContent = decimal(cut);
    this.pieces.replaceChildren(this.table());
    this.redraw();
  }

  private table(): HTMLElement {
    const pieces = piecesAt(this.tree!, this.cut);
    if (pieces.length === 0) return element("p", {}, "No three features hold together at this correlation.");
    const titles = ["part", "features", ...this.run.conditions.map((one) => `r in ${one.name}`), "some of them", ""];
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Parts at this cut" },
      element("table", { id: "tree-table" },
        element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))),
        element("tbody", {}, ...pieces.map((piece, k) => this.row(piece, k)))));
  }

  private row(piece: Piece, k: number): HTMLElement {
    const features = piece.leaves.map((leaf) => this.tree!.features[leaf]!);
    const chip = element("span", { class: "chip", "aria-hidden": "true" });
    chip.style.background = groupColor(k);
    const title = `${this.group!.label}, part ${k + 1}`;
    return element("tr", {}, element("th", { scope: "row" }, chip, String(k + 1)), element("td", {}, whole(features.length)),
      ...piece.correlations.map((value) => element("td", {}, decimal(value))),
      element("td", {}, name(features.slice(0, 8).join(", ") + (features.length > 8 ? ", …" : ""))),
      element("td", {}, button("Take", () => this.take({ name: title, features }), { "aria-label": `Take part ${k + 1} as the set to ask about` })));
  }

  draw(canvas: Canvas): void {
    const { tree } = this;
    if (!tree) {
      canvas.svg.append(shape("text", { y: 20, fill: theme().quiet }, "The tree of the chosen group is made when you ask for it."));
      canvas.size(30);
      return;
    }
    const leaves = tree.features.length;
    const panel = { left: 44, top: 10, width: canvas.width - 56, height: 220 };
    const root = leaves + tree.nodes.length - 1;
    const order = leavesOf(tree, root);
    const heights = tree.nodes.map((node) => node.height);
    const y = scaleLinear([Math.min(0, ...heights), Math.max(0.1, ...heights)], [0, panel.height]).nice();
    const pieceOf = new Map<number, number>();
    piecesAt(tree, this.cut).forEach((piece, k) => piece.leaves.forEach((leaf) => pieceOf.set(leaf, k)));
    canvas.svg.append(leftAxis(y, panel), this.branches(tree, order, y, panel.width / leaves, pieceOf, panel.left, panel.top));
    const at = panel.top + y(this.cut);
    canvas.svg.append(shape("line", { x1: panel.left, x2: panel.left + panel.width, y1: at, y2: at, stroke: theme().ink, "stroke-dasharray": "5 3" }));
    this.names(canvas, order, panel.left, panel.top + panel.height, panel.width / leaves);
  }

  private branches(tree: Tree, order: number[], y: (height: number) => number, step: number, pieceOf: Map<number, number>, left: number, top: number): SVGGElement {
    const leaves = order.length;
    const x = new Map<number, number>(order.map((leaf, place) => [leaf, (place + 0.5) * step]));
    const piece = new Map<number, number>(order.map((leaf) => [leaf, pieceOf.get(leaf) ?? -1]));
    const bottom = y(Math.max(0.1, ...tree.nodes.map((node) => node.height)));
    const height = (part: number) => (part < leaves ? bottom : y(tree.nodes[part - leaves]!.height));
    const group = shape("g", { transform: `translate(${left},${top})` });
    tree.nodes.forEach((node, k) => {
      const part = leaves + k;
      const [a, b] = [x.get(node.left)!, x.get(node.right)!];
      const same = piece.get(node.left) === piece.get(node.right) && node.height >= this.cut ? piece.get(node.left)! : -1;
      x.set(part, (a + b) / 2);
      piece.set(part, same);
      const line = height(part);
      group.append(shape("path", { d: `M${a},${height(node.left)}V${line}H${b}V${height(node.right)}`, fill: "none", stroke: groupColor(same), "stroke-width": same < 0 ? 0.8 : 1.6 }));
    });
    return group;
  }

  /** Where there is room for them. */
  private names(canvas: Canvas, order: number[], left: number, top: number, step: number): void {
    const fits = step >= 9;
    if (fits) order.forEach((leaf, place) => {
      const text = this.tree!.features[leaf]!;
      canvas.svg.append(shape("text", { transform: `translate(${left + (place + 0.5) * step + 3},${top + 6}) rotate(-90)`, "text-anchor": "end", "font-size": 9, fill: theme().ink }, text.length > 12 ? `${text.slice(0, 11)}…` : text));
    });
    canvas.size(top + (fits ? 84 : 14));
  }
}

/** The tree of the chosen group; `act` asks the engine, one question at a time. */
export function treeFigure(run: Run, act: (label: string, act: () => Promise<void>, attributes?: object) => HTMLButtonElement, take: (set: NamedFeatures) => void): HTMLElement | null {
  if (run.groups.length === 0) return null;
  const view = new TreeView(run, take);
  const grow = act("Make the tree of the chosen group", async () => {
    const group = run.groups[selection.group]!;
    const { features, opposite } = group.members;
    const flipped = new Set(opposite);
    view.show(await engine.tree({ name: group.label, features: features.slice(0, mostLeaves), sign: features.slice(0, mostLeaves).map((_, i) => (flipped.has(i) ? -1 : 1)) }, group.condition.name), group);
  }, { id: "ask-tree" });
  const node = figure({
    id: "tree",
    title: "What is the group made of?",
    how: [`Features are joined two and two, those with the largest mean correlation in the group's condition first (average linkage; the ${whole(mostLeaves)} features of largest weight of a larger group). The further down, the closer. Move the line: what hangs together below it is a part. r: mean correlation between the features of a part.`],
    controls: [grow, element("label", { class: "choice" }, "Cut at a correlation of ", view.slider, " ", view.value)],
    handle: (draw) => { view.redraw = draw; },
    draw: (canvas) => view.draw(canvas),
    label: () => (view.tree ? `Tree of ${count(view.tree.features.length, "feature")} of ${view.group!.label}, cut at a correlation of ${decimal(view.cut)}: ${count(piecesAt(view.tree, view.cut).length, "part")}` : "The tree of the chosen group, when it is asked for"),
  });
  node.append(view.pieces);
  return node;
}
