import { TsopError } from "../../errors/tsop-error.ts";
import type { Finding } from "./finding.ts";

/** The output of a program that has exited. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs an external validator: a program that takes the bundle's folder and prints its findings as JSON. If it fails or
 * prints something else, the validation fails.
 */
export async function validateExternally(
  program: string,
  folder: string,
  run: (program: string, args: readonly string[]) => Promise<Ended>,
): Promise<Finding[]> {
  const { exitCode, stdout, stderr } = await run(program, [folder]);
  if (exitCode !== 0) refuse(program, `it exited with code ${exitCode}: ${stderr.trim()}`);
  let result: unknown;
  try {
    result = JSON.parse(stdout);
  } catch (error) {
    refuse(program, `its output is not JSON: ${(error as Error).message}`);
  }
  checkKeys(program, result, resultKeys);
  const { Errors, Warnings } = result as Result;
  return [...(Errors ?? []), ...(Warnings ?? [])].map((entry) => toFinding(program, entry));
}

interface Result {
  readonly Errors?: readonly Entry[] | null;
  readonly Warnings?: readonly Entry[] | null;
}

interface Entry {
  readonly Level?: string;
  readonly Field?: string;
  readonly BadValue?: unknown;
  readonly Detail?: string;
}

const resultKeys = ["Name", "Errors", "Warnings"];
const entryKeys = ["Type", "Level", "Field", "BadValue", "Detail"];

function toFinding(program: string, entry: Entry): Finding {
  checkKeys(program, entry, entryKeys);
  const { Level, Field, BadValue, Detail } = entry;
  return {
    level: Level === "Warning" ? "warning" : "error",
    rule: "external",
    ...(Field ? { field: Field } : {}),
    ...(BadValue === undefined || BadValue === null
      ? {}
      : { value: typeof BadValue === "string" ? BadValue : JSON.stringify(BadValue) }),
    detail: Detail ?? "",
  };
}

function checkKeys(program: string, value: unknown, keys: readonly string[]): void {
  if (typeof value !== "object" || value === null) refuse(program, "it must print an object");
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown) refuse(program, `it printed the unknown key ${unknown}; known keys are ${keys.join(", ")}`);
}

function refuse(program: string, reason: string): never {
  throw new TsopError("TSOP_VALIDATOR_FAILED", { program, reason });
}
