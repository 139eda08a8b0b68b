import { customKind } from "../../custom-kind.ts";
import { merge, type Scenario } from "../../scenario.ts";
import { maps } from "../../steps.ts";

const kind = customKind("delete");
const { path, object } = kind;
const final = customKind("finalizers");
const many = customKind("deletecollection");
const held = (name: string) => ({ ...final.object(name), metadata: { name, finalizers: ["a.io/f", "a.io/g"] } });
const create = (name: string) => ({
  request: `POST ${path}`,
  body: object(name),
  save: { rv: "metadata.resourceVersion", uid: "metadata.uid" },
  unrecorded: true,
});

export const scenarios: readonly Scenario[] = [
  {
    name: "delete",
    steps: [
      ...kind.install,
      create("a"),
      { request: `DELETE ${path}/a?dryRun=All` },
      { request: `DELETE ${path}/a`, body: { preconditions: { uid: "11111111-1111-4111-8111-111111111111" } } },
      { request: `DELETE ${path}/a`, body: { preconditions: { resourceVersion: "1" } } },
      { request: `DELETE ${path}/a`, body: { propagationPolicy: "Sideways" } },
      { request: `DELETE ${path}/a`, body: { propagationPolicy: "Orphan", orphanDependents: true } },
      { request: `DELETE ${path}/a`, body: { dryRun: ["Some"] } },
      { request: `DELETE ${path}/a`, body: { kind: "Pod", apiVersion: "v1" } },
      { request: `DELETE ${path}/a`, body: "{" },
      {
        request: `DELETE ${path}/a`,
        body: { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "{uid}" } },
      },
      { request: `DELETE ${path}/a` },
      create("b"),
      { request: `DELETE ${path}/b?propagationPolicy=Foreground` },
      { request: `DELETE ${path}/b?propagationPolicy=Orphan` },
      { request: `DELETE ${path}/b` },
      { request: `DELETE ${path}/b?propagationPolicy=Background` },
      { request: `GET ${path}/b` },
      create("c"),
      { request: `DELETE ${path}/c?orphanDependents=true` },
      { request: `DELETE ${path}/c?orphanDependents=false` },
      { request: `POST ${maps}`, body: { metadata: { name: "m" } }, unrecorded: true },
      { request: `DELETE ${maps}/m` },
    ],
  },
  {
    name: "finalizers",
    steps: [
      ...final.install,
      { request: `POST ${final.path}`, body: held("a"), unrecorded: true },
      { request: `DELETE ${final.path}/a` },
      { request: `DELETE ${final.path}/a` },
      { request: `POST ${final.path}`, body: held("a") },
      {
        request: `PATCH ${final.path}/a`,
        headers: merge,
        body: { metadata: { finalizers: ["a.io/f", "a.io/g", "a.io/h"] } },
      },
      { request: `PATCH ${final.path}/a`, headers: merge, body: { metadata: { deletionTimestamp: null } } },
      { request: `PATCH ${final.path}/a`, headers: merge, body: { spec: { x: "changed" } } },
      { request: `PATCH ${final.path}/a`, headers: merge, body: { metadata: { finalizers: ["a.io/f"] } } },
      { open: "w", request: `GET ${final.path}?watch=true` },
      { request: `PATCH ${final.path}/a`, headers: merge, body: { metadata: { finalizers: null } } },
      { read: "w", count: 2 },
      { request: `GET ${final.path}/a` },
    ],
  },
  {
    name: "deletecollection",
    steps: [
      ...many.install,
      ...["a", "b", "c"].map((name) => ({
        request: `POST ${many.path}`,
        body: { ...many.object(name), metadata: { name, labels: { half: name === "c" ? "two" : "one" } } },
        unrecorded: true,
      })),
      { request: `DELETE ${many.path}?labelSelector=half%3Done` },
      { request: `GET ${many.path}` },
      { request: `DELETE ${many.path}?dryRun=All` },
      ...["d", "e", "f", "g"].map((name) => ({
        request: `POST ${many.path}`,
        body: { ...many.object(name), metadata: { name, labels: { half: "two" } } },
        unrecorded: true as const,
      })),
      { request: `DELETE ${many.path}?limit=1` },
      { request: `DELETE ${many.path}?limit=1&labelSelector=half%3Dtwo`, save: { next: "metadata.continue" } },
      { request: `DELETE ${many.path}?limit=1&labelSelector=half%3Dtwo&continue={next}` },
      { request: `DELETE ${many.path}?limit=x` },
      { request: `DELETE ${many.path}?resourceVersionMatch=Exact` },
      { request: `GET ${many.path}` },
      { request: `DELETE ${many.path}` },
      { request: `DELETE ${many.path}` },
      { request: `GET ${many.path}` },
    ],
  },
];
