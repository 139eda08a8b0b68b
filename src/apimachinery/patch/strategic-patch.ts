export type Fields = Record<string, unknown>;

/** A strategic merge patch that can't be applied, with the API server's words and the code of its answer. */
export class StrategicMergeError extends Error {
  override readonly name: string = "StrategicMergeError";
  readonly code: 400 | 422 | 500;

  constructor(code: 400 | 422 | 500, message: string) {
    super(message);
    this.code = code;
  }
}
