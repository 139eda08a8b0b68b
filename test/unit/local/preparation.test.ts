import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { realDisk } from "../../../src/files/real-disk.ts";
import type { LocalEvent } from "../../../src/local/local-event.ts";
import { Preparation } from "../../../src/local/preparation.ts";
import { chooseTarget, type Target } from "../../../src/local/target/choose-target.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const root = temporaryFolder();
const stop = new AbortController();
const { signal } = stop;
let target: Target;
beforeEach(async () => {
  writeFileSync(
    join(root, "PROJECT"),
    'domain: example.com\nlayout:\n- typescript.tsop.dev/v1\nprojectName: demo\nrepo: demo\nversion: "3"\n',
  );
  target = await chooseTarget({ env: {}, sandbox: {} }, signal);
});
afterEach(async () => {
  stop.abort();
  await target.done;
});

it("ends its work on the server before it reports that the build failed", async () => {
  const events: LocalEvent[] = [];
  const preparation = new Preparation({
    root,
    version: "0.0.0",
    disk: realDisk(),
    builder: { build: () => Promise.reject(new Error("no build")), close: () => Promise.resolve() },
    ring: undefined,
    certificates: join(root, "certificates"),
    env: {},
    signal,
    emit: (event) => void events.push(event),
  });
  await expect(preparation.run({ target, roles: undefined })).rejects.toThrow("no build");
  expect(events.map(({ type }) => type)).toEqual(["generated", "crds"]);
});
