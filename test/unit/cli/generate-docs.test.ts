import { expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { memoryIo } from "./memory-io.ts";

it("tsop generate docs writes the pages of a project, and --check fails if they are out of date", async () => {
  const io = memoryIo();
  const run = (line: string): Promise<number> => main(line.split(" "), io);
  expect(await run("init --domain example.com --project-name demo --skip-install --tsop ^1.0.0")).toBe(0);
  expect(await run("create api --group cache --kind Memcached")).toBe(0);
  expect(await run("generate docs --check")).toBe(1);
  expect(io.err()).toContain("  docs/api/cache.example.com-v1alpha1.md  [TSOP_NOT_UP_TO_DATE]");
  expect(io.err()).toContain("hint: regenerate them: tsop generate docs");
  expect([await run("generate docs"), await run("generate docs --check")]).toEqual([0, 0]);
  const page = io.disk.files.get("/p/docs/api/cache.example.com-v1alpha1.md");
  expect(page).toContain("| `foo` | string | Foo is an example field of Memcached.");
  expect(page).toContain("\n  name: memcached-sample\n");

  const inside = { ...io, cwd: "/p/docs" };
  expect(await main(["generate", "docs", "--output", "reference"], inside)).toBe(0);
  expect(io.disk.files.get("/p/docs/reference/cache.example.com-v1alpha1.md")).toBe(page);
  expect(await run("generate docs --output ../elsewhere")).toBe(1);
  expect(io.err()).toContain("[TSOP_OUTSIDE]");
});
