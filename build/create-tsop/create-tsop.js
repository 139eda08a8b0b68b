#!/usr/bin/env node
// npm create tsop -- --domain example.com: runs `tsop init` in this folder.
const { dirname, join } = require("node:path");

process.argv.splice(2, 0, "init");
require(join(dirname(require.resolve("tsop/package.json")), "bin/tsop.js"));
