import type { Kind } from "./kind.ts";
import { ApiError, failure, type StatusCause, type StatusDetails } from "./status.ts";

/**
 * Creates the error 422 of an object with wrong fields, one cause for each. kubectl lists the causes of an error that a
 * validator throws.
 *
 * @example
 * const validator: Validator<Memcached> = {
 *   validateCreate({ metadata: { name }, spec: { size = 1 } }) {
 *     const causes = size % 2 === 0 ? [{ field: "spec.size", message: `Invalid value: ${size}: must be odd` }] : [];
 *     if (causes.length > 0) throw invalidError(Memcached, name, causes);
 *   },
 * };
 */
export function invalidError(
  { group, kind }: Pick<Kind, "group" | "kind">,
  name: string | undefined,
  causes: readonly StatusCause[],
): ApiError {
  const lines = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const text = lines.length === 1 ? lines[0] : `[${lines.join(", ")}]`;
  const details: StatusDetails = { ...(kind && { kind }), causes: causes.map(orderFields) };
  if (name) details.name = name;
  if (group) details.group = group;
  return new ApiError(
    failure("Invalid", `${group ? `${kind}.${group}` : kind} "${name ?? ""}" is invalid: ${text}`, details),
  );
}

function orderFields({ reason, message, field }: StatusCause): StatusCause {
  return {
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(field !== undefined && { field }),
  };
}
