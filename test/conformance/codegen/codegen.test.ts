import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CustomResourceDefinition } from "../../../src/apimachinery/crd/crd-types.ts";
import { embeddedTarget, realTarget, type Target } from "../apiserver/target.ts";
import { crds as path } from "../apiserver/custom-kind.ts";
import { caseCrds, committedCrds, lintCase, sampleRoot } from "./load-crds.ts";
import { randomSpec } from "./random-spec.ts";

// Servers must accept the output of the generators, and must reject what the lint rejects. Checked against the embedded
// server always, and against a real one if KUBEBUILDER_ASSETS names its programs. With TSOP_RECORD=1 the rejections of
// the real server become the recording.
const assets = process.env["KUBEBUILDER_ASSETS"];
const record = process.env["TSOP_RECORD"] === "1" && assets !== undefined;
const recording = new URL("../recorded/codegen/refusals.json", import.meta.url);

const committed = committedCrds();
const cases = await caseCrds();
const accepted = [...committed, ...cases.filter(({ refusals }) => refusals.length === 0)];
const refused = cases.filter(({ refusals }) => refusals.length > 0);

it("covers all committed and case CRDs", () => {
  expect(committed.length).toBeGreaterThan(25);
  expect(cases.length).toBeGreaterThan(25);
  expect(refused.length).toBeGreaterThan(4);
});

describe("the embedded server", () => suite(embeddedTarget, false));
describe.runIf(assets !== undefined)("a real server", () => suite(() => realTarget(assets!), record));

function suite(start: () => Promise<Target>, recorded: boolean): void {
  let target: Target;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target?.stop());

  it.each(accepted.map((each, index) => ({ ...each, index })))("establishes the CRD of $from", async (each) => {
    const crd = inOwnGroup(each.crd, each.index);
    const { name } = crd.metadata;
    const { status, body } = await send("POST", path, crd);
    expect([status, fieldsOf(body)]).toEqual([201, []]);
    const settled = await until(`${path}/${name}`, ({ body }) => isEstablished(body));
    const conditions: readonly { type: string; status: string }[] = settled.body.status.conditions;
    expect(conditions.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "NamesAccepted=True",
      "Established=True",
    ]);
    await send("DELETE", `${path}/${name}`);
  });

  it("rejects the fields that the lint rejects", async () => {
    const answers: Record<string, string[]> = {};
    for (const { from, crd, refusals } of refused) {
      const { status, body } = await send("POST", `${path}?dryRun=All`, crd);
      expect([from, status]).toEqual([from, 422]);
      answers[from] = fieldsOf(body);
      expect(refusals.length).toBeGreaterThanOrEqual(1);
    }
    if (recorded) {
      mkdirSync(new URL(".", recording), { recursive: true });
      writeFileSync(recording, `${JSON.stringify(answers, null, 2)}\n`);
    }
    expect(answers).toEqual(JSON.parse(readFileSync(recording, "utf8")));
  });

  it("agrees with the lint on random types and markers", async () => {
    const counts = { accepted: 0, refused: 0 };
    for (let seed = 1; seed <= 120; seed++) {
      const source = randomSpec(seed);
      const [linted] = await lintCase(`seed ${seed}`, new Map([["api/v1/types.ts", source + sampleRoot]]));
      if (!linted) continue;
      const { status, body } = await send("POST", `${path}?dryRun=All`, linted.crd);
      const isRefused = linted.refusals.length > 0;
      expect([status, source, fieldsOf(body)]).toEqual([isRefused ? 422 : 201, source, expect.anything()]);
      counts[isRefused ? "refused" : "accepted"]++;
    }
    expect(counts.accepted).toBeGreaterThan(20);
    expect(counts.refused).toBeGreaterThan(20);
  });

  async function send(method: string, at: string, body?: CustomResourceDefinition): Promise<Answer> {
    const options = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await target.send(method, at, options);
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
    return { status: response.statusCode ?? 0, body: JSON.parse(text) };
  }

  async function until(at: string, isDone: (answer: Answer) => boolean): Promise<Answer> {
    for (const end = Date.now() + 60_000; ; await wait(20)) {
      const answer = await send("GET", at);
      if (isDone(answer)) return answer;
      if (Date.now() > end) throw new Error(`${at} never got there: ${JSON.stringify(answer)}`);
    }
  }
}

/**
 * Returns a definition that shares its name with none of another case: a real server may take minutes to delete a
 * definition that has just been established.
 */
function inOwnGroup(crd: CustomResourceDefinition, index: number): CustomResourceDefinition {
  const group = `case-${index}.${crd.spec.group}`;
  const name = `${crd.spec.names.plural}.${group}`;
  return { ...crd, metadata: { ...crd.metadata, name }, spec: { ...crd.spec, group } };
}

interface Answer {
  readonly status: number;
  readonly body: any;
}

function isEstablished({ status }: any): boolean {
  return (status?.conditions ?? []).some((each: any) => each.type === "Established" && each.status === "True");
}

function fieldsOf({ details }: any): string[] {
  const causes: readonly { field: string }[] = details?.causes ?? [];
  return [...new Set(causes.map(({ field }) => field))].toSorted();
}
