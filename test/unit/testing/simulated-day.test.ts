import { expect, it, onTestFinished } from "vitest";
import { ConfigMap } from "../../../src/k8s/core/v1.ts";
import { controllerManagedBy } from "../../../src/runtime/builders/builder.ts";
import { discardLogger } from "../../../src/runtime/log/logger.ts";
import { createManager } from "../../../src/runtime/manager/create-manager.ts";
import { setControllerReference } from "../../../src/runtime/objects/owner-references.ts";
import { JobKind, type Job } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { manualClock, type ManualClock } from "../../../src/testing/manual-clock.ts";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";
import { runInTest } from "../runtime/run.ts";

const hour = 3_600_000;
const midnight = new Date("2026-03-19T00:00:00Z");
const namespace = "default";

/** A manual clock that counts its timers as they fire. */
function countingClock(): ManualClock & { fired: number } {
  const clock = manualClock(midnight);
  const counting: ManualClock & { fired: number } = {
    fired: 0,
    now: () => clock.now(),
    after: (ms, callback) =>
      clock.after(ms, () => {
        counting.fired++;
        callback();
      }),
    advance: (ms) => clock.advance(ms),
    get pending() {
      return clock.pending;
    },
  };
  return counting;
}

async function start(): Promise<{ clock: ReturnType<typeof countingClock>; env: TestEnvironment }> {
  const clock = countingClock();
  const env = new TestEnvironment({ simulate: true, clock, env: {} });
  await env.start();
  onTestFinished(() => env.stop());
  return { clock, env };
}

it("fires no timer on a day without events", async () => {
  const { clock, env } = await start();
  await eventually(async () => {
    await clock.advance(1_000);
    expect(clock.pending).toBe(0);
  });
  clock.fired = 0;
  await clock.advance(24 * hour);
  expect(clock.fired).toBe(0);
  const made = await env.client.create(ConfigMap, { metadata: { namespace, name: "tomorrow" } });
  expect(made.metadata.creationTimestamp).toMatch(/^2026-03-20T/);
});

it("passes the day of an operator that creates a Job every hour", async () => {
  const { clock, env } = await start();
  const mgr = await createManager(env.config, { clock, logger: discardLogger });
  await controllerManagedBy(mgr)
    .for(ConfigMap, { predicates: [{ create: ({ object }) => object.metadata.name === "hourly" }] })
    .owns(JobKind)
    .complete({
      async reconcile(request) {
        const schedule = await mgr.client.get(ConfigMap, request);
        const latest = Math.floor(clock.now() / hour) * hour;
        const name = `at-${new Date(latest).getUTCDate()}-${new Date(latest).getUTCHours()}`;
        const spec: Job["spec"] = {
          template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "a" }] } },
        };
        const job = { metadata: { namespace, name }, spec };
        setControllerReference(schedule, job);
        if (!(await mgr.client.getOrUndefined(JobKind, job.metadata))) await mgr.client.create(JobKind, job);
        return { requeueAfter: latest + hour - clock.now() };
      },
    });
  runInTest((signal) => mgr.start(signal));
  await env.client.create(ConfigMap, { metadata: { namespace, name: "hourly" } });
  const jobs = async (): Promise<Job[]> => (await env.client.list(JobKind, { namespace })).items;
  await eventually(async () => expect(await jobs()).toHaveLength(1));
  clock.fired = 0;
  await clock.advance(23 * hour + 60_000);
  const all = await jobs();
  const hours = all.map(({ metadata }) => Date.parse(metadata.creationTimestamp!) - midnight.getTime());
  expect(hours.sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index * hour));
  expect(all.filter(({ status }) => status?.succeeded === 1)).toHaveLength(24);
  // Some thirty steps of each Job and its pod, and what expires.
  expect(clock.fired).toBeLessThan(24 * 60);
});
