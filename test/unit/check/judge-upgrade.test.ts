import { describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { judgeRun } from "../../../src/check/oracles/judge-run.ts";
import { restartsOfPods } from "../../../src/check/oracles/judge-upgrade.ts";
import { upgradePlans } from "../../../src/check/plans/upgrade-plans.ts";
import type { Step } from "../../../src/check/scenario/scenario.ts";
import { maskOf, normalizeState, type ObjectState } from "../../../src/check/world/object-state.ts";
import type { RecordedRequest, RunRecord } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

const cache = { apiVersion: "example.com/v1", kind: "Cache", metadata: { namespace: "default", name: "a" } };
const create: Step = { name: "create", action: { type: "apply", objects: [cache] } };
const remove: Step = { name: "delete", action: { type: "delete", targets: [] } };
const [upgrade, rolling, rollback] = upgradePlans({ steps: [create, remove] }, create);

function stateOf(objects: Readonly<Record<string, object>>): ObjectState {
  const entries = Object.entries(objects).map(([id, object]): [string, UnstructuredObject] => [
    id,
    { metadata: { namespace: "default", name: "a" }, ...object },
  ]);
  return normalizeState(new Map(entries));
}

const service = "/services default/a";
const caches = "example.com/caches default/a";

/** Returns the first violation of an upgrade from one state that leads to another one. */
function judge(before: ObjectState, after: ObjectState, expected: ObjectState, more: Partial<RunRecord> = {}) {
  const steps = [
    { name: "create", state: before, quiet: true, ended: 0 },
    { name: "upgrade", state: after, quiet: false, ended: 1 },
  ];
  const record: RunRecord = { ...emptyRecord, steps, ...more };
  const expectation = { states: new Map([["create", expected]]), mask: maskOf([]) };
  return judgeRun({ plan: upgrade!, record }, emptyRecord, expectation)[0];
}

it("goes from one version to the other, and back", () => {
  expect(upgrade?.steps.map(({ name, reaches }) => [name, reaches])).toEqual([
    ["create", undefined],
    ["upgrade", "create"],
    ["delete", "delete"],
  ]);
  expect(rolling?.steps.map(({ action: { type } }) => type)).toEqual(["apply", "upgrade", "delete"]);
  expect(rollback?.steps.map(({ name, reaches }) => [name, reaches])).toEqual([
    ["create", "create"],
    ["rollback", undefined],
    ["delete", "delete"],
  ]);
});

describe("an upgrade", () => {
  const withPort = (port: number) => stateOf({ [service]: { spec: { port } } });

  it("must lead to the state that the newer version creates", () => {
    expect(judge(withPort(1), withPort(1), withPort(2))).toMatchObject({
      oracle: "wrong-state",
      about: "/services spec.port",
      hint: "the first version has set it so, and the second one sets it only at creation",
    });
    expect(judge(withPort(1), withPort(3), withPort(2))).toMatchObject({ hint: undefined });
    expect(judge(withPort(1), withPort(1), stateOf({ [service]: {} }))).toMatchObject({
      hint: "the first version has set it, and the second one does not remove it",
    });
    expect(judge(withPort(1), withPort(1), stateOf({}))).toMatchObject({
      about: "/services left",
      hint: "the first version has created it, and the second one does not delete it",
    });
  });

  it("is not excused by the older version if that did not create the wrong object", () => {
    const missing = { about: "/services missing", hint: undefined };
    expect(judge(withPort(1), stateOf({}), withPort(1))).toMatchObject(missing);
    expect(judge(stateOf({}), withPort(1), stateOf({}))).toMatchObject({ about: "/services left", hint: undefined });
    const without = stateOf({ [service]: { spec: {} } });
    expect(judge(without, without, withPort(1))).toMatchObject({ about: "/services spec.port", hint: undefined });
  });

  it("may keep users' fields as the older CRD stored them, but not the status", () => {
    const custom = (apiVersion: string, size: number, ready: number) =>
      stateOf({ [caches]: { ...cache, apiVersion, spec: { size }, status: { ready } } });
    const left = custom("example.com/v1beta1", 1, 1);
    expect(judge(left, left, custom("example.com/v1", 2, 1))).toMatchObject({ oracle: "restless" });
    expect(judge(left, left, custom("example.com/v1", 2, 2))).toMatchObject({
      about: "example.com/caches status.ready",
    });
  });

  it("names the finalizer that keeps a deleted object", () => {
    const metadata = { namespace: "default", name: "a", deletionTimestamp: "now", finalizers: ["example.com/old"] };
    const after = stateOf({ [caches]: { ...cache, metadata } });
    expect(judge(after, after, stateOf({}))).toMatchObject({
      hint: `${caches} still exists: the finalizer example.com/old is not removed`,
    });
  });

  it("is not judged by earlier actions of the older version", () => {
    const breakdown = { at: 0, how: "exited with code 1", lines: [] };
    const same = withPort(1);
    const early = judge(same, same, withPort(2), { breakdowns: [{ ...breakdown, step: "create" }] });
    expect(early).toMatchObject({ oracle: "wrong-state" });
    const late = judge(same, same, withPort(2), { breakdowns: [{ ...breakdown, step: "upgrade" }] });
    expect(late).toMatchObject({ oracle: "breakdown" });
  });

  it("fails if the server rejects the manifests", () => {
    const refusal = "spec.versions: Invalid value";
    expect(judge(stateOf({}), stateOf({}), stateOf({}), { refusal })).toMatchObject({
      oracle: "api-break",
      sentence: "The server refuses the manifests of the newer version: spec.versions: Invalid value.",
    });
  });
});

it("names the changes of pod templates as the newer version takes over", () => {
  const deployment = (image: string, replicas: number): UnstructuredObject => ({
    metadata: { name: "a", generation: replicas },
    spec: { replicas, template: { spec: { containers: [{ image }] } } },
  });
  const update = (step: string, before: UnstructuredObject, after: UnstructuredObject): RecordedRequest => ({
    at: 0,
    step,
    by: "operator",
    verb: "update",
    signature: "",
    occurrence: 1,
    status: 200,
    changes: [{ id: "apps/deployments default/a", before, after }],
  });
  const requests = [
    update("create", deployment("a:1", 1), deployment("a:2", 1)),
    update("upgrade", deployment("a:2", 1), deployment("a:2", 2)),
    update("upgrade", deployment("a:2", 2), deployment("a:3", 2)),
    update("upgrade", deployment("a:3", 2), deployment("a:2", 2)),
    update("upgrade", deployment("a:2", 2), deployment("a:3", 2)),
  ];
  expect(restartsOfPods({ ...emptyRecord, requests })).toEqual([
    'apps/deployments default/a: spec.template.spec.containers.0.image = "a:3" instead of "a:2"',
    'apps/deployments default/a: spec.template.spec.containers.0.image = "a:2" instead of "a:3"',
  ]);
});
