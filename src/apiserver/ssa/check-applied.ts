import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { bareError } from "../refusals.ts";
import { goType } from "../../apimachinery/go-text.ts";
import { formatPath, itemKey, typedNode, type Typed, type TypedNode } from "./typed-node.ts";

/**
 * Refuses an applied object that cannot be divided into fields: unknown fields, wrong types, list items without their
 * key or with a duplicate. Like a real server, throws a 500 without a reason.
 */
export function checkApplied(object: UnstructuredObject, typed: Typed): void {
  refuse("patch", typeProblems(object, typed));
}

/** Refuses to apply to an object that the schema cannot divide any more. */
export function checkLive(object: UnstructuredObject, typed: Typed): void {
  refuse("live", liveProblems(object, typed));
}

function refuse(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw bareError(`failed to create typed ${what} object: ${formatProblems(problems)}`);
}

/** Returns the text of at least one problem. */
export function formatProblems(problems: readonly string[]): string {
  const [first = ""] = problems;
  return problems.length === 1 ? first : `errors:\n${problems.map((problem) => `  ${problem}`).join("\n")}`;
}

/** The most reasons in a message: each has the path of a field. */
const mostProblems = 1_000;

/** Returns the reasons why an object cannot be divided into fields. */
export function typeProblems(object: unknown, typed: Typed): string[] {
  return findProblems(object, typed)
    .slice(0, mostProblems)
    .map(({ text }) => text());
}

/** Returns the reasons why a stored object cannot be divided into fields; duplicates that it has may stay. */
export function liveProblems(object: unknown, typed: Typed): string[] {
  const problems = findProblems(object, typed).filter(({ isDuplicate }) => !isDuplicate);
  return problems.slice(0, mostProblems).map(({ text }) => text());
}

interface Problem {
  readonly text: () => string;
  readonly isDuplicate?: true;
}

function findProblems(value: unknown, typed: Typed): Problem[] {
  const problems: Problem[] = [];
  checkValue({ value, path: [], typed }, problems);
  return problems;
}

interface Place {
  readonly value: unknown;
  readonly path: readonly string[];
  readonly typed: Typed;
}

function checkValue(place: Place, problems: Problem[]): void {
  const { value, path, typed } = place;
  if (value === null || value === undefined) return;
  const node = typedNode(typed, value);
  const problem = (text: string): number => problems.push({ text: () => `${formatPath(path)}: ${text}` });
  if (node.kind === "scalar") {
    const expected = scalarProblem(node.type, value);
    if (expected !== undefined) problem(expected);
  } else if (node.kind === "list") {
    if (Array.isArray(value)) checkItems(place, node, problems);
    else problem(`expected list, got ${goType(value)}`);
  } else if (typeof value === "object" && !Array.isArray(value)) checkMembers(place, node, problems);
  else problem(`expected map, got ${goType(value)}`);
}

function checkMembers({ value, path }: Place, node: Extract<TypedNode, { kind: "map" }>, problems: Problem[]): void {
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members).sort()) {
    const here = [...path, `f:${name}`];
    const typed = node.type.field(name) ?? node.type.others;
    if (typed) checkValue({ value: members[name], path: here, typed }, problems);
    else {
      // Like in a real server, the first one ends the search in its map.
      problems.push({ text: () => `${formatPath(here)}: field not declared in schema` });
      return;
    }
  }
}

function checkItems({ value, path }: Place, node: Extract<TypedNode, { kind: "list" }>, problems: Problem[]): void {
  const seen = new Set<string>();
  for (const [index, item] of (value as unknown[]).entries()) {
    if (node.join === "atomic") {
      checkValue({ value: item, path: [...path, `i:${index}`], typed: node.items }, problems);
      continue;
    }
    const found = itemKey(item, node.join, node.keys);
    if ("problem" in found) {
      problems.push({ text: () => `${formatPath(path)}: element ${index}: ${found.problem}` });
      continue;
    }
    if (seen.has(found.key)) {
      const text = (): string => `${formatPath(path)}: duplicate entries for key ${formatPath([found.key])}`;
      problems.push({ text, isDuplicate: true });
    }
    seen.add(found.key);
    checkValue({ value: item, path: [...path, found.key], typed: node.items }, problems);
  }
}

function scalarProblem(type: "string" | "numeric" | "boolean" | "any", value: unknown): string | undefined {
  const wanted = type === "numeric" ? "number" : type;
  const fits = wanted === "any" ? typeof value !== "object" : typeof value === wanted;
  return fits ? undefined : `expected ${type === "any" ? "any scalar" : type}, got ${goType(value)}`;
}
