// One Chromium for all tests; every page is watched.
import assert from "node:assert/strict";
import { after } from "node:test";
import axe from "axe-core";
import { chromium } from "playwright-core";

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
after(() => browser.close());

/**
 * Opens a page, gives it to `look`, and insists that it said nothing on the console and asked nothing of the network; with
 * `mayAsk` it may ask the server that it comes from.
 */
export async function open(address, look, { mayAsk = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => { if (message.type() !== "log") complaints.push(`console: ${message.text()}`); });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => { complaints.push("a dialog opened"); void dialog.dismiss(); });
  page.on("request", (request) => {
    const own = address.split("#")[0];
    const allowed = (mayAsk ? request.url().startsWith(own) : request.url().split("#")[0] === own) || /^(data|blob):/.test(request.url());
    if (!allowed) complaints.push(`request: ${request.url()}`);
  });
  try {
    await page.goto(address);
    await page.waitForSelector("html[data-ready]", { timeout: 30_000 });
    await page.waitForSelector("figure svg[viewBox]");
    const returned = await look(page);
    assert.deepEqual(complaints, []);
    return returned;
  } finally {
    await context.close();
  }
}

/** What axe-core finds and calls serious or critical. */
export async function seriousViolations(page) {
  // Evaluated through the debugger: the page's own policy would not let a script in.
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations
    .filter((violation) => ["serious", "critical"].includes(violation.impact))
    .map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => `${node.target} ${node.any.map((one) => one.message).join(" ")}`).join("; ")}`);
}

export function scrollsSideways(page) {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}
