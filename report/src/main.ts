// The page, in the order in which it is read: answer, cautions, figure_data, tables, how it was made.
import "./style.css";
import { answer, cautions } from "./answer";
import { enrichmentFigure } from "./charts/enrichment";
import { evidenceFigures } from "./charts/evidence";
import { graphFigure } from "./charts/graph";
import { heatmapFigure } from "./charts/heatmap";
import { imagesFigure } from "./charts/images";
import { samplesFigures } from "./charts/samples";
import { pathFigure, sigmaFigure } from "./charts/sigma";
import { vectorsFigure } from "./charts/vectors";
import { loadData } from "./data";
import { details } from "./details";
import { button, choice, element, type Content } from "./dom";
import { Run } from "./run";
import { selection } from "./state";
import { candidatesTable, edgesTable, groupsTable, excludedTable, membersTable, pairsTable } from "./tables";
import { isDark, onThemeChange, startTheme, toggleTheme } from "./theme";

function header(): HTMLElement {
  const label = () => (isDark() ? "Light page" : "Dark page");
  const toggle = button(label(), toggleTheme, { id: "theme" });
  onThemeChange(() => { toggle.textContent = label(); });
  const link = (target: string, text: string) => element("a", { href: `#${target}` }, text);
  return element("header", {},
    element("span", { class: "brand" }, "DiSC report"),
    element("nav", { "aria-label": "Parts of the report" }, link("answer", "Answer"), link("figure_data", "FigureData"), link("tables", "Tables"), link("details", "Methods")),
    toggle);
}

function section(id: string, title: string, content: Content[]): HTMLElement | null {
  const parts = content.filter((part) => part);
  if (parts.length === 0) return null;
  return element("section", { id, "aria-labelledby": `${id}-heading` }, element("h2", { id: `${id}-heading` }, title), ...parts);
}

/** What is about one group, with the choice of the group. */
function groupSection(run: Run): HTMLElement | null {
  if (run.groups.length === 0) return null;
  const picker = choice("Group", run.groups.map((group) => group.label), (index) => selection.choose({ group: index }), { id: "group-choice" });
  selection.onChange(() => { picker.select.selectedIndex = selection.group; });
  return section("group", "One group in detail", [
    element("div", { class: "controls" }, picker.node),
    graphFigure(run), ...samplesFigures(run), enrichmentFigure(run),
    element("div", { class: "pair" }, membersTable(run), edgesTable(run)),
  ]);
}

async function start(): Promise<void> {
  startTheme();
  const place = document.getElementById("page")!;
  const run = new Run(await loadData());
  document.title = `DiSC report: ${run.conditions.map((condition) => condition.name).join(", ")}`;
  if (run.groups.length > 0) selection.group = 0;
  const main = element("main", {});
  const parts: Content[] = [
    answer(run),
    cautions(run),
    section("figure_data", "FigureData", [
      heatmapFigure(run), vectorsFigure(run), imagesFigure(run),
      element("div", { class: "pair" }, ...evidenceFigures(run)),
      element("div", { class: "pair" }, sigmaFigure(run), pathFigure(run)),
    ]),
    groupSection(run) ?? section("group", "Samples", samplesFigures(run)),
    section("tables", "Tables", [groupsTable(run), pairsTable(run), candidatesTable(run), excludedTable(run)]),
    details(run),
  ];
  for (const part of parts) if (part) main.append(part);
  place.replaceChildren(header(), main);
  document.documentElement.dataset.ready = "yes";
}

start().catch((error: unknown) => {
  document.getElementById("page")!.replaceChildren(element("p", { role: "alert" }, `This page could not be drawn: ${String(error)}. The results are in groups.tsv and summary.json beside it.`));
});
