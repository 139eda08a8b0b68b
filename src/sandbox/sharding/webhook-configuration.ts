import type { LabelSelector, Named, UnstructuredObject } from "../../apimachinery/meta.ts";
import { setControllerReference } from "../../runtime/objects/owner-references.ts";
import { membersOf, namespaceSelectorOf } from "./assignment.ts";
import { ringLabel, shardLabel, type ControllerRing } from "../../runtime/sharding/controller-ring.ts";
import type { ShardWebhook } from "./shard-webhook.ts";

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
