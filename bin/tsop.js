#!/usr/bin/env node
import { main } from "../dist/cli/main.js";
import { realIo } from "../dist/cli/io.js";

process.exitCode = await main(process.argv.slice(2), realIo());
