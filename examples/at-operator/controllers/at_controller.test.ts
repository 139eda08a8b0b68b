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
import { reconcileContext, TestEnvironment } from "tsop/testing";
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

  it("runs the command at the scheduled time, in a pod owned by the At", async () => {
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
