#!/usr/bin/env node
import { main } from "../dist/cli/main.js";
import { realIo } from "../dist/cli/real-io.js";

process.exitCode = await main(process.argv.slice(2), realIo());
