import { customKind, schemaOf } from "../../custom-kind.ts";
import type { Scenario } from "../../scenario.ts";
import { maps } from "../../steps.ts";

const basic = customKind("create", {
  schema: { openAPIV3Schema: schemaOf({ x: { type: "string" }, n: { type: "integer", default: 7 } }) },
  subresources: { status: {} },
});
const { path, object } = basic;

export const scenarios: readonly Scenario[] = [
  {
    name: "create",
    steps: [
      ...basic.install,
      { request: `POST ${path}`, body: object("a", { spec: { x: "1" }, status: { p: "q" } }) },
      { request: `POST ${path}`, body: object("a") },
      { request: `POST ${path}`, body: { ...object("b"), metadata: { name: "b", resourceVersion: "1" } } },
      ...["0", "00", "abc"].map((resourceVersion) => ({
        request: `POST ${path}`,
        body: { ...object("d"), metadata: { name: `d-${resourceVersion}`, resourceVersion } },
      })),
      {
        request: `POST ${path}`,
        body: {
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
        },
      },
      { request: `POST ${path}`, body: { ...object(""), metadata: { generateName: "gen-" } } },
      { request: `POST ${path}`, body: { ...object(""), metadata: { generateName: `${"g".repeat(70)}-` } } },
      { request: `POST ${path}`, body: { ...object(""), metadata: {} } },
      { request: `POST ${path}`, body: object("Bad_Name") },
      { request: `POST ${path}`, body: object("x".repeat(254)) },
      { request: `POST ${path}?dryRun=All`, body: object("dry") },
      { request: `POST ${path}?dryRun=Some`, body: object("dry") },
      { request: `GET ${path}/dry` },
    ],
  },
  {
    name: "create-metadata",
    steps: [
      {
        request: `POST ${maps}`,
        body: { metadata: { name: "a", labels: { "bad key": "v", ok: "bad value!", "a/b/c": "x", "/x": "y" } } },
      },
      { request: `POST ${maps}`, body: { metadata: { name: "a", labels: { ["k".repeat(64)]: "v".repeat(64) } } } },
      {
        request: `POST ${maps}`,
        body: { metadata: { name: "a", annotations: { "bad key": "v", "UPPER.io/ok": "x" } } },
      },
      { request: `POST ${maps}`, body: { metadata: { name: "a", labels: { a: null, b: "x" } } } },
      { request: `POST ${maps}`, body: { metadata: { name: "b", labels: { a: 1 } } } },
      { request: `POST ${maps}`, body: { metadata: { name: "b", labels: "x" } } },
      { request: `POST ${maps}`, body: { metadata: { name: "b", finalizers: "x" } } },
      { request: `POST ${maps}`, body: { metadata: { name: 1 } } },
      { request: `POST ${maps}`, body: { metadata: { name: "b", finalizers: ["nope", "bad key!"] } } },
      {
        request: `POST ${maps}`,
        body: { metadata: { name: "b", ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] } },
      },
      {
        request: `POST ${maps}`,
        body: {
          metadata: {
            name: "b",
            ownerReferences: [
              { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "1", controller: true },
              { apiVersion: "v1", kind: "ConfigMap", name: "y", uid: "2", controller: true },
            ],
          },
        },
      },
    ],
  },
  {
    name: "create-identity",
    steps: [
      ...customKind("identity").install,
      ...["identity"].flatMap((name) => {
        const { path, object } = customKind(name);
        return [
          { request: `POST ${path}`, body: { ...object("a"), kind: "Other" } },
          { request: `POST ${path}`, body: { ...object("a"), apiVersion: "identity.example.com/v2" } },
          { request: `POST ${path}`, body: { ...object("a"), apiVersion: "v1" } },
          { request: `POST ${path}`, body: { metadata: { name: "a" } } },
          { request: `POST ${path}`, body: { ...object("a"), metadata: { name: "a", namespace: "other" } } },
          { request: `POST ${path.replace("{ns}", "missing")}`, body: object("a") },
          { request: `POST ${path}`, body: "{" },
          { request: `POST ${path}`, body: "[]" },
          { request: `POST ${path}`, body: "" },
          { request: `POST ${path}`, body: object("a"), headers: { "content-type": "text/plain" } },
          { request: `GET ${path}`, headers: { accept: "text/html" } },
          { request: `POST /apis/identity.example.com/v1/things`, body: object("a") },
          { request: `GET /apis/identity.example.com/v1/nothings` },
          { request: `GET /apis/nothing.example.com/v1/things` },
          { request: `DELETE /apis/identity.example.com/v1/things` },
        ];
      }),
      { request: `POST ${maps}`, body: { metadata: { name: "built-in" } } },
      { request: `POST ${maps}`, body: { kind: "Secret", metadata: { name: "x" } } },
      { request: `POST ${maps}`, body: { apiVersion: "v2", metadata: { name: "x" } } },
      { request: `POST ${maps}`, body: { metadata: { name: "x", namespace: "other" } } },
      { request: `POST /api/v1/namespaces/missing/configmaps`, body: { metadata: { name: "x" } } },
      { request: `POST /api/v1/configmaps`, body: { metadata: { name: "x" } } },
      { request: `GET /api/v1/nothings` },
      { request: `GET /api/v1/namespaces/{ns}/configmaps/none` },
      { request: `PUT /api/v1/namespaces/{ns}/configmaps/none`, body: { metadata: { name: "none" } } },
      { request: `DELETE /api/v1/namespaces/{ns}/configmaps/none` },
      {
        request: `PATCH /api/v1/namespaces/{ns}/configmaps/none`,
        body: {},
        headers: { "content-type": "application/merge-patch+json" },
      },
    ],
  },
];
