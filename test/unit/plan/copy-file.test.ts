import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ClusterCopy } from "../../../src/plan/copy/cluster-copy.ts";
import { readCopy, saveCopy } from "../../../src/plan/copy/copy-file.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const folder = temporaryFolder();

const header = '{"tsopPlan":1,"cluster":"c","takenAt":"t","secrets":"hash","missing":[],"resources":[]}';

it.each([
  ["", "it is empty"],
  ["not JSON", "line 1: "],
  ['{"tsopPlan":2,"missing":[],"resources":[]}', "line 1: not a copy of this version of tsop"],
  ['{"tsopPlan":1}', "line 1: not a copy of this version of tsop"],
  [`${header}\n[]`, "line 2: not an object of a copy"],
  [`${header}\n{"resource":"/configmaps","object":{"metadata":null}}`, "line 2: an object without metadata"],
  [
    `${header}\n{"resource":"/configmaps","object":{"metadata":{"name":"a/b"}}}`,
    'line 2: object "a/b" can\'t be copied',
  ],
])("names what is wrong with a file: %s", async (text, reason) => {
  const file = join(folder, "copy.jsonl");
  await writeFile(file, text);
  await expect(readCopy(file)).rejects.toMatchObject({
    code: "TSOP_PLAN_COPY_UNREADABLE",
    message: expect.stringContaining(`${file} can't be read as a copy of a cluster: ${reason}`),
  });
});

it("fails if the file cannot be written", async () => {
  const copy: ClusterCopy = { cluster: "c", takenAt: "t", secrets: "hash", missing: [], resources: [], objects: [] };
  const saving = saveCopy(join(folder, "missing", "copy.jsonl"), copy);
  await expect(saving).rejects.toMatchObject({ code: "TSOP_PLAN_NOT_SAVED" });
});
