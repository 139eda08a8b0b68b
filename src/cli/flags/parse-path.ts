import { InvalidArgumentError } from "commander";

/** Parses a path. An empty one, such as that of an unset variable, would mean the working directory. */
export function parsePath(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is empty.");
  return text;
}

/** Collects the paths of an option that may be given several times. */
export function collectPaths(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, parsePath(text)];
}
