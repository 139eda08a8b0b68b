import { goType } from "../go-text.ts";

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

/** Returns the error for a value that has another Go type than the expected one. */
export function wrongType(expected: unknown, value: unknown): StrategicMergeError {
  return new StrategicMergeError(500, `expected a ${goType(expected)}, but received a ${goType(value)}`);
}
