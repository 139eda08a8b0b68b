import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { installCrds } from "../../manifests/install-crds.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";
import { ControllerRing } from "../../runtime/sharding/controller-ring.ts";

/** Creates what an installation of the sharder creates: the CRD of rings, and its namespace. */
export async function installSharding(client: Client, signal: AbortSignal): Promise<void> {
  await installCrds(client, [controllerRingCrd()], { signal });
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "sharding-system" } };
  await client.create(NamespaceKind, namespace).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

const text = { type: "string" };
const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const resources = (further: object): object => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["group", "resource"],
  items: { type: "object", required: ["group", "resource"], properties: { group: text, resource: text, ...further } },
});

function controllerRingCrd(): UnstructuredObject {
  const { group, version, kind, plural, scope } = ControllerRing;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type == "Ready")].status' },
            { name: "Available", type: "string", jsonPath: ".status.availableShards" },
            { name: "Shards", type: "string", jsonPath: ".status.shards" },
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    namespaceSelector: open,
                    resources: resources({ controlledResources: resources({}) }),
                  },
                },
                status: open,
              },
              "x-kubernetes-validations": [
                {
                  rule: "size(self.metadata.name) <= 63",
                  message: "ControllerRing name must not be longer than 63 characters",
                },
              ],
            },
          },
        },
      ],
    },
  };
}
