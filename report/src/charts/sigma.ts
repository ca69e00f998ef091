// Singular values of each condition, and how they depend on the number of eigenvectors.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { shape } from "../dom";
import { figure, type Canvas } from "../figure";
import { significant } from "../numbers";
import type { SummaryCondition } from "../data";
import type { Run } from "../run";
import { theme } from "../theme";
import { bottomAxis, heading, leftAxis, panels } from "./axes";

const shown = 12;

const levelsOf = (condition: SummaryCondition): (number | null)[] => condition.sigma.slice(0, shown);

function drawSigma(run: Run, canvas: Canvas): void {
  const layout = panels(run.targets.length, canvas.width, { least: 240, height: 180 });
  const colors = theme();
  const largest = Math.max(...run.targets.flatMap((one) => levelsOf(one).map((value) => value ?? 0)), 1e-9);
  run.targets.forEach((condition, index) => {
    const panel = layout.panels[index]!;
    const sigma = levelsOf(condition);
    const x = scaleLinear([0.4, Math.max(sigma.length, 2) + 0.6], [0, panel.width]);
    const y = scaleLinear([0, largest * 1.05], [panel.height, 0]);
    const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    canvas.svg.append(heading(panel, condition.name), leftAxis(y, panel), bottomAxis(x, panel, "vector", Math.min(sigma.length, 6)), group);
    sigma.forEach((value, i) => {
      if (value === null) return;
      const dot = shape("circle", { cx: x(i + 1), cy: y(value), r: 5, fill: colors.paper, stroke: colors.rest, "stroke-width": 1.5 });
      dot.addEventListener("pointerenter", () => canvas.say(`${condition.name}, vector ${i + 1}: singular value ${significant(value)}`));
      group.append(dot);
    });
  });
  canvas.size(layout.height);
}

export function sigmaFigure(run: Run): HTMLElement {
  return figure({
    id: "singular-values",
    title: "Is there anything that only one condition has?",
    how: [
      "Each dot is a pattern over the features; the higher, the less the other conditions explain it (1 is not at all).",
      run.hasPValues ? " Single patterns are not tested: their height alone says nothing about chance." : "",
    ],
    draw: (canvas) => drawSigma(run, canvas),
    label: () => `Singular values of ${run.targets.map((one) => `${one.name}: ${levelsOf(one).slice(0, 3).map((value) => significant(value)).join(", ")}`).join("; ")}`,
  });
}

function drawPath(run: Run, canvas: Canvas): void {
  const conditions = run.targets.filter((condition) => condition.sigma_by_eigenvectors.length > 0);
  const layout = panels(conditions.length, canvas.width, { least: 240, height: 150 });
  const colors = theme();
  conditions.forEach((condition, index) => {
    const panel = layout.panels[index]!;
    const path = condition.sigma_by_eigenvectors;
    const chosen = Math.max(...run.conditions.filter((one) => one !== condition).map((one) => one.dimensions.chosen));
    const x = scaleLinear([0, Math.max(chosen, ...path.map((step) => step.eigenvectors))], [0, panel.width]);
    const y = scaleLinear([0, 1], [panel.height, 0]);
    const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    canvas.svg.append(heading(panel, condition.name), leftAxis(y, panel), bottomAxis(x, panel, "eigenvectors of the others"), group);
    group.append(shape("line", { x1: x(chosen), x2: x(chosen), y1: 0, y2: panel.height, stroke: colors.quiet, "stroke-dasharray": "4 3" }));
    [0, 1, 2].forEach((i) => {
      const steps = path.filter((step) => typeof step.sigma[i] === "number");
      const draw = line<(typeof steps)[number]>((step) => x(step.eigenvectors), (step) => y(step.sigma[i]!));
      group.append(shape("path", { d: draw(steps) ?? "", fill: "none", stroke: i === 0 ? colors.accent : colors.rest, "stroke-width": i === 0 ? 2.5 : 1.5 }));
      const last = steps[steps.length - 1];
      if (last) group.append(shape("text", { x: x(last.eigenvectors) + 3, y: y(last.sigma[i]!) + 4, "font-size": 10, fill: colors.quiet }, String(i + 1)));
    });
    path.forEach((step) => {
      const area = shape("rect", { x: x(step.eigenvectors) - 6, y: 0, width: 12, height: panel.height, fill: "transparent" });
      area.addEventListener("pointerenter", () => canvas.say(`${condition.name}, ${step.eigenvectors} eigenvectors: singular values ${step.sigma.map((value) => significant(value)).join(", ")}`));
      group.append(area);
    });
  });
  canvas.size(layout.height);
}

export function pathFigure(run: Run): HTMLElement | null {
  if (run.targets.every((condition) => condition.sigma_by_eigenvectors.length === 0)) return null;
  return figure({
    id: "dimensions",
    title: "Does the answer depend on the number of eigenvectors?",
    how: ["The first three singular values if the other conditions explained more or fewer directions; the dashed line is what was used. A structure that only this condition has stays high to the right; what falls quickly is shared."],
    draw: (canvas) => drawPath(run, canvas),
    label: () => `Singular values over the number of eigenvectors for ${run.targets.map((one) => one.name).join(", ")}`,
  });
}
