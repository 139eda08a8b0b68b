import { describe, expect, it } from "vitest";
import { hasEnded, podEvaluator } from "../../../../../src/apiserver/admission/quota/pod-evaluator.ts";

describe("a quota of pods", () => {
  it.each([
    ["pods", true],
    ["count/pods", true],
    ["limits.memory", true],
    ["hugepages-2Mi", true],
    ["requests.hugepages-2Mi", true],
    ["requests.example.com/gpu", true],
    ["requests.deviceclass.resource.kubernetes.io/gpu", true],
    ["limits.example.com/gpu", false],
    ["requests.storage", false],
    ["services", false],
  ])("limits %s: %s", (name, expected) => {
    expect(podEvaluator.tracks(name)).toBe(expected);
  });

  const deletionTimestamp = new Date(10_000).toISOString();
  it.each([
    ["that has succeeded", { status: { phase: "Succeeded" } }, true],
    ["that has failed", { status: { phase: "Failed" } }, true],
    ["that runs", { status: { phase: "Running" } }, false],
    ["that was to end before now", { metadata: { deletionTimestamp, deletionGracePeriodSeconds: 9 } }, true],
    ["that has until now to end", { metadata: { deletionTimestamp, deletionGracePeriodSeconds: 10 } }, false],
    ["that may end at any time", { metadata: { deletionTimestamp } }, false],
  ])("judges whether a pod %s has ended", (_, pod, expected) => {
    expect(hasEnded({ metadata: {}, ...pod }, 20_000)).toBe(expected);
  });
});
