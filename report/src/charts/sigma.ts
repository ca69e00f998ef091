// Singular values of each condition with what chance makes of them, and how they depend on the number of eigenvectors.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { shape } from "../dom";
import { figure, type Canvas } from "../figure";
import { probability, significant } from "../numbers";
import type { SummaryCondition } from "../data";
import type { Run } from "../run";
import { theme } from "../theme";
import { bottomAxis, heading, leftAxis, panels } from "./axes";

const shown = 12;

// Beside what chance makes of them belong the singular values that were tested.
function levelsOf(condition: SummaryCondition): (number | null)[] {
  const tested = condition.tested_sigma ?? [];
  return (tested.length > 0 ? tested : condition.sigma).slice(0, shown);
}

function drawSigma(run: Run, canvas: Canvas): void {
  const layout = panels(run.targets.length, canvas.width, { least: 240, height: 180 });
  const level = Number(run.summary.settings.used.level ?? 0.05);
  const colours = theme();
  const largest = Math.max(...run.targets.flatMap((one) => [...levelsOf(one).map((value) => value ?? 0), one.chance_sigma?.high ?? 0]), 1e-9);
  run.targets.forEach((condition, index) => {
    const panel = layout.panels[index]!;
    const sigma = levelsOf(condition);
    const x = scaleLinear([0.4, Math.max(sigma.length, 2) + 0.6], [0, panel.width]);
    const y = scaleLinear([0, largest * 1.05], [panel.height, 0]);
    const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    canvas.svg.append(heading(panel, condition.name), leftAxis(y, panel), bottomAxis(x, panel, "vector", Math.min(sigma.length, 6)), group);
    const chance = run.hasVectorPValues ? condition.chance_sigma : undefined;
    if (chance && chance.low !== null && chance.high !== null) {
      group.append(
        shape("rect", { x: 0, width: panel.width, y: y(chance.high), height: Math.max(2, y(chance.low) - y(chance.high)), fill: colours.rest, "fill-opacity": 0.35 }),
        shape("text", { x: panel.width - 4, y: y(chance.high) - 5, "text-anchor": "end", "font-size": 11, fill: colours.quiet }, "chance"),
      );
    }
    sigma.forEach((value, i) => {
      if (value === null) return;
      const p = condition.vector_p?.[i];
      const real = p !== undefined && p !== null && p <= level;
      const dot = shape("circle", {
        cx: x(i + 1), cy: y(value), r: 5, fill: real ? colours.accent : colours.paper, stroke: real ? colours.accent : colours.rest, "stroke-width": 1.5,
      });
      dot.addEventListener("pointerenter", () => canvas.say(`${condition.name}, vector ${i + 1}: sigma ${significant(value)}${p === undefined ? "" : `, p = ${probability(p)}, q = ${probability(condition.vector_q?.[i])}`}`));
      group.append(dot);
    });
  });
  canvas.size(layout.height);
}

// A condition that lacks what another one has differs from it, too.
function differsWithoutGroups(run: Run): boolean {
  const level = Number(run.summary.settings.used.level ?? 0.05);
  return run.targets.some((condition) => condition.groups.length === 0 && (condition.vector_p ?? []).some((p) => p !== null && p <= level));
}

export function sigmaFigure(run: Run): HTMLElement {
  const chance = run.hasVectorPValues && run.targets.some((condition) => condition.chance_sigma);
  return figure({
    id: "significance",
    title: "Is there anything that only one condition has?",
    how: [
      "Each dot is a pattern over the features; the higher, the less the other conditions explain it (1 is not at all).",
      chance ? " The gray band is where the highest dot lies when samples are shuffled; filled dots are significant." : "",
      run.hasPValues && !run.hasVectorPValues ? " Single patterns were not tested: their height alone says nothing about chance." : "",
      differsWithoutGroups(run) ? " A condition without groups can have filled dots: it lacks what another one has, and what is left of it differs." : "",
    ],
    draw: (canvas) => drawSigma(run, canvas),
    label: () => `Singular values of ${run.targets.map((one) => `${one.name}: ${levelsOf(one).slice(0, 3).map((value) => significant(value)).join(", ")}`).join("; ")}`,
  });
}

function drawPath(run: Run, canvas: Canvas): void {
  const conditions = run.targets.filter((condition) => condition.sigma_by_eigenvectors.length > 0);
  const layout = panels(conditions.length, canvas.width, { least: 240, height: 150 });
  const colours = theme();
  conditions.forEach((condition, index) => {
    const panel = layout.panels[index]!;
    const path = condition.sigma_by_eigenvectors;
    const chosen = Math.max(...run.conditions.filter((one) => one !== condition).map((one) => one.dimensions.chosen));
    const x = scaleLinear([0, Math.max(chosen, ...path.map((step) => step.eigenvectors))], [0, panel.width]);
    const y = scaleLinear([0, 1], [panel.height, 0]);
    const group = shape("g", { transform: `translate(${panel.left},${panel.top})` });
    canvas.svg.append(heading(panel, condition.name), leftAxis(y, panel), bottomAxis(x, panel, "eigenvectors of the others"), group);
    group.append(shape("line", { x1: x(chosen), x2: x(chosen), y1: 0, y2: panel.height, stroke: colours.quiet, "stroke-dasharray": "4 3" }));
    [0, 1, 2].forEach((i) => {
      const steps = path.filter((step) => typeof step.sigma[i] === "number");
      const draw = line<(typeof steps)[number]>((step) => x(step.eigenvectors), (step) => y(step.sigma[i]!));
      group.append(shape("path", { d: draw(steps) ?? "", fill: "none", stroke: i === 0 ? colours.accent : colours.rest, "stroke-width": i === 0 ? 2.5 : 1.5 }));
      const last = steps[steps.length - 1];
      if (last) group.append(shape("text", { x: x(last.eigenvectors) + 3, y: y(last.sigma[i]!) + 4, "font-size": 10, fill: colours.quiet }, String(i + 1)));
    });
    path.forEach((step) => {
      const area = shape("rect", { x: x(step.eigenvectors) - 6, y: 0, width: 12, height: panel.height, fill: "transparent" });
      area.addEventListener("pointerenter", () => canvas.say(`${condition.name}, ${step.eigenvectors} eigenvectors: sigma ${step.sigma.map((value) => significant(value)).join(", ")}`));
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
    label: () => `Significance over the number of eigenvectors for ${run.targets.map((one) => one.name).join(", ")}`,
  });
}
