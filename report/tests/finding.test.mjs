// What the page tells and hands out: cards, search, network, pairs, links to groups, files for other programs, another run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { open, scrollsSideways, seriousViolations } from "./browser.mjs";
import { compared, embedded, manyGroups, scratch, synthetic, titled, withSets, withUnits } from "./cases.mjs";

let run;
before(() => { run = synthetic("newly-connected"); });

const python = process.env.PYTHON ?? "/usr/bin/python3";

async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test("a card names members, correlations here and elsewhere, pairs and the known set", () => {
  const sets = withSets();
  return open(sets.page, async (page) => {
    assert.equal(await page.locator("h1").innerText(), "New in day: features of “MORNING_<b>LIGHT” vary together");
    const card = page.locator(".card").first();
    const text = await card.innerText();
    assert.match(text, /vary together in day and not in night/);
    assert.match(text, /Known set: MORNING_<b>LIGHT, 12 of its 12 features \(q = /);
    const bars = (await card.locator(".bar-value").allInnerTexts()).map((value) => Number(value.replace("−", "-")));
    assert.ok(bars[0] > 0.6 && Math.abs(bars[1]) < 0.3, `here first: ${bars}`);
    const pairs = await card.locator(".pairs li").allInnerTexts();
    assert.equal(pairs.length, 3);
    for (const pair of pairs) {
      const [here, elsewhere] = /(\S+) here, (\S+) elsewhere/.exec(pair).slice(1).map((value) => Number(value.replace("−", "-")));
      assert.ok(here > elsewhere + 0.4, pair);
    }
    await card.locator(".pairs button").last().click();
    assert.match(await page.locator("#pair svg").getAttribute("aria-label"), /^Values of f\d+ and f\d+ in each sample/);
  });
});

test("choosing a known set marks what it shares with the group", () => open(withSets().page, async (page) => {
  const shared = Array.from({ length: 12 }, (_, k) => `f${k + 11}`);
  await page.locator("#enrichment rect").first().click();
  assert.match(await page.locator("#vectors .controls").first().innerText(), /12 features marked/);
  const underlined = await page.locator("#matrix text[text-decoration='underline']").allTextContents();
  assert.deepEqual([...new Set(underlined)].sort(), shared.sort());
  await page.getByRole("button", { name: "Unmark" }).click();
  assert.equal(await page.locator("#matrix text[text-decoration='underline']").count(), 0);
}));

test("a feature is found with its group, its partners and its pairs", () => open(run.page, async (page) => {
  const field = page.locator("#search");
  const group = run.summary.conditions.flatMap((condition) => condition.groups.map((one) => ({ ...one, condition: condition.name })))[0];
  const feature = group.top_features?.[0] ?? group.hubs[0];
  await field.fill(feature);
  await field.press("Enter");
  const result = page.locator(".search-result");
  assert.match(await result.innerText(), new RegExp(`^Close\\s+${feature} is in ${group.condition}[ -]`));
  assert.equal(await result.locator(".partners dt").count(), run.summary.conditions.length);
  await field.fill("no such feature");
  await field.press("Enter");
  assert.match(await result.innerText(), /No feature is called “no such feature”/);
  await field.press("Escape");
  assert.equal(await result.isVisible(), false);
}));

test("the chosen group is in the address, and an address chooses it", async () => {
  const groups = run.summary.conditions.flatMap((condition) => condition.groups.map((one) => (/^[\d.]+$/.test(one.id) ? `${condition.name}-${one.id}` : one.id)));
  const last = groups.at(-1);
  await open(run.page, async (page) => {
    await page.locator("#group-choice").selectOption(String(groups.length - 1));
    await page.locator("#group-choice").selectOption("0");
    assert.equal(await page.evaluate(() => location.hash), `#group=${groups[0]}`);
  });
  await open(`${run.page}#group=${last}`, async (page) => {
    assert.equal(await page.locator("#group-choice option:checked").innerText(), last);
  });
  await open(`${run.page}#group=%E0%A4%A`, async (page) => assert.ok(await page.locator("h1").isVisible(), "a damaged address does no harm"));
});

test("files for other programs can be read by them", () => open(run.page, async (page) => {
  const groups = run.summary.conditions.flatMap((condition) => condition.groups);
  const gmt = await saved(page, "Groups as gene sets");
  assert.equal(gmt.name, "groups.gmt");
  const lines = gmt.bytes.toString().trimEnd().split("\n").map((line) => line.split("\t"));
  const whole = lines.filter((line) => !line[0].endsWith("_core"));
  assert.deepEqual(whole.map((line) => line.length - 2), groups.map((group) => group.size));

  const graphml = await saved(page, "Network of the chosen group");
  const cyjs = await saved(page, "The same for Cytoscape");
  const figures = await saved(page, "All figures as SVG");
  const place = (one) => { writeFileSync(join(scratch, one.name), one.bytes); return join(scratch, one.name); };
  const said = execFileSync(python, ["-c", `
import json, sys, zipfile
import xml.etree.ElementTree as xml
tree = xml.parse(sys.argv[1]).getroot()
space = "{http://graphml.graphdrawing.org/xmlns}"
graph = tree.find(space + "graph")
ids = {node.get("id") for node in graph.iter(space + "node")}
edges = list(graph.iter(space + "edge"))
assert all(edge.get("source") in ids and edge.get("target") in ids for edge in edges)
try:
    import networkx
except ImportError:
    pass
else:
    assert networkx.read_graphml(sys.argv[1]).number_of_edges() == len(edges)
cytoscape = json.load(open(sys.argv[2]))["elements"]
assert len(cytoscape["edges"]) == len(edges) and len(cytoscape["nodes"]) == len(ids)
with zipfile.ZipFile(sys.argv[3]) as archive:
    assert archive.testzip() is None
    for name in archive.namelist():
        assert xml.fromstring(archive.read(name)).tag == "{http://www.w3.org/2000/svg}svg", name
    print(len(ids), len(edges), len(archive.namelist()))
`, place(graphml), place(cyjs), place(figures)], { encoding: "utf8" });
  const [nodes, edges, drawings] = said.split(" ").map(Number);
  assert.ok(nodes > 3 && edges > 3);
  assert.equal(drawings, await page.locator("figure").count());
}));

test("the network has at most a hundred lines, at the same places in all conditions", () => open(run.page, async (page) => {
  const panels = page.locator("#graph svg > g");
  assert.equal(await panels.count(), run.summary.conditions.length);
  const dots = await panels.evaluateAll((list) => list.map((one) => [...one.querySelectorAll("circle")].map((dot) => `${dot.getAttribute("cx")} ${dot.getAttribute("cy")}`)));
  assert.deepEqual(dots[0], dots[1]);
  assert.ok(dots[0].length > 3);
  assert.ok((await panels.first().locator("line").count()) <= 100);
  assert.match(await page.locator("#graph svg").getAttribute("aria-label"), /: [1-9]\d* gained, 0 lost/);
}));

test("a slider leaves the strong connections of the network, at their places", () => open(run.page, async (page) => {
  const dots = () => page.locator("#graph svg > g").first().locator("circle").evaluateAll((list) => list.map((dot) => `${dot.getAttribute("cx")} ${dot.getAttribute("cy")}`));
  const lines = () => page.locator("#graph svg > g").first().locator("line").count();
  const [placesBefore, linesBefore] = [await dots(), await lines()];
  await page.locator("#network-least").fill("0.95");
  assert.ok((await lines()) < linesBefore, "fewer lines");
  assert.deepEqual(await dots(), placesBefore);
  assert.equal(await page.locator("output[for=network-least]").innerText(), "0.95");
  await page.locator("#network-least").fill("0.25");
  assert.equal(await lines(), linesBefore);
}));

test("choosing a pair draws its values", () => open(run.page, async (page) => {
  const inputs = page.locator("#pair input");
  const before = await inputs.evaluateAll((list) => list.map((one) => one.value));
  const names = await page.locator("#value-features option").evaluateAll((list) => list.map((one) => one.value));
  const other = names.find((name) => !before.includes(name));
  await inputs.first().fill(other);
  await inputs.first().blur();
  assert.match(await page.locator("#pair svg").getAttribute("aria-label"), new RegExp(`^Values of ${other} and ${before[1]} `));
  assert.ok((await page.locator("#pair circle").count()) >= 200);
}));

test("title, date and files are in the head", () => open(titled().page, async (page) => {
  assert.equal(await page.title(), "Calm & <busy> days – DiSC report");
  assert.equal(await page.locator("header .title").innerText(), "Calm & <busy> days");
  assert.match(await page.locator(".about").innerText(), /^Calm & <busy> days · calm n = 90, busy n = 90 · calm\.csv, busy\.csv · \d{4}-\d\d-\d\d · disc \d/);
}));

test("terms say what they mean, licenses are in the page", () => open(run.page, async (page) => {
  const term = page.locator("button.term").first();
  await term.focus();
  assert.ok((await page.locator("#hint").innerText()).length > 30);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#hint").isVisible(), false);
  const licenses = await page.locator("#licenses pre").textContent();
  assert.match(licenses, /d3-selection/);
  assert.match(licenses, /Permission to use, copy, modify/);
}));

test("many groups are a table, parts unfold, lost groups say so", () => open(manyGroups().page, async (page) => {
  // Warnings that differ in the name of the group alone are one sentence.
  const notes = await page.locator("#cautions li").allTextContents();
  assert.deepEqual(notes.filter((note) => note.startsWith("Group")), ["Groups busy-1 and busy-2 follow the label 'kind', which explains 77 to 81 % of their scores: it may tell samples apart."]);
  assert.equal(notes.filter((note) => note.startsWith("Every sample was taken as independent")).length, 1, "said once");
  assert.ok(notes.every((note) => /[.!?]$/.test(note)), String(notes));
  assert.equal(await page.locator(".card").count(), 2);
  assert.equal(await page.locator("#compact tbody tr").count(), 7);
  const all = [...await page.locator(".card").evaluateAll((list) => list.map((one) => one.dataset.group)), ...await page.locator("#compact tbody tr").evaluateAll((list) => list.map((one) => one.dataset.group))];
  assert.equal(new Set(all).size, 9, "parts stand below their group");
  const table = page.locator("#groups-table");
  assert.equal(await table.locator("tbody tr").count(), 11);
  const heads = (await table.locator("thead th").allInnerTexts()).map((text) => text.trim());
  assert.equal(heads[1], "part of");
  await page.locator("#group-choice").selectOption({ label: "busy-1.2" });
  assert.equal(await page.locator("#members-table tbody tr").count(), 4);
  assert.deepEqual(await seriousViolations(page), []);
  assert.equal(await scrollsSideways(page), false);
}));

test("another run is compared as the program does", () => {
  const other = synthetic("newly-connected");
  const sentence = compared(run.folder, other.folder);
  assert.match(sentence, /same\s+Jaccard 1\.00/);
  return open(run.page, async (page) => {
    await page.locator("#compare summary").click();
    await page.locator("#other-run").setInputFiles(join(other.folder, "groups.tsv"));
    await page.waitForSelector("#compare-table");
    const verdicts = await page.locator("#compare-table tbody tr td:nth-child(4)").allInnerTexts();
    assert.ok(verdicts.length > 0 && verdicts.every((verdict) => verdict === "same"), String(verdicts));
    writeFileSync(join(scratch, "wrong.tsv"), "a\tb\n1\t2\n");
    await page.locator("#other-run").setInputFiles(join(scratch, "wrong.tsv"));
    await page.getByText("cannot be compared: this file has no columns").waitFor();
  });
});

test("every unit has a dot in every condition, by its own correlation", () => {
  const { page: address } = withUnits((unit, condition) => (condition === "busy" ? 0.3 + unit / 100 : unit === 0 ? "" : 0.05));
  return open(address, async (page) => {
    const label = await page.locator("#units svg").getAttribute("aria-label");
    assert.match(label, /calm: 9 from 0\.05 to 0\.05; busy \(its condition\): 10 from 0\.30 to 0\.39/);
    assert.equal(await page.locator("#units circle").count(), 19);
    await page.locator("#units circle").last().hover();
    assert.equal(await page.locator("#units .readout").innerText(), "d9<i> (busy): mean correlation within the group 0.39, 20 samples");
    assert.equal(await page.locator("#units path[stroke-width='1']").count(), 9, "a line joins a unit with itself");
    await page.locator("#units select").selectOption("1");
    assert.match(await page.locator("#units svg").getAttribute("aria-label"), /^mean of its features/);
  });
});

test("samples are placed by the embedding of the file, or by components", () => open(embedded().page, async (page) => {
  const map = page.locator("#map");
  assert.match(await map.locator("svg").getAttribute("aria-label"), /^X_umap of the samples/);
  const places = () => map.locator("svg g path").evaluateAll((dots) => dots.map((dot) => dot.getAttribute("transform")).filter((one) => one?.startsWith("translate")).length);
  assert.equal(await places(), 200);
  assert.deepEqual(await page.locator("#map-places option").allInnerTexts(), ["X_umap", "principal components"]);
  assert.deepEqual(await page.locator("#map-color option").allInnerTexts(), ["the chosen group", "condition", "kind"], "places are no colors");
  await page.locator("#map-color").selectOption("2");
  assert.match(await map.locator("svg").innerHTML(), /&lt;b&gt;old/);
  await page.locator("#map-places").selectOption("1");
  assert.match(await map.locator("svg").getAttribute("aria-label"), /^Principal components of the samples/);
}));
