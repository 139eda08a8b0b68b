import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { getCurrentTest } from "vitest/suite";

/** Makes a folder that is removed after the test that makes it, or after the tests of the file. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tsop-test-")));
  const removeAfter = getCurrentTest() ? onTestFinished : afterAll;
  removeAfter(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
