import { expect, it } from "vitest";
import { controlPlaneTimeouts } from "../../../src/testing/control-plane-timeouts.ts";
import { TestEnvironment } from "../../../src/testing/index.ts";

it.each([
  [{}, {}, 20_000, 20_000],
  [{}, { START: "60s", STOP: "2m" }, 60_000, 120_000],
  [{}, { START: "1m30s", STOP: "500ms" }, 90_000, 500],
  [{}, { START: "", STOP: "1.5h" }, 20_000, 5_400_000],
  [{ startTimeoutMs: 1 }, { START: "60s", STOP: "60s" }, 1, 60_000],
])("options %j and variables %j", (options, { START, STOP }: { START?: string; STOP?: string }, start, stop) => {
  const env = { KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: START, KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT: STOP };
  expect(controlPlaneTimeouts(options, env)).toEqual({ startTimeoutMs: start, stopTimeoutMs: stop });
});

it("names a variable that is not a duration, before a start", async () => {
  const env = { KUBEBUILDER_ASSETS: "/nowhere", KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "60" };
  await expect(new TestEnvironment({ env }).start()).rejects.toMatchObject({
    code: "TSOP_TIMEOUT_INVALID",
    message: "KUBEBUILDER_CONTROLPLANE_START_TIMEOUT=60 is not a duration",
    hint: "write it with a unit, such as 60s or 2m",
  });
});
