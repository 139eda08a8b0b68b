import { merge, type Scenario } from "../../scenario.ts";

export const scenarios: readonly Scenario[] = [
  {
    name: "namespace",
    steps: [
      { request: `POST /api/v1/namespaces`, body: { metadata: { name: "c-extra", labels: { a: "b" } } } },
      {
        request: `PATCH /api/v1/namespaces/c-extra`,
        headers: merge,
        body: { metadata: { labels: { "kubernetes.io/metadata.name": null } } },
      },
      { request: `DELETE /api/v1/namespaces/c-extra` },
      { request: `POST /api/v1/namespaces/c-extra/configmaps`, body: { metadata: { name: "x" } } },
      {
        request: `PUT /api/v1/namespaces/c-extra/finalize`,
        body: { kind: "Namespace", apiVersion: "v1", metadata: { name: "c-extra" }, spec: { finalizers: [] } },
      },
      { request: `GET /api/v1/namespaces/c-extra` },
      { request: `DELETE /api/v1/namespaces/kube-system` },
      { request: `POST /api/v1/namespaces`, body: { metadata: { name: "Bad.Name" } } },
      { request: `DELETE /api/v1/namespaces` },
    ],
  },
];
