import { InvalidArgumentError } from "commander";

/** Parses a port number; 0 means any free port. */
export function parsePort(text: string): number {
  return parseFrom(0, text);
}

/** Parses the port of a server whose port must be known in advance. */
export function parseKnownPort(text: string): number {
  return parseFrom(1, text);
}

function parseFrom(lowest: number, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= lowest && port <= 65_535) return port;
  throw new InvalidArgumentError(`It must be a number from ${lowest} to 65535.`);
}
