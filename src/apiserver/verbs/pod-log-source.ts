/** What a log reader asks for. */
export interface PodLogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  /** Aborts when the reader has gone. */
  readonly signal: AbortSignal;
}

/** Where logs come from; `undefined` when the container has none. */
export type PodLogSource = (request: PodLogRequest) => AsyncIterable<string> | string | undefined;
