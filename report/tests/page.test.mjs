// The page of real runs, opened from disk in Chromium.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { open, scrollsSideways, seriousViolations } from "./browser.mjs";
import * as cases from "./cases.mjs";

const megabyte = 1e6;

function groupsOf(summary) {
  return summary.conditions.flatMap((condition) => condition.groups.map((group) => ({ condition: condition.name, ...group })));
}

// As the page shows p.
function shown(value) {
  return String(Number(value.toPrecision(2)));
}

/** "A-1", or the id where that already names the condition. */
function label(group) {
  return /^[\d.]+$/.test(group.id) ? `${group.condition}-${group.id}` : group.id;
}

/** Every group of summary.json is in the table with its size and p, and in the same order. */
async function assertGroupsAreThose(page, summary) {
  const groups = groupsOf(summary);
  const head = await page.locator("#groups-table thead th").allInnerTexts();
  const rows = await page.locator("#groups-table tbody tr").evaluateAll((list) => list.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const column = (title) => head.findIndex((text) => text.trim() === title);
  assert.deepEqual(rows.map((row) => row[column("group")]), groups.map(label));
  assert.deepEqual(rows.map((row) => row[column("features")]), groups.map((group) => String(group.size)));
  assert.deepEqual(rows.map((row) => row[column("p")]), groups.map((group) => shown(group.p)));
}

for (const problem of ["newly-connected", "subsets", "both", "three"]) {
  test(`${problem}: says what summary.json says`, async () => {
    const { page: address, summary, folder } = cases.synthetic(problem);
    const groups = groupsOf(summary);
    assert.ok(groups.length > 0, "this problem has groups");
    assert.ok(statSync(`${folder}/report.html`).size < 1.5 * megabyte);
    await open(address, async (page) => {
      assert.match(await page.locator("h1").innerText(), /^(New|Set apart|Lost) in [ABC]: /);
      const tops = groups.filter((group) => !group.parent);
      assert.match(await page.locator(".tally").innerText(), new RegExp(`^${tops.length} group`));
      const cards = await page.locator(".card").evaluateAll((list) => list.map((one) => ({ group: one.dataset.group, text: one.innerText })));
      // More groups than cards can be read: two of them, the others in a table.
      const listed = await page.locator("#compact tbody tr").evaluateAll((list) => list.map((row) => row.dataset.group));
      assert.equal(cards.length, tops.length <= 6 ? tops.length : 2);
      assert.deepEqual([...cards.map((card) => card.group), ...listed].sort(), tops.map(label).sort());
      for (const card of cards) {
        const group = tops.find((one) => label(one) === card.group);
        assert.ok(card.text.includes(`p = ${shown(group.p)}`) && card.text.includes(`${group.size} features`), card.text);
      }
      await assertGroupsAreThose(page, summary);
      assert.equal(await page.locator("#weights image").count(), summary.conditions.length + 1, "every condition, and the difference");
      assert.deepEqual(await seriousViolations(page), []);
      assert.equal(await scrollsSideways(page), false);
    });
    await open(address, async (page) => {
      assert.equal(await scrollsSideways(page), false, "390 pixels are enough");
      assert.deepEqual(await seriousViolations(page), []);
    }, { viewport: { width: 390, height: 800 }, colorScheme: "dark" });
  });
}

test("a run without findings says so", async () => {
  const { page: address, summary, folder } = cases.withoutFindings();
  assert.equal(groupsOf(summary).length, 0);
  await open(address, async (page) => {
    const changed = readFileSync(`${folder}/pairs.tsv`, "utf8").trimEnd().split("\n").slice(1).filter((line) => Number(line.split("\t").at(-1)) <= 0.05).length;
    assert.equal(await page.locator("h1").innerText(), changed > 0 ? `No group was found, but ${changed} pair${changed === 1 ? "" : "s"} of features changed` : "No difference beyond chance was found");
    const { permutations, stopped_early: stoppedEarly } = summary.statistics;
    const text = await page.locator("main").innerText();
    // A run that stopped early is not one that could have found nothing.
    if (stoppedEarly) {
      assert.match(text, new RegExp(`The permutations stopped early, after ${permutations}:`));
      assert.doesNotMatch(text, /smallest p-value|nothing could have been found/);
    } else {
      assert.match(text, /The smallest p-value that was possible is 0\.025/);
    }
    assert.equal(await page.locator("#groups-table").count(), 0);
    assert.equal(await page.locator("#graph").count(), 0);
    assert.deepEqual(await seriousViolations(page), []);
  });
});

test("a design that cannot tell anything from chance is said to be one", async () => {
  const { page: address, summary } = cases.fewDonors();
  assert.equal(groupsOf(summary).length, 0);
  assert.ok(summary.statistics.min_p > 0.05 && summary.statistics.exact);
  await open(address, async (page) => {
    assert.equal(await page.locator("h1").innerText(), "Too few units to tell a group from chance");
    const answer = await page.locator("#answer").innerText();
    assert.match(answer, /no p-value below 0\.125/);
    assert.match(answer, new RegExp(`all ${summary.statistics.permutations} permutations of 8 units \\(donor\\)`));
    assert.doesNotMatch(answer, /Nothing in these data|What could have been seen/);
    const notes = await page.locator("#cautions li").allInnerTexts();
    assert.equal(notes.filter((note) => /no p-value can be below/.test(note)).length, 1, String(notes));
    assert.ok((await page.locator(".sidebar a").allInnerTexts()).includes("Samples"), "there is no group in detail");
    const methods = await page.locator("#methods-text").innerText();
    assert.match(methods, /1 feature was excluded \(constant[^)]*\)/);
    assert.match(methods, /positive correlations of normal scores/);
    assert.deepEqual(await seriousViolations(page), []);
  });
});

test("features that are pixels are drawn as images", async () => {
  const { page: address, summary } = cases.image();
  assert.equal(groupsOf(summary).length, 1);
  await open(address, async (page) => {
    assert.ok((await page.locator("#images image").count()) >= 4, "groups and a vector of both conditions");
    assert.match(await page.locator("h1").innerText(), /^New in day: \d+ pixels around f\d+ vary together$/);
    const [maps, card] = await Promise.all(["#maps", ".card"].map((part) => page.locator(part).boundingBox()));
    assert.ok(maps.y < card.y, "the maps are the answer");
    const picture = page.locator("#images image").first();
    await picture.scrollIntoViewIfNeeded();
    const box = await picture.boundingBox();
    await page.mouse.move(box.x + box.width * 0.55, box.y + box.height * 0.25); // row 3 of 10: within the group
    assert.match(await page.locator("#images .readout").innerText(), /day: groups, row 3, column 7: group day[ -]1/);
    assert.deepEqual(await seriousViolations(page), []);
  });
});

test("100,000 features are reduced and the page says so", async () => {
  const { page: address, folder, summary } = cases.large();
  assert.ok(statSync(`${folder}/report.html`).size < 8 * megabyte);
  await open(address, async (page) => {
    assert.match(await page.locator("#vectors .how").innerText(), /4,000 of 100,000 features are drawn/);
    assert.match(await page.locator("#weights .how").innerText(), /100,000 features share/);
    await assertGroupsAreThose(page, summary);
  });
});

for (const [name, made] of [["one file per condition", cases.withSets], ["several files per condition", cases.severalFiles], ["names to be quoted", cases.hostile]]) {
  test(`the command of the page makes the run again: ${name}`, async () => {
    const { page: address, folder, summary } = made();
    const command = await open(address, (page) => page.locator("#details .paste-box pre").innerText());
    const repeated = cases.again(command, `${basename(folder)}-again`);
    assert.deepEqual(repeated.summary.conditions, summary.conditions);
  });
}

test("hostile names are text", async () => {
  const { page: address } = cases.hostile();
  await open(address, async (page) => {
    assert.equal(await page.evaluate(() => window.broken), undefined);
    const members = await page.locator("#members-table tbody tr td:first-child").allTextContents();
    for (const name of cases.hostileNames) assert.ok(members.includes(name), `${name} is shown as it is`);
    assert.ok((await page.locator(".facts").innerText()).includes(cases.hostileCondition));
    assert.equal(await page.locator("b, i, main img, main script").count(), 0);
    for (const name of cases.hostileNames) {
      await page.locator("#search").fill(name);
      await page.locator("#search").press("Enter");
      assert.ok((await page.locator(".search-result").textContent()).includes(name));
    }
    await page.locator("#search").press("Escape");
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.ok((await page.locator("#details .paste-box pre").innerText()).includes(`'a'\\''<b>"&.csv'`), "the command quotes the file");
    assert.deepEqual(await seriousViolations(page), []);
  });
});

test("the policy of the page allows its own script and nothing else", async () => {
  const { page: address, folder } = cases.withoutFindings();
  const html = readFileSync(`${folder}/report.html`, "utf8");
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
  assert.match(policy, /default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+';/);
  assert.doesNotMatch(policy, /unsafe|http|\*/);
  await open(address, async (page) => {
    const refused = await page.evaluate(() => new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true });
      const script = document.createElement("script");
      script.textContent = "window.broken = 1";
      document.body.append(script);
      setTimeout(() => resolve("nothing was refused"), 2000);
    }));
    assert.equal(refused, "script-src-elem");
    assert.equal(await page.evaluate(() => window.broken), undefined);
  }).catch((error) => {
    // The browser reports the refusal on the console, and nothing else may have happened.
    const actual = error.actual ?? [];
    assert.ok(actual.length === 1 && /Content Security Policy/.test(actual[0]), String(error.message));
  });
});
