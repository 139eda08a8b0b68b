import { merge, type Scenario } from "../scenario.ts";
import { configure, remove, webhook } from "./webhooks.ts";

const told = { matchLabels: { case: "tell" } };
const namespaces = "/api/v1/namespaces";

export const admissionPartScenarios: readonly Scenario[] = [
  {
    name: "admission-of-namespaces",
    steps: [
      ...configure("Validating", "of-namespaces", [
        webhook("tell", {
          rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces/*"], operations: ["*"] }],
          namespaceSelector: told,
          objectSelector: {},
        }),
      ]),
      { request: `POST ${namespaces}`, body: { metadata: { name: "{ns}-new", labels: { case: "tell" } } } },
      { request: `PATCH ${namespaces}/{ns}`, headers: merge, body: { metadata: { labels: { case: "tell" } } } },
      remove("validating", "of-namespaces"),
      { request: `PATCH ${namespaces}/{ns}`, headers: merge, body: { metadata: { labels: { case: "tell" } } } },
      ...configure("Validating", "on-namespaces", [
        webhook("tell", {
          rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces/*"], operations: ["*"] }],
          namespaceSelector: told,
          objectSelector: {},
        }),
      ]),
      { request: `PATCH ${namespaces}/{ns}`, headers: merge, body: { metadata: { labels: { more: "yes" } } } },
      { request: `PATCH ${namespaces}/{ns}/status`, headers: merge, body: { status: { phase: "Active" } } },
      { request: `PUT ${namespaces}/{ns}/finalize`, body: { metadata: { name: "{ns}" }, spec: {} } },
      { request: `DELETE ${namespaces}/{ns}` },
      remove("validating", "on-namespaces"),
    ],
  },
];
