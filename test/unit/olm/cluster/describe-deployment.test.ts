import { afterEach, expect, it } from "vitest";
import { describeDeployment } from "../../../../src/olm/cluster/describe-deployment.ts";
import { DeploymentKind } from "../../../../src/olm/cluster/kinds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { webhookConfigurationKinds } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";

const stopping = new AbortController();
afterEach(() => stopping.abort());

it("names the webhook that refuses the pods of a deployment", async () => {
  const problems: unknown[] = [];
  const onError = (error: unknown): void => void problems.push(error);
  const { client } = await startSandbox({ pace: { min: 1, max: 5 }, onError }, stopping.signal);
  const validating = webhookConfigurationKinds.find(({ kind }) => kind.startsWith("Validating"))!;
  await client.create(validating, {
    metadata: { name: "pods" },
    webhooks: [
      {
        name: "pods.example.com",
        clientConfig: { url: "https://127.0.0.1:1/validate" },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
      },
    ],
  });
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };
  const metadata = { name: "web", namespace: "default" };
  await client.create(DeploymentKind, { metadata, spec: { selector: { matchLabels: labels }, template } });
  await expect
    .poll(() => describeDeployment({ client, namespace: "default" }, "web"), { timeout: 10_000 })
    .toContainEqual(
      expect.stringMatching(/^deployment web: FailedCreate: .*failed calling webhook "pods.example.com"/),
    );
  expect(problems).toEqual([]);
});
