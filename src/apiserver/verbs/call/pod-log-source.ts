/** What a log reader asks for. */
export interface PodLogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  /** Milliseconds since 1970: earlier lines are left out. */
  readonly since: number | undefined;
  readonly limitBytes: number | undefined;
  /** Aborts when the reader has gone. */
  readonly signal: AbortSignal;
}

/** Where the logs of containers that have run come from. */
export type PodLogSource = (request: PodLogRequest) => AsyncIterable<string> | string;
