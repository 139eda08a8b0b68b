import { setTimeout as pause } from "node:timers/promises";
import {
  admission,
  controllerManagedBy,
  equalJson,
  exponentialRateLimiter,
  isNotFound,
  setControllerReference,
  type Client,
  type Manager,
} from "../../../../src/index.ts";
import { ValidatingWebhookConfiguration } from "../../../../src/k8s/admissionregistration/v1.ts";
import { ConfigMap, Secret } from "../../../../src/k8s/core/v1.ts";
import type { WebhookEndpoint } from "../../../../src/sandbox/webhooks/webhook-endpoint.ts";

/** Keeps a Secret with the value of each ConfigMap, and deletes the Secret of a deleted ConfigMap. */
export async function keepSecrets(mgr: Manager, onReconcile: () => void): Promise<void> {
  const { client } = mgr;
  await controllerManagedBy(mgr)
    .for(ConfigMap)
    .owns(Secret)
    .withOptions({
      maxConcurrentReconciles: 4,
      rateLimiter: exponentialRateLimiter(5, 500),
      // A request on a dead connection would wait for the timeout of TCP.
      reconciliationTimeout: 3_000,
    })
    .complete({
      async reconcile(key, { signal }) {
        onReconcile();
        const source = await client.getOrUndefined(ConfigMap, key);
        if (!source) {
          await client.delete(Secret, key, { signal }).catch((error: unknown) => {
            if (!isNotFound(error)) throw error;
          });
          return;
        }
        const data = { value: Buffer.from(source.data?.["value"] ?? "").toString("base64") };
        const found = await client.getOrUndefined(Secret, key);
        const { name, namespace } = source.metadata;
        const secret: Secret = found ?? { metadata: { name, namespace: namespace! } };
        if (found && equalJson(found.data, data)) return;
        secret.data = data;
        setControllerReference(source, secret);
        if (found) await client.update(Secret, secret, { signal });
        else await client.create(Secret, secret, { signal });
      },
    });
}

/** Registers the manager's own webhook for every Secret; it sometimes exceeds the server's timeout. */
export async function judgeSecrets(
  mgr: Manager,
  admin: Client,
  { url, caBundle }: WebhookEndpoint,
  answerMs: () => number,
): Promise<void> {
  mgr.webhookServer.register("/judge", async () => {
    await pause(answerMs());
    return admission.allowed();
  });
  await admin.create(ValidatingWebhookConfiguration, {
    metadata: { name: "judge" },
    webhooks: [
      {
        name: "judge.example.com",
        clientConfig: { url: `${url}/judge`, caBundle },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["secrets"], operations: ["CREATE", "UPDATE"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        timeoutSeconds: 1,
      },
    ],
  });
}
