/** Sends requests to one API server. The pooled HTTP one is for real use; tests may call the embedded server directly. */
export interface Transport {
  /** Resolves with the head of the answer, whatever its status; rejects only when there is none. */
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Hears that a request is sent once more, after an answer with this code or `<error>`; for metrics. */
  retrying?(request: TransportRequest, code: string): void;
  /** Closes idle connections; requests under way end by their own signals. */
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
  /** A stream (watch, log) takes a connection of its own, so that it can't stall short requests. */
  readonly stream?: boolean;
}

/** An answer as a transport gets it. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it arrives; leaving the loop ends the request. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body; use either this or `body`. */
  text(): Promise<string>;
}
