import { forbidden, notSupported } from "../../../apimachinery/schema/field-error.ts";
import { bareError } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import { invalidRevision, optionsError, readNumber } from "./list-options.ts";

export interface WatchOptions {
  /** Show every event after this revision; without meaning when the initial state is sent. */
  readonly since: number;
  readonly initialEvents: boolean;
  readonly bookmarks: boolean;
  /** Milliseconds until the server ends the stream. */
  readonly timeout: number;
}

const shortestTimeout = 30 * 60_000;

/** Reads the parameters of a watch. */
export function readWatchOptions(call: Call): WatchOptions {
  const { query, core } = call;
  const seconds = readNumber(query, "timeoutSeconds");
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  const send = query.get("sendInitialEvents");
  checkInitialEvents(send, match);
  if (query.get("continue"))
    throw optionsError([
      forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"),
    ]);
  if (!/^\d*$/.test(version)) throw bareError(invalidRevision(version));
  const fresh = version === "" || version === "0";
  return {
    // Who wants neither a version nor what is there gets what comes.
    since: fresh && send !== null && !isTrue(send) ? core.store.revision : Number(version),
    initialEvents: send === null ? fresh : isTrue(send),
    bookmarks: isTrue(query.get("allowWatchBookmarks")),
    // Without a wish the length is random, so that not all clients come back at once.
    timeout: seconds > 0 ? seconds * 1000 : shortestTimeout * (1 + core.random()),
  };
}

/** As Go reads a boolean parameter: present means true, unless it says otherwise. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

function checkInitialEvents(send: string | null, match: string): void {
  const field = "resourceVersionMatch";
  if (send === null) {
    if (match === "") return;
    const causes = [forbidden(field, `${field} is forbidden for watch unless sendInitialEvents is provided`)];
    if (match !== "NotOlderThan") causes.push(notSupported(field, match, ["NotOlderThan"]));
    throw optionsError(causes);
  }
  if (match === "NotOlderThan") return;
  const causes = [forbidden(field, `sendInitialEvents requires setting ${field} to NotOlderThan`)];
  if (match !== "") causes.push(notSupported(field, match, ["NotOlderThan"]));
  throw optionsError(causes);
}
