import { isObject } from "../../../apimachinery/is-object.ts";
import { messageOf } from "../../../errors/message-of.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { ApiError, failure } from "../../../apimachinery/status.ts";
import { forbidden, notSupported, type FieldError } from "../../../apimachinery/field-error.ts";
import { badRequest, expired, bareError } from "../../refusals.ts";
import type { Call } from "./call.ts";
import { parseInteger, isTrue, parseSelection, type Selection } from "./selection.ts";
import { parseJson } from "../../codec/json.ts";

/** The start of a list and the state that it shows. */
export interface ListOptions {
  readonly limit: number;
  /** The revision of the state to list; `undefined` for the newest. */
  readonly at: number | undefined;
  /** The first key of the page. */
  readonly start: string | undefined;
  readonly matches: Selection;
}

/** What a list selects, whatever the state. */
export type ListQuery = Pick<ListOptions, "limit" | "matches">;

/** Reads the parameters of a list that need no state. */
export function readListQuery(call: Call): ListQuery {
  const { query } = call;
  const limit = readNumber(query, "limit");
  readNumber(query, "timeoutSeconds");
  const matches = parseSelection(call);
  checkListOptions({
    match: query.get("resourceVersionMatch") ?? "",
    version: query.get("resourceVersion") ?? "",
    token: query.get("continue"),
    sendsEvents: query.has("sendInitialEvents"),
  });
  return { limit, matches };
}

/** Reads the parameters of a list. */
export function readListOptions(call: Call, { limit, matches }: ListQuery = readListQuery(call)): ListOptions {
  const { query } = call;
  const token = query.get("continue");
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  if (token) {
    const { rv, start } = parseContinueToken(token);
    if (version && version !== "0") throw badRequest("specifying resource version is not allowed when using continue");
    const at = rv < 0 ? undefined : rv;
    return { limit: version === "0" ? 0 : limit, at, start: start.replace(/^\//, ""), matches };
  }
  if (version === "" || version === "0")
    return { limit: version === "0" ? 0 : limit, at: undefined, start: undefined, matches };
  const revision = parseRevision(version);
  refuseFuture(call, revision);
  const exact = match === "Exact" || (match === "" && limit > 0);
  return { limit, at: exact ? revision : undefined, start: undefined, matches };
}

/** Returns the refusal of a page whose snapshot has expired, with a token to continue on a newer state. */
export function expiredPage(start: string): ApiError {
  const { status } = expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
      "it, or continue on the newer state with the token in this response.",
  );
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

/** Returns the 422 for list options. */
function optionsError(causes: readonly FieldError[]): ApiError {
  return invalidError({ group: "meta.k8s.io", kind: "ListOptions" }, "", causes);
}

/** Refuses a revision that is later than the server's. */
export function refuseFuture(call: Call, revision: number): void {
  const current = call.core.store.revision;
  if (revision <= current) return;
  const { status } = new ApiError(
    failure("Timeout", `Timeout: Too large resource version: ${revision}, current: ${current}`),
  );
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  throw new ApiError({ ...status, details: { causes, retryAfterSeconds: 1 } });
}

/** Reads a parameter that is a whole number; an absent or negative one is 0. */
function readNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  if (text === null) return 0;
  return Math.max(0, parseInteger(text));
}

interface VersionParameters {
  readonly match: string;
  readonly version: string;
  readonly token: string | null;
  readonly sendsEvents: boolean;
}

const matchField = "resourceVersionMatch";

function checkListOptions({ match, version, token, sendsEvents }: VersionParameters): void {
  const isKnown = match === "Exact" || match === "NotOlderThan";
  const isMisplaced = version === "" || Boolean(token) || (match === "Exact" && version === "0");
  const causes = [
    ...(match !== "" && !isKnown ? [notSupported(matchField, match, ["Exact", "NotOlderThan", ""])] : []),
    ...(match !== "" && isMisplaced
      ? [forbidden(matchField, "does not go with this resourceVersion or continue")]
      : []),
    ...(sendsEvents ? [forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")] : []),
  ];
  if (causes.length) throw optionsError(causes);
}

export interface WatchOptions {
  /** The revision after which events are sent; ignored if the initial state is sent. */
  readonly since: number;
  readonly initialEvents: boolean;
  readonly bookmarks: boolean;
  /** Milliseconds until the server ends the stream; infinite if it does not. */
  readonly timeout: number;
  readonly matches: Selection;
}

const shortestTimeout = 30 * 60_000;

/** Reads the parameters of a watch. */
export function readWatchOptions(call: Call): WatchOptions {
  const { query, core } = call;
  const seconds = readNumber(query, "timeoutSeconds");
  readNumber(query, "limit");
  const matches = parseSelection(call);
  const version = query.get("resourceVersion") ?? "";
  const fresh = version === "" || version === "0";
  let match = query.get("resourceVersionMatch") ?? "";
  let send = query.get("sendInitialEvents");
  if (fresh && send === null && match === "") [send, match] = ["true", "NotOlderThan"];
  checkWatchOptions({ match, token: query.get("continue"), sendsEvents: send !== null });
  if (!/^\d*$/.test(version)) throw bareError(invalidRevision(version));
  const initialEvents = isTrue(send);
  return {
    // Without a version and the initial state, the watch starts now.
    since: fresh && !initialEvents ? core.store.revision : Number(version),
    initialEvents,
    bookmarks: isTrue(query.get("allowWatchBookmarks")),
    // The default length is random, so that clients do not reconnect all at once.
    timeout: seconds > 0 ? seconds * 1000 : core.host.endlessWatches ? Infinity : shortestTimeout * (1 + core.random()),
    matches,
  };
}

function checkWatchOptions({ match, token, sendsEvents }: Omit<VersionParameters, "version">): void {
  const isRight = match === (sendsEvents ? "NotOlderThan" : "") && !(match && token);
  if (!isRight)
    throw optionsError([forbidden(matchField, "must be NotOlderThan if and only if events are sent first")]);
}

/** The start of the next page and the state that it shows. Clients return it unchanged. */
interface ContinueToken {
  /** The revision; negative for the newest state, which differs from that of the earlier pages. */
  readonly rv: number;
  /** The first key, after a slash. */
  readonly start: string;
}

const format = "meta.k8s.io/v1";

/** Creates a token for the page after `lastKey`. */
export function continueToken(rv: number, lastKey: string): string {
  return Buffer.from(JSON.stringify({ v: format, rv, start: `/${lastKey}\u0000` })).toString("base64url");
}

/** Parses a token. */
function parseContinueToken(text: string): ContinueToken {
  if (/[^\w-]/.test(text)) throw invalidToken("it is not base64");
  let token: unknown;
  try {
    token = parseJson(Buffer.from(text, "base64url").toString());
  } catch (error) {
    throw invalidToken(messageOf(error));
  }
  const { v, rv, start }: Record<string, unknown> = isObject(token) ? token : {};
  const parts = typeof start === "string" ? start.replace(/^\//, "").split("/") : [""];
  const isPath = !parts.some((part) => part === "" || part === "." || part === "..");
  if (v !== format || typeof rv !== "number" || rv === 0 || !isPath) throw invalidToken("it is not of this server");
  return { rv, start: start as string };
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
