import { customKind } from "../../custom-kind.ts";
import type { Scenarios, Step } from "../../scenario.ts";
import { POST } from "../../requests.ts";

/** What strict writers are told of unknown and repeated fields, and in which order. */
export const scenarios: Scenarios = {
  "field-validation": [
    ...customKind("fields").install,
    ...[
      "?fieldValidation=Ignore",
      "?fieldValidation=Warn",
      "",
      "?fieldValidation=Strict",
      "?fieldValidation=Bogus",
    ].map((query): Step =>
      POST(
        `${customKind("fields").path}${query}${query ? "&" : "?"}dryRun=All`,
        customKind("fields").object("a", { spec: { x: "1", y: 2, z: { w: 1 } }, extra: true }),
      ),
    ),
    POST(
      `${customKind("fields").path}?fieldValidation=Strict&dryRun=All`,
      '{"apiVersion":"fields.example.com/v1","kind":"Thing","metadata":{"name":"a","name":"b"},"spec":{"x":"1","x":"2","y":1}}',
    ),
    POST(
      `${customKind("fields").path}?dryRun=All`,
      '{"apiVersion":"fields.example.com/v1","kind":"Thing","metadata":{"name":"a","nope":1,"labels":{"a":"1","a":"2"}},"spec":{"x":"1","x":"2"}}',
    ),
    POST(
      `${customKind("fields").path}?fieldValidation=Strict&dryRun=All`,
      '{"apiVersion":"fields.example.com/v1","kind":"Thing","metadata":{"name":"a","nope":1}}',
    ),
    POST("/api/v1/namespaces/{ns}/configmaps?fieldValidation=Strict&dryRun=All", {
      metadata: { name: "a", nope: 1 },
      data: { a: "b" },
      more: 1,
    }),
    POST("/api/v1/namespaces/{ns}/configmaps?dryRun=All", { metadata: { name: "a" }, data: { a: "b" }, more: 1 }),
    POST("/api/v1/namespaces/{ns}/configmaps?dryRun=All", { metadata: { name: "a" }, data: { a: 1 } }),
  ],
};
