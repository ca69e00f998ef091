// Whether every page of the documentation site fits the window of a computer and of a phone, and loads all its figures; with a second
// folder, screenshots of all pages.
//
//   node report/tests/site.mjs build/site [FOLDER]
import { readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [site, folder] = process.argv.slice(2);
const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html") && !/^(404|assets)/.test(name)).sort();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--allow-file-access-from-files"] });
const complaints = [];
for (const width of [1280, 390]) {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  for (const name of pages) {
    await page.goto(pathToFileURL(resolve(site, name)).href, { waitUntil: "load" });
    const seen = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth > window.innerWidth,
      broken: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src),
      large: [...document.querySelectorAll("article img")].filter((image) => image.getBoundingClientRect().right > window.innerWidth).map((image) => image.src),
    }));
    if (seen.wide) complaints.push(`${name} scrolls sideways at ${width}`);
    for (const image of [...seen.broken, ...seen.large]) complaints.push(`${name} at ${width}: figure ${relative(resolve(site), image)} is missing or too wide`);
    if (folder) await page.screenshot({ path: join(folder, `${name.replaceAll("/", "-").replace(".html", "")}-${width}.png`), fullPage: true });
  }
  await context.close();
}
await browser.close();
for (const complaint of complaints) console.error(complaint);
console.log(`${pages.length} pages at 1280 and 390 pixels: ${complaints.length === 0 ? "all fit" : `${complaints.length} complaints`}`);
process.exitCode = complaints.length === 0 ? 0 : 1;
