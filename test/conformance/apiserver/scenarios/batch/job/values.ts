import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { PATCH, POST } from "../../../requests.ts";
import { jobs, reasons } from "../../../steps.ts";

const pods = { restartPolicy: "Never", containers: [{ name: "c", image: "i:1" }] };
const create = (spec: object, name = "z"): RequestStep =>
  POST(
    `${jobs}?dryRun=All`,
    { metadata: { name }, spec: { template: { spec: pods }, ...spec } },
    {
      pick: ({ spec, ...rest }: any) => {
        const { selector: _selector, template: _template, ...others } = spec ?? {};
        return reasons(rest) ?? others;
      },
    },
  );
const make = (name: string, spec: object, labels: object = {}): RequestStep =>
  POST(jobs, { metadata: { name, labels }, spec: { template: { spec: pods }, ...spec } }, { unrecorded: true });
const tell = (name: string, status: object, dryRun = true): RequestStep =>
  PATCH(
    `${jobs}/${name}/status${dryRun ? "?dryRun=All" : ""}`,
    merge,
    { status },
    { pick: (body) => reasons(body) ?? body.status },
  );
const controllers = "/api/v1/namespaces/{ns}/replicationcontrollers";
const relabel = (collection: string, name: string, labels: object): RequestStep =>
  PATCH(`${collection}/${name}`, merge, { metadata: { labels } }, { pick: ({ metadata }) => metadata.labels });
const failure = (...rules: object[]): object => ({ podFailurePolicy: { rules } });
const exit = (onExitCodes: object): object => failure({ action: "Ignore", onExitCodes });
const indexed = { completionMode: "Indexed", completions: 3 };
const success = (...rules: object[]): object => ({ ...indexed, successPolicy: { rules } });
const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const startTime = "2020-01-01T00:00:00Z";
const later = "2020-01-02T00:00:00Z";
const conditions = (...types: string[]): object => ({
  conditions: types.map((type) => ({ type, status: "True" })),
});
const failed = conditions("FailureTarget", "Failed");
const complete = { startTime, completionTime: startTime, ...conditions("SuccessCriteriaMet", "Complete") };
const counts = ["active", "succeeded", "failed", "ready", "terminating"];

/** Policies of jobs, and what their status may tell. */
export const scenarios: Scenarios = {
  "job-policies": [
    ...[
      failure({ action: "FailJob" }),
      { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 4 },
      ...["A B", "a.b/c", `a.b/${"c".repeat(59)}`, `a.b/${"c".repeat(60)}`].map((managedBy) => ({ managedBy })),
      { completionMode: "" },
      { podReplacementPolicy: "" },
      failure({}),
      failure({ action: "x" }),
      failure({ action: "Ignore", onPodConditions: [{}] }),
      failure({ action: "Ignore", onPodConditions: [{ type: "a b", status: "x" }] }),
      failure(...many(21, () => ({ action: "Ignore", onPodConditions: [{ type: "a" }] }))),
      exit({}),
      exit({ operator: "x", values: [] }),
      exit({ operator: "In", values: [1, 1, 0] }),
      exit({ operator: "NotIn", values: [0, 2] }),
      exit({ operator: "In", values: many(256, (at) => at + 1) }),
      exit({ containerName: "q", operator: "In", values: [1] }),
      success(),
      success({}),
      success({ succeededCount: -1 }),
      success({ succeededCount: 4 }),
      ...["", "x", "0-3", "2,1", "1-1", "0-1-2", "0,2"].map((succeededIndexes) => success({ succeededIndexes })),
      success({ succeededIndexes: "0-1", succeededCount: 3 }),
      success(...many(21, () => ({ succeededCount: 1 }))),
      { managedBy: "" },
      { managedBy: `a.b/${"c".repeat(64)}` },
    ].map((spec) => create(spec)),
    create(indexed, "a.b"),
    create({ ...indexed, completions: 2000 }, "a".repeat(62)),
  ],
  "labels-of-templates": [
    make("labelled", {}, { app: "a" }),
    relabel(jobs, "labelled", { app: null }),
    relabel(jobs, "labelled", { app: "b", "job-name": null }),
    ...["own", "none"].map((name) =>
      POST(
        controllers,
        {
          metadata: { name, ...(name === "own" && { labels: { app: "a" } }) },
          spec: { template: { metadata: { labels: { pod: "p" } }, spec: { containers: pods.containers } } },
        },
        { pick: ({ metadata }: any) => metadata.labels },
      ),
    ),
    relabel(controllers, "own", { app: null }),
    relabel(controllers, "none", { pod: null }),
  ],
  "job-status": [
    make("plain", {}),
    make("indexed", { ...indexed, parallelism: 2, backoffLimitPerIndex: 1 }),
    make("paused", { suspend: true }),
    make("early", { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } }),
    ...counts.flatMap((name) => [tell("plain", { [name]: -1 }), tell("plain", { [name]: 1 })]),
    ...[
      { startTime },
      { completionTime: startTime },
      complete,
      { ...complete, startTime: later },
      { startTime, completionTime: startTime, ...conditions("Complete") },
      { startTime, ...conditions("Complete") },
      { startTime, ...conditions("Failed") },
      { startTime, ...failed },
      { startTime, completionTime: startTime, ...failed },
      { startTime, ...conditions("FailureTarget", "Failed", "Complete", "SuccessCriteriaMet") },
      { startTime, active: 1, ...failed },
      { startTime, ready: 1, terminating: 1, ...failed },
      { startTime, uncountedTerminatedPods: { succeeded: ["a"] }, ...failed },
      failed,
      conditions("FailureTarget", "SuccessCriteriaMet"),
      { uncountedTerminatedPods: { succeeded: ["a", "a", ""], failed: ["a"] } },
      { completedIndexes: "0" },
      { failedIndexes: "0" },
      { active: 1, ready: 2 },
    ].map((status) => tell("plain", status)),
    ...[
      { completedIndexes: "0,1", succeeded: 2 },
      { completedIndexes: "x" },
      { completedIndexes: "0-3" },
      { completedIndexes: "0-1", failedIndexes: "1-2" },
      { failedIndexes: "4" },
    ].map((status) => tell("indexed", status)),
    tell("early", { startTime, completionTime: startTime, ...conditions("Complete") }),
    tell("paused", { startTime }),
    tell("plain", { ...complete, succeeded: 1, failed: 1 }, false),
    ...[
      { startTime: later },
      { startTime: null },
      { completionTime: later },
      { completionTime: null },
      { succeeded: 0, failed: 0 },
      conditions("Complete"),
      conditions(),
      { active: 1 },
    ].map((status) => tell("plain", status)),
  ],
};
