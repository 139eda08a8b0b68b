import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findAsset } from "../../../src/testing/find-asset.ts";
import { onWindows } from "../../on-windows.ts";

const folder = mkdtempSync(join(tmpdir(), "tsop-assets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("finds a program under the name that it has on the system", async () => {
  for (const name of ["etcd", "etcd.exe"]) writeFileSync(join(folder, name), "", { mode: 0o755 });
  expect(findAsset("etcd", folder, {})).toBe(join(folder, "etcd"));
  expect(await onWindows(() => findAsset("etcd", folder, {}))).toBe(join(folder, "etcd.exe"));
  expect(await onWindows(() => findAsset("etcd", folder, { TEST_ASSET_ETCD: join(folder, "etcd") }))).toBe(
    join(folder, "etcd"),
  );
});
