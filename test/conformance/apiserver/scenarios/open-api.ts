import { customKind, schemaOf } from "../custom-kind.ts";
import { merge, type Scenario } from "../scenario.ts";

const kind = customKind("openapi", {
  schema: {
    openAPIV3Schema: {
      description: "A thing.",
      ...schemaOf({
        port: { "x-kubernetes-int-or-string": true },
        port2: { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
        when: { type: "string", format: "date-time", description: "When it is." },
        any: { "x-kubernetes-preserve-unknown-fields": true },
        nothing: { type: "string", nullable: true, default: "x", enum: ["x", "y"] },
        map: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
          items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
        },
        embedded: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
        ruled: { type: "string", maxLength: 5, "x-kubernetes-validations": [{ rule: "self != ''" }] },
      }),
    },
  },
  subresources: { status: {}, scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" } },
});
const document = "/openapi/v3/apis/openapi.example.com/v1";
const one = "/apis/openapi.example.com/v1/namespaces/{namespace}/things/{name}";
const many = one.slice(0, one.lastIndexOf("/"));

/** Each server describes in its own words. */
function undescribed(value: any): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(undescribed);
  const fields = Object.entries(value).filter(([name, text]) => name !== "description" || typeof text !== "string");
  return Object.fromEntries(fields.map(([name, child]) => [name, undescribed(child)]));
}

/** Features that are not served, and off on a real server too unless asked for. */
const optional = new Set(["shardSelector", "ignoreStoreReadErrorWithClusterBreakingPotential"]);

/** What a client reads of an operation. */
function operationOf(operation: any): unknown {
  return {
    action: operation["x-kubernetes-action"],
    kind: operation["x-kubernetes-group-version-kind"],
    parameters: operation.parameters
      ?.map(({ name, in: where, schema }: any) => [name, where, schema?.type])
      .filter(([name]: string[]) => !optional.has(name ?? "")),
    body: Object.keys(operation.requestBody?.content ?? {}),
    answers: Object.keys(operation.responses).filter((code) => code !== "401"),
  };
}

const parallel = customKind("parallel");

export const openApiScenarios: readonly Scenario[] = [
  {
    name: "openapi",
    steps: [
      ...kind.install,
      {
        request: `GET ${document}`,
        until: (_, status) => status === 200,
        pick: (body) => undescribed(body.components.schemas["com.example.openapi.v1.Thing"]),
      },
      {
        request: `GET ${document}`,
        pick: (body) => undescribed(body.components.schemas["com.example.openapi.v1.ThingList"]),
      },
      {
        request: `GET ${document}`,
        pick: (body) =>
          Object.fromEntries(
            Object.entries<any>(body.paths).map(([path, operations]) => [path, Object.keys(operations).toSorted()]),
          ),
      },
      { request: `GET ${document}`, pick: (body) => operationOf(body.paths[one].patch) },
      { request: `GET ${document}`, pick: (body) => operationOf(body.paths[one].put) },
      { request: `GET ${document}`, pick: (body) => operationOf(body.paths[many].post) },
      { request: `GET ${document}`, pick: (body) => operationOf(body.paths[one].delete) },
      { request: `GET ${document}`, pick: (body) => body.paths[one].parameters.map(({ name }: any) => name) },
      { request: `GET ${document}`, pick: (body) => operationOf(body.paths[many].get) },
      {
        request: `GET /openapi/v3`,
        pick: (body) => Object.keys(JSON.parse(body).paths).includes("apis/openapi.example.com/v1"),
      },
      { request: `GET /openapi/v3/apis/openapi.example.com/v9` },
      { request: `GET /openapi/v3/apis/none.example.com/v1` },
      { request: `GET ${document}?hash=0` },
    ],
  },
  {
    name: "parallel",
    steps: [
      ...parallel.install,
      { request: `POST ${parallel.path}`, body: parallel.object("a", { spec: { x: "0" } }), unrecorded: true },
      {
        request: `PATCH ${parallel.path}/a`,
        headers: merge,
        body: { metadata: { labels: { a: "b" } } },
        parallel: 20,
      },
      { request: `GET ${parallel.path}/a` },
    ],
  },
];
