// Questions to the engine: is a set of features connected differently, and does the answer rest on one unit?
import { button, element, name, type Content } from "../dom";
import { term } from "../glossary";
import { count, decimal, listOf, probability, whole } from "../numbers";
import { unitName, type Run } from "../run";
import { selection } from "../state";
import { treeFigure } from "./tree";
import { engine, type About, type NamedFeatures, type SetTest, type Tested, type WithoutOne } from "./engine";

const mostUnits = 60; // that are listed one by one

/** Names, one per line, or parted by tabs, commas, semicolons or blanks; quotes around a name are taken off. */
export function namesIn(text: string): string[] {
  const parts = /[\n\t;,]/.test(text.trim()) ? text.split(/[\n\t;,]+/) : text.split(/\s+/);
  return [...new Set(parts.map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2")).filter((part) => part !== ""))];
}

/** A set to be asked about, and whether these data themselves proposed it. */
interface Wanted extends NamedFeatures {
  isFound: boolean;
}

class Asking {
  readonly field = element("textarea", { id: "ask-features", rows: 5, "aria-label": "Features of the set", placeholder: "CXCL10, IDO1, …", spellcheck: "false" });
  readonly status = element("p", { class: "status", role: "status" }, "The engine reads the data …");
  readonly results = element("tbody");
  readonly notes = element("div");
  readonly eachResult = element("div", { role: "status" });
  readonly left = element("fieldset", { class: "left-out", hidden: true });
  private filled: Wanted | null = null;
  private asked = 0;
  private working = false;
  private readonly buttons: HTMLButtonElement[] = [];

  constructor(private readonly run: Run) {}

  action(label: string, act: () => Promise<void>, attributes = {}): HTMLButtonElement {
    const node = button(label, () => void this.during(act), attributes);
    this.buttons.push(node);
    return node;
  }

  /** One question at a time; meanwhile the status says how far it is. */
  async during(act: () => Promise<void>): Promise<void> {
    if (this.working) return;
    this.working = true;
    for (const one of this.buttons) one.disabled = true;
    const timer = setInterval(() => void this.tell(), 700);
    try {
      this.status.textContent = "The engine is at work …";
      await act();
      this.status.textContent = "";
    } catch (error: unknown) {
      this.status.textContent = `No answer: ${error instanceof Error ? error.message : String(error)}.`.replace("..", ".");
    } finally {
      clearInterval(timer);
      this.working = false;
      for (const one of this.buttons) one.disabled = false;
    }
  }

  private async tell(): Promise<void> {
    const { stage, fraction } = await engine.progress();
    if (this.working && stage !== "") this.status.textContent = `The engine is at work: ${stage}, ${Math.round(100 * fraction)} %`;
  }

  fill(wanted: Wanted): void {
    this.filled = wanted;
    this.field.value = wanted.features.join("\n");
  }

  wanted(): Wanted {
    const features = namesIn(this.field.value);
    const { filled } = this;
    if (filled && filled.features.join("\n") === features.join("\n")) return filled;
    const found = this.run.groups.some((group) => {
      const members = new Set(group.members.features);
      return features.length > 2 && features.every((one) => members.has(one));
    });
    return { name: `set ${++this.asked}`, features, isFound: found };
  }

  without(): string[] {
    return [...this.left.querySelectorAll("input")].filter((one) => one.checked).map((one) => one.value);
  }

  async test(): Promise<void> {
    const wanted = this.wanted();
    if (wanted.features.length === 0) throw new Error("write the names of at least three features first");
    const without = this.without();
    this.show(wanted, await engine.test([wanted], without), without);
  }

  private show(wanted: Wanted, answer: Tested, without: string[]): void {
    const missing = answer.missing[0] ?? [];
    const notes: Content[] = [];
    if (missing.length > 0) notes.push(element("p", {}, `Without ${count(missing.length, "feature")}: `, ...missing.slice(0, 12).flatMap((one, index): Content[] => [index > 0 ? ", " : null, name(one.feature), ` (${one.reason})`]), missing.length > 12 ? ", …" : null, "."));
    if (answer.not_tested.length > 0) notes.push(element("p", {}, "Fewer than three of these features are in the data: there is nothing to test."));
    if (wanted.isFound) notes.push(element("p", {}, "These data themselves proposed this set, so its p says little: chance found it, too, where chance is at work. Use the p of the group above, or test the set in other data."));
    this.notes.replaceChildren(...notes.filter((one): one is Node => one instanceof Node));
    for (const test of answer.tests) this.results.prepend(this.row(wanted, test, answer, without));
  }

  private row(wanted: Wanted, test: SetTest, answer: Tested, without: string[]): HTMLElement {
    const cell = (...content: Content[]) => element("td", {}, ...content);
    return element("tr", {},
      element("th", { scope: "row" }, name(wanted.name)),
      cell(whole(test.features.length)),
      ...test.correlations.map((value) => cell(decimal(value))),
      cell(test.statistic > 0 ? "more in " : "less in ", name(test.condition)),
      cell(`${test.p <= answer.min_p ? "≤ " : ""}${probability(test.p)}`),
      cell(without.length > 0 ? name(without.join(", ")) : "–"));
  }

  async each(about: About): Promise<void> {
    const wanted = this.wanted();
    if (wanted.features.length === 0) throw new Error("write the names of at least three features first");
    const { rows } = await engine.withoutEach(wanted);
    this.eachResult.replaceChildren(element("p", {}, ...verdict(wanted, rows, about)), this.eachTable(rows, about));
  }

  private eachTable(rows: WithoutOne[], about: About): HTMLElement {
    const titles = [`without ${unitName(about.unit) || "unit"}`, "its samples", ...about.conditions.map((one) => `r in ${one}`), "p"];
    const cell = (text: string) => element("td", {}, text);
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "One unit excluded" },
      element("table", { id: "each-table" },
        element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))),
        element("tbody", {}, ...rows.map((row) => element("tr", {},
          element("th", { scope: "row" }, name(row.without)), cell(whole(row.samples)),
          ...about.conditions.map((_, m) => cell(decimal(row.correlations?.[m]))), element("td", {}, row.problem ? name(row.problem) : probability(row.p)))))));
  }

  listUnits(about: About): void {
    if (about.units.length === 0 || about.units.length > mostUnits) return;
    this.left.replaceChildren(element("legend", {}, `Leave out (${unitName(about.unit) || "unit"})`),
      ...about.units.map(({ name: unit, samples }) => element("label", {}, element("input", { type: "checkbox", value: unit }), " ", name(unit), ` (${whole(samples)})`)));
    this.left.hidden = false;
  }
}

/** What leaving out one unit after the other says, in a sentence. */
function verdict(wanted: NamedFeatures, rows: WithoutOne[], about: About): Content[] {
  const answered = rows.filter((row) => row.p !== undefined);
  const worst = [...answered].sort((a, b) => b.p! - a.p!)[0];
  if (!worst) return ["Nothing is left to compare, whichever is excluded."];
  const unit = unitName(about.unit) || "unit";
  const shares = new Set(answered.map((row) => Math.sign(row.statistic!)));
  const direction = shares.size > 1 ? " The direction of the change is not the same in all of them." : "";
  return [name(wanted.name), `: whichever ${unit} is excluded, p is at most ${probability(worst.p)} (without `, name(worst.without), `).${direction}`];
}

function sources(run: Run, asking: Asking): HTMLElement[] {
  const chosen = () => run.groups[selection.group];
  const nodes: HTMLElement[] = [];
  const signs = (features: string[]) => {
    const group = chosen()!;
    const opposite = new Set(group.members.opposite.map((place) => group.members.features[place]));
    return features.map((one) => (opposite.has(one) ? -1 : 1));
  };
  if (run.groups.length > 0) {
    nodes.push(button("Chosen group", () => {
      const { features } = chosen()!.members;
      asking.fill({ name: chosen()!.label, features, sign: signs(features), isFound: true });
    }));
    nodes.push(button("Its core", () => {
      const features = run.core(chosen()!);
      asking.fill({ name: `core of ${chosen()!.label}`, features, sign: signs(features), isFound: true });
    }));
  }
  const marked = button("Marked features", () => asking.fill({ name: "marked", features: selection.marked, isFound: true }));
  const update = () => { marked.textContent = `Marked features (${selection.marked.length})`; marked.disabled = selection.marked.length === 0; };
  selection.onChange(update);
  update();
  return [...nodes, marked];
}

function resultTable(run: Run, asking: Asking): HTMLElement {
  const titles: Content[] = ["set", "features", ...run.conditions.map((one) => `r in ${one.name}`), "connected", term("p"), "excluded"];
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Sets that were tested" },
    element("table", { id: "ask-table" }, element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))), asking.results));
}

/** Nothing in a page that is a file. */
export function askSection(run: Run): HTMLElement | null {
  if (!run.data.asks) return null;
  const asking = new Asking(run);
  let about: About | null = null;
  const each = asking.action("Leave out one after the other", () => asking.each(about!), { id: "ask-each", hidden: true });
  const ready = element("p", { class: "how" });
  const node = element("section", { id: "ask", "aria-labelledby": "ask-title" },
    element("h2", { id: "ask-title" }, "Ask the engine"),
    element("section", { class: "paste-box", "aria-labelledby": "ask-set-title" },
      element("h3", { id: "ask-set-title" }, "Is a set of features connected differently?"),
      element("p", { class: "how" }, "Paste features that you knew beforehand (a pathway, the targets of a drug). No search is involved, so a set that is too weak to be found can still be shown. r: mean correlation between its features. ", element("code", {}, "disc test"), " gives the same p."),
      element("div", { class: "controls" }, "Take ", ...sources(run, asking)),
      asking.field, asking.left,
      element("div", { class: "controls" }, asking.action("Test the set", () => asking.test(), { id: "ask-test" }), each),
      asking.status, asking.notes, resultTable(run, asking), asking.eachResult, ready),
    treeFigure(run, (label, act, attributes) => asking.action(label, act, attributes), (set) => {
      asking.fill({ ...set, isFound: true });
      asking.field.scrollIntoView({ behavior: "smooth", block: "center" });
    }));
  void asking.during(async () => {
    about = await engine.about();
    asking.listUnits(about);
    each.hidden = about.units.length === 0;
    ready.replaceChildren(`The engine has the data: ${whole(about.features)} features, ${listOf(about.conditions.map((one, m) => `${count(about!.samples[m]!, "sample")} of ${one}`))}. ${about.units.length === 0 ? "Every sample counts as independent." : ""}`, ...about.warnings.map((one) => element("p", {}, name(one))));
  });
  return node;
}
