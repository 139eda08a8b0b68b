import { constants, type ClientHttp2Stream } from "node:http2";
import type { PoolRequest } from "./connection-pool.ts";
import { lost } from "./lost.ts";
import type { ResponseDeadline } from "./response-deadline.ts";
import type { TransportResponse } from "../transport.ts";

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants;
const codesOfUnprocessed = new Set(["ERR_HTTP2_GOAWAY_SESSION", "ERR_HTTP2_INVALID_SESSION", "TSOP_HTTP2_REFUSED"]);

interface Http2ResponseOptions extends Pick<PoolRequest, "failed" | "onReceived"> {
  readonly deadline: ResponseDeadline;
  /** Reports whether the server has sent the whole body. */
  readonly isWhole: () => boolean;
}

/** A response whose body has not been read. */
export class Http2Response implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  private readonly stream: ClientHttp2Stream;
  private readonly request: Http2ResponseOptions;

  constructor(
    stream: ClientHttp2Stream,
    headers: Readonly<Record<string, string | string[] | undefined>> & { ":status"?: number | undefined },
    request: Http2ResponseOptions,
  ) {
    const { ":status": status, ...rest } = headers;
    this.status = status ?? 0;
    this.headers = rest;
    this.stream = stream;
    this.request = request;
  }

  get body(): AsyncIterable<Uint8Array> {
    return chunksOf(this.stream, this.request);
  }

  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.body) {
      this.request.deadline.check(true);
      chunks.push(chunk);
    }
    const whole = Buffer.concat(chunks);
    this.request.onReceived?.(whole.length);
    return whole.toString("utf8");
  }
}

/** Yields the body. Leaving the loop cancels the request; a connection that ends within the body throws. */
async function* chunksOf(
  stream: ClientHttp2Stream,
  { isWhole, failed }: Http2ResponseOptions,
): AsyncGenerator<Uint8Array> {
  let left = true;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk;
    left = false;
  } catch (error) {
    throw failed(translateError(stream, error as Error));
  } finally {
    if (left && !stream.closed) stream.close(NGHTTP2_CANCEL);
  }
  // Node ends a stream that the peer cancelled without an error.
  if (stream.aborted || stream.rstCode !== 0 || !isWhole())
    throw failed(translateError(stream, lost("the stream was reset")));
}

/**
 * Returns a function that reports whether the server has ended the body: with RST_STREAM of NO_ERROR, too, the stream
 * ends, but Node marks it as closed before.
 */
export function followEnd(stream: ClientHttp2Stream): () => boolean {
  let isWhole = false;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null && !stream.closed) isWhole = true;
    return push(chunk, encoding);
  };
  return () => isWhole || stream.endAfterHeaders;
}

/** Translates an error to its HTTP/1.1 equivalent, so that callers need not know both protocols. */
export function translateError(stream: ClientHttp2Stream, error: Error): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  // A connection that ends gives its own code to its streams.
  if (code === "ERR_HTTP2_STREAM_ERROR" && stream.rstCode === NGHTTP2_REFUSED_STREAM) return notProcessed(error);
  return code.startsWith("ERR_HTTP2_") && !codesOfUnprocessed.has(code) ? lost(error.message, error) : error;
}

/** Returns the error of a request that can be repeated. */
export function notProcessed(cause: Error): Error {
  return Object.assign(new Error("the server refused the stream", { cause }), { code: "TSOP_HTTP2_REFUSED" });
}

/** Reports whether the server cannot have processed the request. */
export function isNotProcessed(error: unknown): boolean {
  return codesOfUnprocessed.has((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}
