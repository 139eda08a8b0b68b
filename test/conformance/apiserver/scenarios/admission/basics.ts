import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const configMaps = "/api/v1/namespaces/{ns}/configmaps";

/** A webhook for the config maps of the scenario's namespace, at a port where nobody listens. */
const webhook = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: "nobody.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { url: "https://127.0.0.1:1/validate" },
  rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "DELETE"], resources: ["configmaps"] }],
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } },
  matchConditions: [{ name: "not-free", expression: "!has(object.data) || object.data.free != 'yes'" }],
  ...fields,
});

const configuration = (name: string, fields?: Record<string, unknown>) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name },
  webhooks: [webhook(fields)],
});
const create = (name: string, data: Record<string, string>, query = ""): RequestStep =>
  POST(`${configMaps}${query}`, { metadata: { name }, data });
const replace = (fields: Record<string, unknown>): RequestStep =>
  PATCH(`${path}/c-admission`, merge, { webhooks: [webhook(fields)] });

export const scenarios: Scenarios = {
  admission: [
    POST(path, configuration("c-admission")),
    { ...create("a", { free: "no" }, "?dryRun=All"), until: (_, status) => status === 500 },
    create("a", { free: "yes" }),
    PATCH(`${configMaps}/a`, merge, { data: { free: "no" } }),
    DELETE(`${configMaps}/a`),
    GET(`${configMaps}/a`),
    replace({ failurePolicy: "Ignore" }),
    { ...create("b", { free: "no" }, "?dryRun=All"), until: (_, status) => status === 201 },
    replace({ matchConditions: [{ name: "broken", expression: "object.data.none == 'x'" }] }),
    { ...create("c", { free: "no" }, "?dryRun=All"), until: (_, status) => status === 403 },
    DELETE(`${path}/c-admission`, { unrecorded: true }),
    { ...create("d", { free: "no" }, "?dryRun=All"), until: (_, status) => status === 201, unrecorded: true },
  ],
};
