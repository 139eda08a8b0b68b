/** Hears what a transport does, for metrics. Times are in seconds, sizes in bytes; what is absent is not measured. */
export interface RequestObserver {
  /** Every answer; `code` is `<error>` when there was none. */
  answered(answer: { readonly method: string; readonly host: string; readonly code: string }): void;
  /** From the call to the answer, of a stream to its head; waits for the rate limiter left out. */
  took?(request: RequestLabels, seconds: number): void;
  sent?(request: RequestLabels, bytes: number): void;
  /** The whole body of an answer; not told of streams, which may have no end. */
  received?(request: RequestLabels, bytes: number): void;
  /** How long the rate limiter held a request back, 0 included; not told when there is no limit. */
  throttled?(request: RequestLabels, seconds: number): void;
  /** How long it took to find the address of a host, for a new connection. */
  resolved?(host: string, seconds: number): void;
  /** A request is sent again, after an answer with this code or `<error>`. */
  retried?(request: RequestLabels, code: string): void;
}

/** Which request it is about; `verb` is the HTTP method. */
export interface RequestLabels {
  readonly verb: string;
  readonly host: string;
}
