import { customKind } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { core } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const finalizers = ["example.com/hold"];
const held = customKind("held-in-dry-run", { subresources: { status: {} } });

/** Deletes an object with a finalizer, and removes the finalizer in dry runs of each kind, before it is removed. */
function released(path: string, object: any): RequestStep[] {
  const { kind, apiVersion } = object;
  const { name } = object.metadata;
  const url = `${path}/${name}`;
  const free = { ...object, metadata: { name, resourceVersion: "{rv}" } };
  return [
    POST(path, { ...object, metadata: { name, finalizers } }),
    DELETE(url),
    PATCH(`${url}?dryRun=All`, merge, { metadata: { finalizers: null } }),
    GET(url, { save: { rv: "metadata.resourceVersion" } }),
    PATCH(`${url}?dryRun=All`, jsonPatch, [
      { op: "remove", path: "/metadata/finalizers" },
      { op: "add", path: "/metadata/labels", value: { a: "b" } },
    ]),
    PATCH(`${url}?dryRun=All`, merge, { metadata: { resourceVersion: "1", finalizers: null } }),
    PUT(`${url}?dryRun=All`, free),
    PATCH(`${url}?dryRun=All&fieldManager=me&force=true`, apply, { apiVersion, kind, metadata: { name } }),
    GET(url),
    PATCH(url, merge, { metadata: { finalizers: null } }),
    GET(url),
  ];
}

const spec = { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" };

export const scenarios: Scenarios = {
  "released-in-dry-run": [
    ...released(`${core}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map" } }),
    ...released(`${core}/pods`, { apiVersion: "v1", kind: "Pod", metadata: { name: "pod" }, spec }),
    ...held.install,
    ...released(held.path, held.object("thing", { spec: { x: "y" } })),
  ],
};
