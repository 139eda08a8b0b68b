import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type BuildOptions } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";

// An operator as one file of JavaScript, in a folder without packages.

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tsop-bundled-operator-"));
afterAll(() => rmSync(folder, { recursive: true }));

const program = `
import { createManager, discardLogger } from "tsop";
import { toKubeConfig } from "tsop/client-node";
const config = { server: "https://127.0.0.1:1", namespace: "default", source: "test" };
const stopping = new AbortController();
const logger = {
  ...discardLogger,
  withName: () => logger,
  withValues: () => logger,
  info(message, { bindAddress } = {}) {
    if (message === "Serving metrics server") void scrape(bindAddress);
  },
  error: ({ code, message }, _line, { hint }) => console.log([code, message, hint].join("\\n")),
};
async function scrape(address) {
  const response = await fetch("http://" + address + "/metrics");
  console.log(response.status, /^nodejs_eventloop_lag_seconds /m.test(await response.text()));
  await toKubeConfig(config).catch(({ code, cause }) => console.log(code, cause.code));
  stopping.abort();
}
async function main() {
  const options = { logger, metrics: { bindAddress: "127.0.0.1:0" } };
  await (await createManager(config, options)).start(stopping.signal);
}
void main();
`;

async function run(outfile: string, options: BuildOptions): Promise<string> {
  await build({
    stdin: { contents: program, resolveDir: dist },
    alias: { tsop: join(dist, "index.js"), "tsop/client-node": join(dist, "client-node.js") },
    outfile: join(folder, outfile),
    bundle: true,
    minify: true,
    platform: "node",
    logLevel: "silent",
    ...options,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: folder });
  return stdout;
}

const banner = `import * as nodeModule from 'node:module'; const require = nodeModule.createRequire(import.meta.url);`;

describe("a bundled operator", () => {
  it.each([
    ["as CommonJS", "main.cjs", { format: "cjs" }],
    ["as an ES module with a require", "with.mjs", { format: "esm", banner: { js: banner } }],
  ] as const)("serves metrics %s, and names the optional package", async (_form, outfile, options) => {
    const stdout = await run(outfile, options);
    expect(stdout).toBe("200 true\nTSOP_CLIENT_NODE_MISSING ERR_MODULE_NOT_FOUND\n");
  });

  it("says what an ES module without a require needs for metrics", async () => {
    const [code, message, hint, status] = (await run("without.mjs", { format: "esm" })).split("\n");
    expect(code).toBe("TSOP_PROM_CLIENT");
    expect(message).toContain('Dynamic require of "util" is not supported');
    expect(hint).toContain(`--banner:js="${banner}"`);
    expect(status).toBe("500 false");
  });
});
