import { customKind, schemaOf } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST, PUT } from "../../requests.ts";
import { deployments } from "../../steps.ts";

const scaled = customKind("scale-managers", {
  schema: { openAPIV3Schema: schemaOf({ n: { type: "integer" } }) },
  subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
});
const deployment = (name: string): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
});
const scale = (name: string, replicas: number): object => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name },
  spec: { replicas },
});
type Write = (path: string, name: string) => RequestStep;
const put =
  (manager: string, replicas: number): Write =>
  (path, name) =>
    PUT(`${path}/${name}/scale?fieldManager=${manager}`, scale(name, replicas));
const patch =
  (manager: string, replicas?: number): Write =>
  (path, name) =>
    PATCH(`${path}/${name}/scale?fieldManager=${manager}`, merge, replicas === undefined ? {} : { spec: { replicas } });
const applied =
  (manager: string, replicas: number): Write =>
  (path, name) =>
    PATCH(`${path}/${name}/scale?fieldManager=${manager}&force=true`, apply, scale(name, replicas));
const nothing: Write = (path, name) => PATCH(`${path}/${name}/scale?fieldManager=patcher`, jsonPatch, []);

/** Writes of one Scale after the other; many of them do not change the replicas. */
const sequences: readonly (readonly Write[])[] = [
  [patch("patcher"), patch("patcher"), put("updater", 2)],
  [put("updater", 2), patch("patcher", 3), patch("patcher", 3), patch("patcher", 4), put("patcher", 4)],
  [put("author", 3), patch("author", 4), patch("author", 4)],
  [put("updater", 5), applied("applier", 5), put("updater", 6), applied("applier", 6)],
  [applied("applier", 2), put("updater", 2), patch("patcher", 3)],
  [nothing, patch("patcher", 3)],
];

const shown = ({ kind, metadata: { name, resourceVersion, generation, managedFields }, spec }: any): unknown => ({
  kind,
  metadata: { name, resourceVersion, generation, managedFields },
  replicas: spec.replicas ?? spec.n,
});

function run(path: string, name: string, create: RequestStep, writes: readonly Write[]): RequestStep[] {
  const created = { ...create, unrecorded: true };
  const get = GET(`${path}/${name}`, { pick: shown });
  return [created, get, ...writes.flatMap((write) => [{ ...write(path, name), pick: shown }, get])];
}

const tabled = customKind("scale-table", {
  schema: { openAPIV3Schema: schemaOf({ n: { type: "integer" } }) },
  subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
});
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

/** Few columns of built-in kinds have a description here. */
const rows = ({ columnDefinitions, ...body }: any): unknown => ({
  ...body,
  columnDefinitions: columnDefinitions.map(({ name, type, priority }: any) => ({ name, type, priority })),
});

export const scenarios: Scenarios = {
  "scale-managers": {
    managedFields: true,
    steps: [
      ...scaled.install,
      ...sequences.flatMap((writes, index) => {
        const body = deployment(`updated-${index}`);
        return run(deployments, `updated-${index}`, POST(`${deployments}?fieldManager=author`, body), writes);
      }),
      ...sequences.flatMap((writes, index) => {
        const name = `applied-${index}`;
        const request = `PATCH ${deployments}/${name}?fieldManager=author`;
        return run(deployments, name, { request, headers: apply, body: deployment(name) }, writes);
      }),
      ...sequences.flatMap((writes, index) => {
        const body = scaled.object(`custom-${index}`, { spec: { n: 2 } });
        const request = `POST ${scaled.path}?fieldManager=author`;
        return run(scaled.path, `custom-${index}`, { request, body }, writes);
      }),
    ],
  },
  "scale-table": [
    POST(deployments, deployment("a"), { unrecorded: true }),
    GET(`${deployments}/a/scale`, { headers: table, pick: rows }),
    ...tabled.install,
    POST(tabled.path, tabled.object("a", { spec: { n: 2 } }), { unrecorded: true }),
    GET(`${tabled.path}/a/scale`, { headers: table, pick: rows }),
    GET(`${tabled.path}/a/status`, { headers: table }),
  ],
};
