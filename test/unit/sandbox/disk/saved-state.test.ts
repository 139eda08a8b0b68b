import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConfigMapKind } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../../patience.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tsop-state-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, "state.json");

async function start(onError: (error: unknown) => void = () => {}) {
  const stop = new AbortController();
  const sandbox = await startSandbox({ simulate: false, persist: folder, onError }, stop.signal);
  const end = async () => {
    stop.abort();
    await sandbox.done;
  };
  return { client: sandbox.client, end };
}

it("restores the same objects, with later versions", async () => {
  const first = await start();
  const a = await first.client.create(ConfigMapKind, {
    metadata: { name: "a", namespace: "default" },
    data: { b: "c" },
  });
  await first.end();
  expect(statSync(file()).mode & 0o777).toBe(0o600);

  const second = await start();
  expect(await second.client.get(ConfigMapKind, { namespace: "default", name: "a" })).toEqual(a);
  const changed = await second.client.update(ConfigMapKind, { ...a, data: { b: "d" } });
  expect(Number(changed.metadata.resourceVersion)).toBeGreaterThan(Number(a.metadata.resourceVersion));
  await second.end();
});

it("saves while it runs", async () => {
  const { client, end } = await start();
  await client.create(ConfigMapKind, { metadata: { name: "early", namespace: "default" } });
  await vi.waitUntil(() => existsSync(file()) && readFileSync(file(), "utf8").includes('"early"'), patience);
  await end();
});

it("locks the folder for one run, and takes over the lock of a killed one", async () => {
  const { end } = await start();
  await expect(start()).rejects.toMatchObject({ code: "TSOP_STATE_LOCKED" });
  await end();
  writeFileSync(join(folder, "lock"), "2147483646");
  await (await start()).end();
});

it.each(["{", '{"format":99}'])("rejects an unreadable file: %s", async (text) => {
  writeFileSync(file(), text);
  await expect(start()).rejects.toMatchObject({ code: "TSOP_STATE_INVALID" });
  expect(readFileSync(file(), "utf8")).toBe(text);
});

it("reports a failed save once, keeps serving, and saves as soon as possible", async () => {
  const obstacle = join(folder, "state.json.new");
  mkdirSync(obstacle);
  const problems: unknown[] = [];
  const { client, end } = await start((error) => problems.push(error));
  const create = (name: string) => client.create(ConfigMapKind, { metadata: { name, namespace: "default" } });
  await create("a");
  await vi.waitUntil(() => problems.length > 0, patience);
  await create("b");
  rmSync(obstacle, { recursive: true });
  await vi.waitUntil(() => existsSync(file()), patience);
  await end();
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ code: "TSOP_STATE_NOT_SAVED" });
  expect(readFileSync(file(), "utf8")).toContain('"b"');
});

it("saves at the end the changes made during a save", async () => {
  // A pipe holds up who writes into it until somebody reads.
  const pipe = join(folder, "state.json.new");
  execFileSync("mkfifo", [pipe]);
  const { client, end } = await start();
  const create = (name: string, data: Record<string, string>) =>
    client.create(ConfigMapKind, { metadata: { name, namespace: "default" }, data });
  await create("large", { text: "x".repeat(500_000) });
  const reader = createReadStream(pipe);
  await once(reader, "data");
  reader.pause();
  await create("late", {});
  const ended = end();
  reader.resume();
  await ended;
  expect(readFileSync(file(), "utf8")).toContain('"late"');
});

it("fails if the last changes cannot be saved, keeps the former state, and releases the folder", async () => {
  await (await start()).end();
  const before = readFileSync(file(), "utf8");
  mkdirSync(join(folder, "state.json.new"));
  const { client, end } = await start();
  await client.create(ConfigMapKind, { metadata: { name: "lost", namespace: "default" } });
  await expect(end()).rejects.toMatchObject({ code: "TSOP_STATE_NOT_SAVED" });
  expect(readFileSync(file(), "utf8")).toBe(before);
  expect(existsSync(join(folder, "lock"))).toBe(false);
});
