import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { promised } from "../contract.ts";
import type { RecordedAnswer } from "./run-scenario.ts";

/** Compares answers with those of a real server, which `record` writes first. */
export function expectRecorded(
  scenario: string,
  { answers, record }: { readonly answers: readonly RecordedAnswer[]; readonly record: boolean },
): void {
  if (record) save(scenario, answers);
  expect(promised(scenario, answers)).toEqual(promised(scenario, load(scenario)));
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
