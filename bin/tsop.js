#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

if (existsSync(new URL("../dist/cli/main.js", import.meta.url))) {
  await run(process.argv.slice(2));
} else {
  const checkout = fileURLToPath(new URL("..", import.meta.url));
  process.stderr.write(`error: this checkout of tsop is not built\nhint: cd ${checkout} && npm ci && npm run build\n`);
  process.exitCode = 1;
}

async function run(argv) {
  const { realIo } = await import("../dist/cli/terminal/real-io.js");
  if (/^(version|--version|-v)$/.test(argv.join(" "))) {
    // Scripts ask for it often; the command tree, which it does not need, is most of its time.
    const { printVersion } = await import("../dist/cli/package/print-version.js");
    await printVersion(realIo());
  } else {
    const { main } = await import("../dist/cli/main.js");
    process.exitCode = await main(argv, realIo());
  }
}
