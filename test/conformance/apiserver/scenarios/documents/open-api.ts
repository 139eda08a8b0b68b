import { customKind, schemaOf } from "../../custom-kind.ts";
import type { Scenarios, Step } from "../../scenario.ts";
import { GET } from "../../requests.ts";

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

/** Features that are off unless asked for. */
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
  };
}

const old = customKind("old", {
  schema: {
    openAPIV3Schema: {
      description: "A thing.",
      ...schemaOf({
        size: { type: "integer", format: "int32", default: 3, minimum: 1, maximum: 5, exclusiveMaximum: true },
        none: { type: "string", nullable: true, description: "May be null." },
        port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
        map: { type: "object", additionalProperties: { type: "string", maxLength: 3, pattern: "^a" } },
        set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string", enum: ["a", "b"] } },
        one: {
          type: "object",
          properties: { a: { type: "string" }, b: { type: "string" } },
          oneOf: [{ required: ["a"] }, { required: ["b"] }],
        },
        any: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: { type: "string" } } },
        open: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
        embedded: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          properties: { spec: { type: "object", required: ["a"], properties: { a: { type: "number" } } } },
        },
        nothing: { type: "array", nullable: true, items: { type: "integer" } },
        ruled: { type: "string", "x-kubernetes-validations": [{ rule: "self != 'x'" }] },
      }),
    },
  },
});
const oldPath = "/apis/old.example.com/v1/namespaces/{namespace}/things/{name}";

/** Of a patch: whose it is, and what it takes, wherever that is written. */
function patchOf({ paths, parameters: shared = {} }: any): unknown {
  const { patch } = paths[oldPath];
  const parameters = patch.parameters.map(({ $ref, ...own }: any) => ($ref ? shared[$ref.split("/").at(-1)] : own));
  return {
    kind: patch["x-kubernetes-group-version-kind"],
    types: patch.consumes.toSorted(),
    parameters: parameters.map(({ name, type, schema }: any) => [name, type ?? "", schema?.$ref ?? ""]).toSorted(),
    answer: patch.responses[200].schema,
  };
}

/** The fields of built-in types, and of which type they are. */
function fieldsOf({ definitions }: any): unknown {
  const names = Object.keys(definitions).filter((name) => /^io.k8s.api.(apps|batch|rbac|storage)/.test(name));
  return names.toSorted().map((name) => {
    const { type, properties, required } = definitions[name];
    return [name, type ?? "", Object.keys(properties ?? {}).toSorted(), (required ?? []).toSorted()];
  });
}

export const scenarios: Scenarios = {
  "openapi-v2": [
    ...old.install,
    GET("/openapi/v2", {
      until: ({ definitions }) => "com.example.old.v1.Thing" in definitions,
      shows: ["vary"],
      pick: ({ swagger, info, definitions }) => ({
        swagger,
        info,
        thing: undescribed(definitions["com.example.old.v1.Thing"]),
        list: definitions["com.example.old.v1.ThingList"],
        template: definitions["io.k8s.api.core.v1.PodTemplateSpec"],
        port: definitions["io.k8s.api.core.v1.ContainerPort"].properties.containerPort,
      }),
    }),
    GET("/openapi/v2", { pick: patchOf }),
    GET("/openapi/v2", { pick: fieldsOf }),
    ...["application/json", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", "*/*", "text/html"].map(
      (accept): Step => GET("/openapi/v2", { headers: { accept }, shows: ["vary"], raw: true, pick: () => "" }),
    ),
  ],
  openapi: [
    ...kind.install,
    GET(document, {
      until: (_, status) => status === 200,
      pick: (body) => undescribed(body.components.schemas["com.example.openapi.v1.Thing"]),
    }),
    GET(document, { pick: (body) => undescribed(body.components.schemas["com.example.openapi.v1.ThingList"]) }),
    GET(document, {
      pick: (body) =>
        Object.fromEntries(
          Object.entries<any>(body.paths).map(([path, operations]) => [path, Object.keys(operations).toSorted()]),
        ),
    }),
    GET(document, { pick: (body) => operationOf(body.paths[one].patch) }),
    GET(document, { pick: (body) => operationOf(body.paths[one].put) }),
    GET(document, { pick: (body) => operationOf(body.paths[many].post) }),
    GET(document, { pick: (body) => operationOf(body.paths[one].delete) }),
    GET(document, { pick: (body) => body.paths[one].parameters.map(({ name }: any) => name) }),
    GET(document, { pick: (body) => operationOf(body.paths[many].get) }),
    GET("/openapi/v3", {
      pick: (body) => Object.keys(JSON.parse(body).paths).includes("apis/openapi.example.com/v1"),
    }),
    GET("/openapi/v3/apis/openapi.example.com/v9"),
    GET("/openapi/v3/apis/none.example.com/v1"),
    GET(`${document}?hash=0`),
  ],
};
