// The page, in the order in which it is read: answer, cautions, one group in detail, all features, tables, how it was made.
import "./style.css";
import { answer, cautions } from "./answer";
import { enrichmentFigure } from "./charts/enrichment";
import { evidenceFigures } from "./charts/evidence";
import { graphFigure } from "./charts/graph";
import { heatmapFigure } from "./charts/heatmap";
import { imagesFigure } from "./charts/images";
import { matrixFigure } from "./charts/matrix";
import { pairFigure } from "./charts/pair";
import { samplesFigures } from "./charts/samples";
import { pathFigure, sigmaFigure } from "./charts/sigma";
import { unitsFigure } from "./charts/units";
import { vectorsFigure } from "./charts/vectors";
import { startAddress } from "./address";
import { askSection } from "./ask/section";
import { compareBox } from "./compare";
import { loadData } from "./data";
import { details } from "./details";
import { button, choice, element, name, type Content } from "./dom";
import { exportsBox } from "./exports";
import { whole } from "./numbers";
import { startPaper } from "./paper";
import { Run } from "./run";
import { search } from "./search";
import { selection } from "./state";
import { candidatesTable, edgesTable, groupsTable, excludedTable, membersTable, pairsTable } from "./tables";
import { isDark, onThemeChange, startTheme, toggleTheme } from "./theme";

const contents: [string, string][] = [["answer", "Answer"], ["maps", "Where on the image"], ["cautions", "Before you rely on it"], ["group", "One group in detail"], ["ask", "Ask the engine"], ["figures", "All features"], ["tables", "Tables"], ["exports", "Take it elsewhere"], ["details", "How it was made"]];

function header(run: Run): HTMLElement {
  const label = () => (isDark() ? "Light page" : "Dark page");
  const toggle = button(label(), toggleTheme, { id: "theme" });
  onThemeChange(() => { toggle.textContent = label(); });
  return element("header", {}, element("span", { class: "brand" }, "DiSC report"), element("span", { class: "title" }, name(run.title)), search(run), toggle);
}

/** The parts that the page has, in a list at its side. */
function sidebar(main: HTMLElement): HTMLElement {
  const there = contents.filter(([target]) => main.querySelector(`#${target}`)).map(([target, text]) => [target, main.querySelector(`#${target}-heading`)?.textContent ?? text]);
  return element("nav", { class: "sidebar", "aria-label": "Parts of the report" }, element("ul", {}, ...there.map(([target, text]) => element("li", {}, element("a", { href: `#${target}` }, text)))));
}

/** What was compared, when, by which version. */
function about(run: Run): HTMLElement {
  const { date, inputs, version } = run.summary;
  const day = date ? new Date(date) : null;
  const files = inputs.map((one) => one.file.split("/").pop() ?? one.file);
  const shown = files.slice(0, 4).join(", ") + (files.length > 4 ? ` and ${files.length - 4} more` : "");
  return element("p", { class: "about" }, element("strong", {}, name(run.title)), " · ",
    ...run.conditions.flatMap((condition, index): Content[] => [index > 0 ? ", " : null, name(condition.name), ` n = ${whole(condition.samples)}`]),
    files.length > 0 ? " · " : null, files.length > 0 ? name(shown) : null,
    day && !Number.isNaN(day.getTime()) ? ` · ${date!.slice(0, 10)}` : null, ` · disc ${version}`);
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
  picker.select.selectedIndex = selection.group;
  selection.onChange(() => { picker.select.selectedIndex = selection.group; });
  return section("group", "One group in detail", [
    element("div", { class: "controls" }, picker.node),
    matrixFigure(run), pairFigure(run), unitsFigure(run), graphFigure(run), enrichmentFigure(run), ...samplesFigures(run),
    element("div", { class: "pair" }, membersTable(run), edgesTable(run)),
  ]);
}

/** On paper nothing can be unfolded. */
function openForPrint(main: HTMLElement): void {
  let opened: HTMLDetailsElement[] = [];
  window.addEventListener("beforeprint", () => {
    opened = [...main.querySelectorAll<HTMLDetailsElement>("details:not([open]):not(#licenses):not(#compare)")];
    for (const one of opened) one.open = true;
  });
  window.addEventListener("afterprint", () => { for (const one of opened) one.open = false; });
}

async function start(): Promise<void> {
  startTheme();
  startPaper();
  const place = document.getElementById("page")!;
  const run = new Run(await loadData());
  document.title = `${run.title} – DiSC report`;
  startAddress(run);
  const main = element("main", {});
  const images = imagesFigure(run);
  const maps = images && section("maps", "Where on the image", [images]);
  const parts: Content[] = [
    about(run),
    answer(run, run.groups.length > 0 ? maps : null),
    run.groups.length > 0 ? null : maps,
    cautions(run),
    groupSection(run) ?? section("group", "Samples", [pairFigure(run), ...samplesFigures(run)]),
    askSection(run),
    section("figures", "All features", [
      heatmapFigure(run), vectorsFigure(run),
      element("div", { class: "pair" }, ...evidenceFigures(run)),
      // Three conditions side by side need the whole width.
      element("div", run.targets.length > 2 ? {} : { class: "pair" }, sigmaFigure(run), pathFigure(run)),
    ]),
    section("tables", "Tables", [groupsTable(run), pairsTable(run), candidatesTable(run), excludedTable(run)]),
    exportsBox(run, compareBox(run)),
    details(run),
  ];
  for (const part of parts) if (part) main.append(part);
  place.replaceChildren(header(run), element("div", { class: "columns" }, sidebar(main), main));
  openForPrint(main);
  document.documentElement.dataset.ready = "yes";
}

start().catch((error: unknown) => {
  document.getElementById("page")!.replaceChildren(element("p", { role: "alert" }, `This page could not be drawn: ${String(error)}. The results are in groups.tsv and summary.json beside it.`));
});
