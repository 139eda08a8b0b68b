import { goNumber } from "./go-numbers.ts";

/** An error in an object, in the API server's words. It becomes a cause of an Invalid status. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Such as `spec.ports[0].name`; `<nil>` if the server names none. */
  readonly field: string;
  /** Without the field, such as `Required value`. */
  readonly message: string;
}

/** Why the value of a field is refused. */
export type FieldErrorReason =
  | "FieldValueRequired"
  | "FieldValueInvalid"
  | "FieldValueTypeInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueDuplicate"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueNotFound"
  | "InternalError";

export function required(field: string, detail = ""): FieldError {
  return { reason: "FieldValueRequired", field, message: withDetail("Required value", detail) };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { reason: "FieldValueInvalid", field, message: withDetail(`Invalid value: ${showValue(value)}`, detail) };
}

/** Returns the error for a part whose value is not shown. */
export function invalidWhole(field: string, detail: string): FieldError {
  return { reason: "FieldValueInvalid", field, message: withDetail("Invalid value", detail) };
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return { reason: "FieldValueTypeInvalid", field, message: withDetail(`Invalid value: ${showValue(value)}`, detail) };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { reason: "FieldValueDuplicate", field, message: `Duplicate value: ${showValue(value)}` };
}

export function notSupported(field: string, value: unknown, supported: readonly unknown[]): FieldError {
  return notAmong(field, value, showItems(supported));
}

/** Returns the error for a value that is not among those that `shown` lists. */
export function notAmong(field: string, value: unknown, shown: string): FieldError {
  const message = `Unsupported value: ${showValue(value)}: supported values: ${shown}`;
  return { reason: "FieldValueNotSupported", field, message };
}

/** Lists values as `notSupported` does. */
export function showItems(items: readonly unknown[]): string {
  return items.map((item) => JSON.stringify(showItem(item))).join(", ");
}

function showItem(item: unknown): string {
  return typeof item === "string" ? item : JSON.stringify(item);
}

export function forbidden(field: string, detail: string): FieldError {
  return { reason: "FieldValueForbidden", field, message: `Forbidden: ${detail}` };
}

export function notFound(field: string, value: unknown): FieldError {
  return { reason: "FieldValueNotFound", field, message: `Not found: ${showValue(value)}` };
}

export function tooLong(field: string, most: number): FieldError {
  return {
    reason: "FieldValueTooLong",
    field,
    message: `Too long: may not be more than ${most} ${most === 1 ? "byte" : "bytes"}`,
  };
}

export function tooMany(field: string, count: number, most: number): FieldError {
  return {
    reason: "FieldValueTooMany",
    field,
    message: `Too many: ${count}: must have at most ${most} ${most === 1 ? "item" : "items"}`,
  };
}

/**
 * Creates the causes of an error 422 in the API server's words, for `invalidError`. The field is written as in
 * `spec.ports[0].name`.
 *
 * @example
 * const { size = 1 } = memcached.spec;
 * const causes = size % 2 === 0 ? [fieldError.invalid("spec.size", size, "must be odd")] : [];
 * if (causes.length > 0) throw invalidError(Memcached, memcached.metadata.name, causes);
 */
export const fieldError: FieldErrors = {
  required,
  invalid,
  duplicate,
  notSupported,
  forbidden,
  notFound,
  tooLong,
  tooMany,
};

/** The functions of `fieldError`. */
export interface FieldErrors {
  /** Creates a cause such as `Required value: must name a Secret`. */
  required(field: string, detail?: string): FieldError;
  /** Creates a cause such as `Invalid value: 2: must be odd`. */
  invalid(field: string, value: unknown, detail: string): FieldError;
  /** Creates a cause such as `Duplicate value: "http"`. */
  duplicate(field: string, value: unknown): FieldError;
  /** Creates a cause such as `Unsupported value: "C": supported values: "A", "B"`. */
  notSupported(field: string, value: unknown, supported: readonly unknown[]): FieldError;
  /** Creates a cause such as `Forbidden: is reserved`. */
  forbidden(field: string, detail: string): FieldError;
  /** Creates a cause such as `Not found: "cache"`. */
  notFound(field: string, value: unknown): FieldError;
  /** Creates the cause of a text of more than `most` bytes. */
  tooLong(field: string, most: number): FieldError;
  /** Creates the cause of a list of more than `most` items. */
  tooMany(field: string, count: number, most: number): FieldError;
}

/** Joins `spec` and `a` to `spec.a`, and cuts the path if it is too long. */
export function joinField(path: string, name: string): string {
  return cutField(path ? `${path}.${name}` : name);
}

const longestPath = 1_024;

/** Cuts a path of more than 1,024 characters: below a key of a megabyte, each of thousands of findings would name it. */
export function cutField(path: string): string {
  return path.length > longestPath ? `${path.slice(0, longestPath)}…` : path;
}

function withDetail(text: string, detail: string): string {
  return detail ? `${text}: ${detail}` : text;
}

function showValue(value: unknown): string {
  return typeof value === "number" ? goNumber(value) : (JSON.stringify(value) ?? "null");
}
