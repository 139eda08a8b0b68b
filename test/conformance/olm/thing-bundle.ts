import { emitYaml } from "../../../src/apimachinery/yaml/emit.ts";
import type { BundleContent } from "../../../src/olm/bundle/bundle.ts";
import { loadBundle } from "../../../src/olm/bundle/load-bundle.ts";
import type { RunnableBundle } from "../../../src/olm/cluster/run-catalog.ts";

export interface ThingOptions {
  readonly version?: string;
  /** Supported install modes. */
  readonly modes?: readonly string[];
  readonly crdVersions?: readonly string[];
  readonly image?: string;
  readonly required?: readonly { name: string; version: string; kind: string }[];
  readonly minKubeVersion?: string;
  readonly packageName?: string;
  readonly webhooks?: readonly object[];
}

/** Makes the bundle of an operator of Things; its group has the name of the scenario. */
export function thingBundle(scenario: string, options: ThingOptions = {}): RunnableBundle {
  const {
    version = "0.1.0",
    modes = ["OwnNamespace", "AllNamespaces"],
    crdVersions = ["v1"],
    packageName = "thing",
  } = options;
  const group = `${scenario}.example.com`;
  const crdName = `things.${group}`;
  const labels = { app: packageName };
  const csv = {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name: `${packageName}.v${version}`, namespace: "placeholder", annotations: { "alm-examples": "[]" } },
    spec: {
      displayName: "Thing",
      version,
      minKubeVersion: options.minKubeVersion ?? "1.20.0",
      customresourcedefinitions: {
        owned: [{ name: crdName, kind: "Thing", version: crdVersions.at(-1) }],
        ...(options.required && { required: options.required }),
      },
      ...(options.webhooks && { webhookdefinitions: options.webhooks }),
      install: {
        strategy: "deployment",
        spec: {
          deployments: [
            {
              name: "thing-manager",
              label: labels,
              spec: {
                replicas: 1,
                progressDeadlineSeconds: 4,
                selector: { matchLabels: labels },
                template: {
                  metadata: { labels },
                  spec: {
                    serviceAccountName: "thing-manager",
                    containers: [{ name: "manager", image: options.image ?? `registry.example.com/thing:v${version}` }],
                  },
                },
              },
            },
          ],
          permissions: [
            {
              serviceAccountName: "thing-manager",
              rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }],
            },
          ],
          clusterPermissions: [
            {
              serviceAccountName: "thing-manager",
              rules: [{ apiGroups: [group], resources: ["things"], verbs: ["*"] }],
            },
          ],
        },
      },
      installModes: ["OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces"].map((type) => ({
        type,
        supported: modes.includes(type),
      })),
    },
  };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: crdName },
    spec: {
      group,
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      scope: "Namespaced",
      versions: crdVersions.map((name, index) => ({
        name,
        served: true,
        storage: index === crdVersions.length - 1,
        schema: { openAPIV3Schema: { type: "object" } },
      })),
    },
  };
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "thing-metrics" },
    spec: { ports: [{ name: "https", port: 8443 }], selector: labels },
  };
  const prefix = "operators.operatorframework.io.bundle";
  const annotations = {
    [`${prefix}.mediatype.v1`]: "registry+v1",
    [`${prefix}.manifests.v1`]: "manifests/",
    [`${prefix}.metadata.v1`]: "metadata/",
    [`${prefix}.package.v1`]: packageName,
    [`${prefix}.channels.v1`]: "alpha",
  };
  const content: BundleContent = new Map([
    ["manifests/csv.yaml", emitYaml(csv)],
    ["manifests/crd.yaml", emitYaml(crd)],
    ["manifests/service.yaml", emitYaml(service)],
    ["metadata/annotations.yaml", emitYaml({ annotations })],
  ]);
  return { bundle: loadBundle(content), image: "" };
}
