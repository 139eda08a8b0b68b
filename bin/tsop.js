#!/usr/bin/env node
"use strict";
const { existsSync, writeSync } = require("node:fs");
const { join } = require("node:path");
const { loadTool, readBuilt } = require("./load-tool.js");

const argv = process.argv.slice(2);

if (!existsSync(join(__dirname, "../dist/tool.cjs"))) {
  const checkout = join(__dirname, "..");
  process.stderr.write(`error: this checkout of tsop is not built\nhint: cd ${checkout} && npm ci && npm run build\n`);
  process.exitCode = 1;
} else if (/^(version|--version|-v)$/.test(argv.join(" "))) {
  // Scripts ask for the version often; the build has written the answer.
  print(readBuilt("version.txt").replace("NODE", process.version));
} else {
  void run();
}

/** Writes a line without a stream: Node loads 40 modules for one. */
function print(text) {
  try {
    writeSync(1, text);
  } catch ({ code, message }) {
    if (code === "EAGAIN") return void process.stdout.write(text);
    // A reader that stops reading is not a failure.
    if (code === "EPIPE" || code === "EIO") return;
    process.stderr.write(`error: cannot write to the standard output: ${message}\n`);
    process.exitCode = 1;
  }
}

async function run() {
  const words = /^[a-z-]*(?: [a-z][a-z-]*)?/.exec(argv.join(" "))[0];
  const load = loadTool(words.replace(" ", "_") || "tsop");
  const { main } = load("cli/main.js");
  process.exitCode = await main(argv, load("cli/terminal/real-io.js").realIo());
}
