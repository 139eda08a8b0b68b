import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { isAlive } from "../../src/files/is-alive.ts";
import { LongRunning, repository, temporaryFolder, until } from "./shell.ts";

const folder = temporaryFolder("interrupts");
afterAll(() => folder.remove());

it("ends on Ctrl-C during an installation, with a complete project and the command to continue", async () => {
  const init = new LongRunning(process.execPath, [join(repository, "bin/tsop.js"), "init", "--domain", "example.com"], {
    cwd: folder.path,
  });
  await init.prints(/created {2}vitest\.config\.ts/);

  expect(await init.stop("SIGINT")).toBe(130);

  expect(init.output).toContain("interrupted while npm was installing; the project itself is complete");
  expect(init.output).toContain("hint: npm install");
  expect(existsSync(join(folder.path, "PROJECT"))).toBe(true);
});

/** A project whose operator prints its PID and the tool's. */
function project(name: string): string {
  const root = join(folder.path, name);
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  symlinkSync(repository, join(root, "node_modules/tsop"));
  symlinkSync(join(repository, "node_modules/esbuild"), join(root, "node_modules/esbuild"));
  symlinkSync(join(repository, "bin/tsop.js"), join(root, "node_modules/.bin/tsop"));
  const layout = "layout:\n- typescript.tsop.dev/v1\nprojectName: demo\nrepo: demo\n";
  writeFileSync(join(root, "PROJECT"), `domain: example.com\n${layout}version: "3"\n`);
  writeFileSync(join(root, "package.json"), '{ "name": "demo", "type": "module" }');
  writeFileSync(
    join(root, "main.ts"),
    "console.log(`operator ${process.pid} of ${process.ppid}`);\nsetInterval(() => {}, 1000);\n",
  );
  return root;
}

async function untilGone(root: string, pids: readonly string[]): Promise<void> {
  await until("the operator and the tool have ended", () =>
    pids.some((pid) => isAlive(Number(pid))) ? undefined : true,
  );
  expect(readdirSync(join(root, ".tsop"))).toEqual([".gitignore"]);
}

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
it.each(signals)("leaves nothing of a local run without a terminal after %s", async (signal) => {
  const root = project(signal);
  const tool = new LongRunning(process.execPath, ["node_modules/.bin/tsop", "run", "--local"], { cwd: root });
  const [, ...pids] = await tool.prints(/operator (\d+) of (\d+)/);

  expect(await tool.stop(signal)).toBe(signal === "SIGHUP" ? signal : 0);

  await untilGone(root, pids);
});

// npm passes SIGTERM to its shell, and no other signal. Only Linux shows the parent of the shell.
it.skipIf(process.platform !== "linux").each(["SIGTERM", "SIGHUP", "SIGKILL"] as const)(
  "leaves nothing of a local run by npx after %s to npx alone",
  async (signal) => {
    const root = project(`npx-${signal}`);
    const npx = new LongRunning("npx", ["tsop", "run", "--local"], { cwd: root });
    const [, ...pids] = await npx.prints(/operator (\d+) of (\d+)/);

    npx.child.kill(signal);

    await untilGone(root, pids);
  },
);
