import { afterEach, expect, it } from "vitest";
import { RunnableGroup } from "../../../../src/runtime/manager/runnable-groups.ts";
import { settle } from "../../../../src/testing/manual-clock.ts";

const warnings: Error[] = [];
const keep = (warning: Error): void => void warnings.push(warning);
afterEach(() => process.off("warning", keep));

it("takes any number of runnables that listen to its signal, without a warning of Node", async () => {
  process.on("warning", keep);
  const group = new RunnableGroup("controllers", (error) => {
    throw error;
  });
  const start = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  for (let i = 0; i < 30; i++) group.add({ start });
  group.start();
  await settle();
  await group.stop();
  expect(warnings).toEqual([]);
});
