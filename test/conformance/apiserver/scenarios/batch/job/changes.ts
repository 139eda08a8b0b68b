import type { RequestStep, Scenarios } from "../../../scenario.ts";
import { patch, post, tryPatch } from "../../../steps.ts";

const batch = "/apis/batch/v1/namespaces/{ns}/jobs";
const pods = { restartPolicy: "Never", containers: [{ name: "c", image: "i:1" }] };

const job = (name: string, spec: object): RequestStep => post(batch, name, { template: { spec: pods }, ...spec });
const jobChange = (name: string, spec: object): RequestStep => tryPatch(`${batch}/${name}`, { spec });
const podChange = (name: string, spec: object): RequestStep => jobChange(name, { template: { spec } });
const container = (more: object): object => ({ containers: [{ name: "c", image: "i:1", ...more }] });
const term = (key: string): object => ({ matchExpressions: [{ key, operator: "Exists" }] });
const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term("a")] } };
const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "a", labelSelector: {} }] };
const small = { resources: { requests: { cpu: "1" } } };

/** Which fields may change after creation. */
export const scenarios: Scenarios = {
  "job-suspended": [
    job("a", { suspend: true }),
    podChange("a", { nodeSelector: { a: "b" } }),
    podChange("a", { tolerations: [{ key: "a", operator: "Exists" }] }),
    podChange("a", { schedulingGates: [{ name: "a.b/c" }] }),
    podChange("a", { affinity: { nodeAffinity } }),
    podChange("a", { affinity: { podAffinity } }),
    podChange("a", { affinity: { nodeAffinity, podAntiAffinity: podAffinity } }),
    podChange("a", { affinity: {} }),
    podChange("a", container(small)),
    podChange("a", container({ image: "i:2" })),
    podChange("a", { containers: [{ name: "d", image: "i:1", ...small }] }),
    podChange("a", { containers: [...pods.containers, { name: "d", image: "i:1" }] }),
    podChange("a", container({ resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }] })),
    podChange("a", small),
    podChange("a", { priorityClassName: "system-node-critical" }),
    podChange("a", { nodeName: "n" }),
    podChange("a", { schedulerName: "s" }),
    podChange("a", { runtimeClassName: "r" }),
    podChange("a", { activeDeadlineSeconds: 5 }),
    podChange("a", {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule" }],
    }),
    jobChange("a", { template: { metadata: { annotations: { a: "b" } } } }),
    jobChange("a", { template: { metadata: { labels: { a: "b" } } } }),
    jobChange("a", { template: { metadata: { labels: { "job-name": null } } } }),
    jobChange("a", { template: { metadata: { labels: { "batch.kubernetes.io/controller-uid": null } } } }),
    jobChange("a", { template: { metadata: { labels: { "job-name": "b", "controller-uid": "b" } } } }),
    jobChange("a", { template: { metadata: { name: "b" } } }),
    jobChange("a", { template: { metadata: { finalizers: ["a.b/c"] } } }),
    jobChange("a", { suspend: false, template: { spec: { nodeSelector: { a: "b" } } } }),
    jobChange("a", { suspend: false, template: { spec: container(small) } }),
    // The affinity to nodes may go; to pods it stays.
    job("b", {
      suspend: true,
      template: { spec: { ...pods, affinity: { nodeAffinity }, initContainers: [{ name: "i", image: "i:1" }] } },
    }),
    podChange("b", { affinity: null }),
    podChange("b", { affinity: { nodeAffinity: null } }),
    podChange("b", { affinity: { podAffinity } }),
    podChange("b", { initContainers: [{ name: "i", image: "i:1", ...small }] }),
    job("c", { suspend: true, template: { spec: { ...pods, affinity: { nodeAffinity, podAffinity } } } }),
    podChange("c", { affinity: null }),
    podChange("c", { affinity: { nodeAffinity: null } }),
    // It is suspended, and was not before.
    job("d", {}),
    podChange("d", { nodeSelector: { a: "b" } }),
    podChange("d", container(small)),
    jobChange("d", { suspend: true, template: { spec: { nodeSelector: { a: "b" } } } }),
    jobChange("d", { suspend: true, template: { spec: container(small) } }),
    // It has started.
    patch(`${batch}/d/status`, { status: { startTime: "2026-01-02T03:04:05Z", active: 1 } }),
    patch(`${batch}/d`, { spec: { suspend: true } }),
    podChange("d", { nodeSelector: { a: "b" } }),
    podChange("d", container(small)),
    patch(`${batch}/d/status`, { status: { conditions: [{ type: "Suspended", status: "True" }] } }),
    podChange("d", { nodeSelector: { a: "b" } }),
    podChange("d", container(small)),
    patch(`${batch}/d/status`, { status: { active: 0 } }),
    podChange("d", { nodeSelector: { a: "b" } }),
    podChange("d", container(small)),
    patch(`${batch}/d/status`, { status: { conditions: [], startTime: null } }),
    podChange("d", { nodeSelector: { a: "b" } }),
    podChange("d", container(small)),
    // Nobody has suspended it, though a condition says so.
    job("e", {}),
    patch(`${batch}/e/status`, { status: { conditions: [{ type: "Suspended", status: "True" }] } }),
    podChange("e", { nodeSelector: { a: "b" } }),
    // A suspended one with active pods that has not started.
    patch(`${batch}/a/status`, { status: { active: 1 } }),
    podChange("a", { nodeSelector: { a: "b" } }),
    podChange("a", container(small)),
  ],
  "job-changes": [
    job("a", {}),
    jobChange("a", { completions: 2 }),
    jobChange("a", { completions: null }),
    jobChange("a", { parallelism: 2 }),
    jobChange("a", { managedBy: "a.b/c" }),
    jobChange("a", { podFailurePolicy: { rules: [] } }),
    jobChange("a", { podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "x" }] }] } }),
    jobChange("a", { successPolicy: { rules: [{ succeededCount: 1 }] } }),
    jobChange("a", { backoffLimitPerIndex: 1 }),
    jobChange("a", { completionMode: "Indexed" }),
    jobChange("a", { podReplacementPolicy: "Failed" }),
    jobChange("a", { manualSelector: true }),
    jobChange("a", { selector: { matchLabels: { a: "b" } } }),
    jobChange("a", { selector: null }),
    jobChange("a", { backoffLimit: 1, activeDeadlineSeconds: 5, ttlSecondsAfterFinished: 5, suspend: true }),
    job("b", {
      completionMode: "Indexed",
      completions: 3,
      parallelism: 3,
      managedBy: "a.b/c",
      podFailurePolicy: { rules: [{ action: "Ignore", onExitCodes: { operator: "In", values: [1] } }] },
    }),
    jobChange("b", { completions: 2 }),
    jobChange("b", { completions: 2, parallelism: 2 }),
    jobChange("b", { completions: 4, parallelism: 4 }),
    jobChange("b", { completions: 4, parallelism: 3 }),
    jobChange("b", { parallelism: 2 }),
    jobChange("b", { managedBy: null }),
    jobChange("b", { managedBy: "a.b/d" }),
    jobChange("b", { podFailurePolicy: null }),
    jobChange("b", { backoffLimitPerIndex: 2 }),
    jobChange("b", { completionMode: "NonIndexed" }),
    job("c", { completions: 4 }),
    jobChange("c", { completions: 1, parallelism: 1 }),
    {
      ...job("d", { podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "x" }] }] } }),
      pick: ({ spec }) => spec.podFailurePolicy,
    },
    job("e", { completionMode: "Indexed", completions: 200_000, parallelism: 100_001 }),
    job("f", { podReplacementPolicy: "Nope" }),
    job("f", { podReplacementPolicy: "TerminatingOrFailed", podFailurePolicy: { rules: [] } }),
  ],
};
