import { catalogue, fillTemplate, type ErrorCode, type Facts } from "./catalogue.ts";

const brand = Symbol.for("tsop.TsopError");

/**
 * An error that a user can act on: the step that failed, the value, and the command that fixes it.
 *
 * @example
 * try {
 *   await createManager(await loadConfig());
 * } catch (error) {
 *   if (!(error instanceof TsopError)) throw error;
 *   ctx.log.error(error, "Nothing to connect to", { code: error.code, hint: error.hint });
 * }
 */
export class TsopError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = "TsopError";
  readonly code: Code;
  readonly hint: string;

  /** Recognizes errors of every copy of this package: `tsop` and `tsop/testing` are bundled separately. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }

  constructor(code: Code, facts: Facts<Code>, options?: ErrorOptions) {
    const { message, hint } = catalogue[code];
    super(fillTemplate(message, facts), options);
    this.code = code;
    this.hint = fillTemplate(hint, facts);
    Object.defineProperty(this, brand, { value: true });
  }

  /** Returns an error that another thread has sent, in which it has lost its class. */
  static received({ message, code, hint }: Pick<TsopError, "message" | "code" | "hint">): TsopError {
    const error = Object.assign(new Error(message), { name: "TsopError", code, hint });
    return Object.defineProperty(error, brand, { value: true });
  }
}

/** An error in the command line itself: exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
