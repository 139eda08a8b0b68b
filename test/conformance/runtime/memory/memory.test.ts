import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isRelease } from "../../../is-release.ts";
import { ScriptedServer } from "../../../unit/scripted-server.ts";
import { typicalPod } from "./typical-pod.ts";

const objects = 50_000;
const namespaces = 100;
/** A container of 256 MB also pays for the kernel's memory of the process, about 8 MB. Pages of files can be dropped. */
const limitMb = 232;
/** The text of the pods without managed fields takes 157 MB of it. */
const keptLimitMb = 180;
const program = fileURLToPath(new URL("mirror.mjs", import.meta.url));

let server: ScriptedServer;
beforeAll(async () => {
  server = await ScriptedServer.open(async ({ response }) => {
    response.writeHead(200, { "content-type": "application/json" });
    for (let number = 0; number < objects; number++) {
      const line = `{"type":"ADDED","object":${typicalPod(number, `ns-${number % namespaces}`)}}\n`;
      if (!response.write(line)) await new Promise((resolve) => response.once("drain", resolve));
    }
    const annotations = { "k8s.io/initial-events-end": "true" };
    const metadata = { resourceVersion: "1000000", annotations };
    response.write(`${JSON.stringify({ type: "BOOKMARK", object: { kind: "Pod", apiVersion: "v1", metadata } })}\n`);
  });
});
afterAll(() => server.stop());

it.each([
  { flags: [], limit: limitMb },
  // docs/scaling.md offers it.
  ...(isRelease ? [{ flags: ["--max-semi-space-size=4"], limit: limitMb - 20 }] : []),
])(`a process that mirrors ${objects} pods stays below $limit MB besides the pages of files: $flags`, async (given) => {
  const told = await mirror(given.flags);
  expect(told).toMatchObject({ count: objects, inOneNamespace: objects / namespaces });
  expect(told.peakMb).toBeLessThan(given.limit);
  expect(told.keptMb).toBeLessThan(keptLimitMb);
});

async function mirror(flags: readonly string[]) {
  const args = [...flags, program, server.config.server];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 280_000 });
  // V8 reports a setting that it does not have.
  expect(stderr).toBe("");
  return JSON.parse(stdout) as { count: number; inOneNamespace: number; peakMb: number; keptMb: number };
}
