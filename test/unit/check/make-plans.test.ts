import { expect, it } from "vitest";
import { makePlans } from "../../../src/check/plans/make-plans.ts";
import { emptyRecord } from "./empty-record.ts";

const steps = [{ name: "create", action: { type: "apply", objects: [] } }] as const;
const request = { at: 0, step: "create", by: "cluster", verb: "", signature: "", occurrence: 0, status: 200 } as const;
const objectOf = (name: string) => ({ apiVersion: "v1", kind: "K", metadata: { name } });

it.each([
  [
    "each watch that shows something, beside all of them",
    ["/secrets d/a", "apps/deployments d/a"],
    ["all", "v1/secrets", "apps/v1/deployments"],
  ],
  ["all watches only, if one shows something", ["/secrets d/a", "batch/jobs d/a"], ["all"]],
])("delays %s", (_, changed, delayed) => {
  const changes = changed.map((id) => ({ id, before: undefined, after: objectOf("a") }));
  const watched = new Set(["v1/secrets", "v1/pods", "apps/v1/deployments"]);
  const plans = makePlans({ steps }, { ...emptyRecord, watched, requests: [{ ...request, changes }] }, []);
  const ids = plans.filter(({ faultClass }) => faultClass === "lag").map(({ id }) => id);
  expect(ids).toEqual(delayed.map((name) => `lag:${name}`));
});
