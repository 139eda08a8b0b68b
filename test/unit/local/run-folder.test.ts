import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRunFolder } from "../../../src/local/run-folder.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const root = temporaryFolder();

it("never shows half of a kubeconfig to a program that waits for it", async () => {
  const folder = await makeRunFolder(root);
  const whole = "x".repeat(100_000);
  const written = new AbortController();
  const lengths = new Set<number>();
  const reading = (async () => {
    while (!written.signal.aborted) {
      try {
        lengths.add(readFileSync(folder.userKubeconfig).length);
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe("ENOENT");
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let left = 20; left > 0; left--) await folder.write({ people: whole, operator: whole });
  written.abort();
  await reading;
  expect([...lengths]).toEqual([whole.length]);
  expect(statSync(folder.userKubeconfig).mode & 0o777).toBe(0o600);
  await folder.remove();
});

it("fails with the reason if the project's folder cannot hold it", async () => {
  const project = mkdtempSync(join(root, "project-"));
  writeFileSync(join(project, ".tsop"), "");
  await expect(makeRunFolder(project)).rejects.toMatchObject({ code: "TSOP_FOLDER_UNUSABLE" });
});

it.skipIf(!existsSync("/dev/full"))(
  "fails with the reason on a full disk, and leaves no folder of the run",
  async () => {
    const project = mkdtempSync(join(root, "full-"));
    mkdirSync(join(project, ".tsop"));
    symlinkSync("/dev/full", join(project, ".tsop/.gitignore"));
    await expect(makeRunFolder(project)).rejects.toMatchObject({
      code: "TSOP_FILE_UNUSABLE",
      message: `${join(project, ".tsop")} can't be written: the disk is full`,
    });
    expect(readdirSync(join(project, ".tsop"))).toEqual([".gitignore"]);
  },
);
