import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/**
 * Makes a folder that is removed after the test that makes it, in its body or in `beforeEach`, or else after the tests of
 * the file. `beforeAll` is too late to have it removed.
 */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tsop-test-")));
  const removeAfter = TestRunner.getCurrentTest() ? onTestFinished : afterAll;
  removeAfter(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
