// Evaluates expressions with kube-apiserver's libraries, and writes test/unit/apimachinery/cel/recorded/cel-run-costs.json.
//   node lab/record/rules/cel-run-costs.mjs
// Run by hand; needs Go.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readRecorded, writeRecorded } from "./recorded.mjs";

const { schema, value, costs: recorded } = readRecorded("apimachinery/cel", "cel-run-costs");
const expressions = Object.keys(recorded);
const answers = JSON.parse(
  execFileSync("go", ["run", "."], {
    cwd: fileURLToPath(new URL("./run-costs", import.meta.url)),
    input: JSON.stringify({ schema, value, expressions }),
    maxBuffer: 1 << 28,
  }),
);
// In the order of the cases.
const costs = Object.fromEntries(expressions.map((expression) => [expression, answers[expression]]));
writeRecorded("apimachinery/cel", "cel-run-costs", { schema, value, costs });
