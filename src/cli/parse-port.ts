import { InvalidArgumentError } from "commander";

/** A port number. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("It is a number from 0 to 65535.");
  return port;
}
