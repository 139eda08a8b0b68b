import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { mergePatch } from "../../../../src/client/patches.ts";
import { installCrds } from "../../../../src/client/manifests/install-crds.ts";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { ControllerRing } from "../../../../src/runtime/sharding/controller-ring.ts";
import type { TestEnvironment } from "../../../../src/testing/test-environment.ts";

export const ring = "maps";
export const shardLabel = "shard.alpha.sharding.timebertt.dev/maps";
export const drainLabel = "drain.alpha.sharding.timebertt.dev/maps";
export const namespace = "default";

const ringCrd: UnstructuredObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "controllerrings.sharding.timebertt.dev" },
  spec: {
    group: "sharding.timebertt.dev",
    names: {
      kind: "ControllerRing",
      listKind: "ControllerRingList",
      plural: "controllerrings",
      singular: "controllerring",
    },
    scope: "Cluster",
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** Installs the CRD and a ring of ConfigMaps that control Secrets. */
export async function installRing(env: TestEnvironment): Promise<void> {
  await installCrds(env.client, [ringCrd]);
  const controlledResources = [{ resource: "secrets" }];
  const spec = { resources: [{ group: "", resource: "configmaps", controlledResources }] };
  await env.client.create(ControllerRing, { metadata: { name: ring }, spec });
}

/** Creates a ConfigMap; the test is the sharder that assigns it. */
export async function createMap(env: TestEnvironment, name: string, shard?: string): Promise<void> {
  const labels = shard ? { [shardLabel]: shard } : {};
  await env.client.create(ConfigMap, { metadata: { namespace, name, labels } });
}

/** Sets labels of a ConfigMap; `null` removes one. */
export async function label(env: TestEnvironment, name: string, labels: Record<string, string | null>): Promise<void> {
  await env.client.patch(ConfigMap, { metadata: { namespace, name } }, mergePatch({ metadata: { labels } }));
}

export async function labelsOf(env: TestEnvironment, name: string): Promise<Record<string, string>> {
  return (await env.client.get(ConfigMap, { namespace, name })).metadata.labels ?? {};
}
