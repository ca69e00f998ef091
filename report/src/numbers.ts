// Numbers as people write them.
import { format } from "d3-format";

const grouped = format(",");

export function count(value: number, word: string, plural = `${word}s`): string {
  return `${grouped(value)} ${value === 1 ? word : plural}`;
}

export function whole(value: number): string {
  return grouped(value);
}

/** Two significant digits for p- and q-values: 0.005, 0.12, 1. */
export function probability(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return value >= 0.0001 || value === 0 ? String(Number(value.toPrecision(2))) : value.toExponential(1);
}

export function decimal(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined) return "–";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace("-", "−");
}

export function significant(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined) return "–";
  return Math.abs(value) >= 0.0001 || value === 0 ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1);
}

export function listOf(words: string[], last = "and"): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} ${last} ${words[words.length - 1]}`;
}

export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** An entry of a symmetric matrix that is stored as the rows of its lower triangle. */
export function triangle(values: number[], i: number, j: number): number {
  return i >= j ? values[(i * (i + 1)) / 2 + j]! : values[(j * (j + 1)) / 2 + i]!;
}
