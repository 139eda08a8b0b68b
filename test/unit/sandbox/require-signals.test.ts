import { expect, it } from "vitest";
import { prepareScenario } from "../../../src/check/prepare-scenario.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { onWindows } from "../../on-windows.ts";

const { signal } = new AbortController();
const subject = { crds: [], before: [], command: { file: "operator", args: [], cwd: ".", env: {} } };

it.each<[string, () => Promise<unknown>]>([
  ["commands of containers", () => startSandbox({ runCommands: true }, signal)],
  ["a check", () => prepareScenario({ subject, samples: [], signal })],
])("refuses %s on Windows", async (_, start) => {
  await expect(onWindows(start)).rejects.toMatchObject({ code: "TSOP_NO_SIGNALS" });
});
