// Colors of the figures. Okabe and Ito's palette, told apart with any kind of color vision, in an order that also differs in lightness.

const groupColors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a5195", "#8c564b"];

export interface Theme {
  paper: string;
  ink: string;
  quiet: string;
  line: string;
  rest: string;
  band: string;
  accent: string;
  /** Colors of the smallest and the largest weight. */
  weights: [string, string, string, string];
  /** Of changes: less, none, more. */
  change: [string, string, string];
}

const light: Theme = {
  paper: "#ffffff",
  ink: "#1a1d21",
  quiet: "#545b64",
  line: "#d9dde2",
  rest: "#8a929c",
  band: "#e6e9ed",
  accent: "#0b5cad",
  weights: ["#f7f9fb", "#9ecae1", "#2a7fb8", "#08306b"],
  change: ["#2166ac", "#f7f7f7", "#b2182b"],
};
const dark: Theme = {
  paper: "#16191d",
  ink: "#eceff2",
  quiet: "#aab2bc",
  line: "#373d45",
  rest: "#7d8794",
  band: "#2a3037",
  accent: "#7fb8f0",
  weights: ["#16191d", "#1f4e79", "#4f9bd0", "#e4f1fb"],
  change: ["#6db3f2", "#1d2126", "#ff7b72"],
};

const system = window.matchMedia("(prefers-color-scheme: dark)");
const listeners: (() => void)[] = [];
let chosen: "light" | "dark" | null = null;
let printing = false;

export function isDark(): boolean {
  return !printing && (chosen === null ? system.matches : chosen === "dark");
}

export function theme(): Theme {
  return isDark() ? dark : light;
}

function announce(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  for (const listener of listeners) listener();
}

export function onThemeChange(listener: () => void): void {
  listeners.push(listener);
}

export function toggleTheme(): void {
  chosen = isDark() ? "light" : "dark";
  announce();
}

/** Follows the system until the reader chooses; paper is white. */
export function startTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  system.addEventListener("change", announce);
  window.addEventListener("beforeprint", () => { printing = true; announce(); });
  window.addEventListener("afterprint", () => { printing = false; announce(); });
}

export function groupColor(group: number): string {
  return group < 0 ? theme().rest : groupColors[group % groupColors.length]!;
}

/** What happened to a pair: gained and lost as in the matrix of differences. */
export function changeColor(kind: "gained" | "lost" | "shared"): string {
  const { change, rest } = theme();
  return kind === "gained" ? change[2] : kind === "lost" ? change[0] : rest;
}
