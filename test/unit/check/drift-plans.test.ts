import { expect, it } from "vitest";
import { driftPlans } from "../../../src/check/plans/drift-plans.ts";
import type { RunRecord } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

const create = { name: "create", action: { type: "apply", objects: [] } } as const;

const ownerReferences = [{ apiVersion: "example.com/v1", kind: "Run", name: "r", uid: "run" }];

/** Returns the plans for an object of an operator, whose owner has a status, too. */
function plansFor(kind: string, status: object | undefined, ownerStatus?: object): string[] {
  const object = { apiVersion: "v1", kind, metadata: { namespace: "default", name: "a", uid: "a", ownerReferences } };
  const run = { apiVersion: "example.com/v1", kind: "Run", metadata: { namespace: "default", name: "r", uid: "run" } };
  const write = { at: 0, step: "create", verb: "create", signature: "", occurrence: 1, status: 200 };
  const record: RunRecord = {
    ...emptyRecord,
    requests: [
      { ...write, by: "user", changes: [{ id: "run", before: undefined, after: { ...run, status: ownerStatus } }] },
      { ...write, by: "operator", changes: [{ id: "a", before: undefined, after: object }] },
      { ...write, by: "cluster", changes: [{ id: "a", before: object, after: { ...object, status } }] },
    ],
  };
  return driftPlans({ steps: [create] }, record).map(({ id }) => id);
}

const condition = (type: string, status: string) => ({ conditions: [{ type, status }] });

it.each([
  ["Pod", { phase: "Running" }],
  ["Job", condition("Complete", "False")],
  ["ConfigMap", undefined],
  ["Deployment", condition("Failed", "True")],
])("deletes a %s with %j", (kind, status) => {
  expect(plansFor(kind, status)).toEqual(["drift:delete:a"]);
});

it.each([
  ["Pod", { phase: "Succeeded" }],
  ["Pod", { phase: "Failed" }],
  ["Job", condition("Complete", "True")],
  ["Job", condition("Failed", "True")],
])("skips a finished %s: %j", (kind, status) => {
  expect(plansFor(kind, status)).toEqual([]);
});

it.each([
  [2, 3],
  ["10", "110"],
  ["1.5Gi", "11.5Gi"],
  ["cache:1", "cache:1-drift"],
])("edits %j to another value that the server accepts", (value, edited) => {
  const quota = (field: unknown) => ({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { namespace: "default", name: "a" },
    spec: { field },
  });
  const write = { at: 0, step: "create", by: "operator", verb: "", signature: "", occurrence: 1, status: 200 } as const;
  const requests = [
    { ...write, changes: [{ id: "a", before: undefined, after: quota(value) }] },
    { ...write, step: "change", changes: [{ id: "a", before: quota(value), after: quota("other") }] },
  ];
  const [, edit] = driftPlans({ steps: [create] }, { ...emptyRecord, requests });
  expect(edit?.steps[1]?.action).toMatchObject({ patch: { spec: { field: edited } } });
});

it.each([
  [condition("Completed", "True"), []],
  [condition("Completed", "False"), ["drift:delete:a"]],
  [condition("Failed", "True"), ["drift:delete:a"]],
  [undefined, ["drift:delete:a"]],
])("of a custom resource with %j, deletes %j", (ownerStatus, expected) => {
  expect(plansFor("Service", undefined, ownerStatus)).toEqual(expected);
});

it("edits and deletes the results of each creation, but not those of a change", () => {
  const steps = [
    create,
    {
      name: "wait",
      action: { type: "wait", target: { apiVersion: "v1", kind: "A", name: "a" }, condition: "Ready", status: "True" },
    },
    { name: "instance", action: { type: "apply", objects: [] } },
    { name: "change", action: { type: "patch", target: { apiVersion: "v1", kind: "A", name: "a" }, patch: {} } },
    { name: "delete", action: { type: "delete", targets: [] } },
  ] as const;
  const write = { at: 0, by: "operator", verb: "create", signature: "", occurrence: 1, status: 200 } as const;
  const made = (step: string, name: string): RunRecord["requests"][number] => {
    const after = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } };
    return { ...write, step, changes: [{ id: name, before: undefined, after }] };
  };
  const requests = [made("create", "a"), made("wait", "b"), made("instance", "c"), made("change", "d")];
  const plans = driftPlans({ steps }, { ...emptyRecord, requests });
  expect(plans.map(({ id, steps: taken }) => [id, ...taken.map(({ name, reaches }) => `${name}>${reaches}`)])).toEqual([
    ["drift:delete:a", "create>create", "drift>create", "delete>delete"],
    ["drift:delete:b", "create>create", "wait>wait", "drift>wait", "delete>delete"],
    ["drift:delete:c", "create>create", "wait>wait", "instance>instance", "drift>instance", "delete>delete"],
  ]);
});

it("edits the data of a Secret that the operator updates to data that the server accepts", () => {
  const secret = (text: string) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "default", name: "a" },
    data: { ca: "YQ==", key: text },
  });
  const write = { at: 0, step: "create", by: "operator", verb: "", signature: "", occurrence: 1, status: 200 } as const;
  const requests = [
    { ...write, changes: [{ id: "a", before: undefined, after: secret("YQ==") }] },
    { ...write, step: "change", changes: [{ id: "a", before: secret("YQ=="), after: secret("Yg==") }] },
  ];
  const [, edit] = driftPlans({ steps: [create] }, { ...emptyRecord, requests });
  expect(edit?.steps[1]?.action).toMatchObject({ patch: { data: { key: "ZHJpZnQ=" } } });
});

it("deletes an immutable Secret, and does not edit it", () => {
  const metadata = { namespace: "default", name: "a" };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, data: { key: "YQ==" }, immutable: true };
  const write = { at: 0, step: "create", by: "operator", verb: "", signature: "", occurrence: 1, status: 200 } as const;
  const requests = [{ ...write, changes: [{ id: "a", before: undefined, after: secret }] }];
  const plans = driftPlans({ steps: [create] }, { ...emptyRecord, requests });
  expect(plans.map(({ id }) => id)).toEqual(["drift:delete:a"]);
});
