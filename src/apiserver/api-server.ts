/** The embedded API server: a function of a request. Listening is http.ts's business. */
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
  readonly body: Uint8Array;
  readonly user: User;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

export interface ServerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | AsyncIterable<string>;
  /** The characters of the body are bytes. */
  readonly binary?: true;
  /** Goes out compressed where it is large and the client can read it. */
  readonly compressible?: true;
}

export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
