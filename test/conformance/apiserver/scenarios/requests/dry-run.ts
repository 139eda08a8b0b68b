import { customKind } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenario } from "../../scenario.ts";
import { core } from "../../steps.ts";

const finalizers = ["example.com/hold"];
const held = customKind("held-in-dry-run", { subresources: { status: {} } });

/** Deletes an object with a finalizer, and removes the finalizer in dry runs of each kind, before it is removed. */
function released(path: string, object: any): RequestStep[] {
  const { kind, apiVersion } = object;
  const { name } = object.metadata;
  const url = `${path}/${name}`;
  const free = { ...object, metadata: { name, resourceVersion: "{rv}" } };
  return [
    { request: `POST ${path}`, body: { ...object, metadata: { name, finalizers } } },
    { request: `DELETE ${url}` },
    { request: `PATCH ${url}?dryRun=All`, headers: merge, body: { metadata: { finalizers: null } } },
    { request: `GET ${url}`, save: { rv: "metadata.resourceVersion" } },
    {
      request: `PATCH ${url}?dryRun=All`,
      headers: jsonPatch,
      body: [
        { op: "remove", path: "/metadata/finalizers" },
        { op: "add", path: "/metadata/labels", value: { a: "b" } },
      ],
    },
    {
      request: `PATCH ${url}?dryRun=All`,
      headers: merge,
      body: { metadata: { resourceVersion: "1", finalizers: null } },
    },
    { request: `PUT ${url}?dryRun=All`, body: free },
    {
      request: `PATCH ${url}?dryRun=All&fieldManager=me&force=true`,
      headers: apply,
      body: { apiVersion, kind, metadata: { name } },
    },
    { request: `GET ${url}` },
    { request: `PATCH ${url}`, headers: merge, body: { metadata: { finalizers: null } } },
    { request: `GET ${url}` },
  ];
}

const spec = { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" };

export const scenarios: readonly Scenario[] = [
  {
    name: "released-in-dry-run",
    steps: [
      ...released(`${core}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map" } }),
      ...released(`${core}/pods`, { apiVersion: "v1", kind: "Pod", metadata: { name: "pod" }, spec }),
      ...held.install,
      ...released(held.path, held.object("thing", { spec: { x: "y" } })),
    ],
  },
];
