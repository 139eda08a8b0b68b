import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FleetChange } from "../../../../src/runtime/fleet/cluster-provider.ts";
import { kubeconfigFiles, type KubeconfigFilesOptions } from "../../../../src/runtime/fleet/kubeconfig-files.ts";
import { manualClock, type ManualClock, settle } from "../../../../src/testing/manual-clock.ts";
import { runInTest } from "../run.ts";
import { until } from "../until.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tsop-files-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Writes a kubeconfig with a context for each name; the first is current. */
function kubeconfig(...servers: string[]): string {
  const named = (fields: (server: string) => string) => servers.map((name) => `- name: ${name}\n  ${fields(name)}`).join("\n"); // prettier-ignore
  return [
    `apiVersion: v1\nkind: Config\ncurrent-context: ${servers[0]}`,
    `clusters:\n${named((name) => `cluster: { server: "https://${name}.example.com" }`)}`,
    `users:\n${named(() => "user: { token: secret }")}`,
    `contexts:\n${named((name) => `context: { cluster: ${name}, user: ${name} }`)}`,
  ].join("\n");
}

/** Watches a path; `look` waits for one interval and returns the changes since the last call. */
function watch(path: string, options: KubeconfigFilesOptions = {}) {
  const clock: ManualClock = manualClock();
  const told: string[] = [];
  let error: Error | undefined;
  let looks = 0;
  const counted = { ...clock, after: (ms: number, call: () => void) => (looks++, clock.after(ms, call)) };
  const { stop, done } = runInTest(async (signal) => {
    try {
      for await (const change of kubeconfigFiles(path, { clock: counted, ...options }).watch(signal))
        told.push(describeChange(change));
    } catch (thrown) {
      error = thrown as Error;
    }
  });
  const look = async (): Promise<string[]> => {
    const before = looks;
    if (looks > 0) await clock.advance(2_000);
    await until("a look", () => looks > before || error !== undefined);
    await settle();
    if (error) throw error;
    return told.splice(0);
  };
  return { look, done, stop };
}

function describeChange(change: FleetChange): string {
  if (change.type === "cluster") return `${change.name} at ${change.config.server}`;
  if (change.type === "removed") return `${change.name} removed`;
  return change.type === "listed" ? "listed" : `invalid: ${(change.error as Error).message.replaceAll(folder, "")}`;
}

describe("kubeconfigFiles", () => {
  it("reports the contexts of a file, and their changes", async () => {
    const file = join(folder, "fleet.yaml");
    await writeFile(file, kubeconfig("a", "b"));
    const { look } = watch(file);
    expect(await look()).toEqual(["a at https://a.example.com", "b at https://b.example.com", "listed"]);
    expect(await look()).toEqual([]);
    await writeFile(file, kubeconfig("b", "c"));
    expect(await look()).toEqual(["a removed", "c at https://c.example.com"]);
  });

  it("reports a cluster for each file of a folder, without hidden files and folders", async () => {
    await writeFile(join(folder, "east.kubeconfig"), kubeconfig("a", "b"));
    await writeFile(join(folder, "west.yaml"), kubeconfig("c"));
    await writeFile(join(folder, ".hidden"), kubeconfig("d"));
    await mkdir(join(folder, "more"));
    const { look } = watch(folder);
    expect(await look()).toEqual(["east at https://a.example.com", "west at https://c.example.com", "listed"]);
    await rename(join(folder, "west.yaml"), join(folder, "north.yaml"));
    expect(await look()).toEqual(["west removed", "north at https://c.example.com"]);
    await rm(join(folder, "north.yaml"));
    expect(await look()).toEqual(["north removed"]);
  });

  it("names the contexts of a folder after their files if asked", async () => {
    await writeFile(join(folder, "east.yaml"), kubeconfig("a", "b"));
    const { look } = watch(folder, { clusters: "context" });
    expect(await look()).toEqual(["east/a at https://a.example.com", "east/b at https://b.example.com", "listed"]);
  });

  it("follows the symlinks of a mounted Secret", async () => {
    const volume = async (version: string, ...servers: string[]): Promise<void> => {
      await mkdir(join(folder, `..${version}`));
      await writeFile(join(folder, `..${version}`, "east"), kubeconfig(...servers));
      await symlink(`..${version}`, join(folder, "..data_tmp"));
      await rename(join(folder, "..data_tmp"), join(folder, "..data"));
    };
    await volume("1", "a");
    await symlink("..data/east", join(folder, "east"));
    const { look } = watch(folder);
    expect(await look()).toEqual(["east at https://a.example.com", "listed"]);
    await volume("2", "b");
    expect(await look()).toEqual(["east at https://b.example.com"]);
  });

  it("reports a broken file once, and keeps its clusters until it is repaired", async () => {
    const file = join(folder, "east.yaml");
    await writeFile(file, kubeconfig("a"));
    await writeFile(join(folder, "west.yaml"), kubeconfig("b"));
    const { look } = watch(folder);
    await look();
    await writeFile(file, "clusters: [");
    expect(await look()).toEqual([expect.stringMatching(/^invalid: kubeconfig \/east.yaml is not valid: 2:1:/)]);
    expect(await look()).toEqual([]);
    await writeFile(file, "");
    expect(await look()).toEqual([expect.stringMatching(/^invalid: kubeconfig .* names no current context/)]);
    await writeFile(file, kubeconfig("a"));
    expect(await look()).toEqual([]);
    await writeFile(file, kubeconfig("c"));
    expect(await look()).toEqual(["east at https://c.example.com"]);
  });

  it("rejects a name that another file has", async () => {
    await writeFile(join(folder, "east.conf"), kubeconfig("a"));
    await writeFile(join(folder, "east.yaml"), kubeconfig("b"));
    const { look } = watch(folder);
    expect(await look()).toEqual([
      "east at https://a.example.com",
      'invalid: cluster "east" of /east.yaml is already configured by /east.conf',
      "listed",
    ]);
  });

  it("throws if the path does not exist", async () => {
    const { look } = watch(join(folder, "nowhere"));
    await expect(look()).rejects.toMatchObject({ code: "TSOP_FLEET_PATH" });
  });

  it("ends with its signal", async () => {
    const { done, stop } = watch(folder);
    stop.abort();
    await done;
  });
});
