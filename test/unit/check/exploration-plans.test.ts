import { expect, it } from "vitest";
import { explorationPlans } from "../../../src/check/plans/exploration-plans.ts";

const metadata = { namespace: "default", name: "input" };
const custom = { apiVersion: "example.com/v1", kind: "Cache", metadata, spec: { metrics: true, size: 1 } };
const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { color: "blue" } };
const secret = { apiVersion: "v1", kind: "Secret", metadata, data: { token: "YQ==" } };
const objects = [configMap, secret, { ...secret, immutable: true }, custom];
const scenario = { steps: [{ name: "create", action: { type: "apply", objects } }] } as const;

it("changes the data of the ConfigMaps and Secrets that a custom resource may read", () => {
  const plans = explorationPlans(scenario, []);
  expect(plans.map(({ id, steps }) => [id, steps[1]?.action])).toMatchObject([
    ["exploration:ConfigMap:data.color:another value", { patch: { data: { color: "blue# drift" } } }],
    ["exploration:Secret:data.token:another value", { patch: { data: { token: "ZHJpZnQ=" } } }],
  ]);
  expect(plans[0]?.born?.action).toMatchObject({ objects: [{ data: { color: "blue# drift" } }, secret, {}, custom] });
});

it.each([
  [["spec", "metrics"], false, true],
  [["spec", "metrics"], null, true],
  [["spec", "size"], null, undefined],
  [["spec", "logs"], false, true],
  [["spec"], {}, true],
  [["spec", "storage"], {}, undefined],
])("knows for %j whether %j turns it off", (path, value, turnsOff) => {
  const sample = { object: custom, schema: {} };
  const [plan] = explorationPlans({ steps: [{ name: "create", action: { type: "apply", objects: [custom] } }] }, [
    [sample, { path, value, label: "l" }],
  ]);
  expect(plan?.turnsOff).toBe(turnsOff);
});

it("names the sample of which a field is set, if others are of its kind", () => {
  const other = { ...custom, metadata: { ...metadata, name: "other" } };
  const samples = [custom, other].map((object) => ({ object, schema: {} }));
  const first = { name: "create", action: { type: "apply", objects: [custom, other] } } as const;
  const value = { path: ["spec", "size"], value: 2, label: "a value" };
  const plans = explorationPlans(
    { steps: [first] },
    samples.map((sample) => [sample, value]),
  );
  expect(plans.map(({ id }) => id)).toEqual([
    "exploration:Cache input:spec.size:a value",
    "exploration:Cache other:spec.size:a value",
  ]);
});
