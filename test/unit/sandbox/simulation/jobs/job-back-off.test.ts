import { expect, it } from "vitest";
import { addToBackOff, backOffLeft, noBackOff } from "../../../../../src/sandbox/simulation/jobs/job-plan.ts";
import type { Pod } from "../../../../../src/sandbox/simulation/context/simulated-kinds.ts";

const start = Date.parse("2026-05-01T10:00:00Z");

/** Pods that ended so many seconds after the start. */
function pod(phase: "Running" | "Succeeded" | "Failed", second = 0): Pod {
  const finishedAt = new Date(start + second * 1000).toISOString();
  const containerStatuses = [
    { name: "a", state: phase === "Running" ? { running: {} } : { terminated: { finishedAt } } },
  ];
  return { metadata: {}, spec: { containers: [] }, status: { phase, containerStatuses } } as unknown as Pod;
}

it.each<[string, Pod[], number]>([
  ["nothing has failed", [pod("Running"), pod("Succeeded", 1)], 0],
  ["once", [pod("Failed", 3)], 13],
  ["twice", [pod("Failed", 3), pod("Failed", 14)], 34],
  ["thrice, in any order", [pod("Failed", 50), pod("Failed", 3), pod("Failed", 14)], 90],
  ["a success in between begins anew", [pod("Failed", 3), pod("Succeeded", 4), pod("Failed", 14)], 24],
  ["never longer than ten minutes", Array.from({ length: 12 }, () => pod("Failed", 0)), 600],
])("waits: %s", (_, pods, second) => {
  const ended = (phase: string) => pods.filter(({ status }) => status?.phase === phase);
  const backOff = addToBackOff(noBackOff, { succeeded: ended("Succeeded"), failed: ended("Failed") });
  expect(backOffLeft(backOff, start)).toBe(second * 1000);
  expect(backOffLeft(backOff, start + second * 1000)).toBe(0);
});

it("goes on counting until the next success", () => {
  const once = addToBackOff(noBackOff, { succeeded: [], failed: [pod("Failed", 3)] });
  const twice = addToBackOff(once, { succeeded: [], failed: [pod("Failed", 14)] });
  expect(backOffLeft(twice, start)).toBe(34_000);
  expect(addToBackOff(twice, { succeeded: [pod("Succeeded", 20)], failed: [] })).toEqual(noBackOff);
});
