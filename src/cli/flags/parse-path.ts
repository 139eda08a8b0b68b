import { InvalidArgumentError } from "commander";

/** A path; an empty one, as of a variable that is not set, would mean the working directory. */
export function parsePath(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is empty.");
  return text;
}

/** Collects the paths of an option that may be given several times. */
export function collectPaths(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, parsePath(text)];
}
