import { ApiError, failure } from "../../../apimachinery/status.ts";
import {
  forbidden as fieldForbidden,
  notSupported,
  type FieldError,
} from "../../../apimachinery/schema/field-error.ts";
import { badRequest, expired, invalid } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import { continueToken, parseContinueToken } from "./continue-token.ts";
import { parseInteger } from "./parse-integer.ts";

/** Where a list starts and which state it shows. */
export interface ListOptions {
  readonly limit: number;
  /** Show the state at this revision; `undefined` for the newest. */
  readonly at: number | undefined;
  /** First key of the page. */
  readonly start: string | undefined;
}

/** Reads paging and resourceVersion parameters of a list. */
export function readListOptions(call: Call): ListOptions {
  const { query } = call;
  const limit = readNumber(query, "limit");
  readNumber(query, "timeoutSeconds");
  const token = query.get("continue");
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  if (query.has("sendInitialEvents"))
    throw optionsError([fieldForbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")]);
  checkMatch(match, version, token);
  if (token) {
    if (version && version !== "0") throw badRequest("specifying resource version is not allowed when using continue");
    const { rv, start } = parseContinueToken(token);
    return { limit: version === "0" ? 0 : limit, at: rv < 0 ? undefined : rv, start: start.replace(/^\//, "") };
  }
  if (version === "" || version === "0") return { limit: version === "0" ? 0 : limit, at: undefined, start: undefined };
  const revision = parseRevision(version);
  refuseFuture(call, revision);
  const exact = match === "Exact" || (match === "" && limit > 0);
  return { limit, at: exact ? revision : undefined, start: undefined };
}

/** The snapshot of a page is gone: the client may go on from where it was, on a newer state. */
export function expiredPage(call: Call, start: string): ApiError {
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
    "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. " +
    "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or " +
    "deleted between the time the first chunk was returned and now may show up in the list.";
  const { status } = expired(message);
  return new ApiError({
    ...status,
    metadata: { continue: continueToken(-1, start.slice(0, -1)) },
  });
}

function parseRevision(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw badRequest(`invalid resource version: ${invalidRevision(text)}`);
}

export function invalidRevision(text: string): string {
  return `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`;
}

/** 422 for list options; each finding is a field and what a real server says of it. */
export function optionsError(causes: readonly FieldError[]): ApiError {
  return invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", causes);
}

/** A revision that is not there yet: the client is ahead of the server. */
export function refuseFuture(call: Call, revision: number): void {
  const current = call.core.store.revision;
  if (revision <= current) return;
  const { status } = new ApiError(
    failure("Timeout", `Timeout: Too large resource version: ${revision}, current: ${current}`),
  );
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  throw new ApiError({ ...status, details: { causes, retryAfterSeconds: 1 } });
}

/** A parameter that is a whole number, where it is given; negative ones count as none. */
export function readNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  if (text === null) return 0;
  return Math.max(0, parseInteger(text));
}

function checkMatch(match: string, version: string, token: string | null): void {
  const field = "resourceVersionMatch";
  if (match === "") return;
  const causes: FieldError[] = [];
  if (version === "") causes.push(fieldForbidden(field, `${field} is forbidden unless resourceVersion is provided`));
  if (token) causes.push(fieldForbidden(field, `${field} is forbidden when continue is provided`));
  if (match !== "Exact" && match !== "NotOlderThan")
    causes.push(notSupported(field, match, ["Exact", "NotOlderThan", ""]));
  if (match === "Exact" && version === "0")
    causes.push(fieldForbidden(field, `${field} "exact" is forbidden for resourceVersion "0"`));
  if (causes.length) throw optionsError(causes);
}
