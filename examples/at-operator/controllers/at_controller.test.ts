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

import { findCondition } from "tsop";
import { Pod } from "tsop/k8s/core/v1";
import { reconcileContext, simulate, TestEnvironment, type SimulateOptions } from "tsop/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { At } from "../api/v1alpha1/zz_generated.kinds.ts";
import { AtReconciler } from "./at_controller.ts";

// An API server with your CRDs: the embedded one, or the real one in KUBEBUILDER_ASSETS. Neither runs
// pods here, so the tests act as the kubelet.
const env = new TestEnvironment({ crdPaths: ["config/crd/bases"] });
beforeAll(() => env.start());
afterAll(() => env.stop());

const key = { namespace: "default", name: "test-resource" };
const noon = Date.parse("2026-03-19T12:00:00Z");
const ctx = reconcileContext();

describe("AtReconciler", () => {
  let now = noon;
  const events: string[] = [];
  const recorder = { event: (_: unknown, type: string, reason: string) => void events.push(`${type} ${reason}`) };
  const reconcile = () => new AtReconciler(env.client, recorder, () => now).reconcile(key, ctx);
  const schedule = (time: string) =>
    env.client.create(At, { metadata: key, spec: { schedule: time, command: "echo hello world" } });
  const phase = async () => (await env.client.get(At, key)).status?.phase;

  beforeEach(() => {
    now = noon;
    events.length = 0;
  });

  afterEach(async () => {
    await env.client.delete(At, key);
    if (await env.client.getOrUndefined(Pod, key)) await env.client.delete(Pod, key, { gracePeriodSeconds: 0 });
  });

  it("runs the command in a pod owned by the At", async () => {
    const at = await schedule("2026-03-19T12:00:20Z");

    expect(await reconcile()).toEqual({ requeueAfter: 20_000 });
    expect(await phase()).toBe("PENDING");
    expect(await env.client.getOrUndefined(Pod, key)).toBeUndefined();

    now += 20_000;
    await reconcile();
    expect(await phase()).toBe("RUNNING");
    await reconcile();

    const pod = await env.client.get(Pod, key);
    expect(pod.spec?.containers[0]?.command).toEqual(["sh", "-c", "echo hello world"]);
    expect(pod.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: "At", uid: at.metadata.uid, controller: true }),
    ]);
  });

  it.each([
    ["Succeeded", "True"],
    ["Failed", "False"],
  ] as const)("is done when the pod has %s", async (podPhase, status) => {
    await schedule("2026-03-19T11:00:00Z");
    await reconcile();
    await reconcile();
    expect(await phase()).toBe("RUNNING");

    const pod = await env.client.get(Pod, key);
    await env.client.status.update(Pod, { ...pod, status: { ...pod.status, phase: podPhase } });
    await reconcile();

    const at = await env.client.get(At, key);
    expect(at.status?.phase).toBe("DONE");
    expect(findCondition(at.status?.conditions, "Succeeded")?.status).toBe(status);
  });

  it("reads a time without a zone as UTC", async () => {
    await schedule("2026-03-19T12:00:01");

    expect(await reconcile()).toEqual({ requeueAfter: 1000 });
  });

  it.each(["tomorrow", "2026-13-40T00:00:00Z"])(
    "tells once that %j is no schedule, and waits for another",
    async (bad) => {
      await schedule(bad);

      expect(await reconcile()).toEqual({});
      expect(await reconcile()).toEqual({});

      const at = await env.client.get(At, key);
      expect(findCondition(at.status?.conditions, "Scheduled")).toMatchObject({
        status: "False",
        reason: "InvalidSchedule",
      });
      expect(events).toEqual(["Warning InvalidSchedule"]);

      await env.client.update(At, { ...at, spec: { ...at.spec, schedule: "2026-03-19T12:00:05Z" } });
      expect(await reconcile()).toEqual({ requeueAfter: 5000 });
    },
  );
});

// A cluster that runs pods, and the operator, in virtual time.
describe("the operator", () => {
  const setup: SimulateOptions["setup"] = async (mgr) => {
    await new AtReconciler(mgr.client, mgr.eventRecorder("at")).setupWithManager(mgr);
  };
  const options = { crdPaths: ["config/crd/bases"], simulate: true, setup, start: new Date(noon) };
  const at = (name: string, time: number): At => ({
    metadata: { ...key, name },
    spec: { schedule: new Date(time).toISOString(), command: "echo hello world" },
  });

  it("runs the commands of a day, each at its time", async () => {
    const hour = 3_600_000;
    const hours = Array.from({ length: 23 }, (_, index) => index + 1);
    await simulate(options, async (sim) => {
      for (const each of hours) await sim.client.create(At, at(`hour-${each}`, noon + each * hour));
      await sim.advance(24 * hour);

      const ats = await sim.client.list(At, { namespace: key.namespace });
      expect(ats.items.map(({ status }) => status?.phase)).toEqual(hours.map(() => "DONE"));
      for (const each of hours) {
        const { metadata } = await sim.client.get(Pod, { ...key, name: `hour-${each}` });
        expect(Date.parse(metadata.creationTimestamp ?? "")).toBe(noon + each * hour);
      }
    });
  });

  it("survives a crash at each write", async () => {
    const run = (crashAt: number) =>
      simulate(options, async (sim) => {
        sim.crashAtWrite(crashAt);
        await sim.client.create(At, at(key.name, noon + 60_000));
        await sim.advance(60_000);
        expect(await sim.settle()).toBe(true);
        return { writes: sim.writes, state: sim.state() };
      });
    const { writes, state } = await run(Infinity);
    expect(writes).not.toEqual([]);
    for (const [index, write] of writes.entries()) {
      const crashed = await run(index + 1);
      expect(crashed.state, `after a crash at ${write}`).toEqual(state);
    }
  });
});
