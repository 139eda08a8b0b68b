import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRelease } from "../../is-release.ts";
import { runScenario, type RecordedAnswer } from "../apiserver/run-scenario.ts";
import type { Scenario } from "../apiserver/scenario.ts";
import { releaseOfAssets } from "../apiserver/releases.ts";
import { embeddedTarget, realTarget, type Target } from "../apiserver/target.ts";
import { normalizeAnswer } from "./normalize-answer.ts";
import { randomApplies } from "./random-applies.ts";
import { deletedKinds, plainCrd } from "./deleted-kinds.ts";
import { randomDefinitionEnds } from "./random-definition-ends.ts";
import { randomDefinitions, randomSchemas } from "./random-definitions.ts";
import { randomDeletions } from "./random-deletions.ts";
import { randomDirectives } from "./random-directives.ts";
import { randomFor } from "./random-for.ts";
import { randomJsonPatches } from "./random-json-patches.ts";
import { randomKept } from "./random-kept.ts";
import { randomReads } from "./random-reads.ts";
import { randomScenario } from "./random-scenario.ts";
import type { Subject } from "./subject.ts";
import { richCrd, richGroup, subjects } from "./subjects.ts";
import { twin, twinCrd } from "./twin-kind.ts";

// Random requests to a real server and to the embedded one must get the same responses. CI compares the embedded one's
// with digests of those that a real server gave; TSOP_RECORD=1 writes them, and a release asks a real one. TSOP_FUZZ runs
// more than the few sequences below: `deployment 1000 200` runs 200 sequences of writes from seed 1000, `reads-pod 1000
// 20` 20 of lists and watches, `schemas 1000 20` 20 of kinds with a random schema, `applies-pod 1000 20` 20 of applies by
// several managers, `deletes 1000 20` 20 of deletions of each kind, and prints the first difference of each. A difference
// becomes a scenario.
const assets = process.env["KUBEBUILDER_ASSETS"] || undefined;
const [only, from = "0", count = "10"] = (process.env["TSOP_FUZZ"] ?? "").split(" ");
const record = process.env["TSOP_RECORD"] === "1" && !only;
const recording = new URL("../recorded/random-requests.json", import.meta.url);

/**
 * The minimum share of sequences, for each kind and in total, that agree to their end; the rest differ in messages of
 * rules of single kinds.
 */
const least = { kind: 0.8, all: 0.95 };

function pickSubjects(...names: readonly string[]): Record<string, Subject> {
  return Object.fromEntries(names.map((name) => [name, subjects[name]!]));
}

/** The sequences of a name, by seed: writes to one object of a kind, reads of several, or kinds with random schemas. */
const sequences: Readonly<Record<string, (seed: number) => Scenario>> = {
  ...Object.fromEntries(
    Object.entries(subjects).map(([name, subject]) => [
      name,
      (seed: number) => randomScenario(`${name}-${seed}`, subject, randomFor(name, seed)),
    ]),
  ),
  ...Object.fromEntries(
    ["rich", "configmap", "secret", "service", "deployment", "pod", "ingress"].map((kind) => [
      `reads-${kind}`,
      (seed: number) => randomReads(`reads-${kind}-${seed}`, subjects[kind]!, randomFor(`reads ${kind}`, seed)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(pickSubjects("deployment", "pod", "service")).map(([kind, subject]) => [
      `directives-${kind}`,
      (seed: number) => randomDirectives(`directives-${kind}-${seed}`, subject, randomFor(`directives ${kind}`, seed)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({ ...pickSubjects("rich", "deployment", "pod", "service", "configmap"), twin }).map(
      ([kind, subject]) => [
        `applies-${kind}`,
        (seed: number) => randomApplies(`applies-${kind}-${seed}`, subject, randomFor(`applies ${kind}`, seed)),
      ],
    ),
  ),
  ...Object.fromEntries(
    Object.entries(deletedKinds).map(([kind, deleted]) => [
      `deletes-${kind}`,
      (seed: number) => randomDeletions(`deletes-${kind}-${seed}`, deleted, randomFor(`deletes ${kind}`, seed)),
    ]),
  ),
  "deletes-kept": (seed) => randomKept(`deletes-kept-${seed}`, randomFor("deletes kept", seed)),
  "deletes-definition": (seed) =>
    randomDefinitionEnds(`deletes-definition-${seed}`, randomFor("deletes definition", seed)),
  "json-patches": (seed) =>
    randomJsonPatches(`json-patches-${seed}`, subjects["rich"]!, randomFor("json-patches", seed)),
  schemas: (seed) => randomSchemas(`schemas-${seed}`, randomFor("schemas", seed)),
  definitions: (seed) => randomDefinitions(`definitions-${seed}`, randomFor("definitions", seed)),
};

const names = Object.keys(sequences).filter((name) => !only || name === only || name.startsWith(`${only}-`));
const seeds = Array.from({ length: Number(count) }, (_, index) => Number(from) + index);
/** The watches of reads take a second, as does a new kind; applies and deletions are long sequences. */
const fewer = (name: string): number => {
  if (name.startsWith("reads-")) return 2;
  if (name === "schemas" || name.startsWith("deletes-")) return 3;
  return name.startsWith("applies-") ? 5 : 10;
};
const scenariosOf = (name: string): Scenario[] =>
  (only ? seeds : seeds.slice(0, fewer(name))).map((seed) => sequences[name]!(seed));

describe("random requests to the embedded server", () => {
  const recorded = JSON.parse(readFileSync(recording, "utf8")) as Record<string, string[]>;
  let target: Target;

  beforeAll(async () => {
    target = await embeddedTarget();
    await runScenario(target, install, {});
  });
  afterAll(() => target.stop());

  it.each(names)("%s: the server responds as a real one did", async (name) => {
    for (const scenario of only ? [] : scenariosOf(name)) {
      const expected = recorded[scenario.name] ?? [];
      const answers = await runScenario(target, scenario, {});
      expect({ [scenario.name]: answers.slice(0, expected.length).map(digest) }).toEqual({ [scenario.name]: expected });
    }
  });
  it("has recordings of most sequences", () => {
    expect(Object.keys(recorded)).toHaveLength(names.flatMap(scenariosOf).length);
    expect(
      Object.values(recorded)
        .flat()
        .filter((answer) => Number(answer.slice(0, 3)) < 400).length,
    ).toBeGreaterThan(600);
  });
});

describe.runIf(assets !== undefined && (isRelease || only || record))("random requests to both servers", () => {
  let targets: readonly Target[] = [];

  beforeAll(async () => {
    targets = await Promise.all([embeddedTarget(releaseOfAssets(assets!).version), realTarget(assets!)]);
    await Promise.all(targets.map((target) => runScenario(target, install, {})));
  });
  afterAll(async () => {
    await Promise.all(targets.map((target) => target.stop()));
  });

  async function runOnBoth(scenario: Scenario) {
    const [ours, real] = await Promise.all([
      runScenario(targets[0]!, scenario, {}),
      runScenario(targets[1]!, scenario, {}).catch(undefinedIfCut),
    ]);
    return real && { ours, real, at: firstDifference(ours, real) };
  }

  let agreed = 0;
  let tried = 0;
  const digests: Record<string, string[]> = {};
  it.each(names)("%s: both servers respond alike", async (name) => {
    let [alike, compared] = [0, 0];
    const differences: string[] = [];
    for (const scenario of scenariosOf(name)) {
      let outcome = await runOnBoth(scenario);
      // A real server chooses some moments itself: a difference counts if it happens again.
      if (outcome && outcome.at >= 0) outcome = await runOnBoth(scenario);
      digests[scenario.name] = [];
      if (!outcome) continue;
      const { ours, real, at } = outcome;
      compared++;
      digests[scenario.name] = real.slice(0, at < 0 ? undefined : at).map(digest);
      if (at < 0) alike++;
      else differences.push(formatDifference(scenario, at, [ours, real]));
    }
    agreed += alike;
    tried += compared;
    if (only) console.log(differences.join("\n"));
    expect(alike / compared, differences.join("\n")).toBeGreaterThanOrEqual(only ? 0 : least.kind);
  });
  it("agree in nearly all sequences", () => {
    if (!only) expect(agreed / tried).toBeGreaterThanOrEqual(least.all);
    if (record) writeFileSync(recording, `${JSON.stringify(digests, undefined, 1)}\n`);
  });
});

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const install: Scenario = {
  name: "install",
  steps: [
    ...[richCrd, twinCrd, plainCrd].map((body) => ({ request: `POST ${crds}`, body })),
    ...[`${richGroup}/v1/riches`, `${twinCrd.spec.group}/v2/things`, `${plainCrd.spec.group}/v1/things`].map(
      (path) => ({
        request: `GET /apis/${path}`,
        until: (_: unknown, status: number) => status === 200,
      }),
    ),
  ],
};

/**
 * Returns undefined for a cut connection: a real server panics on some patches (`[null]` in a test of a list), which
 * leaves nothing to compare.
 */
function undefinedIfCut(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ECONNRESET") throw error;
}

/** Returns the status and a digest of an answer: what differs, a run with both servers shows. */
function digest(answer: RecordedAnswer): string {
  return `${answer.status} ${createHash("sha1").update(normalizeAnswer(answer)).digest("hex").slice(0, 8)}`;
}

/** Stops at the first difference: the rest of a sequence adds no information. */
function firstDifference(ours: readonly RecordedAnswer[], real: readonly RecordedAnswer[]): number {
  return real.findIndex((answer, index) => normalizeAnswer(answer) !== normalizeAnswer(ours[index]!));
}

function formatDifference(
  { name, steps }: Scenario,
  at: number,
  [ours, real]: readonly (readonly RecordedAnswer[])[],
): string {
  // A step may have no answer of its own.
  const step = JSON.stringify(steps.filter((each) => !("open" in each || ("request" in each && each.unrecorded)))[at]);
  return `${name} #${at} ${step}\nembedded ${JSON.stringify(ours?.[at])}\nreal     ${JSON.stringify(real?.[at])}`;
}
