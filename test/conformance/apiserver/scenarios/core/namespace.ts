import { merge, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

export const scenarios: Scenarios = {
  namespace: [
    POST("/api/v1/namespaces", { metadata: { name: "c-extra", labels: { a: "b" } } }),
    PATCH("/api/v1/namespaces/c-extra", merge, { metadata: { labels: { "kubernetes.io/metadata.name": null } } }),
    DELETE("/api/v1/namespaces/c-extra"),
    POST("/api/v1/namespaces/c-extra/configmaps", { metadata: { name: "x" } }),
    PUT("/api/v1/namespaces/c-extra/finalize", {
      kind: "Namespace",
      apiVersion: "v1",
      metadata: { name: "c-extra" },
      spec: { finalizers: [] },
    }),
    GET("/api/v1/namespaces/c-extra"),
    DELETE("/api/v1/namespaces/kube-system"),
    POST("/api/v1/namespaces", { metadata: { name: "Bad.Name" } }),
    DELETE("/api/v1/namespaces"),
  ],
};
