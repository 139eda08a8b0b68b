import { expect, it } from "vitest";
import { fitNode, schedulingProblem } from "../../../../../src/sandbox/simulation/pods/node-fit.ts";
import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodSpec,
  Taint,
  Toleration,
} from "../../../../../src/k8s/core/v1.ts";

type Placement = Partial<PodSpec>;

const required = (...nodeSelectorTerms: NodeSelectorTerm[]): Placement => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const expression = (key: string, operator: NodeSelectorRequirement["operator"], ...values: string[]): Placement =>
  required({ matchExpressions: [{ key, operator, values }] });

function fit(placement: Placement, taints: Taint[] = []) {
  const node = { metadata: { name: "n", labels: { disk: "ssd", cpus: "8" } }, spec: { taints } };
  return fitNode({ containers: [], ...placement }, node);
}

it.each<[string, Placement, boolean]>([
  ["a pod without wishes", {}, true],
  ["its name", { nodeName: "n" }, true],
  ["another name", { nodeName: "m" }, false],
  ["its labels", { nodeSelector: { disk: "ssd" } }, true],
  ["other labels", { nodeSelector: { disk: "ssd", cpus: "4" } }, false],
  ["one of the values", expression("disk", "In", "hdd", "ssd"), true],
  ["none of the values", expression("disk", "NotIn", "ssd"), false],
  ["a label", expression("disk", "Exists"), true],
  ["no label", expression("disk", "DoesNotExist"), false],
  ["a larger number", expression("cpus", "Gt", "4"), true],
  ["a smaller number", expression("cpus", "Lt", "4"), false],
  ["a field", required({ matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }] }), true],
  ["one of two terms", required({}, { matchExpressions: [{ key: "disk", operator: "Exists" }] }), true],
  ["a term that asks for nothing", required({}), false],
])("decides about %s", (_, placement, expected) => {
  expect(fit(placement)).toEqual({ starts: expected, stays: expected });
});

const taint = (effect: Taint["effect"]): Taint => ({ key: "dedicated", value: "db", effect });
it.each<[string, Taint, Toleration | undefined, string]>([
  ["keeps out", taint("NoSchedule"), undefined, "stays"],
  ["removes", taint("NoExecute"), undefined, "goes"],
  ["only discourages", taint("PreferNoSchedule"), undefined, "starts"],
  ["is tolerated by its value", taint("NoSchedule"), { key: "dedicated", value: "db" }, "starts"],
  ["is not by another value", taint("NoSchedule"), { key: "dedicated", value: "web" }, "stays"],
  ["is by its key", taint("NoSchedule"), { key: "dedicated", operator: "Exists" }, "starts"],
  ["is not by another key", taint("NoExecute"), { key: "other", operator: "Exists" }, "goes"],
  ["is by everything", taint("NoExecute"), { operator: "Exists" }, "starts"],
  ["is not for another effect", taint("NoExecute"), { operator: "Exists", effect: "NoSchedule" }, "goes"],
])("has a taint that %s", (_, tainted, toleration, expected) => {
  const { starts, stays } = fit(toleration ? { tolerations: [toleration] } : {}, [tainted]);
  expect(starts ? "starts" : stays ? "stays" : "goes").toBe(expected);
});

it("tells why the node takes no pod", () => {
  const node = (spec: object) => ({ metadata: { name: "n" }, spec: { ...spec } });
  const wordsOf = (spec: object, placement: object = {}) =>
    schedulingProblem({ containers: [], ...placement }, node(spec));
  expect(wordsOf({})).toBeUndefined();
  expect(schedulingProblem({ containers: [] }, undefined)).toBe("no nodes available to schedule pods");
  // The clusters of an operator have other nodes.
  expect(wordsOf({}, { nodeSelector: { a: "b" } })).toBeUndefined();
  expect(wordsOf({ taints: [taint("NoSchedule")] })).toBe(
    `0/1 nodes are available: 1 node(s) had untolerated taint(s).`,
  );
  expect(wordsOf({ unschedulable: true })).toBe(`0/1 nodes are available: 1 node(s) were unschedulable.`);
  expect(wordsOf({ unschedulable: true }, { tolerations: [{ operator: "Exists" }] })).toBeUndefined();
});
