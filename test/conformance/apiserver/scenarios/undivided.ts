import { crds, customKind, schemaOf } from "../custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenario } from "../scenario.ts";

const text = { type: "string" };
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schemaOf({ x: text, y: text }) },
  subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
});
const kind = customKind("undivided", {}, { versions: [version("v1", false), version("v2", true)] });
const newer = kind.path.replace("/v1/", "/v2/");
const whole = (name: string): Record<string, unknown> => ({
  ...kind.object(name, { spec: { x: "a", y: "b" } }),
  apiVersion: "undivided.example.com/v2",
});
const names = ["merge", "json", "put", "change", "status", "dry", "older", "other", "part", "fixed", "again"];
const patch = (path: string, body: object = {}): RequestStep => ({
  request: `PATCH ${path}`,
  headers: merge,
  body,
});

/** Objects with a manager of a version whose schema changes afterwards, so that it cannot divide them any more. */
export const undividedScenarios: readonly Scenario[] = [
  {
    name: "undivided-managers",
    managedFields: true,
    steps: [
      ...kind.install,
      ...names.flatMap((name): RequestStep[] => [
        {
          request: `POST ${kind.path}?fieldManager=one`,
          body: kind.object(name, { spec: { x: "a" } }),
          unrecorded: true,
        },
        { ...patch(`${newer}/${name}?fieldManager=two`, { spec: { y: "b" } }), unrecorded: true },
      ]),
      {
        request: `PATCH ${crds}/things.undivided.example.com`,
        headers: jsonPatch,
        body: [
          {
            op: "replace",
            path: "/spec/versions/0/schema/openAPIV3Schema",
            value: schemaOf({ x: { type: "integer" }, y: text }),
          },
        ],
        unrecorded: true,
      },
      {
        request: `POST ${kind.path}?dryRun=All`,
        body: kind.object("new", { spec: { x: "a" } }),
        until: (_, status) => status === 422,
        unrecorded: true,
      },
      patch(`${newer}/dry?dryRun=All`),
      { request: `GET ${newer}/dry` },
      patch(`${newer}/merge`),
      { request: `GET ${newer}/merge` },
      patch(`${newer}/merge`),
      { request: `PATCH ${newer}/json`, headers: jsonPatch, body: [] },
      { request: `GET ${newer}/put`, save: { version: "metadata.resourceVersion" }, unrecorded: true },
      {
        request: `PUT ${newer}/put`,
        body: { ...whole("put"), metadata: { name: "put", resourceVersion: "{version}" } },
      },
      patch(`${newer}/change`, { spec: { y: "c" } }),
      patch(`${newer}/status/status`),
      // The version of the request cannot divide the object either.
      patch(`${kind.path}/older`),
      patch(`${kind.path}/other`, { spec: { y: "c" } }),
      patch(`${kind.path}/part/status`, { status: { phase: "Ready" } }),
      patch(`${kind.path}/fixed`, { spec: { x: 1 } }),
      patch(`${kind.path}/fixed`, { spec: { x: 2 } }),
      {
        request: `PATCH ${kind.path}/again?fieldManager=three`,
        headers: apply,
        body: kind.object("again", { spec: { y: "b" } }),
      },
      {
        request: `PATCH ${newer}/dry?fieldManager=three`,
        headers: apply,
        body: whole("dry"),
      },
    ],
  },
];
