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

import { findCondition, formatTime } from "tsop";
import { Job } from "tsop/k8s/batch/v1";
import type { PodSpec } from "tsop/k8s/core/v1";
import { simulate, type Simulated, type SimulateOptions } from "tsop/testing";
import { describe, expect, it } from "vitest";
import { CronJob } from "../api/v1/zz_generated.kinds.ts";
import { CronJobReconciler } from "./cronjob_controller.ts";

// A cluster with simulated Jobs and the operator, in virtual time: a day takes less than a second.
const setup: SimulateOptions["setup"] = async (mgr) => {
  await new CronJobReconciler(mgr.client).setupWithManager(mgr);
};
const options = { crdPaths: ["config/crd/bases"], simulate: true, setup, start: new Date("2026-03-19T00:30:00Z") };

const hour = 3_600_000;
const midnight = options.start.getTime() - hour / 2;
const key = { namespace: "default", name: "hourly" };

/** A simulation of an hourly CronJob that is created at half past. */
class Hours {
  readonly sim: Simulated;

  constructor(sim: Simulated) {
    this.sim = sim;
  }

  /** The annotations say what the simulation does with the pods. */
  async create(spec: Partial<CronJob["spec"]> = {}, annotations: Record<string, string> = {}): Promise<void> {
    const pod: PodSpec = { restartPolicy: "Never", containers: [{ name: "hello", image: "busybox:1.37" }] };
    const jobTemplate = { spec: { backoffLimit: 0, template: { metadata: { annotations }, spec: pod } } };
    await this.sim.client.create(CronJob, { metadata: key, spec: { schedule: "0 * * * *", jobTemplate, ...spec } });
    await this.sim.advance(0);
  }

  /** Lets hours pass, and returns each Job as the number of its hour and its state. */
  async after(hours: number): Promise<string[]> {
    await this.sim.advance(hours * hour);
    const { items } = await this.sim.client.list(Job, { namespace: key.namespace });
    return items.map(({ metadata: { annotations = {} }, status: { active, conditions } = {} }) => {
      const time = Date.parse(annotations["batch.tutorial.kubebuilder.io/scheduled-at"] ?? "");
      return `${(time - midnight) / hour} ${active ? "Active" : conditions?.at(-1)?.type}`;
    });
  }

  async status(): Promise<CronJob["status"]> {
    return (await this.sim.client.get(CronJob, key)).status;
  }

  async scheduled() {
    return findCondition((await this.status())?.conditions, "Scheduled");
  }

  async suspend(value: boolean): Promise<void> {
    const cronJob = await this.sim.client.get(CronJob, key);
    await this.sim.client.update(CronJob, { ...cronJob, spec: { ...cronJob.spec, suspend: value } });
    await this.sim.settle();
    expect((await this.scheduled())?.status).toBe(value ? "False" : "True");
  }
}

const simulateHours = (test: (hours: Hours) => Promise<void>) => simulate(options, (sim) => test(new Hours(sim)));

describe("CronJobReconciler", () => {
  it("creates 24 Jobs a day, and keeps the last three", async () => {
    await simulateHours(async (hours) => {
      await hours.create();
      for (let run = 1; run <= 24; run++) {
        const kept = [run - 2, run - 1, run].filter((each) => each > 0);
        expect(await hours.after(1)).toEqual(kept.map((each) => `${each} Complete`));
      }
      expect(await hours.status()).toEqual({
        lastScheduleTime: formatTime(new Date(midnight + 24 * hour)),
        conditions: [expect.objectContaining({ type: "Scheduled", status: "True" })],
      });
    });
  });

  it("keeps the last failed Job", async () => {
    await simulateHours(async (hours) => {
      await hours.create({}, { "tsop.dev/exit-code": "1" });
      expect(await hours.after(1)).toEqual(["1 Failed"]);
      expect(await hours.after(1)).toEqual(["2 Failed"]);
    });
  });

  it("does not repeat a run whose Job is deleted", async () => {
    await simulateHours(async (hours) => {
      await hours.create({ successfulJobsHistoryLimit: 0 });
      expect(await hours.after(1)).toEqual([]);
      expect((await hours.status())?.lastScheduleTime).toBe(formatTime(new Date(midnight + hour)));
      await hours.sim.restart();
      await hours.sim.settle();
      expect(await hours.after(0)).toEqual([]);
    });
  });

  it.each([
    ["Allow", ["1 Active", "2 Active"], ["1 Complete", "2 Active", "3 Active"]],
    ["Forbid", ["1 Active"], ["1 Complete", "2 Active"]],
    ["Replace", ["2 Active"], ["3 Active"]],
  ] as const)("runs Jobs of two hours with the policy %s", async (concurrencyPolicy, two, three) => {
    await simulateHours(async (hours) => {
      await hours.create({ concurrencyPolicy }, { "tsop.dev/run-for": "115m" });
      expect(await hours.after(1)).toEqual(["1 Active"]);
      expect(await hours.after(1)).toEqual(two);
      expect((await hours.status())?.active).toHaveLength(two.length);
      expect(await hours.after(1)).toEqual(three);
    });
  });

  it("creates the last Job that was missed while it was suspended", async () => {
    await simulateHours(async (hours) => {
      await hours.create();
      await hours.suspend(true);
      expect(await hours.after(3)).toEqual([]);
      await hours.suspend(false);
      expect(await hours.after(0)).toEqual(["3 Complete"]);
    });
  });

  it("creates the last Job that was missed while the operator was down", async () => {
    await simulateHours(async (hours) => {
      await hours.create();
      hours.sim.kill();
      expect(await hours.after(3)).toEqual([]);
      await hours.sim.restart();
      await hours.sim.settle();
      expect(await hours.after(0)).toEqual(["3 Complete"]);
    });
  });

  it("does not create a Job after its starting deadline", async () => {
    await simulateHours(async (hours) => {
      await hours.create({ startingDeadlineSeconds: 60 });
      await hours.suspend(true);
      expect(await hours.after(3)).toEqual([]);
      await hours.suspend(false);
      expect(await hours.after(1)).toEqual(["4 Complete"]);
    });
  });

  it("reports a schedule that cron does not know", async () => {
    await simulateHours(async (hours) => {
      await hours.create({ schedule: "61 * * * *" });
      const message = expect.stringContaining("61") as string;
      expect(await hours.scheduled()).toMatchObject({ reason: "InvalidSchedule", message });
    });
  });

  it("survives a crash at each write", async () => {
    const run = (crashAt: number) =>
      simulate(options, async (sim) => {
        sim.crashAtWrite(crashAt);
        const hours = new Hours(sim);
        await hours.create();
        await hours.after(2);
        return { writes: sim.writes, state: sim.state() };
      });
    const { writes, state } = await run(Infinity);
    expect(writes.length).toBeGreaterThan(5);
    for (const [index, write] of writes.entries()) {
      const crashed = await run(index + 1);
      expect(crashed.state, `after a crash at ${write}`).toEqual(state);
    }
  });
});
