import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { knownDifferences, knownWords } from "./known-differences.ts";
import type { RecordedAnswer } from "./run-scenario.ts";
import type { Target } from "./target.ts";

/** Compares with what a real server answered; with `record`, the answers of the real one are written first. */
export function expectRecorded(
  target: Target["name"],
  scenario: string,
  { answers, record }: { readonly answers: readonly RecordedAnswer[]; readonly record: boolean },
): void {
  if (record) save(scenario, answers);
  const recorded = load(scenario);
  const known = target === "embedded" ? knownDifferences.find((each) => each.scenario === scenario) : undefined;
  const same = (_: RecordedAnswer, at: number): boolean => !known?.answers.includes(at);
  const shown = target === "embedded" ? withoutKnownWords : (all: readonly RecordedAnswer[]) => all;
  expect(shown(answers.filter(same))).toEqual(shown(recorded.filter(same)));
  // A difference that is fixed leaves the list.
  for (const at of known?.answers ?? []) expect(answers[at]).not.toEqual(recorded[at]);
}

/** Replaces the texts that are known to differ. */
export function withoutKnownWords(answers: unknown): unknown {
  return JSON.parse(JSON.stringify(answers), (key, value: unknown) => {
    if (typeof value !== "string") return value;
    const differing = knownWords.filter(({ field }) => !field || field.test(key));
    return differing.reduce((text, { pattern }) => text.replace(pattern, "<differs>"), value);
  });
}

const folder = new URL("../recorded/apiserver/", import.meta.url);

function save(name: string, answers: readonly RecordedAnswer[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = answers.map((answer) => JSON.stringify(answer));
  writeFileSync(new URL(`${name}.json`, folder), `[\n${lines.join(",\n")}\n]\n`);
}

function load(name: string): RecordedAnswer[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as RecordedAnswer[];
}
