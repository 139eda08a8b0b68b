import { crds, customKind, schemaOf } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST, PUT } from "../../requests.ts";
import { text } from "../../steps.ts";

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
const patch = (path: string, body: object = {}): RequestStep => PATCH(path, merge, body);

/** Objects with a manager of a version whose schema changes afterwards, so that it cannot divide them any more. */
export const scenarios: Scenarios = {
  "undivided-managers": {
    managedFields: true,
    steps: [
      ...kind.install,
      ...names.flatMap((name): RequestStep[] => [
        POST(`${kind.path}?fieldManager=one`, kind.object(name, { spec: { x: "a" } }), { unrecorded: true }),
        { ...patch(`${newer}/${name}?fieldManager=two`, { spec: { y: "b" } }), unrecorded: true },
      ]),
      PATCH(
        `${crds}/things.undivided.example.com`,
        jsonPatch,
        [
          {
            op: "replace",
            path: "/spec/versions/0/schema/openAPIV3Schema",
            value: schemaOf({ x: { type: "integer" }, y: text }),
          },
        ],
        { unrecorded: true },
      ),
      POST(`${kind.path}?dryRun=All`, kind.object("new", { spec: { x: "a" } }), {
        until: (_, status) => status === 422,
        unrecorded: true,
      }),
      patch(`${newer}/dry?dryRun=All`),
      GET(`${newer}/dry`),
      patch(`${newer}/merge`),
      GET(`${newer}/merge`),
      patch(`${newer}/merge`),
      PATCH(`${newer}/json`, jsonPatch, []),
      GET(`${newer}/put`, { save: { version: "metadata.resourceVersion" }, unrecorded: true }),
      PUT(`${newer}/put`, { ...whole("put"), metadata: { name: "put", resourceVersion: "{version}" } }),
      patch(`${newer}/change`, { spec: { y: "c" } }),
      patch(`${newer}/status/status`),
      // The version of the request cannot divide the object either.
      patch(`${kind.path}/older`),
      patch(`${kind.path}/other`, { spec: { y: "c" } }),
      patch(`${kind.path}/part/status`, { status: { phase: "Ready" } }),
      patch(`${kind.path}/fixed`, { spec: { x: 1 } }),
      patch(`${kind.path}/fixed`, { spec: { x: 2 } }),
      PATCH(`${kind.path}/again?fieldManager=three`, apply, kind.object("again", { spec: { y: "b" } })),
      PATCH(`${newer}/dry?fieldManager=three`, apply, whole("dry")),
    ],
  },
};
