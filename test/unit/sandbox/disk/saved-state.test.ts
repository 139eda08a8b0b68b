import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAuthority } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../../src/apimachinery/meta.ts";
import { formatEntry } from "../../../../src/sandbox/disk/log-records.ts";
import { ConfigMapKind } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox, type SandboxOptions } from "../../../../src/sandbox/start-sandbox.ts";
import { onWindows } from "../../../on-windows.ts";
import { patience } from "../../../patience.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tsop-state-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, "state.log");
const authorityFile = () => join(folder, "authority.json");

async function start(options: SandboxOptions = {}) {
  const stop = new AbortController();
  const sandbox = await startSandbox({ simulate: false, persist: folder, ...options }, stop.signal);
  const end = async () => {
    stop.abort();
    await sandbox.done;
  };
  return { ...sandbox, end };
}

type Client = Awaited<ReturnType<typeof start>>["client"];

const namespace = "default";
const create = (client: Client, name: string, text = "") =>
  client.create(ConfigMapKind, { metadata: { name, namespace }, data: { text } });

/** Starts from a copy of the folder as it is now: what a killed process leaves behind. */
async function startCopy(): Promise<Awaited<ReturnType<typeof start>>> {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true, filter: (path) => path !== join(folder, "lock") });
  const copied = await start({ persist: copy });
  const end = () => copied.end().finally(() => rmSync(copy, { recursive: true }));
  return { ...copied, end };
}

it("restores the same objects, with later versions", async () => {
  const first = await start();
  const a = await create(first.client, "a");
  await first.end();
  expect(readdirSync(folder).toSorted()).toEqual(["authority.json", "state.log"]);
  for (const path of [file(), authorityFile()]) expect(statSync(path).mode & 0o777).toBe(0o600);

  const second = await start();
  expect(await second.client.get(ConfigMapKind, { namespace, name: "a" })).toEqual(a);
  const changed = await second.client.update(ConfigMapKind, { ...a, data: { b: "d" } });
  expect(Number(changed.metadata.resourceVersion)).toBeGreaterThan(Number(a.metadata.resourceVersion));
  await second.end();
});

it("has each change in the folder when it is answered", async () => {
  const { client, end } = await start();
  const a = await create(client, "a");
  const b = await create(client, "b");
  const changed = await client.update(ConfigMapKind, { ...a, data: { text: "new" } });
  await client.delete(ConfigMapKind, { namespace, name: "b" });
  const copy = await startCopy();
  const { items, metadata } = await copy.client.list(ConfigMapKind, { namespace });
  expect(items.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt")).toEqual([changed]);
  expect(Number(metadata.resourceVersion)).toBeGreaterThan(Number(b.metadata.resourceVersion) + 2);
  await copy.end();
  await end();
});

it("locks the folder for one run, and takes over the lock of a killed one", async () => {
  const { end } = await start();
  await expect(start()).rejects.toMatchObject({ code: "TSOP_STATE_LOCKED" });
  await end();
  writeFileSync(join(folder, "lock"), "2147483646");
  await (await start()).end();
});

describe("a folder of somebody else", () => {
  const strange = () => `${folder}-strange`;
  afterEach(() => rmSync(strange(), { force: true }));

  it.each(["state.log.new", "authority.json.new"])("leads no write out of it through %s", async (name) => {
    writeFileSync(strange(), "of the user");
    symlinkSync(strange(), join(folder, name));
    const { client, end } = await start();
    await create(client, "a");
    await end();
    expect(readFileSync(strange(), "utf8")).toBe("of the user");
    expect(readdirSync(folder).toSorted()).toEqual(["authority.json", "state.log"]);
  });

  it.each(["state.log", "state.log.old"])("is refused if %s is a link", async (name) => {
    await (await start()).end();
    renameSync(file(), strange());
    symlinkSync(strange(), join(folder, name));
    const before = readFileSync(strange());
    const message = `${file()} can't be read: it is a symbolic link`;
    await expect(start()).rejects.toMatchObject({ code: "TSOP_STATE_INVALID", message });
    expect(readFileSync(strange())).toEqual(before);
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  it("may have a lock that is a link to nothing", async () => {
    symlinkSync(strange(), join(folder, "lock"));
    await (await start()).end();
    expect(existsSync(strange())).toBe(false);
  });

  const isUnix = process.platform !== "win32";
  it.runIf(isUnix).each(["state.log", "authority.json", "lock"])(
    "is refused if %s is a FIFO or a device",
    async (name) => {
      const path = join(folder, name);
      execFileSync("mkfifo", [path]);
      await expect(start()).rejects.toMatchObject({
        code: "TSOP_FILE_NOT_REGULAR",
      });
      rmSync(path);
      if (name === "state.log") return;
      symlinkSync("/dev/zero", path);
      await expect(start()).rejects.toMatchObject({ code: "TSOP_FILE_NOT_REGULAR" });
    },
  );

  it("is refused for an object that is nested too deeply, with its line", async () => {
    await (await start()).end();
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const text = (levels: number) => `{"metadata":{"name":"deep","namespace":"default"},"data":${deep(levels)}}`;
    const entry = { resource: "/configmaps", key: "default/deep", revision: 10_000 };
    const log = readFileSync(file());
    writeFileSync(file(), Buffer.concat([log, formatEntry({ ...entry, text: text(200_000) })]));
    const line = log.toString().split("\n").length;
    const reason = `the object in line ${line} has more than 1000 levels`;
    await expect(start()).rejects.toMatchObject({ message: `${file()} can't be read: ${reason}` });
  });
});

it("cuts a part of a record at the end, and goes on after it", async () => {
  const first = await start();
  const a = await create(first.client, "a");
  await create(first.client, "b");
  await first.end();
  const text = readFileSync(file());
  writeFileSync(file(), text.subarray(0, -20));
  const second = await start();
  await create(second.client, "c");
  await second.end();
  const third = await start();
  const { items } = await third.client.list(ConfigMapKind, { namespace });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["a", "c"]);
  expect(items[0]).toEqual(a);
  await third.end();
});

it.each([
  ["another format", () => "tsop state log, format 1\n", "TSOP_STATE_INVALID"],
  ["the format of a newer tsop", () => "tsop state log, format 3\n", "TSOP_STATE_NEWER"],
  ["damage", (text: string) => text.replace('"key":"default"', '"key":"defaulT"'), "TSOP_STATE_DAMAGED"],
])("refuses a log with %s, and leaves it alone", async (_, change, code) => {
  await (await start()).end();
  const text = change(readFileSync(file(), "utf8"));
  writeFileSync(file(), text);
  await expect(start()).rejects.toMatchObject({ code, message: expect.stringContaining(file()) });
  expect(readFileSync(file(), "utf8")).toBe(text);
  expect(readdirSync(folder).toSorted()).toEqual(["authority.json", "state.log"]);
});

it("creates missing default roles and bindings at each start, as a real server does", async () => {
  const group = "rbac.authorization.k8s.io";
  const [kind, plural] = ["ClusterRoleBinding", "clusterrolebindings"];
  const Binding = defineKind<KubeObject>({ group, version: "v1", kind, plural, scope: "Cluster" });
  const first = await start();
  const binding = await first.client.get(Binding, { name: "system:discovery" });
  await first.client.delete(Binding, { name: "system:discovery" });
  await first.end();

  const second = await start();
  const restored = await second.client.get(Binding, { name: "system:discovery" });
  expect({ ...restored, metadata: restored.metadata.name }).toEqual({ ...binding, metadata: "system:discovery" });
  await second.end();
  const third = await start();
  expect(await third.client.get(Binding, { name: "system:discovery" })).toEqual(restored);
  await third.end();
});

describe("rewriting", () => {
  const text = "x".repeat(900_000);
  /** Writes more than fits in a log that is not rewritten. */
  const writeMuch = async (client: Client, name: string) => {
    for (let index = 0; index < 38; index++) {
      await create(client, name, text);
      await client.delete(ConfigMapKind, { namespace, name });
    }
  };

  it("keeps the state and what is written meanwhile", async () => {
    const { client, end } = await start();
    const kept = await create(client, "kept", text);
    await writeMuch(client, "often");
    let count = 0;
    const small = async () => void (await create(client, `small-${count++}`));
    await vi.waitUntil(() => small().then(() => statSync(file()).size < 8_000_000), { ...patience, interval: 0 });
    const copy = await startCopy();
    const { items } = await copy.client.list(ConfigMapKind, { namespace });
    const names = items.map(({ metadata }) => metadata.name);
    expect(names).toHaveLength(1 + count);
    expect(items.find(({ metadata }) => metadata.name === "kept")).toEqual(kept);
    await copy.end();
    await end();
  });

  it("moves the open log away on Windows, which does not replace it", async () => {
    await onWindows(async () => {
      const { client, end } = await start();
      const watched = watch(folder);
      const moved = new Promise<void>((resolve) => {
        watched.on("change", (_, name) => name === "state.log.old" && resolve());
      });
      await writeMuch(client, "often");
      await moved;
      watched.close();
      await vi.waitUntil(() => readdirSync(folder).length === 3, patience);
      const last = await create(client, "last");
      await end();
      const again = await start();
      expect(await again.client.get(ConfigMapKind, { namespace, name: "last" })).toEqual(last);
      await again.end();
    });
    expect(readdirSync(folder).toSorted()).toEqual(["authority.json", "state.log"]);
  });

  it.each([
    ["state.log.new", () => writeFileSync(`${file()}.new`, readFileSync(file()).subarray(0, 1000))],
    ["state.log.old", () => writeFileSync(`${file()}.old`, "")],
    ["state.log.old alone", () => renameSync(file(), `${file()}.old`)],
  ])("that a kill interrupted leaves nothing behind: %s", async (_, interrupt) => {
    const first = await start();
    const kept = await create(first.client, "kept");
    await first.end();
    interrupt();
    const second = await start();
    expect(await second.client.get(ConfigMapKind, { namespace, name: "kept" })).toEqual(kept);
    await second.end();
    expect(readdirSync(folder).toSorted()).toEqual(["authority.json", "state.log"]);
  });

  it("reports its failure once, and the log stays as it is", async () => {
    const problems: unknown[] = [];
    const { client, end } = await start({ onError: (error) => problems.push(error) });
    mkdirSync(join(folder, "state.log.new"));
    await writeMuch(client, "often");
    await vi.waitUntil(() => problems.length > 0, patience);
    const last = await create(client, "last");
    await end();
    expect(problems).toMatchObject([{ code: "TSOP_STATE_NOT_SAVED" }]);
    rmSync(join(folder, "state.log.new"), { recursive: true });
    const again = await start();
    expect(await again.client.get(ConfigMapKind, { namespace, name: "last" })).toEqual(last);
    await again.end();
  });
});

describe("the authority", () => {
  const user = { username: "robot", groups: ["robots"] };

  it("and the tokens are those of the runs before", async () => {
    const first = await start();
    const credentials = [first.config, first.addUser(user)].map(({ ca, token }) => ({ ca, token }));
    await first.end();
    const second = await start();
    expect([second.config, second.addUser(user)]).toMatchObject(credentials);
    expect(second.addUser({ ...user, groups: [] }).token).not.toBe(credentials[1]!.token);
    await second.end();
    const stranger = await start({ persist: join(folder, "other") });
    expect(stranger.config.ca).not.toBe(credentials[0]!.ca);
    expect(stranger.config.token).not.toBe(credentials[0]!.token);
    await stranger.end();
  });

  it("is replaced when it expires soon, without the tokens", async () => {
    const first = await start();
    await first.end();
    const soon = Date.now() - 365 * 24 * 3600_000 + 20 * 24 * 3600_000;
    const saved = JSON.parse(readFileSync(authorityFile(), "utf8")) as object;
    writeFileSync(authorityFile(), JSON.stringify({ ...saved, ca: createAuthority(soon) }));
    const second = await start();
    expect(second.config).toMatchObject({
      token: first.config.token,
      ca: expect.not.stringContaining(first.config.ca!),
    });
    await second.end();
    const third = await start();
    expect(third.config.ca).toBe(second.config.ca);
    await third.end();
  });

  it.each([
    ["is cut", (text: string) => text.slice(0, 100)],
    ["has another format", (text: string) => text.replace('"format": 1', '"format": 0')],
    ["has a foreign key", replaceKey],
    ["has half a token key", (text: string) => text.replace(/"tokenKey": ".{20}/, '"tokenKey": "')],
  ])("that %s is refused, with the file to remove", async (_, change) => {
    await (await start()).end();
    writeFileSync(authorityFile(), change(readFileSync(authorityFile(), "utf8")));
    await expect(start()).rejects.toMatchObject({
      code: "TSOP_STATE_INVALID",
      hint: `start over: rm ${authorityFile()}`,
    });
    rmSync(authorityFile());
    await (await start()).end();
  });

  it("of a newer tsop is refused, without the advice to remove it", async () => {
    await (await start()).end();
    const text = readFileSync(authorityFile(), "utf8").replace('"format": 1', '"format": 2');
    writeFileSync(authorityFile(), text);
    await expect(start()).rejects.toMatchObject({
      message: `${authorityFile()} has format 2, which a newer tsop writes; this one reads 1`,
      hint: "use that tsop, or give another folder to --persist",
    });
    expect(readFileSync(authorityFile(), "utf8")).toBe(text);
  });
});

function replaceKey(text: string): string {
  const saved = JSON.parse(text) as { ca: object };
  return JSON.stringify({ ...saved, ca: { ...saved.ca, key: createAuthority(Date.now()).key } });
}
