// What a reader does with the page: hover, zoom, sort, filter, choose, download, theme, keyboard, print.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { open } from "./browser.mjs";
import { synthetic, withSets } from "./cases.mjs";

let run;
before(() => { run = synthetic("newly-connected"); });

async function saved(page, action) {
  const [download] = await Promise.all([page.waitForEvent("download"), action()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test("pointing at a pair names it and its weight in every condition", () => open(run.page, async (page) => {
  const surface = page.locator("#weights .surface").first();
  await surface.scrollIntoViewIfNeeded();
  const box = await surface.boundingBox();
  await page.mouse.move(box.x + 3, box.y + 8);
  assert.match(await page.locator("#weights .readout").innerText(), /^f\d+ and f\d+: [\d.]+ in A, [\d.]+ in B$/);
  assert.equal(await page.locator("#hint").innerText(), await page.locator("#weights .readout").innerText(), "the same at the pointer");
}));

test("dragging zooms all conditions, a button shows everything again", () => open(run.page, async (page) => {
  const label = () => page.locator("#weights svg").getAttribute("aria-label");
  const all = await label();
  assert.match(all, /lines 1 to 250 of 250/);
  const surface = page.locator("#weights .surface").first();
  await surface.scrollIntoViewIfNeeded();
  const box = await surface.boundingBox();
  await page.mouse.move(box.x + box.width * 0.1, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 60, { steps: 4 });
  await page.mouse.up();
  assert.match(await label(), /lines 2[5-7] to 7[4-6] of 250/);
  await page.getByRole("button", { name: "All features", exact: true }).click();
  assert.equal(await label(), all);
  await page.getByRole("button", { name: "Chosen group", exact: true }).click();
  const [first, last] = /lines (\d+) to (\d+) of 250/.exec(await label()).slice(1).map(Number);
  assert.ok(last - first < 60, "no more than the group and its neighbors");
  await page.getByRole("button", { name: "All features", exact: true }).click();
  const bar = page.locator("#weights .bar-of-group").last();
  const group = await bar.getAttribute("data-group");
  await bar.click();
  assert.equal(await page.locator("#group-choice option:checked").innerText(), group);
  const zoomed = /lines (\d+) to (\d+) of 250/.exec(await label()).slice(1).map(Number);
  assert.ok(zoomed[1] - zoomed[0] < 60, "the bar of a group zooms to it");
}));

test("tables sort and filter", () => open(run.page, async (page) => {
  const table = page.locator("#members-table");
  const weights = async () => (await table.locator("tbody td:nth-child(2)").allInnerTexts()).map(Number);
  await table.getByRole("button", { name: "weight", exact: true }).click();
  const rising = await weights();
  assert.deepEqual(rising, [...rising].sort((a, b) => a - b));
  assert.equal(await table.locator("th").nth(1).getAttribute("aria-sort"), "ascending");
  await table.getByRole("button", { name: "weight", exact: true }).click();
  assert.deepEqual(await weights(), rising.reverse());
  const names = await table.locator("tbody td:first-child").allInnerTexts();
  await table.getByRole("searchbox").fill(names[3].toUpperCase());
  assert.ok((await table.locator("tbody tr").count()) < names.length);
  assert.ok((await table.locator("tbody").innerText()).includes(names[3]));
  await table.getByRole("searchbox").fill("no such feature");
  assert.equal(await table.locator("tbody tr").count(), 0);
}));

test("choosing a group changes figures and tables, choosing a feature marks it", () => open(run.page, async (page) => {
  const last = run.summary.conditions.at(-1).groups.at(-1);
  const label = /^[\d.]+$/.test(last.id) ? `${run.summary.conditions.at(-1).name}-${last.id}` : last.id;
  await page.locator("#groups-table").getByRole("button", { name: label }).click();
  assert.equal(await page.locator("#group-choice option:checked").innerText(), label);
  assert.match(await page.locator("#graph svg").getAttribute("aria-label"), new RegExp(`group ${label}:`));
  assert.equal(await page.locator("#members-table tbody tr").count(), last.size);
  const first = page.locator("#members-table tbody button").first();
  await first.click();
  assert.equal(await page.locator("#members-table tbody button").first().getAttribute("aria-pressed"), "true");
  assert.ok((await page.locator("#vectors circle[stroke-width='2']").count()) > 0, "the feature is marked in the vectors");
}));

test("tables and figures can be downloaded", () => open(run.page, async (page) => {
  const groups = run.summary.conditions.flatMap((condition) => condition.groups);
  const tsv = await saved(page, () => page.getByRole("button", { name: "Download as TSV: Groups" }).click());
  assert.equal(tsv.name, "groups-table.tsv");
  const lines = tsv.bytes.toString().trimEnd().split("\n").map((line) => line.split("\t"));
  assert.equal(lines.length, groups.length + 1);
  assert.deepEqual(lines.slice(1).map((line) => Number(line[lines[0].indexOf("p")])), groups.map((group) => group.p));
  const csv = await saved(page, () => page.getByRole("button", { name: "Download as CSV: Groups" }).click());
  assert.ok(csv.bytes.toString().startsWith(`${lines[0].slice(0, 3).join(",")},`));
  assert.ok(["group", "condition", "features"].every((title) => lines[0].includes(title)));
  for (const title of ["All features: how are they connected in each condition?", "The group as a network", "One pair, sample by sample"]) {
    const svg = await saved(page, () => page.getByRole("button", { name: `Download as SVG: ${title}` }).click());
    assert.match(svg.bytes.toString(), /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    const png = await saved(page, () => page.getByRole("button", { name: `Download as PNG: ${title}` }).click());
    assert.deepEqual([...png.bytes.subarray(1, 4)], [..."PNG"].map((letter) => letter.charCodeAt(0)));
    assert.ok(png.bytes.length > 5000);
  }
}));

const tableOf = (run, file) => readFileSync(`${run.folder}/${file}`, "utf8").trimEnd().split("\n").map((line) => line.split("\t"));

test("named sets are bars, and pairs that changed a table, as in the files", () => {
  const sets = withSets();
  const [head, ...every] = tableOf(sets, "enrichment.tsv");
  const rows = every.filter((row) => row[head.indexOf("group")] === "1"); // the group that the page shows first
  return open(sets.page, async (page) => {
    const figure = page.locator("#enrichment");
    const label = await figure.locator("svg").getAttribute("aria-label");
    assert.match(label, /^MORNING_<b>LIGHT, q = /);
    assert.equal(await figure.locator("svg rect").count(), rows.length);
    const bars = await figure.locator("svg rect").evaluateAll((list) => list.map((bar) => ({ width: Number(bar.getAttribute("width")), faint: bar.getAttribute("fill-opacity") !== "1" })));
    const q = rows.map((row) => Number(row[head.indexOf("q")]));
    bars.forEach((bar, i) => assert.equal(bar.faint, q[i] > 0.05));
    assert.ok(bars[0].width === Math.max(...bars.map((bar) => bar.width)), "the longest bar is that of the smallest q");
    await figure.locator("svg rect").first().hover();
    assert.match(await figure.locator(".readout").innerText(), /^MORNING_<b>LIGHT: q = .*; shared: .*f11/);

    const [titles, ...pairs] = tableOf(sets, "pairs.tsv");
    assert.ok(pairs.length > 10, "pairs of the group changed");
    const shown = await page.locator("#pairs-table tbody tr").evaluateAll((list) => list.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.equal(shown.length, Math.min(100, pairs.length));
    const column = (name) => titles.indexOf(name);
    shown.forEach((cells, i) => {
      for (const name of ["condition", "feature_a", "feature_b"]) assert.equal(cells[column(name)], pairs[i][column(name)]);
      assert.ok(Math.abs(Number(cells[column("correlation")].replace("−", "-")) - Number(pairs[i][column("correlation")])) <= 0.0005);
    });
  });
});

test("the core of a group is marked as in groups.tsv", () => open(run.page, async (page) => {
  const [head, ...rows] = tableOf(run, "groups.tsv");
  const first = run.summary.conditions.find((condition) => condition.groups.length > 0);
  await page.locator("#group-choice").selectOption("0");
  const core = new Map(rows.filter((row) => row[0] === first.name && row[1] === String(first.groups[0].id)).map((row) => [row[head.indexOf("feature")], row[head.indexOf("core")]]));
  assert.equal(core.size, first.groups[0].size);
  const titles = await page.locator("#members-table thead th").allInnerTexts();
  const place = titles.findIndex((title) => title.trim() === "core");
  const shown = await page.locator("#members-table tbody tr").evaluateAll((list, at) => list.map((row) => [row.cells[0].textContent, row.cells[at].textContent]), place);
  assert.deepEqual(new Map(shown.sort()), new Map([...core].sort()));
}));

test("the theme follows the system and can be changed", () => open(run.page, async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.getByRole("button", { name: "Light page" }).click();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "light");
  assert.notEqual(await paper(), dark);
}, { colorScheme: "dark" }));

test("figures can be used with the keyboard", () => open(run.page, async (page) => {
  await page.locator("#weights svg").focus();
  await page.keyboard.press("ArrowRight");
  const first = await page.locator("#weights .readout").innerText();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await page.locator("#weights .readout").innerText(), first);
  await page.keyboard.press("+");
  assert.doesNotMatch(await page.locator("#weights svg").getAttribute("aria-label"), /lines 1 to 250/);
  await page.keyboard.press("0");
  assert.match(await page.locator("#weights svg").getAttribute("aria-label"), /lines 1 to 250/, "the focus stays");
  await page.locator("#vectors svg").focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#vectors .readout").innerText(), /^f\d+: /);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "BUTTON", "the focus can leave");
}));

test("it prints: white paper, all rows, nothing cut off", () => open(run.page, async (page) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assert.equal(await page.locator("header").isVisible(), false);
  // A4 without its margins.
  await page.setViewportSize({ width: Math.floor((210 - 2 * 14) / 25.4 * 96), height: 1000 });
  const wide = await page.locator(".scroll").evaluateAll((list) => list.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute("aria-label")));
  assert.deepEqual(wide, [], "tables fit the paper");
  const printed = await page.locator("#pairs-table tbody tr").evaluateAll((list) => list.filter((row) => row.checkVisibility()).length);
  assert.ok(printed > 0 && printed <= 30, `${printed} pairs are printed`);
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 4).toString(), "%PDF");
}));

// The sheets of a pdf: width and height of each, in points.
const sheetsOf = (pdf) => [...pdf.toString("latin1").matchAll(/\/MediaBox ?\[ ?0 0 ([\d.]+) ([\d.]+) ?\]/g)].map((one) => [Number(one[1]), Number(one[2])]);

test("a figure is printed alone, on paper of its size, and all of them with their titles", () => open(run.page, async (page) => {
  await page.evaluate(() => { window.print = () => { window.asked = (window.asked ?? 0) + 1; }; });
  const figure = page.locator("#pair");
  const [width, height] = await figure.locator("svg").evaluate((svg) => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]);
  await figure.getByRole("button", { name: /save as PDF/ }).click();
  assert.equal(await page.evaluate(() => window.asked), 1);
  const single = sheetsOf(await page.pdf({ preferCSSPageSize: true }));
  assert.equal(single.length, 1);
  assert.ok(Math.abs(single[0][0] - width * 0.75) < 2 && Math.abs(single[0][1] - height * 0.75) < 3, `${single[0]} for ${width} x ${height} pixels`);
  assert.equal(await page.locator("#sheet").count(), 0, "the page is as it was");

  await page.getByRole("button", { name: "All figures as PDF" }).click();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("#sheet svg").count(), await page.locator("figure svg[viewBox]").count());
  assert.equal(await page.locator("#sheet h3").count(), await page.locator("figure").count());
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));

  assert.ok(sheetsOf(await page.pdf({ format: "A4" })).length > 3, "the whole page is printed as before");
}));
