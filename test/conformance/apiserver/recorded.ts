import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { kubernetesRelease } from "../../../src/apimachinery/kubernetes-version.ts";
import { promised } from "../contract.ts";
import type { RecordedAnswer } from "./run-scenario.ts";

interface Comparison {
  readonly answers: readonly RecordedAnswer[];
  readonly record: boolean;
  /** The release of Kubernetes that gave the answers; the default one if it is left out. */
  readonly release?: string;
}

/** Compares answers with those of a real server of the same release, which `record` writes first. */
export function expectRecorded(scenario: string, { answers, record, release = kubernetesRelease }: Comparison): void {
  if (record) save(scenario, release, answers);
  expect(promised(scenario, answers)).toEqual(promised(scenario, load(scenario, release)));
}

/** The recordings of the default release; those of another one are kept only if they differ in what is promised. */
function fileOf(scenario: string, release: string): URL {
  const folder = release === kubernetesRelease ? "apiserver" : release;
  return new URL(`../recorded/${folder}/${scenario}.json`, import.meta.url);
}

/** Reports whether a release gives another answer than the default one. */
export function hasOwnRecording(scenario: string, release: string): boolean {
  return release !== kubernetesRelease && existsSync(fileOf(scenario, release));
}

function save(scenario: string, release: string, answers: readonly RecordedAnswer[]): void {
  const file = fileOf(scenario, release);
  rmSync(file, { force: true });
  const shared = fileOf(scenario, kubernetesRelease);
  const isShared =
    existsSync(shared) && isDeepStrictEqual(promised(scenario, answers), promised(scenario, read(shared)));
  if (release !== kubernetesRelease && isShared) return;
  mkdirSync(new URL(".", file), { recursive: true });
  const lines = answers.map((answer) => JSON.stringify(answer));
  writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
}

function load(scenario: string, release: string): RecordedAnswer[] {
  const own = fileOf(scenario, release);
  return read(existsSync(own) ? own : fileOf(scenario, kubernetesRelease));
}

function read(file: URL): RecordedAnswer[] {
  return JSON.parse(readFileSync(file, "utf8")) as RecordedAnswer[];
}
