import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setupSignalHandler } from "../../../../src/runtime/manager/signals.ts";
import { TestEnvironment } from "../../../../src/testing/test-environment.ts";

const env = new TestEnvironment({ env: {} });
let program: string;

beforeAll(async () => {
  await env.start();
  const source = `
    import { createManager } from "./manager/create-manager.ts";
    import { discardLogger } from "./log/logger.ts";
    import { setupSignalHandler } from "./manager/signals.ts";
    const mgr = await createManager(JSON.parse(process.env.CONFIG), { logger: discardLogger });
    mgr.add(async (signal) => {
      console.log("running");
      if (process.env.RUNNABLE === "fails") throw new Error("the runnable failed");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      console.log("stopping");
      if (process.env.RUNNABLE === "hangs") await new Promise((resolve) => setTimeout(resolve, 60_000));
    });
    await mgr.start(setupSignalHandler());
    console.log("stopped");
  `;
  const resolveDir = fileURLToPath(new URL("../../../../src/runtime", import.meta.url));
  const options = { bundle: true, write: false, platform: "node", format: "esm", logLevel: "silent" } as const;
  const external = ["prom-client", "prom-client/*", "js-yaml"];
  const { outputFiles } = await build({ ...options, external, stdin: { contents: source, resolveDir, loader: "ts" } });
  program = outputFiles[0]!.text;
});
afterAll(() => env.stop());

/** Runs a program with a manager, and sends a signal in response to a printed line. */
async function run(runnable: string, signals: Readonly<Record<string, NodeJS.Signals>>) {
  const child = spawn(process.execPath, ["--input-type=module", "-"], {
    env: { ...process.env, CONFIG: JSON.stringify(env.config), RUNNABLE: runnable },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const lines: string[] = [];
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    for (const line of text.trim().split("\n")) {
      lines.push(line);
      const signal = signals[line];
      if (signal) child.kill(signal);
    }
  });
  child.stdin.end(program);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, lines, errors };
}

describe("a program with a manager", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("shuts down and exits with 0 after %s", async (signal) => {
    const { code, lines, errors } = await run("ends", { running: signal });
    expect(errors).toBe("");
    expect(lines).toEqual(["running", "stopping", "stopped"]);
    expect(code).toBe(0);
  });

  it("exits immediately with 1 after a second signal", async () => {
    const { code, lines } = await run("hangs", { running: "SIGTERM", stopping: "SIGINT" });
    expect(lines).toEqual(["running", "stopping"]);
    expect(code).toBe(1);
  });

  it("exits with 1 on a failure", async () => {
    const { code, errors } = await run("fails", {});
    expect(errors).toContain("the runnable failed");
    expect(code).toBe(1);
  });

  it("has one signal handler", () => {
    const before = (["SIGTERM", "SIGINT"] as const).map((signal) => [signal, process.listeners(signal)] as const);
    try {
      expect(setupSignalHandler().aborted).toBe(false);
      expect(() => setupSignalHandler()).toThrow("setupSignalHandler was called twice");
    } finally {
      for (const [signal, listeners] of before) {
        for (const each of process.listeners(signal)) if (!listeners.includes(each)) process.off(signal, each);
      }
    }
  });
});
