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

import { createManager, discardLogger, findCondition, formatTime } from "tsop";
import { Job } from "tsop/k8s/batch/v1";
import type { PodSpec } from "tsop/k8s/core/v1";
import { consistently, eventually, manualClock, TestEnvironment } from "tsop/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CronJob } from "../api/v1/zz_generated.kinds.ts";
import { CronJobReconciler } from "./cronjob_controller.ts";

// Always the embedded API server: it has simulated Jobs, and follows the clock of the test.
const clock = manualClock(new Date("2026-03-19T00:00:00Z"));
const env = new TestEnvironment({ crdPaths: ["config/crd/bases"], simulate: true, clock, binaryAssetsDirectory: "" });
const stopping = new AbortController();
let running: Promise<void>;

beforeAll(async () => {
  await env.start();
  const mgr = await createManager(env.config, { logger: discardLogger, clock });
  await new CronJobReconciler(mgr.client, () => clock.now()).setupWithManager(mgr);
  running = mgr.start(stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await running;
  await env.stop();
});

const hour = 3_600_000;
const key = { namespace: "default", name: "hourly" };
let start: number;

/** Creates an hourly CronJob at half past. The annotations say what the simulation does with its pods. */
async function create(spec: Partial<CronJob["spec"]> = {}, annotations: Record<string, string> = {}): Promise<void> {
  await clock.advance(1.5 * hour - (clock.now() % hour));
  start = clock.now() - hour / 2;
  const pod: PodSpec = { restartPolicy: "Never", containers: [{ name: "hello", image: "busybox:1.37" }] };
  const jobTemplate = { spec: { backoffLimit: 0, template: { metadata: { annotations }, spec: pod } } };
  await env.client.create(CronJob, { metadata: key, spec: { schedule: "0 * * * *", jobTemplate, ...spec } });
  await soon(async () => expect(await scheduled()).toBeDefined());
}

/** Lets hours pass, and waits for the Jobs. */
async function after(hours: number, expected: string[]): Promise<void> {
  await clock.advance(hours * hour);
  await soon(async () => expect(await jobs()).toEqual(expected));
}

/** Waits until the expectation holds; meanwhile, the clock goes on. */
const soon = (expectation: () => Promise<void>) =>
  eventually(async () => {
    await clock.advance(1_000);
    await expectation();
  });

/** Returns each Job as the number of its hour and its state. */
async function jobs(): Promise<string[]> {
  const { items } = await env.client.list(Job, { namespace: key.namespace });
  return items.map(({ metadata: { annotations = {} }, status: { active, conditions } = {} }) => {
    const time = Date.parse(annotations["batch.tutorial.kubebuilder.io/scheduled-at"] ?? "");
    return `${(time - start) / hour} ${active ? "Active" : conditions?.at(-1)?.type}`;
  });
}

const status = async () => (await env.client.get(CronJob, key)).status;
const scheduled = async () => findCondition((await status())?.conditions, "Scheduled");

async function suspend(value: boolean): Promise<void> {
  const cronJob = await env.client.get(CronJob, key);
  await env.client.update(CronJob, { ...cronJob, spec: { ...cronJob.spec, suspend: value } });
  await soon(async () => expect((await scheduled())?.status).toBe(value ? "False" : "True"));
}

describe("CronJobReconciler", () => {
  afterEach(async () => {
    await env.client.delete(CronJob, key);
    await soon(async () => expect(await jobs()).toEqual([])); // they are deleted with their owner
  });

  it("creates 24 Jobs a day, and keeps the last three", async () => {
    await create();
    for (let run = 1; run <= 24; run++) {
      await after(
        1,
        [run - 2, run - 1, run].filter((each) => each > 0).map((each) => `${each} Complete`),
      );
    }
    expect(await status()).toEqual({
      lastScheduleTime: formatTime(new Date(start + 24 * hour)),
      conditions: [expect.objectContaining({ type: "Scheduled", status: "True" })],
    });
  });

  it("keeps the last failed Job", async () => {
    await create({}, { "tsop.dev/exit-code": "1" });
    await after(1, ["1 Failed"]);
    await after(1, ["2 Failed"]);
  });

  it("does not repeat a run whose Job is deleted", async () => {
    await create({ successfulJobsHistoryLimit: 0 });
    await clock.advance(hour);
    await soon(async () => expect((await status())?.lastScheduleTime).toBe(formatTime(new Date(start + hour))));
    await soon(async () => expect(await jobs()).toEqual([]));
    await consistently(async () => expect(await jobs()).toEqual([]));
  });

  it.each([
    ["Allow", ["1 Active", "2 Active"], ["1 Complete", "2 Active", "3 Active"]],
    ["Forbid", ["1 Active"], ["1 Complete", "2 Active"]],
    ["Replace", ["2 Active"], ["3 Active"]],
  ] as const)("runs Jobs of two hours with the policy %s", async (concurrencyPolicy, two, three) => {
    await create({ concurrencyPolicy }, { "tsop.dev/run-for": "115m" });
    await after(1, ["1 Active"]);
    await after(1, [...two]);
    await soon(async () => expect((await status())?.active).toHaveLength(two.length));
    await after(1, [...three]);
  });

  it("creates the last Job that was missed while it was suspended", async () => {
    await create();
    await suspend(true);
    await after(3, []);
    await suspend(false);
    await after(0, ["3 Complete"]);
  });

  it("does not create a Job after its starting deadline", async () => {
    await create({ startingDeadlineSeconds: 60 });
    await suspend(true);
    await after(3, []);
    await suspend(false);
    await after(1, ["4 Complete"]);
  });

  it("reports a schedule that cron does not know", async () => {
    await create({ schedule: "61 * * * *" });
    expect(await scheduled()).toMatchObject({ reason: "InvalidSchedule", message: expect.stringContaining("61") });
  });
});
