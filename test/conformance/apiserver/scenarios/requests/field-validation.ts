import { customKind } from "../../custom-kind.ts";
import type { Scenario, Step } from "../../scenario.ts";

/** What strict writers are told of unknown and repeated fields, and in which order. */
export const scenarios: readonly Scenario[] = [
  {
    name: "field-validation",
    steps: [
      ...customKind("fields").install,
      ...[
        "?fieldValidation=Ignore",
        "?fieldValidation=Warn",
        "",
        "?fieldValidation=Strict",
        "?fieldValidation=Bogus",
      ].map((query): Step => ({
        request: `POST ${customKind("fields").path}${query}${query ? "&" : "?"}dryRun=All`,
        body: customKind("fields").object("a", { spec: { x: "1", y: 2, z: { w: 1 } }, extra: true }),
      })),
      {
        request: `POST ${customKind("fields").path}?fieldValidation=Strict&dryRun=All`,
        body: '{"apiVersion":"fields.example.com/v1","kind":"Thing","metadata":{"name":"a","name":"b"},"spec":{"x":"1","x":"2","y":1}}',
      },
      {
        request: `POST ${customKind("fields").path}?dryRun=All`,
        body: '{"apiVersion":"fields.example.com/v1","kind":"Thing","metadata":{"name":"a","nope":1,"labels":{"a":"1","a":"2"}},"spec":{"x":"1","x":"2"}}',
      },
      {
        request: `POST ${customKind("fields").path}?fieldValidation=Strict&dryRun=All`,
        body: '{"apiVersion":"fields.example.com/v1","kind":"Thing","metadata":{"name":"a","nope":1}}',
      },
      {
        request: `POST /api/v1/namespaces/{ns}/configmaps?fieldValidation=Strict&dryRun=All`,
        body: { metadata: { name: "a", nope: 1 }, data: { a: "b" }, more: 1 },
      },
      {
        request: `POST /api/v1/namespaces/{ns}/configmaps?dryRun=All`,
        body: { metadata: { name: "a" }, data: { a: "b" }, more: 1 },
      },
      {
        request: `POST /api/v1/namespaces/{ns}/configmaps?dryRun=All`,
        body: { metadata: { name: "a" }, data: { a: 1 } },
      },
    ],
  },
];
