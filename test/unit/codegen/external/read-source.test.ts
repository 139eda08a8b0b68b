import { afterAll, beforeAll, expect, it } from "vitest";
import { readClusterCrds } from "../../../../src/codegen/external/read-source.ts";
import { TestEnvironment } from "../../../../src/testing/index.ts";
import { boatCrd } from "../from-crd/boat-crd.ts";

const env = new TestEnvironment({ env: {}, crds: [{ ...boatCrd({ type: "object" }) }] });
beforeAll(() => env.start());
afterAll(() => env.stop());

it.each(["boats.sea.example.com", "sea.example.com"])("reads %s", async (name) => {
  const crds = await readClusterCrds(name, env.client);
  expect(crds.map(({ spec }) => spec.names.kind)).toEqual(["Boat"]);
});

it.each([
  ["boat.sea.example.com", "did you mean --from-cluster boats.sea.example.com?"],
  ["cars.road.org", "list them: kubectl get customresourcedefinitions"],
])("refuses %s, with advice", async (name, hint) => {
  await expect(readClusterCrds(name, env.client)).rejects.toMatchObject({ code: "TSOP_CRD_UNKNOWN", hint });
});
