#!/usr/bin/env node
import { realIo } from "../dist/cli/terminal/real-io.js";

const argv = process.argv.slice(2);
if (argv.join(" ") === "version") {
  // Scripts ask for it often; the command tree, which it does not need, is most of its time.
  const { printVersion } = await import("../dist/cli/package/print-version.js");
  await printVersion(realIo());
} else {
  const { main } = await import("../dist/cli/main.js");
  process.exitCode = await main(argv, realIo());
}
