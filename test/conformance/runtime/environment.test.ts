import { expect, it } from "vitest";
import { eventually, TestEnvironment } from "../../../src/testing/index.ts";

it("fifty environments leave nothing behind", async () => {
  const inUse = (): number => process.getActiveResourcesInfo().filter((each) => each.startsWith("TCP")).length;
  const before = inUse();
  for (let round = 0; round < 50; round++) {
    const env = new TestEnvironment({ env: {} });
    await env.start();
    await env.stop();
  }
  await eventually(() => expect(inUse()).toBeLessThanOrEqual(before));
});
