/**
 * Sends requests to one API server. Programs use the pooled HTTP transport; tests can call the embedded server
 * directly.
 */
export interface Transport {
  /** Resolves when the head of a response arrives, also if its status is an error. Rejects if the server does not respond. */
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Called before a request is repeated, with the code of the previous response or `<error>`; for metrics. */
  retrying?(request: TransportRequest, code: string): void;
  /** Closes idle connections; running requests end by their own signals. */
  close(): void;
}

/** A request as a transport sends it. */
export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with query, such as `/api/v1/pods?limit=500`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** A stream (watch, log) uses a connection of its own, so that it cannot delay short requests. */
  readonly stream?: boolean;
  /**
   * Called right before bytes of the request are handed to the system, each time. If it throws, they are dropped, and
   * the request fails with this error.
   */
  readonly fence?: (() => void) | undefined;
}

/** A response as a transport returns it. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it arrives; leaving the loop cancels the request. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body; use either this or `body`. */
  text(): Promise<string>;
}
