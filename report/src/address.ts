// The address of the page says which group is chosen, so that a link to a group can be sent: report.html#group=STIM-1
import type { Run } from "./run";
import { selection } from "./state";

/** The label of a group without blanks, as it stands in an address. */
export function slug(label: string): string {
  return label.replaceAll(" ", "-");
}

function wanted(run: Run): number {
  const found = /^#group=(.+)$/.exec(location.hash);
  if (!found) return -1;
  let label = found[1]!;
  try {
    label = decodeURIComponent(label);
  } catch {
    // a damaged address names no group
  }
  return run.groups.findIndex((group) => slug(group.label) === slug(label));
}

/** The group of the address, or the one with the largest change; from then on the address follows the choice. */
export function startAddress(run: Run): void {
  const named = wanted(run);
  selection.group = named >= 0 ? named : (run.leading[0]?.index ?? -1);
  let last = selection.group;
  window.addEventListener("hashchange", () => {
    const group = wanted(run);
    if (group < 0) return;
    last = group;
    selection.choose({ group });
    document.getElementById("group")?.scrollIntoView();
  });
  selection.onChange(() => {
    if (selection.group === last) return;
    last = selection.group;
    const label = run.groups[last]?.label;
    if (label !== undefined) history.replaceState(null, "", `#group=${encodeURIComponent(slug(label))}`);
  });
  if (named >= 0) requestAnimationFrame(() => document.getElementById("group")?.scrollIntoView());
}
