import type { RequestStep } from "../apiserver/scenario.ts";
import { pick, type Random } from "./mutate.ts";

/** The options of a DELETE: parameters of its query, and a body. */
export interface DeleteRequest {
  readonly query: readonly string[];
  readonly body?: unknown;
}

/** Generates options of a deletion, mostly valid ones. `{made}` and `{rv}` are versions, `{uid}` is the object's identity. */
export function randomDeleteOptions(random: Random): DeleteRequest {
  const chance = random();
  if (chance < 0.2) return { query: [] };
  if (chance < 0.55) return { query: parameters(random) };
  if (chance < 0.9) return { query: [], body: body(random) };
  if (chance < 0.95) return { query: parameters(random), body: body(random) };
  return { query: [], body: pick(oddBodies, random) };
}

/** Deletes what is at a path. */
export function deletion(path: string, { query, body }: DeleteRequest): RequestStep {
  return { request: `DELETE ${path}${query.length > 0 ? `?${query.join("&")}` : ""}`, body };
}

/** Deletes what is at a path as a dry run. */
export function dryDeletion(path: string, { query, body }: DeleteRequest): RequestStep {
  const isBody = typeof body === "object" && body !== null && !Array.isArray(body);
  if (isBody) return { request: `DELETE ${path}`, body: { ...body, dryRun: ["All"] } };
  return deletion(path, { query: [...query.filter((part) => !part.startsWith("dryRun")), "dryRun=All"] });
}

const graces = [0, 0, 1, 10, 30, 60, -1];
const policies = ["Background", "Foreground", "Orphan"];
const oddPolicies = ["", "Sideways", "background"];
/** Not `true`, which nobody sets, and which excludes other options since 1.37. */
const ignoredErrors = "ignoreStoreReadErrorWithClusterBreakingPotential";

/** A dry run that takes the last finalizer away is answered with an empty object by a real server. */
function policiesOf(dry: boolean): readonly string[] {
  return dry ? ["Foreground", "Orphan"] : policies;
}

function parameters(random: Random): string[] {
  const [odd, dry] = [random() < 0.12, random() < 0.15];
  const orphans = odd ? ["", "x", "T"] : dry ? ["true", "1"] : ["true", "1", "false"];
  const values: readonly (readonly [number, string, readonly string[]])[] = [
    [0.4, "gracePeriodSeconds", odd ? ["", "x", "1.5", "+3", "1e1"] : graces.map(String)],
    [0.4, "propagationPolicy", odd ? oddPolicies : policiesOf(dry)],
    [0.15, "orphanDependents", orphans],
    [dry ? 1 : 0, "dryRun", ["All", "All", "All&dryRun=All", ""]],
    [0.03, "dryRun", ["None", "All&dryRun=None"]],
    [0.05, ignoredErrors, ["false"]],
    [0.03, "unknown", ["1", "1&pretty=true", "1&fieldManager=m"]],
  ];
  return values.flatMap(([share, name, list]) => (random() < share ? [`${name}=${pick(list, random)}`] : []));
}

function body(random: Random): unknown {
  const [odd, dry] = [random() < 0.1, random() < 0.15];
  const values: readonly (readonly [number, string, readonly unknown[]])[] = [
    [0.4, "gracePeriodSeconds", odd ? ["5", 1.5, null, 1e20] : graces],
    [0.4, "propagationPolicy", odd ? [...oddPolicies, null, 5] : policiesOf(dry)],
    [0.12, "orphanDependents", odd ? ["true", null] : dry ? [true] : [true, false]],
    [0.25, "preconditions", odd ? oddPreconditions : preconditions],
    [dry ? 1 : 0, "dryRun", odd ? ["All", ["None"], [null]] : [["All"], [], null]],
    [0.04, ignoredErrors, [false]],
    [0.03, "unknown", [1]],
  ];
  const fields = values.flatMap(([share, name, list]) =>
    random() < share ? [[name, pick(list, random)] as const] : [],
  );
  return { ...(random() < 0.5 && { kind: "DeleteOptions", apiVersion: "v1" }), ...Object.fromEntries(fields) };
}

const other = "11111111-1111-4111-8111-111111111111";
const preconditions = [
  { uid: "{uid}" },
  { uid: "{uid}" },
  { uid: other },
  { resourceVersion: "{rv}" },
  { resourceVersion: "{rv}", uid: "{uid}" },
  { resourceVersion: "{made}" },
  { resourceVersion: "1", uid: other },
  {},
];
const oddPreconditions = [
  null,
  [],
  { uid: "" },
  { resourceVersion: "" },
  { resourceVersion: "x" },
  { uid: 5 },
  { uid: null },
];

const oddBodies = [
  "null",
  "[]",
  "{}",
  "{",
  '"x"',
  "5",
  "",
  " ",
  '{"gracePeriodSeconds":1,"gracePeriodSeconds":0}',
  { kind: "Pod", apiVersion: "v1" },
  { kind: "Status", apiVersion: "v1" },
  { kind: "DeleteOptions" },
  { apiVersion: "v1" },
  { kind: "DeleteOptions", apiVersion: "apps/v1" },
  { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1" },
  { kind: "DeleteOptions", apiVersion: "none.example.com/v9" },
  { kind: "DeleteOptions", apiVersion: "a/b/c" },
  { kind: null, apiVersion: null },
  { kind: 5 },
];
