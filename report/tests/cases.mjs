// Runs of the program whose pages are tested. Data that `disc simulate` cannot make are written here as csv.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const program = process.env.DISC ?? new URL("../../build/release/disc", import.meta.url).pathname;
export const scratch = mkdtempSync(join(tmpdir(), "disc-page-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

function disc(...words) {
  return execFileSync(program, words.map(String), { cwd: scratch, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The page of a run and its summary. */
function result(folder) {
  return {
    folder: join(scratch, folder),
    page: `file://${join(scratch, folder, "report.html")}`,
    summary: JSON.parse(readFileSync(join(scratch, folder, "summary.json"), "utf8")),
  };
}

const quick = ["--permutations", 39, "--bootstraps", 5];

export function synthetic(problem) {
  disc("simulate", problem, "--samples", 300, "-o", problem, "-q");
  const files = (problem === "three" ? ["A", "B", "C"] : ["A", "B"]).map((name) => join(problem, `${name}.npy`));
  disc("run", ...files, ...quick, "-o", join(problem, "out"), "-q");
  return result(join(problem, "out"));
}

// A small generator of normal numbers, always the same.
function generator(seed) {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Noise; the features from `first` on, `size` of them, move together. */
function values(samples, features, { first = 0, size = 0, seed }) {
  const normal = generator(seed);
  for (let warm = 0; warm < 20; ++warm) normal();
  return Array.from({ length: samples }, () => {
    const factor = normal();
    return Array.from({ length: features }, (_, j) => (j >= first && j < first + size ? 2 * factor + normal() : normal()));
  });
}

function csv(name, rows, names) {
  const cell = (text) => `"${String(text).replaceAll('"', '""')}"`;
  writeFileSync(join(scratch, name), `${[names.map(cell).join(","), ...rows.map((row) => row.join(","))].join("\n")}\n`);
  return name;
}

const numbered = (count) => Array.from({ length: count }, (_, j) => `f${j + 1}`);

export function withoutFindings() {
  const names = numbered(40);
  const files = [csv("left.csv", values(80, 40, { seed: 1 }), names), csv("right.csv", values(80, 40, { seed: 2 }), names)];
  disc("run", ...files, ...quick, "-o", "nothing", "-q");
  return result("nothing");
}

export function image() {
  const names = numbered(120);
  const files = [csv("day.csv", values(150, 120, { first: 24, size: 24, seed: 3 }), names), csv("night.csv", values(150, 120, { seed: 4 }), names)];
  disc("run", ...files, ...quick, "--shape", "10x12", "-o", "image", "-q");
  return result("image");
}

/** Two files per condition, one of them with a blank in its name. */
export function severalFiles() {
  const names = numbered(30);
  const file = (name, seed, size) => csv(name, values(60, 30, { size, seed }), names);
  const day = [file("day 1.csv", 11, 8), file("day2.csv", 12, 8)];
  const night = [file("night1.csv", 13, 0), file("night2.csv", 14, 0)];
  disc("run", "--condition", `day=${day}`, "--condition", `night=${night}`, ...quick, "-o", "several", "-q");
  return result("several");
}

/** A run with a title and labels of its samples, as data of cells have them. */
export function titled() {
  const names = numbered(40);
  const rows = (seed, size) => values(90, 40, { first: 5, size, seed });
  csv("calm.csv", rows(21, 0), names);
  csv("busy.csv", rows(22, 9), names);
  disc("run", "calm.csv", "busy.csv", ...quick, "--title", "Calm & <busy> days", "-o", "titled", "-q");
  return result("titled");
}

/** The same groups.tsv with parts, another direction and groups by the dozen, as a later version writes it. */
export function manyGroups() {
  const { folder } = titled();
  execFileSync("cp", ["-r", folder, join(scratch, "many")]);
  const place = join(scratch, "many");
  const summary = JSON.parse(readFileSync(join(place, "summary.json"), "utf8"));
  const interval = (value) => ({ value, low: value - 0.1, high: value + 0.1 });
  const group = (id, parent, features, direction) => ({
    id, level: parent ? 2 : 1, parent, size: features.length, p: 0.005, q: 0.01, direction, significant: true, view: "strength", stability: 0.9,
    mean_correlation: direction === "lost" ? [interval(0.6), interval(0.1)] : [interval(0.1), interval(0.6)], core: features.slice(0, 2), hubs: features.slice(0, 2),
    edges: [{ a: features[0], b: features[1], here: direction === "lost" ? 0.1 : 0.8, elsewhere: direction === "lost" ? 0.8 : 0.1 }],
  });
  const features = (first) => numbered(40).slice(first, first + 4);
  const groups = [group("busy-1", null, numbered(40).slice(0, 8), "gained"), group("busy-1.1", "busy-1", features(0), "gained"), group("busy-1.2", "busy-1", features(4), "gained"),
    ...Array.from({ length: 8 }, (_, k) => group(`busy-${k + 2}`, null, features(8 + 4 * k), k === 0 ? "lost" : "gained"))];
  summary.conditions[1].groups = groups;
  summary.conditions[0].groups = [];
  for (const [one, share] of [["busy 1", 77], ["busy 2", 81]]) summary.warnings.push(`group ${one} follows the label 'kind', which explains ${share} % of its score: it may tell samples apart`);
  summary.warnings.push("every sample was taken as independent, but the label 'kind' may say which belong together");
  const lists = { "busy-1": numbered(40).slice(0, 8), "busy-1.1": features(0), "busy-1.2": features(4), ...Object.fromEntries(Array.from({ length: 8 }, (_, k) => [`busy-${k + 2}`, features(8 + 4 * k)])) };
  const lines = groups.flatMap((one) => lists[one.id].map((feature, i) => ["busy", one.id, one.level, one.parent ?? "", feature, 9 - i, 1, i < 2 ? "yes" : "no", 0.9, 0.005, 0.01, one.direction].join("\t")));
  writeFileSync(join(place, "groups.tsv"), `condition\tgroup\tlevel\tparent\tfeature\tweight\tsign\tcore\tstability\tp\tq\tdirection\n${lines.join("\n")}\n`);
  writeFileSync(join(place, "summary.json"), JSON.stringify(summary));
  rmSync(join(place, "figure_data.npz"));
  disc("report", "many");
  return result("many");
}

/** A run of donors, some of whose features move together in condition busy, and most in one donor. */
export function donors() {
  const names = numbered(30);
  const normal = generator(31);
  const rows = (condition) => Array.from({ length: 200 }, (_, i) => {
    const donor = i % 10;
    const factor = condition === "busy" ? normal() * (donor === 3 ? 3 : 1) : 0;
    return [`${condition}${i}`, `d${donor}<i>`, ...names.map((_, j) => (j >= 4 && j < 12 ? factor : 0) + normal())].join(",");
  });
  for (const condition of ["calm", "busy"]) writeFileSync(join(scratch, `donors-${condition}.csv`), `${["sample", "donor", ...names].join(",")}\n${rows(condition).join("\n")}\n`);
  disc("run", "donors-calm.csv", "donors-busy.csv", "--names", "calm,busy", "--unit", "donor", ...quick, "-o", "donors", "-q");
  return result("donors");
}

/** Four donors, each in both conditions, of whom no permutation can say much; one feature never changes. */
export function fewDonors() {
  const normal = generator(41);
  const rows = (condition) => Array.from({ length: 80 }, (_, i) => {
    const factor = condition === "busy" ? 2 * normal() : 0;
    return [`${condition}${i}`, `d${i % 4}`, 1, ...numbered(20).map((_, j) => (j < 8 ? factor : 0) + normal())].join(",");
  });
  for (const condition of ["calm", "busy"]) writeFileSync(join(scratch, `few-${condition}.csv`), `${["sample", "donor", "still", ...numbered(20)].join(",")}\n${rows(condition).join("\n")}\n`);
  disc("run", "few-calm.csv", "few-busy.csv", "--names", "calm,busy", "--paired", "donor", ...quick, "-o", "few", "-q");
  return result("few");
}

/** The same with units.tsv as a run with units writes it: `correlation(unit, condition)` within every group. */
export function withUnits(correlation) {
  const { folder, summary } = donors();
  const lines = readFileSync(join(folder, "groups.tsv"), "utf8").trimEnd().split("\n").slice(1).map((line) => line.split("\t"));
  const ids = [...new Map(lines.map((cells) => [`${cells[0]}\t${cells[1]}`, cells])).keys()];
  const units = summary.conditions.flatMap(({ name }) => Array.from({ length: 10 }, (_, k) => ({ name, unit: `d${k}<i>` })));
  const rows = ids.flatMap((id) => units.map(({ name, unit }, u) => `${id}\t${name}\t${unit}\t20\t${u / 10}\t1\t${correlation(u % 10, name)}`));
  writeFileSync(join(folder, "units.tsv"), `condition\tgroup\tunit_condition\tunit\tunit_size\tscore\tvariance\tmean_correlation\n${rows.join("\n")}\n`);
  disc("report", "donors");
  return result("donors");
}

/** An h5ad file with an embedding: samples of condition up lie on the right. */
export function embedded() {
  execFileSync(process.env.PYTHON ?? "/usr/bin/python3", ["-c", `
import anndata, numpy as np, pandas as pd
random = np.random.default_rng(1)
values = random.normal(size=(200, 30))
up = np.arange(200) % 2 == 1
values[np.ix_(up, range(8))] += 2 * random.normal(size=(100, 1))
data = anndata.AnnData(values, obs=pd.DataFrame({"condition": np.where(up, "up", "down"), "kind": np.where(np.arange(200) < 90, "<b>old", "new")}, index=["s%d" % i for i in range(200)]))
data.obsm["X_umap"] = np.column_stack([up + random.uniform(0, 0.1, 200), random.uniform(5, 6, 200)])
data.write_h5ad("${join(scratch, "embedded.h5ad")}")
`], { stdio: ["ignore", "pipe", "pipe"] });
  disc("run", "embedded.h5ad", "--by", "condition", ...quick, "-o", "embedded", "-q");
  return result("embedded");
}

/** What `disc test` says of one set in the data of a run: the first row of its table. */
export function testedBy(folder, features) {
  writeFileSync(join(scratch, "asked.gmt"), `asked\t\t${features.join("\t")}\n`);
  disc("test", folder, "--sets", "asked.gmt", "-o", "asked", "-q");
  const [head, row] = readFileSync(join(scratch, "asked", "sets.tsv"), "utf8").trimEnd().split("\n").map((line) => line.split("\t"));
  return Object.fromEntries(head.map((column, k) => [column, row[k]]));
}

/** disc explore at work on a run; `look` gets its address. */
export async function explored(folder, look) {
  const server = spawn(program, ["explore", folder], { cwd: scratch, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  try {
    const address = await new Promise((found, failed) => {
      server.stdout.on("data", (text) => {
        said += text;
        const url = /http:\/\/\S+/.exec(said);
        if (url) found(url[0]);
      });
      server.on("exit", () => failed(new Error(`disc explore ended: ${said}`)));
    });
    return await look(address, server);
  } finally {
    if (server.exitCode === null) {
      server.kill("SIGINT");
      await once(server, "exit");
    }
  }
}

export function compared(first, second) {
  return disc("compare", first, second);
}

/** What the page says to type, typed; the result goes elsewhere. */
export function again(command, folder) {
  const words = command.replace(/^disc /, `'${program}' `).replace(/--output \S+/, `--output ${folder} -q`);
  execFileSync("sh", ["-c", words], { cwd: scratch, stdio: ["ignore", "pipe", "pipe"] });
  return result(folder);
}

/** Two named sets: one is the group of condition day, the other one has little to do with it. */
export function withSets() {
  const names = numbered(60);
  const files = [csv("day.csv", values(150, 60, { first: 10, size: 12, seed: 3 }), names), csv("night.csv", values(150, 60, { seed: 4 }), names)];
  const set = (title, first, size) => [title, "", ...names.slice(first, first + size)].join("\t");
  writeFileSync(join(scratch, "sets.gmt"), `${set("MORNING_<b>LIGHT", 10, 12)}\n${set("EVENING", 20, 30)}\n`);
  disc("run", ...files, ...quick, "--genesets", "sets.gmt", "-o", "sets", "-q");
  return result("sets");
}

export const hostileNames = ["</script><script>window.broken = 1</script>", "<img src=x onerror=\"window.broken = 1\">", "it's \"quoted\" & <b>bold</b>", "👩‍🔬 emoji 🧬", "שלום עולם", "‮reversed"];
export const hostileCondition = "<svg onload=window.broken=1>";

export function hostile() {
  const names = [...hostileNames, ...numbered(24).map((name) => `${name}<i>`)];
  const size = hostileNames.length + 4;
  const file = "a'<b>\"&.csv";
  const files = [csv(file, values(120, names.length, { size, seed: 5 }), names), csv("plain.csv", values(120, names.length, { seed: 6 }), names)];
  disc("run", ...files, ...quick, "--names", `${hostileCondition},plain`, "-o", "hostile", "-q");
  return result("hostile");
}

/** No engine computes so many features within a test: a folder as a run would leave it, made from a small run. */
export function large() {
  const features = 100_000;
  const { folder, summary } = synthetic("newly-connected");
  const [head, ...lines] = readFileSync(join(folder, "features.tsv"), "utf8").trimEnd().split("\n");
  const added = Array.from({ length: features - lines.length }, (_, j) => `gene${j}\tyes\t\t0.00001\t\t0.00001\t`);
  execFileSync("cp", ["-r", folder, join(scratch, "large")]);
  const place = join(scratch, "large");
  writeFileSync(join(place, "features.tsv"), `${[head, ...lines, ...added].join("\n")}\n`);
  summary.features.used = summary.features.total = features;
  writeFileSync(join(place, "summary.json"), JSON.stringify(summary));
  execFileSync(process.env.PYTHON ?? "/usr/bin/python3", ["-c", `
import numpy as np
folder, features = ${JSON.stringify(place)}, ${features}
arrays = dict(np.load(folder + "/vectors.npz"))
names = list(arrays["features"]) + ["gene%d" % j for j in range(features - len(arrays["features"]))]
longer = {key: np.vstack([value, np.full((features - len(value), value.shape[1]), 1e-6)]) if value.ndim == 2 else value for key, value in arrays.items()}
np.savez(folder + "/vectors.npz", **{**longer, "features": np.array(names)})
figure_data = {key: value for key, value in np.load(folder + "/figure_data.npz").items() if not key.startswith("partner")}
few = len(figure_data["order"])
figure_data["order"] = np.arange(features, dtype=float)[:, None] if few == 0 else np.vstack([figure_data["order"], np.arange(few, features, dtype=float)[:, None]])
figure_data["bin_start"][-1] = features
figure_data["column"] = np.arange(features, dtype=float)[:, None]
np.savez(folder + "/figure_data.npz", **figure_data)
`]);
  disc("report", "large");
  return result("large");
}
