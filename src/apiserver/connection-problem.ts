import { messageOf } from "../errors/message-of.ts";
import { certificateProblem } from "./certificate-problem.ts";

/** Describes like Go why a server did not answer. */
export function connectionProblem(error: unknown, url: URL, signal: AbortSignal): string {
  if (signal.aborted) return "context deadline exceeded";
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED") return `dial tcp ${url.host}: connect: connection refused`;
  if (code === "ECONNRESET") return "EOF";
  if (code === "ENOTFOUND") return `dial tcp: lookup ${url.hostname}: no such host`;
  const problem = certificateProblem(error);
  return problem ? `tls: failed to verify certificate: ${problem}` : messageOf(error);
}
