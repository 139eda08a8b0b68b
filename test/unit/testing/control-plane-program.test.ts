import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";

let program: string;
beforeAll(async () => {
  const contents = `
    import { runProgram } from "./control-plane-program.ts";
    if (process.argv[2] === "handles") process.on("SIGTERM", () => process.exit(3));
    for (const name of ["etcd", "kube-apiserver"]) runProgram("/bin/sh", ["-c", "echo $$; exec sleep 600"], true);
    setTimeout(() => {}, 600_000);`;
  const resolveDir = fileURLToPath(new URL("../../../src/testing", import.meta.url));
  const options = { bundle: true, write: false, platform: "node", format: "esm", logLevel: "silent" } as const;
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir, loader: "ts" } });
  program = outputFiles[0]!.text;
});

it.each([
  ["without a listener of its own", [], [null, "SIGTERM"]],
  ["that handles the signal", ["handles"], [3, null]],
])("a test %s ends by SIGTERM with its programs", async (_, args, end) => {
  const test = spawn(process.execPath, ["--input-type=module", "-", ...args], { stdio: ["pipe", "inherit", "pipe"] });
  test.stdin.end(program);
  const pids: number[] = [];
  for await (const line of createInterface({ input: test.stderr })) {
    if (pids.push(Number(line)) === 2) test.kill("SIGTERM");
  }
  expect(await once(test, "close")).toEqual(end);
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
