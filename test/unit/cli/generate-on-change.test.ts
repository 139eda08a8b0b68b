import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { memoryIo } from "./memory-io.ts";
import { patience } from "../../patience.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let root: string;
let stop: AbortController;

beforeEach(() => {
  root = temporaryFolder();
  stop = new AbortController();
  mkdirSync(join(root, "api/v1"), { recursive: true });
  writeFileSync(
    join(root, "PROJECT"),
    'domain: example.com\nlayout: [typescript.tsop.dev/v1]\nprojectName: p\nversion: "3"\n',
  );
  writeFileSync(join(root, "api/v1/group.ts"), "// +groupName=example.com\n");
});
afterEach(() => {
  stop.abort();
});

const save = (field: string): void =>
  writeFileSync(
    join(root, "api/v1/types.ts"),
    `import type { ObjectMeta } from "tsop";\n// +kubebuilder:object:root=true\nexport interface Foo { metadata: ObjectMeta; ${field} }\n`,
  );
const crd = (): string => readFileSync(join(root, "config/crd/bases/example.com_foos.yaml"), "utf8");

it("generates after each save, continues after an error, and ends with 0", async () => {
  save("first: string");
  let runs = 0;
  const disk = {
    ...realDisk(),
    link: async (from: string, to: string) => {
      runs++;
      await realDisk().link(from, to);
    },
  };
  const io = { ...memoryIo({ cwd: root }), disk, signal: stop.signal };
  const ended = main(["generate", "manifests", "--watch"], io);
  await vi.waitFor(() => expect(crd()).toContain("first:"), patience);
  save("second: string");
  await vi.waitFor(() => expect(crd()).toContain("second:"), patience);
  save("third: ");
  await vi.waitFor(() => expect(io.err()).toMatch(/types\.ts:3:\d+: error[^]*waiting for a change/), patience);
  expect(crd()).toContain("second:");
  save("fourth: string");
  await vi.waitFor(() => expect(io.err()).toContain("the errors are fixed"), patience);
  expect(crd()).toContain("fourth:");
  // The lock of a run is not a change that starts the next one.
  const before = runs;
  const continues = vi.waitFor(() => expect(runs).toBeGreaterThan(before + 3), { timeout: 500, interval: 20 });
  await expect(continues).rejects.toThrow();
  stop.abort();
  expect(await ended).toBe(0);
});

it("rejects --check", async () => {
  const io = memoryIo({ cwd: root });
  expect(await main(["generate", "manifests", "--watch", "--check"], io)).toBe(2);
  expect(io.err()).toContain("--check");
});
