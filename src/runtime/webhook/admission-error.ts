import type { StatusReason } from "../../apimachinery/status.ts";

/** The status of the refusal. */
export interface AdmissionErrorOptions extends ErrorOptions {
  /** The default is 403. */
  readonly code?: number;
  /** The default is `Forbidden`. */
  readonly reason?: StatusReason;
  readonly warnings?: readonly string[];
}

/**
 * Rejects a request from a defaulter or validator.
 *
 * @example
 * const validator: Validator<Memcached> = {
 *   validateCreate({ spec }) {
 *     if (spec.size === 0) throw new AdmissionError("spec.size: 0 does nothing", { code: 422, reason: "Invalid" });
 *   },
 * };
 */
export class AdmissionError extends Error {
  override readonly name: string = "AdmissionError";
  readonly code: number;
  readonly reason: StatusReason;
  readonly warnings: readonly string[];

  constructor(message: string, options: AdmissionErrorOptions = {}) {
    super(message, options);
    this.code = options.code ?? 403;
    this.reason = options.reason ?? "Forbidden";
    this.warnings = options.warnings ?? [];
  }
}
