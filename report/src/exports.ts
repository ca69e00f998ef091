// Files that other programs read: named sets, networks, all figures in one archive.
import { linesOf } from "./charts/graph";
import { button, download, element } from "./dom";
import { figures } from "./figure";
import { printFigures } from "./paper";
import type { Group, Run } from "./run";
import { selection } from "./state";
import { slug } from "./address";
import { zip } from "./zip";

/** Tabs and line ends would end a field. */
function cell(text: string): string {
  return text.replace(/[\t\r\n]/g, " ");
}

/** One line per group and core: name, description, members. Groups whose lists are shortened on the page say so. */
export function gmt(run: Run): string {
  const lines: string[] = [];
  for (const group of run.groups) {
    const { features, size } = group.members;
    const part = features.length < size ? `; the first ${features.length} of ${size}` : "";
    lines.push([slug(group.label), `DiSC, ${group.summary.direction} in ${group.condition.name}${part}`, ...features].map(cell).join("\t"));
    const core = run.core(group);
    if (core.length > 0 && core.length < size) lines.push([`${slug(group.label)}_core`, `DiSC, core of ${group.label}`, ...core].map(cell).join("\t"));
  }
  return `${lines.join("\n")}\n`;
}

// Characters that XML 1.0 cannot hold are left out.
function xml(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

export function graphml(run: Run, group: Group): string {
  const measure = group.graph?.correlations ? "correlation" : "weight";
  const features = group.graph?.features ?? [];
  const key = (id: string, target: string, title: string, type: string) => `  <key id="${id}" for="${target}" attr.name="${xml(title)}" attr.type="${type}"/>`;
  const core = new Set(run.core(group));
  const nodes = features.map((feature, i) => `    <node id="n${i}"><data key="name">${xml(feature)}</data><data key="core">${core.has(feature)}</data></node>`);
  const edges = linesOf(group, Infinity).lines.map((line) => `    <edge source="n${line.a}" target="n${line.b}"><data key="kind">${line.kind}</data>${line.values.map((value, m) => `<data key="c${m}">${value}</data>`).join("")}</edge>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    key("name", "node", "name", "string"), key("core", "node", "core", "boolean"), key("kind", "edge", "kind", "string"),
    ...run.conditions.map((condition, m) => key(`c${m}`, "edge", `${measure} in ${condition.name}`, "double")),
    `  <graph id="${xml(slug(group.label))}" edgedefault="undirected">`, ...nodes, ...edges, "  </graph>", "</graphml>", "",
  ].join("\n");
}

/** Cytoscape's own form: File, Import, Network from file. */
export function cytoscape(run: Run, group: Group): string {
  const features = group.graph?.features ?? [];
  const core = new Set(run.core(group));
  return JSON.stringify({
    format_version: "1.0", generated_by: `disc ${run.summary.version}`, data: { name: slug(group.label), shared_name: slug(group.label) },
    elements: {
      nodes: features.map((feature, i) => ({ data: { id: `n${i}`, name: feature, shared_name: feature, core: core.has(feature) } })),
      edges: linesOf(group, Infinity).lines.map((line, k) => ({ data: { id: `e${k}`, source: `n${line.a}`, target: `n${line.b}`, interaction: line.kind, ...Object.fromEntries(line.values.map((value, m) => [`value_${run.conditions[m]!.name}`, value])) } })),
    },
  }, null, 1);
}

function save(name: string, text: string, type: string): void {
  download(name, new Blob([text], { type }));
}

/** Buttons for what can be taken elsewhere. */
export function exportsBox(run: Run, more: HTMLElement): HTMLElement {
  const chosen = () => run.groups[selection.group]!;
  const buttons: HTMLElement[] = [];
  if (run.groups.length > 0) {
    buttons.push(button("Groups as gene sets (groups.gmt)", () => save("groups.gmt", gmt(run), "text/plain")));
    if (run.data.graphs.length > 0) {
      buttons.push(
        button("Network of the chosen group (network.graphml)", () => save("network.graphml", graphml(run, chosen()), "application/graphml+xml")),
        button("The same for Cytoscape (network.cyjs)", () => save("network.cyjs", cytoscape(run, chosen()), "application/json")));
    }
  }
  buttons.push(button("All figures as SVG (figures.zip)", () => {
    download("figures.zip", new Blob([zip(figures.map(({ id, svg }) => ({ name: `${id}.svg`, text: svg() })))], { type: "application/zip" }));
  }), button("All figures as PDF", () => printFigures(figures), { title: "Opens the print dialog of the browser with the figures alone: choose to save as PDF" }));
  return element("section", { id: "exports", "aria-labelledby": "exports-title" },
    element("h2", { id: "exports-title" }, "Take it elsewhere"),
    element("p", { class: "how" }, "The page itself asks nothing of the network. To look for known functions, copy a list of features and paste it into ",
      ...[["g:Profiler", "https://biit.cs.ut.ee/gprofiler/"], ["Enrichr", "https://maayanlab.cloud/Enrichr/"], ["MSigDB", "https://www.gsea-msigdb.org/gsea/msigdb/annotate.jsp"]].flatMap(([title, address], index) => [index === 0 ? null : index === 2 ? " or " : ", ", element("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, title!)]), "."),
    element("div", { class: "controls" }, ...buttons), more);
}
