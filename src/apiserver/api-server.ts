import type { Upgraded } from "./streaming/upgrade.ts";

/** The embedded API server: a function from requests to responses. The room http listens. */
export interface ApiServer {
  handle(request: ServerRequest): Promise<ServerResponse>;
}

/**
 * A request as the server reads it. Not the web platform's Request: that costs a stream and a Headers object for each
 * of thousands of requests, and a watch as a ReadableStream.
 */
export interface ServerRequest {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The values of headers that were sent several times, which `headers` joins with commas. */
  readonly headersDistinct?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Uint8Array;
  readonly user: User;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ServerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | AsyncIterable<string>;
  /** Each character of the body is a byte. */
  readonly binary?: true;
  /** The response is compressed if it is large and the client accepts gzip. */
  readonly compressible?: true;
  /** Takes over the connection after the response, whose status is 101. */
  readonly serve?: (upgraded: Upgraded) => Promise<void>;
}

export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
