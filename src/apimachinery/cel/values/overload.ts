import { parseType, splitTypes, type CelType } from "./types.ts";
import type { CelValue } from "./values.ts";

/** A form of a function: its parameters, its result, and its implementation. The receiver is the first parameter. */
export interface Overload {
  readonly signature: string;
  readonly isMember: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly run: Run;
}

export type Run = (...args: never[]) => CelValue;

export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

/**
 * Declares functions by signature: `size(string): int` for a function, `string -> startsWith(string): bool` for a
 * member. `run` receives values of the declared types.
 */
export function declareFunctions(...tables: readonly Readonly<Record<string, Run>>[]): FunctionTable {
  const functions = new Map<string, Overload[]>();
  for (const table of tables) {
    for (const [signature, run] of Object.entries(table)) {
      const { name, overload } = parseSignature(signature, run);
      functions.set(name, [...(functions.get(name) ?? []), overload]);
    }
  }
  return functions;
}

function parseSignature(signature: string, run: Run): { name: string; overload: Overload } {
  const match = /^(?:(.+) -> )?([^(]+)\((.*)\): (.+)$/.exec(signature);
  if (!match) throw new Error(`bad signature: ${signature}`);
  const [, receiver, name = "", parameters = "", result = ""] = match;
  const types = [...(receiver === undefined ? [] : [receiver]), ...splitTypes(parameters)].map(parseType);
  const overload = { signature, isMember: receiver !== undefined, parameters: types, result: parseType(result), run };
  return { name, overload };
}
