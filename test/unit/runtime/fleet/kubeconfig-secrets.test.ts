import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mergePatch } from "../../../../src/client/patches.ts";
import { Namespace, Secret } from "../../../../src/k8s/core/v1.ts";
import { ClusterProfile } from "../../../../src/runtime/fleet/cluster-profile.ts";
import { clusterProfiles } from "../../../../src/runtime/fleet/cluster-profiles.ts";
import type { ClusterProvider } from "../../../../src/runtime/fleet/cluster-provider.ts";
import { clusterApiSecrets, kubeconfigSecrets } from "../../../../src/runtime/fleet/kubeconfig-secrets.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { createManager } from "../../../../src/runtime/manager/create-manager.ts";
import type { Manager } from "../../../../src/runtime/manager/manager.ts";
import { openCrd } from "../../../../src/testing/open-crd.ts";
import { TestEnvironment } from "../../../../src/testing/test-environment.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";

const namespace = "clusters";
const env = new TestEnvironment({ env: {}, crds: [openCrd(ClusterProfile)] });
let mgr: Manager;

beforeAll(async () => {
  await env.start();
  await env.client.create(Namespace, { metadata: { name: namespace } });
  mgr = await createManager(env.config, { logger: discardLogger });
});
afterAll(() => env.stop());
afterEach(async () => {
  for (const where of [namespace, "default"]) await env.client.deleteAllOf(Secret, { namespace: where });
  await env.client.deleteAllOf(ClusterProfile, { namespace });
});

/** Watches a provider; `told` waits for the expected number of changes, and compares them. */
function watch(provider: ClusterProvider) {
  const changes: string[] = [];
  runInTest(async (signal) => {
    for await (const change of provider.watch(signal)) {
      if (change.type === "cluster") changes.push(`${change.name} at ${change.config.server}`);
      else if (change.type === "removed") changes.push(`${change.name} removed`);
      else changes.push(change.type === "listed" ? "listed" : `invalid: ${(change.error as Error).message}`);
    }
  });
  return async (...expected: unknown[]): Promise<void> => {
    await until(`${expected.length} changes, of ${changes.join(", ")}`, () => changes.length >= expected.length);
    expect(changes.splice(0)).toEqual(expected);
  };
}

/** Returns a kubeconfig as JSON, which is YAML. */
function kubeconfig(server: string, user: object = { token: "secret" }): string {
  return JSON.stringify({
    "current-context": "it",
    clusters: [{ name: "it", cluster: { server: `https://${server}.example.com` } }],
    users: [{ name: "it", user }],
    contexts: [{ name: "it", context: { cluster: "it", user: "it" } }],
  });
}

function secret(name: string, labels: Record<string, string>, data: Record<string, string>, where = namespace): Secret {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  return { metadata: { namespace: where, name, labels }, data: Object.fromEntries(encoded) as Record<string, string> };
}

const label = { "sigs.k8s.io/multicluster-runtime-kubeconfig": "true" };

describe("kubeconfigSecrets", () => {
  it("reports labeled Secrets of a namespace, and their changes", async () => {
    await env.client.create(Secret, secret("east", label, { kubeconfig: kubeconfig("a") }));
    await env.client.create(Secret, secret("other", {}, { kubeconfig: kubeconfig("x") }));
    await env.client.create(Secret, secret("elsewhere", label, { kubeconfig: kubeconfig("x") }, "default"));
    const told = watch(kubeconfigSecrets(mgr, { namespace }));
    await told("east at https://a.example.com", "listed");
    await env.client.create(Secret, secret("west", label, { kubeconfig: kubeconfig("b") }));
    await told("west at https://b.example.com");
    await env.client.update(Secret, secret("east", label, { kubeconfig: kubeconfig("c") }));
    await told("east at https://c.example.com");
    await env.client.update(Secret, secret("west", {}, {}));
    await told("west removed");
    await env.client.delete(Secret, { namespace, name: "east" });
    await told("east removed");
  });

  it("names clusters of all namespaces with their namespace, and takes another label and key", async () => {
    const own = { "example.com/fleet": "true" };
    await env.client.create(Secret, secret("east", own, { config: kubeconfig("a") }, "default"));
    const told = watch(kubeconfigSecrets(mgr, { label: "example.com/fleet", key: "config" }));
    await told("default/east at https://a.example.com", "listed");
  });

  it("keeps the last good kubeconfig of a Secret", async () => {
    await env.client.create(Secret, secret("east", label, { kubeconfig: kubeconfig("a") }));
    const told = watch(kubeconfigSecrets(mgr, { namespace }));
    await told("east at https://a.example.com", "listed");
    await env.client.update(Secret, secret("east", label, { kubeconfig: "{" }));
    await told(expect.stringMatching(/^invalid: kubeconfig Secret clusters\/east is not valid/));
    await env.client.update(Secret, secret("east", label, {}));
    await told("invalid: Secret clusters/east has no kubeconfig under the key kubeconfig");
    await env.client.update(Secret, secret("east", label, { kubeconfig: kubeconfig("b") }));
    await told("east at https://b.example.com");
  });

  it.each([
    ["exec", { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "/bin/sh" } }],
    ["tokenFile", { tokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token" }],
    ["certFile", { "client-certificate": "/a.crt", "client-key": "/a.key" }],
    ["authProvider", { "auth-provider": { name: "oidc" } }],
  ])("refuses %s, which would run a program or read a file of the operator", async (field, user) => {
    await env.client.create(Secret, secret("east", label, { kubeconfig: kubeconfig("a", user) }));
    const told = watch(kubeconfigSecrets(mgr, { namespace }));
    await told(expect.stringContaining(`can't be used: ${field} would run a program`), "listed");
  });
});

describe("clusterApiSecrets", () => {
  it("reports the kubeconfigs of Cluster API, and none of its other Secrets", async () => {
    const of = { "cluster.x-k8s.io/cluster-name": "prod" };
    await env.client.create(Secret, secret("prod-kubeconfig", of, { value: kubeconfig("a") }));
    await env.client.create(Secret, secret("prod-ca", of, { value: "x" }));
    const told = watch(clusterApiSecrets(mgr, { namespace }));
    await told("prod at https://a.example.com", "listed");
    await env.client.delete(Secret, { namespace, name: "prod-kubeconfig" });
    await told("prod removed");
  });
});

describe("clusterProfiles", () => {
  const of = { "x-k8s.io/cluster-inventory-consumer": "tester", "x-k8s.io/cluster-profile": "east" };
  const setHealthy = (status: "True" | "False"): Promise<unknown> => {
    const condition = { type: "ControlPlaneHealthy", status, reason: "Test", message: "" };
    return env.client.patch(ClusterProfile, { namespace, name: "east" }, mergePatch({ status: { conditions: [condition] } })); // prettier-ignore
  };

  it("reports a profile once it is healthy and has a Secret, until one of them is gone", async () => {
    const told = watch(clusterProfiles(mgr, { consumer: "tester", namespace }));
    await told("listed");
    await env.client.create(ClusterProfile, { metadata: { namespace, name: "east" } });
    await env.client.create(Secret, secret("east-1", of, { Config: kubeconfig("a") }));
    await setHealthy("True");
    await told("east at https://a.example.com");
    await setHealthy("False");
    await env.client.update(Secret, secret("east-1", of, { Config: kubeconfig("b") }));
    await told("east at https://b.example.com");
    await env.client.create(Secret, secret("east-2", of, { Config: kubeconfig("c") }));
    await told("invalid: ClusterProfile east has 2 Secrets for this consumer, not one");
    await env.client.delete(Secret, { namespace, name: "east-1" });
    await told("east at https://c.example.com");
    await env.client.delete(Secret, { namespace, name: "east-2" });
    await told("east removed");
  });

  it("does not accept options without any access", () => {
    expect(() => clusterProfiles(mgr, { namespace })).toThrow(/neither a providerFile nor a consumer/);
  });

  it("does not report Secrets of other consumers", async () => {
    await env.client.create(ClusterProfile, { metadata: { namespace, name: "east" } });
    await setHealthy("True");
    await env.client.create(Secret, secret("s", { ...of, "x-k8s.io/cluster-inventory-consumer": "other" }, { Config: kubeconfig("a") })); // prettier-ignore
    const told = watch(clusterProfiles(mgr, { consumer: "tester" }));
    await told("listed");
    await env.client.create(Secret, secret("own", of, { Config: kubeconfig("b") }));
    await told("clusters/east at https://b.example.com");
    await env.client.delete(ClusterProfile, { namespace, name: "east" });
    await told("clusters/east removed");
  });
});
