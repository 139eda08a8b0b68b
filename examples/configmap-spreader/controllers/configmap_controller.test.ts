/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import { createFleet, createManager, discardLogger, kubeconfigSecrets, type Client } from "tsop";
import { ConfigMap, Secret } from "tsop/k8s/core/v1";
import { eventually, TestEnvironment, TestFleet } from "tsop/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigMapReconciler, spread } from "./configmap_controller.ts";

// The hub is the embedded API server, or the real one in KUBEBUILDER_ASSETS; the clusters are embedded.
const hub = new TestEnvironment();
const servers = new TestFleet(["east", "west"], { env: {} });
const stop = new AbortController();
const namespace = "default";
let done: Promise<void>;

beforeAll(async () => {
  await Promise.all([hub.start(), servers.start()]);
  const mgr = await createManager(hub.config, { logger: discardLogger });
  const fleet = createFleet(mgr, kubeconfigSecrets(mgr, { namespace }));
  await new ConfigMapReconciler(fleet).setupWithFleet(fleet);
  done = mgr.start(stop.signal);
});
afterAll(async () => {
  stop.abort();
  await done;
  await Promise.all([hub.stop(), servers.stop()]);
});

/** Registers a cluster of the fleet on the hub. */
function register(name: string): Promise<unknown> {
  const labels = { "sigs.k8s.io/multicluster-runtime-kubeconfig": "true" };
  const kubeconfig = Buffer.from(servers.cluster(name).kubeconfig).toString("base64");
  return hub.client.create(Secret, { metadata: { namespace, name, labels }, data: { kubeconfig } });
}

/** Returns the data of a ConfigMap; `undefined` if it does not exist. */
async function dataIn(client: Client, name: string): Promise<unknown> {
  const found = await client.getOrUndefined(ConfigMap, { namespace, name });
  return found && (found.data ?? {});
}

const create = (client: Client, name: string, data: Record<string, string>, labels: Record<string, string> = {}) =>
  client.create(ConfigMap, { metadata: { namespace, name, labels }, data });

describe("ConfigMapReconciler", () => {
  const [east, west] = ["east", "west"].map((name) => () => servers.cluster(name).client) as [
    () => Client,
    () => Client,
  ];

  it("copies labeled ConfigMaps to clusters, those that join later included", async () => {
    await register("east");
    await create(hub.client, "other", { shape: "round" });
    await create(hub.client, "colors", { sky: "blue" }, spread);
    await eventually(async () => expect(await dataIn(east(), "colors")).toEqual({ sky: "blue" }));
    await register("west");
    await eventually(async () => expect(await dataIn(west(), "colors")).toEqual({ sky: "blue" }));
    expect(await dataIn(east(), "other")).toBeUndefined();
  });

  it("follows changes on the hub, and repairs copies", async () => {
    const source = await hub.client.get(ConfigMap, { namespace, name: "colors" });
    await hub.client.update(ConfigMap, { ...source, data: { sky: "grey" } });
    for (const client of [east(), west()]) {
      await eventually(async () => expect(await dataIn(client, "colors")).toEqual({ sky: "grey" }));
    }
    await east().delete(ConfigMap, { namespace, name: "colors" });
    await eventually(async () => expect(await dataIn(east(), "colors")).toEqual({ sky: "grey" }));
  });

  it("leaves a cluster's own ConfigMap alone", async () => {
    await create(west(), "own", { by: "west" });
    await create(hub.client, "own", { by: "hub" }, spread);
    await eventually(async () => expect(await dataIn(east(), "own")).toEqual({ by: "hub" }));
    expect(await dataIn(west(), "own")).toEqual({ by: "west" });
  });

  it("deletes copies whose source has lost its label or is gone", async () => {
    const source = await hub.client.get(ConfigMap, { namespace, name: "colors" });
    await hub.client.update(ConfigMap, { ...source, metadata: { ...source.metadata, labels: {} } });
    await hub.client.delete(ConfigMap, { namespace, name: "own" });
    for (const [client, name] of [
      [east(), "colors"],
      [west(), "colors"],
      [east(), "own"],
    ] as const) {
      await eventually(async () => expect(await dataIn(client, name)).toBeUndefined());
    }
    expect(await dataIn(west(), "own")).toEqual({ by: "west" });
  });
});
