import { expect, it } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { lockFolder } from "../../../src/files/lock-folder.ts";
import { type MemoryIo } from "./memory-io.ts";
import { filesOf, project, run, succeed } from "./project-io.ts";

const createApi = (kind: string): string => `create api --group cache --kind ${kind} --make=false`;
const kinds = ["Anchor", "Buoy", "Capstan", "Davit"];

/** The disk of an Io, where other work happens between two operations, as in another process. */
function shared(io: MemoryIo): MemoryIo {
  const read: Io["disk"]["read"] = async (path) => {
    await new Promise(setImmediate);
    return io.disk.read(path);
  };
  return { ...io, disk: { ...io.disk, read } };
}

it("records every one of several concurrent commands, and leaves no lock", async () => {
  const io = await project();
  expect(await Promise.all(kinds.map((kind) => run(shared(io), createApi(kind))))).toEqual([0, 0, 0, 0]);
  const text = io.disk.files.get("/p/PROJECT")!;
  expect(kinds.filter((kind) => text.includes(`kind: ${kind}\n`))).toEqual(kinds);
  const main = io.disk.files.get("/p/main.ts")!;
  expect(kinds.filter((kind) => main.includes(`new ${kind}Reconciler(`))).toEqual(kinds);
  expect([...io.disk.files.keys(), ...io.disk.folders].filter((path) => path.includes(".tsop"))).toEqual([]);
});

const command = { purpose: "tsop edit", signal: new AbortController().signal, onWait: () => {} };

it.each(["create api --group cache --kind Memcached --dry-run", "generate manifests --check", "markers", "version"])(
  "does not wait in order to read: %s",
  async (line) => {
    const io = await project();
    const lock = await lockFolder("/p", io.disk, command);
    await succeed(io, line);
    await lock.release();
  },
);

it("names the command that it waits for, and ends with an interruption", async () => {
  const io = await project();
  const lock = await lockFolder("/p", io.disk, command);
  const stop = new AbortController();
  const waiting = run({ ...io, signal: stop.signal }, createApi("Anchor"));
  await expect.poll(() => io.err()).toContain(`waiting for tsop edit (process ${process.pid})`);
  stop.abort();
  expect(await waiting).toBe(130);
  await lock.release();
  await succeed(io, createApi("Anchor"));
});

it("releases the lock after an error, and writes nothing after an interruption", async () => {
  const io = await project();
  expect(await run(io, "create api --group cache --kind not-a-kind")).toBe(1);
  const before = filesOf(io);
  expect(await run({ ...io, signal: AbortSignal.abort() }, createApi("Anchor"))).toBe(130);
  expect(filesOf(io)).toEqual(before);
  await succeed(io, createApi("Anchor"));
});

it("undoes the changes of a killed command, and reports them", async () => {
  const io = await project();
  await io.disk.makeFolder("/p/.tsop");
  await io.disk.write("/p/.tsop/undo.json", JSON.stringify({ changes: [{ path: "main.ts", existed: true }] }));
  await io.disk.rename("/p/main.ts", "/p/main.ts.tsop-old");
  await succeed(io, createApi("Anchor"));
  expect(io.err()).toContain("a command was killed while it wrote; its changes were undone\n  restored main.ts\n");
  expect(io.disk.files.get("/p/main.ts")).toContain("AnchorReconciler");
});
