// `npm run soak -- --minutes N [--seed S] [--changes-per-second R] [--real]`: injects faults around an operator for the
// given time. After each round the state must be as if no fault had occurred; the first missed state ends the run with
// exit code 1. It prints a line per round, and at the end the counts and the growth of memory. The parts are those of
// the chaos suite.
import { loadTypeScript } from "../test/load-typescript.mjs";

await loadTypeScript(new URL("../test/conformance/runtime/chaos/soak.ts", import.meta.url), async ({ soak }) => {
  process.exitCode = await soak(process.argv.slice(2));
});
