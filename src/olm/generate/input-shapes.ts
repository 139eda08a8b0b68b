import { crdShape, webhookClientShape } from "../bundle/crd-shape.ts";
import { csvShape, deploymentShape, metadataShape, rulesShape } from "../csv/csv-shape.ts";
import type { Shape } from "../../apimachinery/read-shape.ts";

const role: Shape = { "metadata!": metadataShape, rules: rulesShape };
const binding: Shape = {
  "metadata!": metadataShape,
  "roleRef!": { apiGroup: "text", "kind!": "text", "name!": "text" },
  subjects: [{ "kind!": "text", "name!": "text", namespace: "text" }],
};
const webhooks: Shape = {
  webhooks: [
    {
      "name!": "text",
      "clientConfig!": webhookClientShape,
      admissionReviewVersions: ["text"],
      sideEffects: "text",
    },
  ],
};

const storage: Shape = { spec: { mountPath: { path: "text" } } };
const test: Shape = { image: "text", uniqueID: "text", entrypoint: ["text"], labels: "texts", storage };

/** The shapes of an operator's manifests by kind, as far as a bundle uses them. */
export const inputShapes: Readonly<Record<string, Shape>> = {
  ClusterServiceVersion: csvShape,
  CustomResourceDefinition: crdShape,
  Role: role,
  ClusterRole: role,
  RoleBinding: binding,
  ClusterRoleBinding: binding,
  Service: {
    "metadata!": metadataShape,
    spec: { type: "text", selector: "texts", ports: [{ "port!": "number" }] },
  },
  Deployment: { "metadata!": metadataShape, "spec!": deploymentShape },
  MutatingWebhookConfiguration: webhooks,
  ValidatingWebhookConfiguration: webhooks,
  Configuration: {
    "metadata!": metadataShape,
    stages: [{ parallel: "boolean", tests: [test] }],
    storage,
    serviceaccount: "text",
  },
};
