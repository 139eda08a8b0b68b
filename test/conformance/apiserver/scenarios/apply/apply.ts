import { customKind } from "../../custom-kind.ts";
import { apply, merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH } from "../../requests.ts";

const configMaps = "/api/v1/namespaces/{ns}/configmaps";
const by = (manager: string, body: unknown, query = ""): RequestStep =>
  PATCH(`${configMaps}/a?fieldManager=${manager}${query}`, apply, body);
const map = (data: Record<string, string>, metadata: Record<string, unknown> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...metadata },
  data,
});
const ports = customKind("apply", {
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            x: { type: "string" },
            n: { type: "integer", default: 1 },
            set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
            plain: { type: "array", items: { type: "string" } },
            ports: {
              type: "array",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["port"],
              items: {
                type: "object",
                required: ["port"],
                properties: { port: { type: "integer" }, name: { type: "string" } },
              },
            },
          },
        },
        status: { type: "object", properties: { phase: { type: "string" } } },
      },
    },
  },
  subresources: { status: {} },
});
const applied = (manager: string, fields: Record<string, unknown>, part = "", query = ""): RequestStep =>
  PATCH(`${ports.path}/a${part}?fieldManager=${manager}${query}`, apply, ports.object("a", fields));

export const scenarios: Scenarios = {
  apply: {
    managedFields: true,
    steps: [
      by("one", map({ x: "1", y: "1" })),
      by("one", map({ x: "1", y: "1" })),
      by("two", map({ x: "2" })),
      by("two", map({ x: "1" })),
      by("two", map({ x: "2" }), "&force=true"),
      by("one", map({ y: "1" })),
      by("one", map({})),
      PATCH(`${configMaps}/a?fieldManager=edit`, merge, { data: { x: "3", z: "3" } }),
      by("two", map({ x: "2" })),
      by("two", map({ x: "3" }, { labels: { l: "1" }, annotations: { k: "1" } }), "&dryRun=All"),
      PATCH(`${configMaps}/a`, apply, map({})),
      by("two", map({}, { managedFields: [{ manager: "x" }] })),
      by("two", map({}, { name: "b" })),
      by("two", map({}, { resourceVersion: "1" })),
      by("two", map({}, { uid: "11111111-1111-4111-8111-111111111111" })),
      by("two", { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
      by("two", "data: [1"),
      by("two", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { n: 1 } }),
      by("two", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, nope: 1 }),
      by("two", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  yes: 'on'\n"),
      GET(`${configMaps}/a`),
    ],
  },
  "apply-custom": {
    managedFields: true,
    steps: [
      ...ports.install,
      applied("one", { spec: { x: "1", set: ["a"], plain: ["a"], ports: [{ port: 1, name: "one" }] } }),
      applied("two", { spec: { set: ["b"], ports: [{ port: 2, name: "two" }] } }),
      applied("two", { spec: { plain: ["b"] } }),
      applied("two", { spec: { ports: [{ port: 1, name: "mine" }] } }),
      applied("two", { spec: { ports: [{ port: 2 }] } }),
      applied("one", { spec: { x: "1" } }),
      applied("one", { spec: { ports: [{ port: 1 }, { port: 1 }] } }),
      applied("one", { spec: { ports: [{ name: "keyless" }] } }),
      applied("one", { spec: { x: 1 } }),
      applied("one", { spec: { unknown: 1 } }),
      applied("three", { status: { phase: "Ready" } }, "/status"),
      applied("three", { status: { phase: "Lost" } }),
      PATCH(`${ports.path}/a/status?fieldManager=four`, merge, { status: { phase: "New" } }),
      applied("three", { status: { phase: "Ready" } }, "/status"),
      PATCH(`${ports.path}/a?fieldManager=four`, merge, { metadata: { managedFields: [{}] } }),
      applied("one", { spec: { x: "2" } }),
      GET(`${ports.path}/a`),
    ],
  },
};
