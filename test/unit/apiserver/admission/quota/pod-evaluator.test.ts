import { describe, expect, it } from "vitest";
import type { AdmissionAttributes } from "../../../../../src/apiserver/admission/admission-attributes.ts";
import { hasEnded, podEvaluator } from "../../../../../src/apiserver/admission/quota/evaluator-of.ts";

describe("a quota of pods", () => {
  it.each([
    ["pods", true],
    ["count/pods", true],
    ["limits.memory", true],
    ["hugepages-2Mi", true],
    ["requests.hugepages-2Mi", true],
    ["requests.example.com/gpu", true],
    ["limits.example.com/gpu", false],
    ["requests.storage", false],
    ["services", false],
  ])("limits %s: %s", (name, expected) => {
    expect(podEvaluator.tracks(name)).toBe(expected);
  });

  it.each([
    ["the creation of a pod", "CREATE", undefined, true],
    ["an update that changes no deadline", "UPDATE", undefined, false],
    ["a resize", "UPDATE", "resize", true],
    ["an update of the status", "UPDATE", "status", false],
    ["an eviction", "CREATE", "eviction", false],
  ] as const)("decides about %s", (_, operation, subresource, expected) => {
    const pod = { metadata: {}, spec: {} };
    const write = { operation, subresource, object: pod, oldObject: pod } as unknown as AdmissionAttributes;
    expect(podEvaluator.handles(write)).toBe(expected);
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
