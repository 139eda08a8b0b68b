import { InvalidArgumentError } from "commander";

/** Parses `--flag`, `--flag=true` and `--flag=false`, as Go's flags do. */
export function parseBoolean(text: string): boolean {
  if (text === "true") return true;
  if (text === "false") return false;
  throw new InvalidArgumentError("It must be true or false.");
}

/** Parses a path. An empty one, such as that of an unset variable, would mean the working directory. */
export function parsePath(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is empty.");
  return text;
}

/** Collects the paths of an option that may be given several times. */
export function collectPaths(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, parsePath(text)];
}

/** Returns a parser of numbers in a range. */
export function numberFrom(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= lowest && number <= highest) return number;
    throw new InvalidArgumentError(`It must be a number from ${lowest} to ${highest}.`);
  };
}

/** Parses a port number; 0 means any free port. */
export const parsePort: (text: string) => number = numberFrom(0, 65_535);

/** Collects the values of an option that takes a list, separated by commas, and may be given several times. */
export function collectList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").filter(Boolean)];
}

/** Collects the values of an option that may be given several times. */
export function collectOption(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
