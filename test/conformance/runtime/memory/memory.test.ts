import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ScriptedServer } from "../../../unit/scripted-server.ts";
import { typicalPod } from "./typical-pod.ts";

const objects = 50_000;
const few = 1_000;
const namespaces = 100;
/** A container of 256 MB also pays for the kernel's memory of the process, about 8 MB. Pages of files can be dropped. */
const limitMb = 232;
/** The text of the pods without managed fields takes 157 MB of it. */
const keptLimitMb = 180;
const program = fileURLToPath(new URL("mirror.mjs", import.meta.url));

let server: ScriptedServer;
beforeAll(async () => {
  server = await ScriptedServer.start(async ({ url, response }) => {
    response.writeHead(200, { "content-type": "application/json" });
    const served = url.pathname.startsWith("/few/") ? few : objects;
    for (let number = 0; number < served; number++) {
      const line = `{"type":"ADDED","object":${typicalPod(number, `ns-${number % namespaces}`)}}\n`;
      if (!response.write(line)) await new Promise((resolve) => response.once("drain", resolve));
    }
    const annotations = { "k8s.io/initial-events-end": "true" };
    const metadata = { resourceVersion: "1000000", annotations };
    response.write(`${JSON.stringify({ type: "BOOKMARK", object: { kind: "Pod", apiVersion: "v1", metadata } })}\n`);
  });
});
afterAll(() => server.stop());

it(`a process that mirrors ${objects} pods stays below ${limitMb} MB besides the pages of files, with a small space for new objects`, async () => {
  const told = await mirror("/");
  expect(told).toMatchObject({ count: objects, inOneNamespace: objects / namespaces });
  expect(told.peakMb).toBeLessThan(limitMb);
  expect(told.keptMb).toBeLessThan(keptLimitMb);
  expect(told.newSpaceMb).toBeLessThanOrEqual(16);
});

it(`with ${few} pods, that space does not grow`, async () => {
  const { count, newSpaceMb } = await mirror("/few");
  expect(count).toBe(few);
  expect(newSpaceMb).toBeLessThanOrEqual(4);
});

async function mirror(path: string) {
  const args = [program, new URL(path, server.config.server).href];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 280_000 });
  // V8 reports a setting that it does not have.
  expect(stderr).toBe("");
  return JSON.parse(stdout) as {
    count: number;
    inOneNamespace: number;
    peakMb: number;
    keptMb: number;
    newSpaceMb: number;
  };
}
