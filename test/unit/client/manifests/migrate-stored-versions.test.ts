import { afterAll, beforeAll, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { CustomResourceDefinition, installCrds } from "../../../../src/client/manifests/install-crds.ts";
import { migrateStoredVersions } from "../../../../src/client/manifests/migrate-stored-versions.ts";
import { TestEnvironment } from "../../../../src/testing/test-environment.ts";

const env = new TestEnvironment();
beforeAll(() => env.start());
afterAll(() => env.stop());

/** A CRD with these versions, the last of which is stored. */
const crdWith = (plural: string, ...versions: string[]): UnstructuredObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: plural, listKind: `${plural}List`, plural },
    versions: versions.map((name, index) => ({
      name,
      served: true,
      storage: index === versions.length - 1,
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    })),
  },
});
const kindOf = (plural: string, version: string) => defineKind({ group: "example.com", version, kind: plural, plural });
const storedVersions = async (plural: string) =>
  ((await env.client.get(CustomResourceDefinition, { name: `${plural}.example.com` })) as any).status.storedVersions;

it("stores all objects in the storage version, so that the other one may be removed", async () => {
  const [old, now] = ["v1", "v2"].map((version) => kindOf("caches", version));
  await installCrds(env.client, [crdWith("caches", "v1")]);
  for (const name of ["a", "b", "c"]) await env.client.create(old!, { metadata: { namespace: "default", name } });
  await installCrds(env.client, [crdWith("caches", "v1", "v2")]);
  expect(await storedVersions("caches")).toEqual(["v1", "v2"]);
  await expect(installCrds(env.client, [crdWith("caches", "v2")])).rejects.toThrow("status.storedVersions");
  const before = (await env.client.list(now!)).items.map(({ metadata }) => metadata.resourceVersion);

  const seen: string[] = [];
  const onProgress = (written: number, total: number) => void seen.push(`${written}/${total}`);
  expect(await migrateStoredVersions(env.client, "caches.example.com", { onProgress })).toBe(3);

  expect(seen).toEqual(["1/3", "2/3", "3/3"]);
  expect(await storedVersions("caches")).toEqual(["v2"]);
  const after = (await env.client.list(now!)).items.map(({ metadata }) => metadata.resourceVersion);
  expect(after.filter((version) => before.includes(version))).toEqual([]);
  expect(await migrateStoredVersions(env.client, "caches.example.com")).toBe(0);
  await installCrds(env.client, [crdWith("caches", "v2")]);
  expect((await env.client.list(now!)).items.map(({ metadata }) => metadata.name)).toEqual(["a", "b", "c"]);
});

it("removes no version if an object cannot be written, and names the object", async () => {
  await installCrds(env.client, [crdWith("pots", "v1")]);
  for (const name of ["good", "bad"])
    await env.client.create(kindOf("pots", "v1"), { metadata: { namespace: "default", name } });
  await installCrds(env.client, [crdWith("pots", "v1", "v2")]);
  const signal = AbortSignal.timeout(60_000);
  await refuseUpdatesOf("bad", signal);

  await expect(migrateStoredVersions(env.client, "pots.example.com", { signal })).rejects.toMatchObject({
    code: "TSOP_MIGRATION_REFUSED",
    message: expect.stringMatching(
      /^pots\.example\.com default\/bad can't be written in the version that is stored: .*not this one/,
    ),
  });
  expect(await storedVersions("pots")).toEqual(["v1", "v2"]);
});

/** Installs a policy, and waits until it is in force. */
async function refuseUpdatesOf(name: string, signal: AbortSignal): Promise<void> {
  const policies = { apiVersion: "admissionregistration.k8s.io/v1", metadata: { name: "pots" } };
  const Policy = await env.client.kindFor(policies.apiVersion, "ValidatingAdmissionPolicy");
  const Binding = await env.client.kindFor(policies.apiVersion, "ValidatingAdmissionPolicyBinding");
  const resourceRules = [
    { apiGroups: ["example.com"], apiVersions: ["*"], resources: ["pots"], operations: ["UPDATE"] },
  ];
  await env.client.create(Policy, {
    ...policies,
    kind: Policy.kind,
    spec: {
      matchConstraints: { resourceRules },
      validations: [{ expression: `object.metadata.name != "${name}"`, message: "not this one" }],
    },
  });
  await env.client.create(Binding, {
    ...policies,
    kind: Binding.kind,
    spec: { policyName: "pots", validationActions: ["Deny"] },
  });
  const Pot = kindOf("pots", "v1");
  const patch = { type: "application/merge-patch+json", body: { spec: { tried: true } } } as const;
  for (;;) {
    signal.throwIfAborted();
    const isDenied = await env.client.patch(Pot, { namespace: "default", name }, patch, { dryRun: true }).then(
      () => false,
      () => true,
    );
    if (isDenied) return;
  }
}

it("names a CRD that does not exist", async () => {
  await expect(migrateStoredVersions(env.client, "boats.example.com")).rejects.toMatchObject({
    code: "TSOP_CRD_ABSENT",
  });
});
