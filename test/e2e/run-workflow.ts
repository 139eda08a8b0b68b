import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parseYamlDocuments } from "../../src/apimachinery/yaml/parse.ts";
import { run } from "./shell.ts";

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface WorkflowRun {
  readonly project: string;
  /** A folder for what the runner and the programs of `programs` write. */
  readonly folder: string;
  /** Shell scripts that stand for programs that reach other machines. */
  readonly programs: Readonly<Record<string, string>>;
  /** Values of the expressions `${{ … }}`, by their text. */
  readonly expressions: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

export interface WorkflowResult {
  /** The name of the step that failed. */
  readonly failed?: string;
  readonly log: string;
}

/** Runs the named steps of a workflow's job with bash, as GitHub's runner does; others set up the machine. */
export async function runWorkflow(file: string, job: string, options: WorkflowRun): Promise<WorkflowResult> {
  const { project, folder, programs, expressions } = options;
  const [workflow] = parseYamlDocuments(readFileSync(join(project, file), "utf8")) as [
    { jobs: Record<string, { env?: Record<string, string>; steps: Step[] }> },
  ];
  const { env: ofJob = {}, steps } = workflow.jobs[job]!;
  const [bin, temporary] = [join(folder, "bin"), join(folder, "temp")];
  for (const path of [bin, temporary]) mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${text}\n`, { mode: 0o755 });
  const [output, environment] = [join(folder, "output"), join(folder, "environment")];
  for (const path of [output, environment]) writeFileSync(path, "");
  const outputs = () => pairsIn(output);
  let log = "";
  for (const { name, run: script, if: condition, env = {} } of steps) {
    if (name === undefined || script === undefined || !isMet(condition, outputs())) continue;
    const { code, stdout, stderr } = await run("bash", ["-e", "-c", script], {
      cwd: project,
      env: {
        ...ofJob,
        ...options.env,
        ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, evaluate(text, expressions)])),
        ...pairsIn(environment),
        PATH: `${bin}${delimiter}${process.env["PATH"]}`,
        RUNNER_TEMP: temporary,
        GITHUB_OUTPUT: output,
        GITHUB_ENV: environment,
      },
    });
    log += `== ${name}\n${stdout}${stderr}`;
    if (code !== 0) return { failed: name, log };
  }
  return { log };
}

function pairsIn(path: string): Record<string, string> {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

/** Evaluates a condition that joins outputs of steps, some negated. */
function isMet(condition: string | undefined, outputs: Readonly<Record<string, string>>): boolean {
  if (condition === undefined) return true;
  return condition.split("&&").every((part) => {
    const [, negation, name = ""] = /^\s*(!?)\s*steps\.\w+\.outputs\.(\w+)\s*$/.exec(part) ?? [];
    if (name === "") throw new Error(`unknown condition ${part}`);
    return (outputs[name] !== undefined) === (negation === "");
  });
}

function evaluate(text: string, expressions: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_all, expression: string) => {
    const value = expressions[expression];
    if (value === undefined) throw new Error(`unknown expression ${expression}`);
    return value;
  });
}
