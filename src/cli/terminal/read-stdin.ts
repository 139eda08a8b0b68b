import type { Io } from "../io.ts";

/** All of standard input; nothing when a person sits at it. */
export async function readStdin(io: Pick<Io, "stdin" | "isTTY">): Promise<string> {
  if (io.isTTY) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
