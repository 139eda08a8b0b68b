/** Observes a transport, for metrics. Times are in seconds, sizes in bytes; absent methods are not called. */
export interface RequestObserver {
  /** Called for every response; `code` is `<error>` if there is none. */
  answered(answer: { readonly method: string; readonly host: string; readonly code: string }): void;
  /** The time from the call to the response, or to the head of a stream, without the wait for the rate limiter. */
  took?(request: RequestLabels, seconds: number): void;
  sent?(request: RequestLabels, bytes: number): void;
  /** The size of a complete body; not called for streams. */
  received?(request: RequestLabels, bytes: number): void;
  /** The wait for the rate limiter, 0 included; not called without a limit. */
  throttled?(request: RequestLabels, seconds: number): void;
  /** The duration of a DNS lookup for a new connection. */
  resolved?(host: string, seconds: number): void;
  /** Called before a request is repeated, with the code of the previous response or `<error>`. */
  retried?(request: RequestLabels, code: string): void;
}

/** The request in question; `verb` is the HTTP method. */
export interface RequestLabels {
  readonly verb: string;
  readonly host: string;
}
