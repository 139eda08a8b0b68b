import { ApiError, failure, isApiError, statusCodes, type Status, type StatusDetails } from "../apimachinery/status.ts";
import type { ServedResource } from "./registry/served-resource.ts";

type Named = Pick<ServedResource, "group" | "plural">;

// The refusals of an API server, with its messages: clients and tests compare them.

export function badRequest(message: string): ApiError {
  return new ApiError(failure("BadRequest", message));
}

export function notFound(resource: Named, name: string): ApiError {
  return new ApiError(failure("NotFound", `${qualified(resource)} "${name}" not found`, detailsOf(resource, name)));
}

export function alreadyExists(resource: Named, name: string, prefix = ""): ApiError {
  const message = `${prefix}${qualified(resource)} "${name}" already exists`;
  return new ApiError(failure("AlreadyExists", message, detailsOf(resource, name)));
}

const modified = "the object has been modified; please apply your changes to the latest version and try again";

export function conflict(resource: Named, name: string, why: string = modified): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new ApiError(failure("Conflict", message, detailsOf(resource, name)));
}

export function forbidden(resource: Named, name: string, why: string): ApiError {
  const subject = name ? `${qualified(resource)} "${name}"` : qualified(resource);
  return new ApiError(failure("Forbidden", `${subject} is forbidden: ${why}`, detailsOf(resource, name)));
}

/** Returns the 409 for an object with another uid or version than the client requires. */
export function unmetPrecondition(
  resource: Named,
  name: string,
  [what, wanted, found = ""]: readonly [what: "UID" | "ResourceVersion", wanted: string, found: string | undefined],
): ApiError {
  const why = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
  return conflict(resource, name, why);
}

/** Returns the 403 of an authorizer; the object need not exist. */
export function forbiddenAction(
  at: { group: string; resource: string; name?: string | undefined },
  why: string,
): ApiError {
  return forbidden({ group: at.group, plural: at.resource }, at.name ?? "", why);
}

export function methodNotAllowed(): ApiError {
  const message = "the server does not allow this method on the requested resource";
  return new ApiError(failure("MethodNotAllowed", message, {}));
}

/** Returns the refusal of a verb that a custom resource does not have. */
export function notSupported(resource: Named, verb: string): ApiError {
  const { group, plural } = resource;
  const message = `${verb} is not supported on resources of kind "${qualified(resource)}"`;
  return new ApiError(failure("MethodNotAllowed", message, { group, kind: plural }));
}

/** Returns the refusal of a resource that a built-in group does not have. */
export function noSuchResource(): ApiError {
  return new ApiError(failure("NotFound", "the server could not find the requested resource", {}));
}

/** Returns the refusal of a patch that cannot be applied. */
export function unprocessable(): ApiError {
  return new ApiError(failure("Invalid", "the server rejected our request due to an error in our request", {}));
}

/** Returns the refusal of a request, or of the object that it makes, that is beyond a limit of this server. */
export function tooLarge(why: string): ApiError {
  return new ApiError(failure("RequestEntityTooLarge", `Request entity too large: ${why}`));
}

export function expired(message: string): ApiError {
  return new ApiError(failure("Expired", message));
}

export function timeout(): ApiError {
  const why = "request did not complete within requested timeout - context deadline exceeded";
  return new ApiError(failure("Timeout", `Timeout: ${why}`, {}));
}

export function unauthorized(): ApiError {
  return new ApiError(failure("Unauthorized", "Unauthorized"));
}

export function internalError(why: string): ApiError {
  const message = `Internal error occurred: ${why}`;
  return new ApiError(failure("InternalError", message, { causes: [{ message: why }] }));
}

/** Returns the Status of a refusal, or of an unexpected error. */
export function statusOf(error: unknown): Status {
  return isApiError(error) ? error.status : failure("InternalError", `Internal error occurred: ${String(error)}`);
}

/** Returns a 500 without a reason, with which a real server responds to some bad requests. */
export function bareError(message: string): ApiError {
  const code = statusCodes.InternalError;
  return new ApiError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, code });
}

export function notImplemented(message: string): ApiError {
  return new ApiError(failure("NotImplemented", message));
}

/** Returns the message of Go's scheme about an unknown type. */
export function notRegistered(kind: string | undefined, apiVersion: string | undefined): string {
  return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
}

/** Returns `deployments.apps`, or `pods` for the core group. */
export function qualified({ group, plural }: Named): string {
  return group ? `${plural}.${group}` : plural;
}

/** Puts the fields of a cause in the order of the wire. */
function detailsOf({ group, plural }: Named, name: string): StatusDetails {
  const details: StatusDetails = {};
  if (name) details.name = name;
  if (group) details.group = group;
  details.kind = plural;
  return details;
}
