import { TsopError } from "../../errors/tsop-error.ts";
import { messageOf } from "../../errors/message-of.ts";

export interface FetchLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly mostBytes?: number;
  /** The error of a URL that can't be read. */
  readonly refusal?: "TSOP_CRD_URL" | "TSOP_OLM_RELEASE";
}

/** Reads a text from a URL. A server that is slow, or that sends without end, is an error. */
export async function fetchText(
  url: string,
  { signal, timeoutMs = 30_000, mostBytes = 32 * 1024 * 1024, refusal = "TSOP_CRD_URL" }: FetchLimits,
): Promise<string> {
  const refuse = (reason: string, cause?: unknown): TsopError => new TsopError(refusal, { url, reason }, { cause });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, timeout]) });
    if (!response.ok) throw refuse(`the server responds with ${response.status}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > mostBytes) throw refuse(`it is larger than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  } catch (cause) {
    if (cause instanceof TsopError) throw cause;
    if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {}, { cause });
    if (timeout.aborted) throw refuse(`the server does not answer within ${timeoutMs / 1000} seconds`, cause);
    const { cause: reason } = cause as Error;
    throw refuse(messageOf(reason ?? cause), cause);
  }
}
