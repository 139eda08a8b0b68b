import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPlan } from "../../../src/files/apply.ts";
import type { Disk } from "../../../src/files/disk.ts";
import { memoryDisk, type MemoryDisk } from "../../../src/files/memory-disk.ts";
import type { Plan } from "../../../src/files/plan.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { before, plan } from "./example-plan.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

describe("applyPlan", () => {
  it("creates, updates and removes, and leaves no other file or empty folder", async () => {
    const disk = memoryDisk(before);
    expect(await applyPlan(plan, disk)).toEqual({
      created: ["x/run.sh", "x/y/new.ts"],
      updated: ["PROJECT", "main.ts"],
      removed: ["b/gone.ts"],
    });
    expect(Object.fromEntries(disk.files)).toEqual({
      "/p/PROJECT": "new project\n",
      "/p/main.ts": "2\n",
      "/p/x/y/new.ts": "new\n",
      "/p/x/run.sh": "#!/bin/sh\n",
      "/p/a/keep.ts": "mine\n",
    });
    expect(disk.folders.has("/p/b")).toBe(false);
    expect([...disk.executables]).toEqual(["/p/x/run.sh"]);
  });

  it("lists every conflict at once and writes nothing", async () => {
    const disk = memoryDisk({ ...before, "/p/x/y/new.ts": "taken\n", "/p/main.ts": "edited meanwhile\n" });
    const error = await applyPlan(plan, disk).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "TSOP_FILES_EXIST" });
    expect((error as Error).message).toBe("these files exist and would be overwritten:\n  main.ts\n  x/y/new.ts");
    expect(disk.files.get("/p/PROJECT")).toBe("old project\n");
  });

  it("rejects a plan with two changes of a file", async () => {
    const twice: Plan = { ...plan, changes: [...plan.changes, plan.changes[0]!] };
    await expect(applyPlan(twice, memoryDisk(before))).rejects.toThrow("two changes for");
  });

  it("overwrites conflicting files if forced", async () => {
    const disk = memoryDisk({ ...before, "/p/x/y/new.ts": "taken\n", "/p/b/gone.ts": "edited\n" });
    await applyPlan(plan, disk, { force: true });
    expect(disk.files.get("/p/x/y/new.ts")).toBe("new\n");
    expect(disk.files.has("/p/b/gone.ts")).toBe(false);
  });

  it("changes nothing in a second run", async () => {
    const disk = memoryDisk(before);
    await applyPlan(plan, disk);
    const again = await applyPlan(plan, disk);
    expect([again.created, again.updated, again.removed]).toEqual([[], [], []]);
  });

  it("writes PROJECT after all other files", async () => {
    const renames: string[] = [];
    const disk = memoryDisk(before);
    const rename = async (from: string, to: string): Promise<void> => {
      renames.push(to);
      await disk.rename(from, to);
    };
    await applyPlan(plan, { ...disk, rename });
    expect(renames.at(-1)).toBe("/p/PROJECT");
  });

  it("restores every byte and folder after any failing disk operation", async () => {
    const operations = await countOperations();
    expect(operations).toBeGreaterThan(15);
    for (let position = 1; position <= operations; position++) {
      const disk = memoryDisk(before);
      const folders = [...disk.folders].toSorted();
      const error = await applyPlan(plan, failingDisk(disk, position)).catch((error: unknown) => error);
      expect(error, `operation ${position}`).toMatchObject({ code: "TSOP_WRITE_FAILED" });
      expect((error as Error).message).toContain("ENOSPC");
      expect(Object.fromEntries(disk.files), `operation ${position}`).toEqual(before);
      expect([...disk.folders].toSorted(), `operation ${position}`).toEqual(folders);
    }
  });

  it("never hides a file from a concurrent reader, during the change or the rollback", async () => {
    const operations = await countOperations();
    const kept = ["/p/PROJECT", "/p/main.ts", "/p/a/keep.ts"];
    for (let position = 1; position <= operations + 1; position++) {
      const disk = memoryDisk(before);
      const missing: string[] = [];
      const look = (): void => void missing.push(...kept.filter((path) => !disk.files.has(path)));
      await applyPlan(plan, watchedDisk(failingDisk(disk, position), look)).catch(() => undefined);
      look();
      expect(missing, `operation ${position}`).toEqual([]);
    }
  });

  it("ignores the leftovers of a killed run", async () => {
    const disk = memoryDisk({ ...before, "/p/main.ts.tsop-old": "0\n", "/p/main.ts.tsop-new": "half" });
    await applyPlan(plan, disk);
    expect([...disk.files.keys()].filter((path) => path.startsWith("/p/main.ts"))).toEqual(["/p/main.ts"]);
    expect(disk.files.get("/p/main.ts")).toBe("2\n");
  });

  it("reports a failing rollback too", async () => {
    const disk = memoryDisk(before);
    const broken: Disk = {
      ...disk,
      rename: (from, to) => (to.endsWith(".tsop-old") ? disk.rename(from, to) : Promise.reject(new Error("EIO"))),
    };
    await expect(applyPlan(plan, broken)).rejects.toMatchObject({ code: "TSOP_UNDO_FAILED" });
  });
});

describe("applyPlan on the real disk", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) {
      execFileSync("chmod", ["-R", "u+rwx", folder]);
      rmSync(folder, { recursive: true });
    }
  });
  const makeRoot = (): string => {
    const root = temporaryFolder();
    folders.push(root);
    return root;
  };

  it("writes files with their modes, and lists them", async () => {
    const root = makeRoot();
    mkdirSync(join(root, "b"));
    for (const [path, text] of Object.entries(before)) {
      mkdirSync(join(root, path.slice(2), ".."), { recursive: true });
      writeFileSync(join(root, path.slice(2)), text);
    }
    await applyPlan({ ...plan, root }, realDisk());
    const files = await realDisk().list(root, { skip: (name) => name === "a" });
    expect(files).toEqual(["PROJECT", "main.ts", "x/run.sh", "x/y/new.ts"]);
    expect(statSync(join(root, "x/run.sh")).mode & 0o777).toBe(0o755);
    expect(readdirSync(root)).not.toContain("b");
  });

  it.skipIf(process.getuid?.() === 0)(
    "leaves a read-only folder unchanged (not as root, which may write anyway)",
    async () => {
      const root = makeRoot();
      writeFileSync(join(root, "main.ts"), "1\n");
      chmodSync(root, 0o555);
      const change = { type: "update", path: "main.ts", text: "2\n", before: "1\n" } as const;
      await expect(applyPlan({ root, changes: [change] }, realDisk())).rejects.toMatchObject({
        code: "TSOP_WRITE_FAILED",
      });
      expect(readFileSync(join(root, "main.ts"), "utf8")).toBe("1\n");
    },
  );

  it("reports a file in place of a folder, and changes nothing", async () => {
    const root = makeRoot();
    writeFileSync(join(root, "x"), "a file");
    const changes = plan.changes.filter(({ type }) => type === "create");
    await expect(applyPlan({ root, changes }, realDisk())).rejects.toMatchObject({ code: "TSOP_WRITE_FAILED" });
    expect(readdirSync(root)).toEqual(["x"]);
  });
});

describe("a plan that leaves its root", () => {
  let top: string;
  let root: string;
  beforeEach(() => {
    top = temporaryFolder();
    root = join(top, "project");
    mkdirSync(join(top, "victim"));
    mkdirSync(root);
    writeFileSync(join(top, "victim/file.ts"), "precious\n");
    symlinkSync(join(top, "victim"), join(root, "linked"));
    symlinkSync("linked", join(root, "indirect"));
  });

  it.each([
    "../victim/file.ts",
    "a/../../victim/file.ts",
    "linked/file.ts",
    "indirect/new/file.ts",
    "/etc/x",
    "..",
    "",
  ])("%j: is rejected before anything is written or removed", async (path) => {
    const changes = [
      { type: "create", path, text: "mine\n", ifExists: "overwrite" },
      { type: "update", path, text: "mine\n", before: "precious\n" },
      { type: "remove", path, before: "precious\n" },
    ] as const;
    for (const change of changes) {
      const beside = { type: "create", path: "beside.ts", text: "1\n" } as const;
      const plan = { root, changes: [beside, change] };
      await expect(applyPlan(plan, realDisk(), { force: true })).rejects.toMatchObject({ code: "TSOP_OUTSIDE" });
    }
    expect(readFileSync(join(top, "victim/file.ts"), "utf8")).toBe("precious\n");
    expect(await realDisk().list(top)).toEqual(["project/indirect", "project/linked", "victim/file.ts"]);
  });

  it("replaces a link to a file, and never writes through it", async () => {
    symlinkSync(join(top, "victim/file.ts"), join(root, "file.ts"));
    const change = { type: "create", path: "file.ts", text: "mine\n", ifExists: "overwrite" } as const;
    await applyPlan({ root, changes: [change] }, realDisk());
    expect(readFileSync(join(root, "file.ts"), "utf8")).toBe("mine\n");
    expect(readFileSync(join(top, "victim/file.ts"), "utf8")).toBe("precious\n");
  });

  it("never writes through a link that has the name of a file's next text", async () => {
    mkdirSync(join(root, ".tsop"));
    for (const name of ["file.ts.tsop-new", ".tsop/undo.json"])
      symlinkSync(join(top, "victim/file.ts"), join(root, name));
    const changes = [{ type: "create", path: "file.ts", text: "mine\n" } as const];
    await applyPlan({ root, changes }, realDisk(), { record: join(root, ".tsop") });
    expect(readFileSync(join(root, "file.ts"), "utf8")).toBe("mine\n");
    expect(readFileSync(join(top, "victim/file.ts"), "utf8")).toBe("precious\n");
  });

  it("writes bytes as they are, also over bytes whose text is the same", async () => {
    const write = (bytes: Uint8Array) =>
      applyPlan(
        {
          root,
          changes: [
            { type: "create", path: "data", text: Buffer.from(bytes).toString(), bytes, ifExists: "overwrite" },
          ],
        },
        realDisk(),
      );
    await write(Buffer.from([255, 0, 128]));
    await write(Buffer.from([254, 0, 129]));
    expect([...readFileSync(join(root, "data"))]).toEqual([254, 0, 129]);
  });

  it("works in a project that is reached through a link", async () => {
    symlinkSync(root, join(top, "project-link"));
    const change = { type: "create", path: "a/b.ts", text: "mine\n" } as const;
    await applyPlan({ root: join(top, "project-link"), changes: [change] }, realDisk());
    expect(readFileSync(join(root, "a/b.ts"), "utf8")).toBe("mine\n");
  });
});

const writing = ["write", "remove", "makeFolder", "removeEmptyFolder", "rename", "link"] as const;

async function countOperations(): Promise<number> {
  let count = 0;
  const disk = memoryDisk(before);
  await applyPlan(
    plan,
    watchedDisk(disk, () => void count++),
  );
  return count;
}

/** Returns a disk whose n-th change fails; a failing write has written half of its text. */
function failingDisk(disk: MemoryDisk, position: number): Disk {
  let count = 0;
  return watchedDisk(disk, async (name, args) => {
    if (++count !== position) return;
    if (name === "write") await disk.write(args[0]!, args[1]!.slice(0, 2));
    throw new Error("ENOSPC: no space left on device");
  });
}

function watchedDisk(disk: Disk, before: (name: string, args: string[]) => void | Promise<void>): Disk {
  const watched: Record<string, unknown> = { ...disk };
  for (const name of writing) {
    watched[name] = async (...args: string[]) => {
      await before(name, args);
      return (disk[name] as (...args: string[]) => Promise<unknown>)(...args);
    };
  }
  return watched as unknown as Disk;
}
