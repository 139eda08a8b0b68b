import { describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { judgeAlways, judgeRun } from "../../../src/check/oracles/judge-run.ts";
import { keyOf } from "../../../src/check/oracles/violation.ts";
import type { Plan } from "../../../src/check/plans/plan.ts";
import { maskOf, normalizeState, type ObjectState } from "../../../src/check/world/object-state.ts";
import type { RunRecord } from "../../../src/check/world/run-record.ts";
import { emptyRecord } from "./empty-record.ts";

const id = "example.com/caches default/a";
const stateWith = (spec: object): ObjectState =>
  normalizeState(new Map([[id, { apiVersion: "example.com/v1", kind: "Cache", metadata: { name: "a" }, spec }]]));

const recordOf = (last: ObjectState, quiet: boolean): RunRecord => ({
  ...emptyRecord,
  steps: [{ name: "change back", state: last, quiet, ended: 0 }],
});

/** Returns the causes of what is wrong after a field of `a` was set and taken back. */
function causesAfterChangeBack(usual: object, state: object): string[] {
  const target = { apiVersion: "example.com/v1", kind: "Cache", namespace: "default", name: "a" };
  const back = { name: "change back", action: { type: "patch", target, patch: {} }, reaches: "create" } as const;
  const plan: Plan = { id: "p", faultClass: "exploration", description: "d", steps: [back, back] };
  const expectation = { states: new Map([["create", stateWith(usual)]]), mask: maskOf([]) };
  const record = recordOf(stateWith(state), false);
  return judgeRun({ plan, record }, record, expectation).map(({ about }) => about);
}

it("reports defaults that are set only at creation as one cause", () => {
  const usual = { policy: "Any", size: 1 };
  const about = "example.com/caches defaults that are not set again";
  expect(causesAfterChangeBack(usual, { size: 1 })).toEqual([about]);
  expect(causesAfterChangeBack(usual, { policy: "Any" })).toEqual([about]);
});

it("distinguishes a field that keeps a value from one that loses its default", () => {
  expect(causesAfterChangeBack({ size: 1 }, { size: 2 })).toEqual(["example.com/caches spec.size"]);
});

it("names a wrong state after a leftover object rather than after a status with a history", () => {
  const cache = (attempts: number) => ({
    apiVersion: "example.com/v1",
    kind: "Cache",
    metadata: { name: "a" },
    status: { attempts },
  });
  const left = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } };
  const usual = normalizeState(new Map([[id, cache(1)]]));
  const state = normalizeState(new Map<string, UnstructuredObject>([[id, cache(2)], ["/configmaps default/b", left]])); // prettier-ignore
  const step = { name: "change back", action: { type: "delete", targets: [] }, reaches: "create" } as const;
  const plan: Plan = { id: "p", faultClass: "refused", description: "d", steps: [step] };
  const record = recordOf(state, false);
  const [violation] = judgeRun({ plan, record }, record, { states: new Map([["create", usual]]), mask: maskOf([]) });
  expect(violation?.about).toBe("/configmaps left");
  expect(violation?.differences?.map(({ path }) => path)).toEqual(["", "status.attempts"]);
});

it("shows the write that met the fault, however many follow", () => {
  const step = { name: "change back", action: { type: "delete", targets: [] }, reaches: "create" } as const;
  const plan: Plan = { id: "p", faultClass: "refused", description: "d", steps: [step] };
  const write = (at: number) =>
    ({ at, step: "create", by: "operator", verb: "update", signature: "s", occurrence: at, status: 200 }) as const;
  const changes = [{ id, before: undefined, after: undefined }];
  const requests = Array.from({ length: 30 }, (_, at) => ({ ...write(at), ...(at === 3 ? { changes: [], fault: "refused" } : { changes }) })); // prettier-ignore
  const record = { ...recordOf(stateWith({ size: 2 }), false), requests };
  const usual = new Map([["create", stateWith({ size: 1 })]]);
  const [violation] = judgeRun({ plan, record }, record, { states: usual, mask: maskOf([]) });
  expect(violation?.requests?.map(({ at }) => at)).toEqual([
    3,
    ...Array.from({ length: 12 }, (_, index) => 18 + index),
  ]);
});

describe("an object that drifts", () => {
  const child = "apps/deployments default/a";
  const steps = ["create", "drift"].map((name) => ({
    name,
    action: { type: "delete", targets: [] } as const,
    reaches: "create",
  }));
  const plan: Plan = { id: "p", faultClass: "drift", description: "d", steps };
  const owner = { apiVersion: "example.com/v1", kind: "Cache", name: "a", uid: "1" };
  const hintOf = (ownerReferences: object[], ...watched: string[]): string | undefined => {
    const before = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a", ownerReferences } };
    const request = { at: 0, step: "drift", by: "user", verb: "delete", signature: "s", occurrence: 1, status: 200 };
    const requests = [{ ...request, changes: [{ id: child, before, after: undefined }] }] as RunRecord["requests"];
    const [created, drifted] = [normalizeState(new Map([[child, before as never]])), normalizeState(new Map())];
    const ends = [created, drifted].map((state, index) => ({
      name: steps[index]!.name,
      state,
      quiet: false,
      ended: 0,
    }));
    const record = { ...emptyRecord, steps: ends, requests, watched: new Set(watched) };
    const expectation = { states: new Map([["create", created]]), mask: maskOf([]) };
    return judgeRun({ plan, record }, record, expectation)[0]?.hint;
  };

  it("is not repaired, because it is not watched", () => {
    expect(hintOf([{ ...owner, controller: true }])).toBe("the operator does not watch apps/deployments");
  });

  it("is not repaired after creation in a later step, because it is not watched", () => {
    const before = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } };
    const [wait, drift] = [
      { ...steps[0]!, name: "wait", reaches: "wait" },
      { ...steps[1]!, reaches: "wait" },
    ];
    const request = { at: 0, step: "drift", by: "user", verb: "delete", signature: "s", occurrence: 1, status: 200 };
    const requests = [{ ...request, changes: [{ id: child, before, after: undefined }] }] as RunRecord["requests"];
    const [created, drifted] = [normalizeState(new Map([[child, before]])), normalizeState(new Map())];
    const ends = [created, created, drifted].map((state) => ({ name: "drift", state, quiet: false, ended: 0 }));
    const record = { ...emptyRecord, steps: ends, requests };
    const states = new Map([["wait", created]]);
    const later = { ...plan, steps: [steps[0]!, wait, drift] };
    const [violation] = judgeRun({ plan: later, record }, record, { states, mask: maskOf([]) });
    expect(violation?.hint).toBe("the operator does not watch apps/deployments");
  });

  it("is not repaired, because its owner is not its controller", () => {
    expect(hintOf([owner], "apps/v1/deployments")).toMatch("has no `controller: true`");
    expect(hintOf([{ ...owner, controller: true }], "apps/v1/deployments")).toBe(
      "no deletion of the object leads to a reconcile, although its kind is watched",
    );
  });
});

describe("writes that change nothing", () => {
  const write = { at: 0, step: "create", by: "operator", verb: "update", signature: "update a", status: 200 } as const;
  const requests = Array.from({ length: 5 }, (_, index) => ({ ...write, occurrence: index + 1, changes: [] }));
  const base = { ...recordOf(stateWith({}), true), requests };

  it.each([
    ["have a reason in the end of the step before, whose changes a watch may show late", 1_400, []],
    ["have none in what was shown before", 300, ["no-op-writes"]],
  ])("%s", (_, at, oracles) => {
    const steps = [1_500, 2_000].map((ended, index) => ({
      ...base.steps[0]!,
      name: ["before", "create"][index]!,
      ended,
    }));
    const change = { ...write, at, step: "before", signature: "update b", occurrence: 1, changes: [{ id }] as never };
    const record = { ...base, steps, requests: [...Array.from({ length: 5 }, () => change), ...requests] };
    expect(judgeAlways(record).map(({ oracle }) => oracle)).toEqual(oracles);
  });

  it("are repeated without a reason", () => {
    expect(judgeAlways(base).map(({ oracle }) => oracle)).toEqual(["no-op-writes"]);
  });

  it("are repeated after each of several errors", () => {
    const errors = ["one", "two"].map((message) => ({ step: "create", message, count: 2, last: 0 }));
    expect(judgeAlways({ ...base, errors })).toEqual([]);
    expect(judgeAlways({ ...base, errors: errors.slice(1) })).toHaveLength(1);
  });

  it("are repeated after each of several changes, as with server-side apply", () => {
    const pod = { id: "/pods default/a", before: undefined, after: undefined };
    const changes = Array.from(
      { length: 4 },
      () => ({ ...write, by: "cluster", occurrence: 0, changes: [pod] }) as const,
    );
    expect(judgeAlways({ ...base, requests: [...changes, ...requests] })).toEqual([]);
    expect(judgeAlways({ ...base, requests: [...changes.slice(1), ...requests] })).toHaveLength(1);
  });
});

it("distinguishes a request that a role forbids from one that admission rejects", () => {
  const create = {
    at: 0,
    step: "create",
    by: "operator",
    verb: "create",
    signature: "create pods",
    changes: [],
  } as const;
  const rulesFor = (message: string, count: number): string[] => {
    const requests = Array.from({ length: count }, () => ({ ...create, occurrence: 1, status: 403, message }));
    return judgeAlways({ ...recordOf(stateWith({}), true), requests }).map(({ oracle }) => oracle);
  };
  const byRole = 'pods is forbidden: User "a" cannot create resource "pods" in API group "" in the namespace "default"';
  expect(rulesFor(byRole, 1)).toEqual(["forbidden"]);
  const ending = 'pods "a" is forbidden: unable to create new content in namespace n because it is being terminated';
  expect(rulesFor(ending, 1)).toEqual([]);
  expect(
    rulesFor('pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1', 6),
  ).toEqual(["endless-error"]);
});

it("distinguishes passing rejections, as from a lagging cache, from those that a status reports", () => {
  const request = { at: 0, step: "create", by: "operator", verb: "patch", occurrence: 1 } as const;
  const change = { id: "a", before: undefined, after: undefined };
  const writeTo = (name: string, status: number) => {
    return { ...request, signature: `patch ${name}`, status, changes: status === 200 ? [change] : [] };
  };
  const attempts = Array.from({ length: 6 }, () => [writeTo("secrets/a", 422), writeTo("caches/a/status", 200)]).flat();
  const rulesFor = (name: string): string[] =>
    judgeAlways({ ...emptyRecord, requests: [...attempts, writeTo(name, 200)] }).map(({ oracle }) => oracle);
  expect(rulesFor("configmaps/b")).toEqual([]);
  expect(rulesFor("caches/a/status")).toEqual(["endless-error"]);
});

it("treats conflicts as attempts, not as an endless error", () => {
  const update = { at: 0, step: "create", by: "operator", verb: "update", occurrence: 1, changes: [] } as const;
  const rulesFor = (status: number, message: string): string[] => {
    const requests = Array.from({ length: 10 }, () => ({ ...update, signature: "update caches/a", status, message }));
    const errors = [{ step: "create", message, count: 10, last: 1 }];
    return [{ requests }, { errors }].flatMap((part) =>
      judgeAlways({ ...emptyRecord, ...part }).map(({ oracle }) => oracle),
    );
  };
  const modified = "the object has been modified; please apply your changes to the latest version and try again";
  expect(rulesFor(409, `Operation cannot be fulfilled on caches "a": ${modified}`)).toEqual([]);
  expect(rulesFor(422, 'Cache "a" is invalid')).toEqual(["endless-error", "endless-error"]);
});

it("counts the operator's own writes after a restart, not those of others", () => {
  const object = (size: number) => ({ apiVersion: "v1", kind: "A", metadata: { name: "a" }, spec: { size } });
  const plan: Plan = {
    id: "p",
    faultClass: "restart",
    description: "d",
    steps: [{ name: "create", action: { type: "apply", objects: [] } }],
    faults: [{ type: "restart", step: "create" }],
  };
  const rulesFor = (by: "operator" | "user" | "cluster"): string[] => {
    const request = { at: 0, step: "restart", by, verb: "update", signature: "update a", occurrence: 1, status: 200 };
    const requests = [{ ...request, changes: [{ id: "/as n/a", before: object(1), after: object(2) }] }];
    const record = { ...emptyRecord, requests };
    return judgeRun({ plan, record }, record, { states: new Map(), mask: maskOf([]) }).map(({ oracle }) => oracle);
  };
  expect(rulesFor("operator")).toEqual(["restart-writes"]);
  expect([rulesFor("user"), rulesFor("cluster")]).toEqual([[], []]);
});

it("reports a missing permission once for several objects", () => {
  const patch = {
    at: 0,
    step: "create",
    by: "operator",
    verb: "patch",
    occurrence: 1,
    status: 403,
    changes: [],
  } as const;
  const requests = ["a", "b"].map((name) => ({
    ...patch,
    signature: `patch events/${name}`,
    message: `events "${name}" is forbidden: User "op" cannot patch resource "events" in API group "" in the namespace "${name}"`,
  }));
  expect(judgeAlways({ ...recordOf(stateWith({}), true), requests }).map(({ about }) => about)).toEqual([
    'cannot patch resource "events" in API group ""',
  ]);
});

it("accepts an object created for a deleted owner, which the cluster deletes at once", () => {
  const service = { apiVersion: "v1", kind: "Service", metadata: { namespace: "default", name: "a" } };
  const steps = [{ name: "delete", action: { type: "delete", targets: [] } }] as const;
  const plan: Plan = { id: "p", faultClass: "stale", description: "d", steps };
  const create = { at: 0, step: "delete", by: "operator", signature: "s", occurrence: 1, status: 201 } as const;
  const changes = [{ id: "/services default/a", before: undefined, after: service }];
  const ends = [{ name: "delete", state: normalizeState(new Map()), quiet: true, ended: 0 }];
  const causesOf = (verb: string, steps: RunRecord["steps"]): string[] => {
    const record = { ...emptyRecord, steps, requests: [{ ...create, verb, changes }] };
    return judgeRun({ plan, record }, emptyRecord, { states: new Map(), mask: maskOf([]) }).map(keyOf);
  };
  expect(causesOf("create", ends)).toEqual([]);
  // Server-side apply creates by a patch.
  expect(causesOf("patch", ends)).toEqual([]);
  expect(causesOf("patch", [{ ...ends[0]!, name: "create" }])).toEqual(["recreated /services"]);
});

it("accepts that a setting replaces a Secret, but not that it loses it", () => {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace: "default", name: "a" } };
  const steps = [{ name: "change", action: { type: "delete", targets: [] } }] as const;
  const plan: Plan = { id: "p", faultClass: "exploration", description: "d", steps, keepsData: true };
  const write = {
    at: 0,
    step: "change",
    by: "operator",
    verb: "",
    signature: "s",
    occurrence: 1,
    status: 200,
  } as const;
  const deletion = { ...write, changes: [{ id: "/secrets default/a", before: secret, after: undefined }] };
  const creationOf = (name: string) => ({
    ...write,
    changes: [{ id: `/secrets default/${name}`, before: undefined, after: secret }],
  });
  const causesOf = (...requests: RunRecord["requests"]): string[] => {
    const record = { ...emptyRecord, requests };
    return judgeRun({ plan, record }, emptyRecord, { states: new Map(), mask: maskOf([]) }).map(keyOf);
  };
  expect(causesOf(deletion, creationOf("b"))).toEqual([]);
  expect(causesOf(deletion)).toEqual(["data-deleted /secrets"]);
  expect(causesOf(deletion, creationOf("a"))).toEqual(["data-deleted /secrets"]);
});

describe("a custom resource that was deleted", () => {
  const cache = { apiVersion: "example.com/v1", kind: "Cache", metadata: { namespace: "default", name: "a" } };
  const steps = [{ name: "create", action: { type: "apply", objects: [cache] } }] as const;
  const plan: Plan = { id: "p", faultClass: "deletion", description: "d", steps };
  const request = { at: 0, step: "create", verb: "create", signature: "s", occurrence: 1, status: 201 } as const;
  const deletion = { ...request, by: "user", changes: [{ id, before: cache, after: undefined }] } as const;
  const creation = (by: "operator" | "user") => ({
    ...request,
    by,
    changes: [{ id, before: undefined, after: cache }],
  });
  const sentencesOf = (...requests: RunRecord["requests"]): string[] => {
    const record = { ...recordOf(stateWith({}), true), requests };
    return judgeRun({ plan, record }, record, { states: new Map(), mask: maskOf([]) }).map(({ sentence }) => sentence);
  };

  it("is not created again by the operator", () => {
    expect(sentencesOf(deletion, creation("operator"))).toEqual([
      "The operator creates example.com/caches default/a again after a user has deleted it.",
    ]);
  });

  it("may be created again by a user", () => {
    expect(sentencesOf(deletion, creation("user"))).toEqual([]);
  });
});

describe("an object that is created after its owner was deleted", () => {
  const child = "apps/deployments default/a";
  const after = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } };
  const steps = [{ name: "delete", action: { type: "delete", targets: [] } }] as const;
  const plan: Plan = { id: "p", faultClass: "watch", description: "d", steps };
  const rulesFor = (verb: string, state: ObjectState): string[] => {
    const changes = [{ id: child, before: undefined, after }];
    const request = {
      at: 0,
      step: "delete",
      by: "operator",
      verb,
      signature: "s",
      occurrence: 1,
      status: 201,
      changes,
    } as const;
    const record = { ...emptyRecord, steps: [{ name: "delete", state, quiet: true, ended: 0 }], requests: [request] };
    return judgeRun({ plan, record }, emptyRecord, { states: new Map(), mask: maskOf([]) }).map(({ oracle }) => oracle);
  };

  it.each(["create", "patch"])("is accepted if the cluster deletes it, whether by %s", (verb) => {
    expect(rulesFor(verb, normalizeState(new Map()))).toEqual([]);
  });

  it.each(["create", "patch"])("is a finding if it stays, whether by %s", (verb) => {
    expect(rulesFor(verb, normalizeState(new Map([[child, after as never]])))).toEqual(["recreated"]);
  });
});

const created = (...names: string[]): RunRecord => {
  const request = {
    at: 0,
    step: "create",
    by: "operator",
    verb: "create",
    signature: "s",
    occurrence: 1,
    status: 201,
  };
  const changes = names.map((name) => ({
    id: `apps/deployments default/${name}`,
    before: undefined,
    after: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name } },
  }));
  return { ...emptyRecord, requests: changes.map((change) => ({ ...request, changes: [change] })) as never };
};

it("groups objects that are named after the uid of another object", () => {
  const usual = created("00000000-0000-4000-8000-000000000001");
  const [first, second] = ["a0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-000000000002"] as const;
  const plan: Plan = { id: "p", faultClass: "crash", description: "d", steps: [] };
  const sentences = (record: RunRecord): string[] =>
    judgeRun({ plan, record }, usual, { states: new Map(), mask: maskOf([]) }).map(({ sentence }) => sentence);
  expect(sentences(created(first))).toEqual([]);
  expect(sentences(created(first, second))).toEqual([
    "The operator created apps/deployments default/* 2 times instead of once.",
  ]);
});

it("groups objects with random names", () => {
  const usual = created("worker-4dc12f0392");
  const names = ["worker-4dc12f0392", "worker-9c91ed50fe"].map((name) => `apps/deployments default/${name}`);
  const expectation = { states: new Map(), mask: maskOf(names.map((name) => ({ id: name, path: "" }))) };
  const plan: Plan = { id: "p", faultClass: "crash", description: "d", steps: [] };
  const sentences = (record: RunRecord): string[] =>
    judgeRun({ plan, record }, usual, expectation).map(({ sentence }) => sentence);
  expect(sentences(created("worker-bac855a724"))).toEqual([]);
  expect(sentences(created("worker-bac855a724", "worker-448c8ffd51"))).toEqual([
    "The operator created apps/deployments default/worker-* 2 times instead of once.",
  ]);
});

it("names the step without a write after which a restart shows a change", () => {
  const object = (size: number) => ({ apiVersion: "v1", kind: "A", metadata: { name: "a" }, spec: { size } });
  const request = { at: 0, verb: "update", signature: "update", occurrence: 1, status: 200 } as const;
  const write = (step: string, by: "operator" | "user", of: string) => {
    const changes = [{ id: of, before: object(1), after: object(2) }];
    return { ...request, step, by, changes };
  };
  const step = { name: "change", action: { type: "apply", objects: [] } } as const;
  const fault = { type: "restart", step: "change" } as const;
  const plan: Plan = { id: "p", faultClass: "restart", description: "d", steps: [step], faults: [fault] };
  const hintAfter = (...requests: RunRecord["requests"]): string | undefined => {
    const record = { ...emptyRecord, requests: [...requests, write("restart", "operator", "/configmaps n/b")] };
    return judgeRun({ plan, record }, record, { states: new Map(), mask: maskOf([]) })[0]?.hint;
  };
  const change = write("change", "user", "example.com/runtimes n/a");
  expect(hintAfter(change)).toBe(
    "the operator writes nothing in the step “change”: the change of example.com/runtimes n/a may lead to no reconcile",
  );
  expect(hintAfter(change, write("change", "operator", "/configmaps n/b"))).toBeUndefined();
});
