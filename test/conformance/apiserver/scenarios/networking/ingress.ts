import type { Scenarios } from "../../scenario.ts";
import { dry } from "../../steps.ts";
import { POST } from "../../requests.ts";

const networking = "/apis/networking.k8s.io/v1";
const ingresses = `${networking}/namespaces/{ns}/ingresses`;
const backend = { service: { name: "s", port: { number: 80 } } };

export const scenarios: Scenarios = {
  ingresses: [
    POST(ingresses, {
      metadata: { name: "a" },
      spec: { rules: [{ http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }] },
    }),
    dry(ingresses, { spec: {} }),
    dry(ingresses, { spec: { rules: [{ host: "1.2.3.4" }, { host: "a b" }], defaultBackend: {} } }),
  ],
  "ingress-classes": [{ scope: "Namespace" }, { scope: "Cluster", namespace: "x" }, { scope: "Nope" }].map(
    (parameters) =>
      dry(`${networking}/ingressclasses`, {
        spec: { controller: "a.b/c", parameters: { kind: "K", name: "n", ...parameters } },
      }),
  ),
};
