import { afterEach, expect, it } from "vitest";
import type { OlmHost } from "../../../../src/olm/cluster/olm-host.ts";
import { installCrds } from "../../../../src/client/manifests/install-crds.ts";
import {
  copiedLabel,
  CsvKind,
  InstallPlanKind,
  SubscriptionKind,
  type CsvObject,
} from "../../../../src/client/manifests/olm-kinds.ts";
import { NamespaceKind } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { planCleanup } from "../../../../src/olm/cluster/cleanup.ts";
import { olmCrds } from "../../../../src/sandbox/olm/start-olm.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

const namespace = "default";

/** Starts a server with OLM's kinds, and a Subscription of which thing.v1 is installed. */
async function subscribed(emit: (line: string) => void = () => {}): Promise<OlmHost> {
  const { signal } = stopping;
  const { client } = await startSandbox({ simulate: false }, signal);
  await installCrds(client, olmCrds());
  const metadata = { name: "thing", namespace };
  const spec = { name: "thing", source: "thing-catalog", sourceNamespace: namespace };
  const subscription = await client.create(SubscriptionKind, { metadata, spec });
  const status = { installedCSV: "thing.v1", currentCSV: "thing.v1", lastUpdated: "2026-01-01T00:00:00Z" };
  await client.status.update(SubscriptionKind, { ...subscription, status });
  return { client, namespace, signal, timeoutMs: 1_000, emit };
}

it("finds the CSVs that replace the deleted one that a Subscription names", async () => {
  const host = await subscribed();
  for (const [name, replaces] of Object.entries({
    "thing.v3": "thing.v2",
    "thing.v2": "thing.v1",
    "thing.v1": "thing.v0",
    "thing.v0": undefined,
    "other.v1": "other.v0",
  }))
    await host.client.create(CsvKind, {
      metadata: { name, namespace },
      spec: { ...(replaces !== undefined && { replaces }) },
    });
  const doomed = await planCleanup(host, "thing", { crds: true, operatorGroups: true });
  expect(doomed.map(({ object }) => object.metadata.name)).toEqual([
    "thing",
    "thing.v0",
    "thing.v1",
    "thing.v2",
    "thing.v3",
  ]);
});

it("keeps a CRD that an operator of another namespace owns, too, but not for a copy of the same operator", async () => {
  const lines: string[] = [];
  const host = await subscribed((line) => lines.push(line));
  const { client } = host;
  for (const plural of ["things", "others"]) await installCrds(client, [crdOf(plural)]);
  const csv = (
    name: string,
    where: string,
    plurals: readonly string[],
    labels?: Record<string, string>,
  ): CsvObject => ({
    metadata: { name, namespace: where, ...(labels && { labels }) },
    spec: {
      customresourcedefinitions: {
        owned: plurals.map((plural) => ({ name: `${plural}.example.com`, version: "v1", kind: "Thing" })),
      },
    },
  });
  await client.create(NamespaceKind, { metadata: { name: "team" } });
  await client.create(CsvKind, csv("thing.v1", namespace, ["things", "others"]));
  await client.create(CsvKind, csv("thing.v1", "kube-public", ["things", "others"], { [copiedLabel]: namespace }));
  await client.create(CsvKind, csv("thing.v2", "team", ["things"]));
  const doomed = await planCleanup(host, "thing", { crds: true, operatorGroups: true });
  expect(doomed.map(({ object }) => object.metadata.name)).toEqual(["thing", "others.example.com", "thing.v1"]);
  expect(lines).toEqual(["things.example.com stays: ClusterServiceVersion team/thing.v2 owns it, too"]);
});

it("deletes the InstallPlans that still run before the CRDs, which they would create again", async () => {
  const host = await subscribed();
  const { client } = host;
  await installCrds(client, [crdOf("things")]);
  const owned = [{ name: "things.example.com", version: "v1", kind: "Thing" }];
  const spec = { customresourcedefinitions: { owned } };
  await client.create(CsvKind, { metadata: { name: "thing.v1", namespace }, spec });
  const { uid = "" } = (await client.get(SubscriptionKind, { namespace, name: "thing" })).metadata;
  const owner = { apiVersion: "operators.coreos.com/v1alpha1", kind: "Subscription", name: "thing", uid };
  for (const [name, phase, owners] of [
    ["complete", "Complete", [owner]],
    ["failed", "Failed", [owner]],
    ["running", "Installing", [owner]],
    ["of-others", "Installing", []],
  ] as const) {
    const plan = await client.create(InstallPlanKind, {
      metadata: { name, namespace, ownerReferences: [...owners] },
      spec: { approval: "Automatic", approved: true, clusterServiceVersionNames: ["thing.v2"] },
    });
    await client.status.update(InstallPlanKind, { ...plan, status: { phase, catalogSources: [] } });
  }
  const doomed = await planCleanup(host, "thing", { crds: true, operatorGroups: true });
  const names = doomed.map(({ object }) => object.metadata.name);
  expect(names).toEqual(["thing", "running", "things.example.com", "thing.v1"]);
});

function crdOf(plural: string): UnstructuredObject {
  const kind = `Kind${plural}`;
  const schema = { openAPIV3Schema: { type: "object" } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      names: { kind, plural },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}
