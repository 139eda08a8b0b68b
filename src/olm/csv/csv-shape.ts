import type { Shape } from "../../apimachinery/read-shape.ts";

/** The metadata of any object. */
export const metadataShape: Shape = {
  name: "text",
  generateName: "text",
  namespace: "text",
  annotations: "texts",
  labels: "texts",
};

/** Rules of a role. */
export const rulesShape: Shape = [
  { apiGroups: ["text"], resources: ["text"], resourceNames: ["text"], nonResourceURLs: ["text"], verbs: ["text"] },
];

const resources: Shape = { requests: "quantities", limits: "quantities" };
const resourceFieldRef: Shape = { "divisor!": "quantity" };
const downwardAPI: Shape = { items: [{ resourceFieldRef }] };

const container: Shape = {
  "name!": "text",
  image: "text",
  env: [{ "name!": "text", valueFrom: { resourceFieldRef } }],
  resources,
  volumeMounts: [{ "name!": "text", "mountPath!": "text" }],
};

const nodeSelector: Shape = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: "text", operator: "text", values: ["text"] }] }],
};

/** The specification of a Deployment. */
export const deploymentShape: Shape = {
  selector: { matchLabels: "texts" },
  template: {
    metadata: metadataShape,
    spec: {
      serviceAccountName: "text",
      containers: [container],
      initContainers: [container],
      resources,
      overhead: "quantities",
      volumes: [
        {
          "name!": "text",
          emptyDir: { sizeLimit: "quantity" },
          ephemeral: { volumeClaimTemplate: { spec: { resources } } },
          downwardAPI,
          projected: { sources: [{ downwardAPI }] },
        },
      ],
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: nodeSelector } },
    },
  },
};

const permissions: Shape = [{ "serviceAccountName!": "text", "rules!": rulesShape }];
const descriptors: Shape = [{ "path!": "text", displayName: "text", description: "text", "x-descriptors": ["text"] }];
const crdDescriptions: Shape = [
  {
    "name!": "text",
    "version!": "text",
    "kind!": "text",
    displayName: "text",
    description: "text",
    resources: [{ name: "text", "kind!": "text", "version!": "text" }],
    specDescriptors: descriptors,
    statusDescriptors: descriptors,
  },
];
const apiServices: Shape = [{ "name!": "text", "group!": "text", "version!": "text", "kind!": "text" }];

/** The part of a ClusterServiceVersion that tsop reads. */
export const csvShape: Shape = {
  "metadata!": metadataShape,
  "spec!": {
    displayName: "text",
    description: "text",
    version: "text",
    minKubeVersion: "text",
    maturity: "text",
    replaces: "text",
    skips: ["text"],
    keywords: ["text"],
    provider: { name: "text", url: "text" },
    maintainers: [{ name: "text", email: "text" }],
    links: [{ name: "text", url: "text" }],
    icon: [{ base64data: "text", mediatype: "text" }],
    installModes: [{ "type!": "text", "supported!": "boolean" }],
    relatedImages: [{ "name!": "text", "image!": "text" }],
    cleanup: { enabled: "boolean" },
    labels: "texts",
    annotations: "texts",
    nativeAPIs: [{ group: "text", version: "text", kind: "text" }],
    webhookdefinitions: [
      {
        "generateName!": "text",
        type: "text",
        deploymentName: "text",
        containerPort: "number",
        failurePolicy: "text",
        matchPolicy: "text",
        sideEffects: "text",
        timeoutSeconds: "number",
        webhookPath: "text",
        admissionReviewVersions: ["text"],
        conversionCRDs: ["text"],
        rules: [
          { apiGroups: ["text"], apiVersions: ["text"], operations: ["text"], resources: ["text"], scope: "text" },
        ],
        objectSelector: { matchLabels: "texts" },
      },
    ],
    customresourcedefinitions: { owned: crdDescriptions, required: crdDescriptions },
    apiservicedefinitions: { owned: apiServices, required: apiServices },
    install: {
      strategy: "text",
      spec: {
        deployments: [{ "name!": "text", label: "texts", "spec!": deploymentShape }],
        permissions,
        clusterPermissions: permissions,
      },
    },
  },
};
