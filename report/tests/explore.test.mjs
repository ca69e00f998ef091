// The page as disc explore serves it: questions to the engine.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { open, scrollsSideways, seriousViolations } from "./browser.mjs";
import { donors, explored, hostile, hostileNames, testedBy } from "./cases.mjs";

let run;
before(() => { run = donors(); });

const busy = Array.from({ length: 8 }, (_, k) => `f${k + 5}`);
const ready = (page) => page.locator("#ask .how", { hasText: "The engine has the data" }).waitFor();
const asking = (look, options = {}) => explored(run.folder, (address, server) => open(address, async (page) => {
  await ready(page);
  await look(page, server);
}, { mayAsk: true, ...options }));

test("a page that is a file asks nobody", () => open(run.page, async (page) => {
  assert.equal(await page.locator("#ask").count(), 0);
  assert.equal(await page.evaluate(() => fetch("http://127.0.0.1:1/").then(() => "asked", () => "refused")).catch(() => "refused"), "refused");
}).catch((error) => assert.match(String(error), /Content Security Policy|violates/)));

test("p of a pasted set is that of disc test", () => asking(async (page) => {
  await page.locator("#ask-features").fill(`${busy.join(", ")}, nobody`);
  await page.getByRole("button", { name: "Test the set" }).click();
  const row = page.locator("#ask-table tbody tr").first();
  await row.waitFor();
  const cells = await row.locator("td").allInnerTexts();
  const said = testedBy(run.folder, busy);
  assert.equal(cells[0], "8");
  assert.equal(Number(cells.at(-2).replace("≤ ", "")), Number(Number(said.p).toPrecision(2)));
  assert.match(cells.at(-3), /more in busy/);
  assert.match(await page.locator("#ask").innerText(), /Without 1 feature: nobody \(not in the data\)/);
}));

test("the chosen group is taken as the set, and the page says what its p is worth", () => asking(async (page) => {
  await page.locator("#ask").getByRole("button", { name: "Chosen group", exact: true }).click();
  assert.ok((await page.locator("#ask-features").inputValue()).split("\n").length >= 3);
  await page.getByRole("button", { name: "Test the set" }).click();
  await page.locator("#ask-table tbody tr").first().waitFor();
  assert.match(await page.locator("#ask").innerText(), /These data themselves proposed this set/);
}));

test("units are left out, one or each", () => asking(async (page) => {
  await page.locator("#ask-features").fill(busy.join("\n"));
  await page.locator(".left-out input").nth(3).check();
  await page.getByRole("button", { name: "Test the set" }).click();
  await page.locator("#ask-table tbody tr").first().waitFor();
  assert.match(await page.locator("#ask-table tbody tr").first().innerText(), /d3<i>$/);
  await page.getByRole("button", { name: "Leave out one after the other" }).click();
  await page.locator("#each-table").waitFor();
  const rows = await page.locator("#each-table tbody tr").allInnerTexts();
  assert.equal(rows.length, 10);
  const here = rows.map((row) => Number(row.split("\t")[3]));
  assert.equal(here.indexOf(Math.min(...here)), 3, `without the donor who moves most the correlation is smallest: ${here}`);
}));

test("the tree of a group is cut by a slider", () => asking(async (page) => {
  await page.locator("#ask-tree").click();
  await page.locator("#tree-table").waitFor();
  const slider = page.locator("#tree-cut");
  await slider.fill(await slider.getAttribute("min"));
  const whole = await page.locator("#tree-table tbody tr").allInnerTexts();
  assert.equal(whole.length, 1, "at the root everything is one part");
  const size = Number(whole[0].split("\t")[1]);
  assert.equal(size, run.summary.conditions[1].groups[0].size);
  await page.getByRole("button", { name: "Take part 1" }).click();
  assert.equal((await page.locator("#ask-features").inputValue()).split("\n").length, size);
  await slider.fill(await slider.getAttribute("max"));
  assert.match(await page.locator("#tree").innerText(), /No three features hold together/);
}));

test("a line around dots marks their features", () => asking(async (page) => {
  const surface = page.locator("#vectors .surface").first();
  await surface.scrollIntoViewIfNeeded();
  const box = await surface.boundingBox();
  await page.mouse.move(box.x + 1, box.y + 1);
  await page.mouse.down();
  for (const [x, y] of [[1, 0], [1, 1], [0, 1]]) await page.mouse.move(box.x + x * (box.width - 2) + 1, box.y + y * (box.height + 2), { steps: 3 });
  await page.mouse.up();
  assert.match(await page.locator("#vectors .controls").first().innerText(), /30 features marked/);
  await page.getByRole("button", { name: "Marked features (30)" }).click();
  assert.equal((await page.locator("#ask-features").inputValue()).split("\n").length, 30);
  await page.getByRole("button", { name: "Unmark" }).click();
  assert.ok(await page.getByRole("button", { name: "Marked features (0)" }).isDisabled());
}));

test("what cannot be answered is said", () => asking(async (page) => {
  await page.getByRole("button", { name: "Test the set" }).click();
  assert.match(await page.locator("#ask .status").innerText(), /No answer: write the names/);
  await page.locator("#ask-features").fill("a b c");
  await page.getByRole("button", { name: "Test the set" }).click();
  await page.getByText("there is nothing to test").waitFor();
}));

test("names stay text in questions and answers", async () => {
  const { folder } = hostile();
  await explored(folder, (address) => open(address, async (page) => {
    await ready(page);
    await page.locator("#ask-features").fill(hostileNames.join("\n"));
    await page.getByRole("button", { name: "Test the set" }).click();
    await page.locator("#ask-table tbody tr").first().waitFor();
    await page.locator("#ask-tree").click();
    await page.locator("#tree-table").waitFor();
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("#ask b, #ask i, #ask img, #ask script").count(), 0);
  }, { mayAsk: true }));
});

test("nothing serious is wrong for those who cannot see it, wide and on a phone", async () => {
  for (const width of [1280, 390]) {
    await asking(async (page) => {
      await page.locator("#ask-tree").click();
      await page.locator("#tree-table").waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      assert.equal(await scrollsSideways(page), false);
    }, { viewport: { width, height: 900 } });
  }
});
