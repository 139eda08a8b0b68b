import { InvalidArgumentError } from "commander";

/** A port number; 0 is for any that is free. */
export function parsePort(text: string): number {
  return parseFrom(0, text);
}

/** The port of somebody who has to be told which one it is. */
export function parseKnownPort(text: string): number {
  return parseFrom(1, text);
}

function parseFrom(lowest: number, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= lowest && port <= 65_535) return port;
  throw new InvalidArgumentError(`It is a number from ${lowest} to 65535.`);
}
