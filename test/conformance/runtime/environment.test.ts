import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ConfigMap } from "../../../src/k8s/core/v1.ts";
import { eventually, TestEnvironment, type TestEnvironmentOptions } from "../../../src/testing/index.ts";
import { patience, startTimeoutMs } from "../../patience.ts";
import { heapInUse } from "./chaos/heap-in-use.ts";

const assets = process.env["KUBEBUILDER_ASSETS"];
const namespace = "default";
/** Maximum heap left by fifty environments; one with its schemas and objects takes more. */
const flatBytes = 4 * 1024 * 1024;

interface Target {
  readonly name: string;
  readonly times: number;
  readonly options: TestEnvironmentOptions;
}

const targets: readonly Target[] = [
  { name: "fifty embedded environments", times: 50, options: {} },
  // A real environment takes seconds to start, so two must suffice: a leak shows after the first one.
  ...(assets
    ? [{ name: "two real environments", times: 2, options: { binaryAssetsDirectory: assets, startTimeoutMs } }]
    : []),
];

let warnings: Error[];
const warn = (warning: Error): void => void warnings.push(warning);
const temporary = process.env["TMPDIR"];
beforeEach(() => {
  warnings = [];
  process.on("warning", warn);
  // Other processes write into the default folder too.
  process.env["TMPDIR"] = mkdtempSync(join(tmpdir(), "tsop-environments-"));
});
afterEach(() => {
  process.off("warning", warn);
  rmSync(tmpdir(), { recursive: true });
  if (temporary === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = temporary;
});

it.each(targets)("$name leave nothing behind", async ({ times, options }) => {
  // Data that is loaded once and kept, such as schemas, is not a leak.
  await round({});
  const before = countResources();
  const heap = heapInUse();
  for (let each = 0; each < times; each++) await round(options);
  // Connections close asynchronously.
  await eventually(
    () => expect(Object.entries(countResources()).filter(([what, count]) => count > before[what]!)).toEqual([]),
    patience,
  );
  expect(heapInUse() - heap).toBeLessThan(flatBytes);
  // For example those of an event emitter with too many listeners.
  expect(warnings).toEqual([]);
});

/** Runs one life cycle: a start, a write, a watch that is open until the end, a stop. */
async function round(options: TestEnvironmentOptions): Promise<void> {
  const env = new TestEnvironment({ env: {}, ...options });
  await env.start();
  await env.client.create(ConfigMap, { metadata: { namespace, name: "a" } });
  const watch = env.client.watch(ConfigMap, { namespace })[Symbol.asyncIterator]();
  await watch.next();
  await env.stop();
  // It ends with its server, with or without an error.
  for (let done: boolean | undefined = false; !done;) done = (await watch.next().catch(() => ({ done: true }))).done;
}

/** Resources that would keep a process or a disk busy. */
function countResources(): Record<string, number> {
  const resources = process.getActiveResourcesInfo();
  const count = (kind: RegExp): number => resources.filter((each) => kind.test(each)).length;
  return {
    connections: count(/^(TCP|TLS|Pipe)/),
    timers: count(/^(Timeout|Immediate)/),
    processes: count(/^Process/),
    files: openFiles(),
    folders: readdirSync(tmpdir()).length,
    exitListeners: process.listenerCount("exit"),
  };
}

function openFiles(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0; // no such folder on this system; connections are counted nevertheless
  }
}
