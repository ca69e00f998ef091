// Search for a feature: its groups, its strongest connections in every condition, pairs that changed, or why it was excluded.
import { button, element, name, type Content } from "./dom";
import { count, decimal, significant, whole } from "./numbers";
import type { Group, Run } from "./run";
import { selection } from "./state";

const suggestionsAtOnce = 40;

/** The features of all groups, of those drawn with names, and the excluded ones. */
class Index {
  private readonly groupsOf = new Map<string, Group[]>();
  private readonly place = new Map<string, number>();
  private readonly excluded = new Map<string, string>();
  readonly names: string[];
  constructor(private readonly run: Run) {
    for (const group of run.groups) for (const feature of group.members.features) this.groupsOf.set(feature, [...(this.groupsOf.get(feature) ?? []), group]);
    run.data.features.names.forEach((feature, index) => this.place.set(feature, index));
    for (const { feature, reason } of run.summary.features.excluded) this.excluded.set(feature, reason);
    this.names = [...new Set([...this.place.keys(), ...this.groupsOf.keys(), ...this.excluded.keys()])];
  }

  matching(text: string): string[] {
    const wanted = text.trim().toLowerCase();
    if (wanted === "") return [];
    const found = this.names.filter((one) => one.toLowerCase().includes(wanted));
    const rank = (one: string) => (one.toLowerCase() === wanted ? 0 : one.toLowerCase().startsWith(wanted) ? 1 : 2);
    return found.sort((a, b) => rank(a) - rank(b) || a.length - b.length || a.localeCompare(b)).slice(0, suggestionsAtOnce);
  }

  describe(feature: string): Content[] {
    const { run } = this;
    const reason = this.excluded.get(feature);
    if (reason !== undefined) return [element("p", {}, element("strong", {}, name(feature)), ` took no part: ${reason}.`)];
    const groups = this.groupsOf.get(feature) ?? [];
    const place = this.place.get(feature);
    if (place === undefined && groups.length === 0) return [element("p", {}, `No feature is called “`, name(feature), `”${this.names.length < run.summary.features.total ? " among those that this page holds; features.tsv has all" : ""}.`)];
    const content: Content[] = [element("p", {}, element("strong", {}, name(feature)), groups.length === 0 ? " is in no group." : " is in ", ...groups.flatMap((group, index): Content[] => [index > 0 ? " and " : null, this.link(group, feature), this.role(group, feature)]), groups.length > 0 ? "." : null)];
    if (place !== undefined) content.push(this.partners(place));
    content.push(this.changes(feature));
    return content;
  }

  private link(group: Group, feature: string): HTMLElement {
    return button(group.label, () => {
      selection.choose({ group: group.index });
      selection.choose({ feature });
      document.getElementById("group")?.scrollIntoView({ behavior: "smooth" });
    }, { class: "link", "aria-label": `Show ${feature} in group ${group.label}` });
  }

  private role(group: Group, feature: string): string {
    const place = group.members.features.indexOf(feature);
    const core = group.members.core === null ? "" : group.members.core.includes(place) ? ", in its core" : ", not in its core";
    return ` (number ${whole(place + 1)} of ${whole(group.members.size)} by weight${core})`;
  }

  private partners(place: number): HTMLElement | null {
    const { partners, features } = this.run.data;
    if (!partners) return null;
    const nameAt = new Map(features.places.map((at, index) => [at, features.names[index]!]));
    return element("div", {}, element("p", { class: "small" }, "Strongest connections"),
      element("dl", { class: "partners" }, ...this.run.conditions.flatMap((condition, m) => {
        const list = partners[m]?.[place] ?? [];
        const words: Content[] = [];
        for (let k = 0; k + 1 < list.length; k += 2) {
          const partner = nameAt.get(list[k]!);
          words.push(k > 0 ? ", " : null, partner === undefined ? "a feature without a name here" : name(partner), ` (${significant(list[k + 1], 2)})`);
        }
        return [element("dt", {}, name(condition.name)), element("dd", {}, ...(words.length > 0 ? words : ["none beyond chance"]))];
      })));
  }

  private changes(feature: string): HTMLElement | null {
    const { pairs } = this.run.data;
    if (!pairs) return null;
    const place = (column: string) => pairs.columns.indexOf(column);
    const own = pairs.rows.filter((row) => row[place("feature_a")] === feature || row[place("feature_b")] === feature);
    if (own.length === 0) return null;
    return element("div", {}, element("p", { class: "small" }, `${count(own.length, "pair")} that changed`),
      element("ul", {}, ...own.slice(0, 5).map((row) => {
        const other = row[place("feature_a")] === feature ? row[place("feature_b")]! : row[place("feature_a")]!;
        const pick = button("", () => { selection.choose({ pair: [feature, other] }); document.getElementById("pair")?.scrollIntoView({ behavior: "smooth" }); }, { class: "link", "aria-label": `with ${other}: show both sample by sample` });
        pick.append("with ", name(other));
        return element("li", {}, pick, `: ${decimal(Number(row[place("correlation")]))} in `, name(row[place("condition")]!), `, ${decimal(Number(row[place("elsewhere")]))} elsewhere`);
      })));
  }
}

/** A search field for the head of the page, with its answer below. */
export function search(run: Run): HTMLElement {
  const index = new Index(run);
  const list = element("datalist", { id: "feature-names" });
  const field = element("input", { type: "search", id: "search", placeholder: "Find a feature", list: "feature-names", "aria-label": "Find a feature", autocomplete: "off" });
  const result = element("div", { class: "search-result", role: "region", "aria-label": "About the feature", hidden: true });
  const close = () => { result.hidden = true; };
  const show = (feature: string) => {
    result.replaceChildren(button("Close", close, { class: "close", "aria-label": "Close what was found" }), ...index.describe(feature).filter((part): part is Node => part instanceof Node));
    result.hidden = false;
    selection.choose({ feature });
  };
  field.addEventListener("input", () => {
    const found = index.matching(field.value);
    list.replaceChildren(...found.map((one) => element("option", { value: one })));
    if (field.value.trim() === "") close();
    else if (index.names.includes(field.value)) show(field.value);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key !== "Enter" || field.value.trim() === "") return;
    show(index.matching(field.value)[0] ?? field.value.trim());
  });
  return element("div", { class: "search", role: "search" }, field, list, result);
}
