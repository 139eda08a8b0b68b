import type { UnstructuredObject, LabelSelector, Named } from "../../apimachinery/meta.ts";
import { isAlreadyExists } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { crdOf, openSchema } from "../../client/manifests/crd-of.ts";
import { installCrds } from "../../client/manifests/install-crds.ts";
import { NamespaceKind } from "../simulation/context/simulated-kinds.ts";
import { ControllerRing, ringLabel, shardLabel } from "../../runtime/sharding/controller-ring.ts";
import { setControllerReference } from "../../runtime/objects/owner-references.ts";
import { membersOf, namespaceSelectorOf } from "./hash-ring.ts";
import type { ShardWebhook } from "./sharder-controller.ts";

/** Creates the objects of an installation of the sharder: the CRD of rings, and its namespace. */
export async function installSharding(client: Client, signal: AbortSignal): Promise<void> {
  await installCrds(client, [controllerRingCrd()], { signal });
  const namespace = { metadata: { name: "sharding-system" } };
  await client.create(NamespaceKind, namespace).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

const text = { type: "string" };
const resources = (further: object): object => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["group", "resource"],
  items: { type: "object", required: ["group", "resource"], properties: { group: text, resource: text, ...further } },
});

function controllerRingCrd(): UnstructuredObject {
  return crdOf(ControllerRing, {
    version: {
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type == "Ready")].status' },
        { name: "Available", type: "string", jsonPath: ".status.availableShards" },
        { name: "Shards", type: "string", jsonPath: ".status.shards" },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    },
    schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            namespaceSelector: openSchema,
            resources: resources({ controlledResources: resources({}) }),
          },
        },
        status: openSchema,
      },
      "x-kubernetes-validations": [
        {
          rule: "size(self.metadata.name) <= 63",
          message: "ControllerRing name must not be longer than 63 characters",
        },
      ],
    },
  });
}

/** Returns the configuration that calls the sharder for unassigned objects of a ring, and goes with the ring. */
export function configureWebhook(
  ring: Named<ControllerRing>,
  { urlOf, caBundle }: ShardWebhook,
): Named<UnstructuredObject> {
  const { name } = ring.metadata;
  const unassigned: LabelSelector = { matchExpressions: [{ key: shardLabel(name), operator: "DoesNotExist" }] };
  const configuration = {
    metadata: {
      name: `controllerring-${name}`,
      labels: { "app.kubernetes.io/name": "controller-sharding", [ringLabel]: name },
    },
    webhooks: [
      {
        name: "sharder.sharding.timebertt.dev",
        clientConfig: { url: urlOf(name), caBundle },
        namespaceSelector: namespaceSelectorOf(ring),
        objectSelector: unassigned,
        rules: membersOf(ring).map(({ group, resource }) => ({
          operations: ["CREATE", "UPDATE"],
          apiGroups: [group],
          apiVersions: ["*"],
          resources: [resource],
          scope: "*",
        })),
        failurePolicy: "Ignore",
        timeoutSeconds: 5,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  };
  setControllerReference(ring, configuration);
  return configuration;
}
