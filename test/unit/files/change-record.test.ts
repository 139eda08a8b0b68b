import { describe, expect, it } from "vitest";
import { applyPlan } from "../../../src/files/apply.ts";
import { recoverChanges } from "../../../src/files/change-record.ts";
import type { Disk } from "../../../src/files/disk.ts";
import { memoryDisk, type MemoryDisk } from "../../../src/files/memory-disk.ts";
import { after, before, plan } from "./example-plan.ts";

const folder = "/p/.tsop";

const project = async (): Promise<MemoryDisk> => {
  const disk = memoryDisk(before);
  await disk.makeFolder(folder);
  return disk;
};
const filesOf = (disk: MemoryDisk): Record<string, string> => Object.fromEntries(disk.files);
const foldersOf = (disk: MemoryDisk): string[] => [...disk.folders].filter((path) => path !== folder).toSorted();

/** Kills the process at an operation: it and all later ones never happen. A write that is cut leaves half a text. */
function dyingDisk(disk: MemoryDisk, position: number): Disk & { readonly died: () => boolean } {
  let count = 0;
  const dying: Record<string, unknown> = { ...disk, died: () => count >= position };
  for (const name of ["write", "remove", "makeFolder", "removeEmptyFolder", "rename", "link"] as const) {
    dying[name] = async (...args: string[]) => {
      if (++count === position && name === "write") await disk.write(args[0]!, args[1]!.slice(0, 2));
      if (count >= position) throw new Error("killed");
      return (disk[name] as (...args: string[]) => Promise<unknown>)(...args);
    };
  }
  return dying as unknown as ReturnType<typeof dyingDisk>;
}

/** Applies the plan until the process is killed at each of its operations, one after the other. */
async function killEverywhere(check: (disk: MemoryDisk, position: number) => Promise<void>): Promise<void> {
  for (let position = 1; ; position++) {
    const disk = await project();
    const dying = dyingDisk(disk, position);
    await applyPlan(plan, dying, { record: folder }).catch(() => undefined);
    if (!dying.died()) {
      expect(position).toBeGreaterThan(20);
      return;
    }
    await check(disk, position);
  }
}

describe("recoverChanges", () => {
  it("leaves the project as before or as after the command, wherever that was killed", async () => {
    const seen = new Set<string>();
    await killEverywhere(async (disk, position) => {
      await recoverChanges("/p", folder, disk);
      const isNew = disk.files.get("/p/PROJECT") === after["/p/PROJECT"];
      seen.add(isNew ? "after" : "before");
      expect(filesOf(disk), `operation ${position}`).toEqual(isNew ? after : before);
      const folders = isNew ? ["/", "/p", "/p/a", "/p/x", "/p/x/y"] : ["/", "/p", "/p/a", "/p/b"];
      expect(foldersOf(disk), `operation ${position}`).toEqual(folders);
    });
    expect([...seen].toSorted()).toEqual(["after", "before"]);
  });

  it("finishes its own work after it was killed", async () => {
    await killEverywhere(async (disk, first) => {
      for (let position = 1; ; position++) {
        const dying = dyingDisk(disk, position);
        await recoverChanges("/p", folder, dying).catch(() => undefined);
        if (!dying.died()) break;
      }
      const isNew = disk.files.get("/p/PROJECT") === after["/p/PROJECT"];
      expect(filesOf(disk), `operation ${first}`).toEqual(isNew ? after : before);
    });
  });

  it("reports what it restored, and leaves a file that was edited since", async () => {
    const disk = await project();
    const dying = dyingDisk(disk, 1_000);
    const cut = {
      ...dying,
      rename: async (from: string, to: string) => {
        if (to === "/p/PROJECT") throw new Error("killed");
        await disk.rename(from, to);
        if (to === "/p/x/y/new.ts")
          for (const name of ["remove", "rename"] as const) cut[name] = () => Promise.reject(new Error("killed"));
      },
    };
    await applyPlan(plan, cut, { record: folder }).catch(() => undefined);
    await disk.write("/p/main.ts", "edited\n");
    expect(await recoverChanges("/p", folder, disk)).toEqual({
      restored: ["b/gone.ts", "x/run.sh", "x/y/new.ts"],
      kept: ["main.ts"],
    });
    expect(filesOf(disk)).toEqual({ ...before, "/p/main.ts": "edited\n", "/p/main.ts.tsop-old": "1\n" });
  });

  it("finds no files outside of the project in the record of a plan that changes some", async () => {
    const disk = await project();
    const changes = ["../bundle/a.yaml", "x.ts"].map((path) => ({ type: "create", path, text: "1\n" }) as const);
    const killed = async (): Promise<never> => Promise.reject(new Error("killed"));
    const cut = { ...disk, rename: killed, remove: killed };
    const isKilled = applyPlan({ root: "/p", changes, outside: ["../bundle"] }, cut, { record: folder });
    await expect(isKilled).rejects.toMatchObject({ code: "TSOP_UNDO_FAILED" });
    const { changes: recorded } = JSON.parse(disk.files.get(`${folder}/undo.json`)!);
    expect(recorded.map(({ path }: { path: string }) => path)).toEqual(["x.ts"]);
    expect(await recoverChanges("/p", folder, disk)).toEqual({ restored: [], kept: [] });
  });

  it("refuses a record that names files outside of the project", async () => {
    const disk = await project();
    const changes = [{ path: "../victim", existed: false }];
    await disk.write(`${folder}/undo.json`, JSON.stringify({ changes }));
    await disk.write("/victim", "");
    await expect(recoverChanges("/p", folder, disk)).rejects.toMatchObject({ code: "TSOP_OUTSIDE" });
    expect(disk.files.has("/victim")).toBe(true);
  });
});
