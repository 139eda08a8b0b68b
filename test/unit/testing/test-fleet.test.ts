import { existsSync, readdirSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { TestEnvironment } from "../../../src/testing/test-environment.ts";
import { TestFleet } from "../../../src/testing/test-fleet.ts";
import { loadConfig } from "../../../src/client/config/load-config.ts";

// The servers are those of TestEnvironment, whose tests start real ones.
const options = { env: {} };
let fleet: TestFleet;
afterEach(() => fleet.stop());

it("starts a server for each name, with a kubeconfig, until it is removed", async () => {
  fleet = new TestFleet(["east", "west"], options);
  await fleet.start();
  await fleet.add("north");
  const { folder } = fleet;
  expect(readdirSync(folder)).toEqual(["east.kubeconfig", "north.kubeconfig", "west.kubeconfig"]);
  for (const name of ["east", "north", "west"]) {
    const { server } = await loadConfig({ kubeconfig: `${folder}/${name}.kubeconfig` });
    expect(server).toBe(fleet.cluster(name).config.server);
  }
  await fleet.remove("west");
  expect(readdirSync(folder)).toEqual(["east.kubeconfig", "north.kubeconfig"]);
  await fleet.stop();
  expect(existsSync(folder)).toBe(false);
});

it("names its servers if it has none of a name", async () => {
  fleet = new TestFleet(["east", "west"], options);
  expect(() => fleet.cluster("east")).toThrow("the test environment is not running");
  await fleet.start();
  expect(() => fleet.cluster("esat")).toThrow("the test fleet has no server esat; it has: east, west");
  await expect(fleet.remove("esat")).rejects.toThrow("the test fleet has no server esat");
});

it("keeps the server of a name that is added again", async () => {
  fleet = new TestFleet(["east"], options);
  await fleet.start();
  const { server } = fleet.cluster("east").config;
  await expect(fleet.add("east")).rejects.toMatchObject({ code: "TSOP_TEST_FLEET_NAME" });
  expect(fleet.cluster("east").config.server).toBe(server);
});

it.each(["", ".east", "../east", "a/b"])("refuses the name '%s', which is no name of a file", async (name) => {
  fleet = new TestFleet([], options);
  await fleet.start();
  await expect(fleet.add(name)).rejects.toMatchObject({ code: "TSOP_TEST_FLEET_NAME" });
});

it("is stopped if one of its servers does not start", async () => {
  fleet = new TestFleet(["east", "west"], { ...options, crdPaths: ["/no/such/folder"] });
  await expect(fleet.start()).rejects.toMatchObject({ code: expect.stringMatching(/^TSOP_/) });
  expect(() => fleet.folder).toThrow("the test environment is not running");
});

it("stops a server that still starts", async () => {
  fleet = new TestFleet([], options);
  const environment = new TestEnvironment();
  const starting = environment.start();
  await environment.stop();
  await starting;
  expect(() => environment.config).toThrow("the test environment is not running");
});
