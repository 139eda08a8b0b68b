import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readObject } from "../../../src/testing/read-object.ts";

const object = "apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: sample }\n";

it("reads the one object of a file, and rejects any other number", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsop-object-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const sample = join(folder, "sample.yaml");
  writeFileSync(sample, `${object}spec: { size: 3 }\n`);
  expect(await readObject(sample)).toMatchObject({ metadata: { name: "sample" }, spec: { size: 3 } });
  writeFileSync(sample, `${object}---\n${object}`);
  await expect(readObject(sample)).rejects.toThrow("it has 2 objects, one is expected");
});
