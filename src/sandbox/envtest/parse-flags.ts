import { isIP } from "node:net";
import { parseArgs } from "node:util";
import { parseDuration } from "../../apimachinery/duration.ts";

/** The flags of kube-apiserver by name, with the types that its help names. */
export type FlagTypes = Readonly<Record<string, string>>;

/** The values that a command line gives to flags, in their order. */
export type GivenFlags = ReadonlyMap<string, readonly string[]>;

/** A command line that kube-apiserver refuses. */
export class FlagError extends Error {}

/** Parses a command line as kube-apiserver does: `--name=value`, `--name value`, and `--name` for a boolean. */
export function parseFlags(args: readonly string[], types: FlagTypes): GivenFlags {
  const options = Object.entries(types).map(([name, type]) => {
    return [name, { type: isSwitch(type) ? "boolean" : "string", ...(name === "v" && { short: "v" }) }] as const;
  });
  const { tokens } = parseArgs({
    args: args.map((arg) => arg.replace(/^-v=/, "--v=").replace(/^--[^=]+/, (name) => name.replaceAll("_", "-"))),
    options: Object.fromEntries(options),
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") throw new FlagError(`kube-apiserver takes flags only, got ${token.value}`);
    if (token.kind === "option-terminator") continue;
    const { name, rawName } = token;
    if (!Object.hasOwn(types, name)) throw new FlagError(`unknown flag: ${rawName}`);
    const type = types[name]!;
    const value = token.value ?? (isSwitch(type) ? "true" : undefined);
    if (value === undefined) throw new FlagError(`flag needs an argument: ${rawName}`);
    if (!takes(type, value))
      throw new FlagError(`invalid argument ${JSON.stringify(value)} for ${rawName}: not of type ${type}`);
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return given;
}

function isSwitch(type: string): boolean {
  return type === "bool" || type.endsWith("[=true]");
}

const booleans = new Set(["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"]);

/** Reports whether a text is a value of a type. Types with rules of their own take any. */
function takes(type: string, text: string): boolean {
  if (type === "bool") return booleans.has(text);
  if (type === "int" || type === "Level") return /^[+-]?\d+$/.test(text);
  if (type === "ip") return isIP(text) !== 0;
  return type !== "duration" || parseDuration(text) !== undefined;
}
