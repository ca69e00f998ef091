// Pictures of the page for people to look at: every case of the tests in a wide window, on a phone and on paper, and how long
// each takes to open.
//
//   node report/tests/screenshots.mjs FOLDER [CASE|RUN ...]      RUN: the folder of any other run, with its report.html
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { chromium } from "playwright-core";
import * as cases from "./cases.mjs";

const made = {
  ...Object.fromEntries(["newly-connected", "subsets", "both", "three"].map((problem) => [problem, () => cases.synthetic(problem)])),
  nothing: cases.withoutFindings, image: cases.image, sets: cases.withSets, hostile: cases.hostile, large: cases.large, titled: cases.titled, many: cases.manyGroups,
};
const [folder, ...chosen] = process.argv.slice(2);
if (!folder) throw new Error("where to? node report/tests/screenshots.mjs FOLDER [CASE|RUN ...]");
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

function pageOf(wanted) {
  if (made[wanted]) return { title: wanted, address: made[wanted]().page };
  const page = resolve(wanted, "report.html");
  if (!existsSync(page)) throw new Error(`${wanted} is neither a case nor the folder of a run`);
  const run = dirname(page);
  return { title: `${basename(dirname(run))}-${basename(run)}`, address: `file://${page}` };
}

async function opened(address, width) {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(address);
  await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
  await page.waitForSelector("figure svg[viewBox]");
  return { page, context, seconds: (performance.now() - start) / 1000 };
}

/** Pages of the printed report as images, where poppler is installed. */
async function print(page, title) {
  const file = join(folder, `${title}-print.pdf`);
  await page.pdf({ path: file, format: "A4", printBackground: true });
  if (spawnSync("pdftoppm", ["-r", "60", "-png", file, file.replace(/\.pdf$/, "")]).error) return;
  rmSync(file);
}

for (const wanted of chosen.length > 0 ? chosen : Object.keys(made)) {
  const { title, address } = pageOf(wanted);
  const times = [];
  for (const width of [1280, 390]) {
    const { page, context, seconds } = await opened(address, width);
    times.push(`${seconds.toFixed(2)} s`);
    await page.screenshot({ path: join(folder, `${title}-${width}.png`), fullPage: true });
    if (width === 1280) await print(page, title);
    await context.close();
  }
  const size = statSync(new URL(address)).size / 1e6;
  console.log(`${title}: ${size.toFixed(2)} MB, opens in ${times.join(" (wide), ")} (phone)`);
}
await browser.close();
