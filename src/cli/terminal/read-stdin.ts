import type { Io } from "../io.ts";

/** Reads all of standard input; returns an empty text if it is a terminal. */
export async function readStdin(io: Pick<Io, "stdin" | "isTTY">): Promise<string> {
  if (io.isTTY) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
