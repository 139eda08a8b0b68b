import type { Pair } from "./server-pair.ts";

/** Returns a line for each value in which two answers differ: its path, and what each server says there. */
export function findDifferences({ embedded, real }: Pair): string[] {
  const lines: string[] = [];
  walk("", embedded, real, lines);
  return lines;
}

function walk(path: string, embedded: unknown, real: unknown, lines: string[]): void {
  if (isTree(embedded) && isTree(real) && Array.isArray(embedded) === Array.isArray(real)) {
    const names = new Set([...Object.keys(embedded), ...Object.keys(real)]);
    for (const name of names) walk(path ? `${path}.${name}` : name, embedded[name], real[name], lines);
    return;
  }
  if (!Object.is(embedded, real)) lines.push(`${path}: embedded ${show(embedded)} real ${show(real)}`);
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
