import { customKind, schemaOf } from "../../custom-kind.ts";
import type { Scenarios } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const basic = customKind("create", {
  schema: { openAPIV3Schema: schemaOf({ x: { type: "string" }, n: { type: "integer", default: 7 } }) },
  subresources: { status: {} },
});
const { path, object } = basic;

export const scenarios: Scenarios = {
  create: [
    ...basic.install,
    POST(path, object("a", { spec: { x: "1" }, status: { p: "q" } })),
    POST(path, object("a")),
    POST(path, { ...object("b"), metadata: { name: "b", resourceVersion: "1" } }),
    ...["0", "00", "abc"].map((resourceVersion) =>
      POST(path, { ...object("d"), metadata: { name: `d-${resourceVersion}`, resourceVersion } }),
    ),
    POST(path, {
      ...object("c"),
      metadata: {
        name: "c",
        uid: "11111111-1111-4111-8111-111111111111",
        generation: 9,
        creationTimestamp: "2001-01-01T00:00:00Z",
        deletionTimestamp: "2001-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 5,
        selfLink: "/x",
      },
    }),
    POST(path, { ...object(""), metadata: { generateName: "gen-" } }),
    POST(path, { ...object(""), metadata: { generateName: `${"g".repeat(70)}-` } }),
    POST(path, { ...object(""), metadata: {} }),
    POST(path, object("Bad_Name")),
    POST(path, object("x".repeat(254))),
    POST(`${path}?dryRun=All`, object("dry")),
    POST(`${path}?dryRun=Some`, object("dry")),
    GET(`${path}/dry`),
  ],
  "create-metadata": [
    POST(maps, { metadata: { name: "a", labels: { "bad key": "v", ok: "bad value!", "a/b/c": "x", "/x": "y" } } }),
    POST(maps, { metadata: { name: "a", labels: { ["k".repeat(64)]: "v".repeat(64) } } }),
    POST(maps, { metadata: { name: "a", annotations: { "bad key": "v", "UPPER.io/ok": "x" } } }),
    POST(maps, { metadata: { name: "a", labels: { a: null, b: "x" } } }),
    POST(maps, { metadata: { name: "b", labels: { a: 1 } } }),
    POST(maps, { metadata: { name: "b", labels: "x" } }),
    POST(maps, { metadata: { name: "b", finalizers: "x" } }),
    POST(maps, { metadata: { name: 1 } }),
    POST(maps, { metadata: { name: "b", finalizers: ["nope", "bad key!"] } }),
    POST(maps, { metadata: { name: "b", ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] } }),
    POST(maps, {
      metadata: {
        name: "b",
        ownerReferences: [
          { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "1", controller: true },
          { apiVersion: "v1", kind: "ConfigMap", name: "y", uid: "2", controller: true },
        ],
      },
    }),
  ],
  "create-identity": [
    ...customKind("identity").install,
    ...["identity"].flatMap((name) => {
      const { path, object } = customKind(name);
      return [
        POST(path, { ...object("a"), kind: "Other" }),
        POST(path, { ...object("a"), apiVersion: "identity.example.com/v2" }),
        POST(path, { ...object("a"), apiVersion: "v1" }),
        POST(path, { metadata: { name: "a" } }),
        POST(path, { ...object("a"), metadata: { name: "a", namespace: "other" } }),
        POST(path.replace("{ns}", "missing"), object("a")),
        POST(path, "{"),
        POST(path, "[]"),
        POST(path, ""),
        POST(path, object("a"), { headers: { "content-type": "text/plain" } }),
        GET(path, { headers: { accept: "text/html" } }),
        POST("/apis/identity.example.com/v1/things", object("a")),
        GET("/apis/identity.example.com/v1/nothings"),
        GET("/apis/nothing.example.com/v1/things"),
        DELETE("/apis/identity.example.com/v1/things"),
      ];
    }),
    POST(maps, { metadata: { name: "built-in" } }),
    POST(maps, { kind: "Secret", metadata: { name: "x" } }),
    POST(maps, { apiVersion: "v2", metadata: { name: "x" } }),
    POST(maps, { metadata: { name: "x", namespace: "other" } }),
    POST("/api/v1/namespaces/missing/configmaps", { metadata: { name: "x" } }),
    POST("/api/v1/configmaps", { metadata: { name: "x" } }),
    GET("/api/v1/nothings"),
    GET("/api/v1/namespaces/{ns}/configmaps/none"),
    PUT("/api/v1/namespaces/{ns}/configmaps/none", { metadata: { name: "none" } }),
    DELETE("/api/v1/namespaces/{ns}/configmaps/none"),
    PATCH("/api/v1/namespaces/{ns}/configmaps/none", { "content-type": "application/merge-patch+json" }, {}),
  ],
};
