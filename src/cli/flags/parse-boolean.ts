import { InvalidArgumentError } from "commander";

/** Parses `--flag`, `--flag=true` and `--flag=false`, as Go's flags do. */
export function parseBoolean(text: string): boolean {
  if (text === "true") return true;
  if (text === "false") return false;
  throw new InvalidArgumentError("It must be true or false.");
}
