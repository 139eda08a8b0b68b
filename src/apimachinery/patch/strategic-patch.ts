export type Fields = Record<string, unknown>;

/** A strategic merge patch that cannot be applied, with the API server's message and status code. */
export class StrategicMergeError extends Error {
  override readonly name: string = "StrategicMergeError";
  readonly code: 400 | 422 | 500;

  constructor(code: 400 | 422 | 500, message: string) {
    super(message);
    this.code = code;
  }
}
