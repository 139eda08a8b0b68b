import type { ServerRequest } from "../api-server.ts";
import { badRequest } from "../refusals.ts";

/** The user whom the `Impersonate-` headers name. */
export interface WantedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Returns the user whom a request wants to act as; `undefined` for its own user. */
export function wantedUser(request: ServerRequest): WantedUser | undefined {
  const { headers } = request;
  const names = Object.keys(headers).filter((name) => name.startsWith("impersonate-"));
  if (names.length === 0) return undefined;
  // Read here, as the getter of an HTTP request parses all headers again.
  const { headersDistinct = {} } = request;
  const valuesOf = (name: string): readonly string[] => headersDistinct[name] ?? [headers[name] ?? []].flat();
  const [username = ""] = valuesOf("impersonate-user");
  const [uid = ""] = valuesOf("impersonate-uid");
  const groups = valuesOf("impersonate-group");
  const extra = names
    .filter((name) => name.startsWith(extraPrefix))
    .map((name) => [decodeKey(name.slice(extraPrefix.length)), valuesOf(name)] as const);
  const wanted = { username, uid, groups, extra: Object.fromEntries(extra) };
  if (username !== "") return wanted;
  if (uid === "" && groups.length === 0 && extra.length === 0) return undefined;
  throw badRequest("the request impersonates groups, a uid or extra fields without a user name");
}

const extraPrefix = "impersonate-extra-";

/** Decodes the percent-encoded key of an extra field, as header names have neither capitals nor slashes. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // Like a real server, take the key literally.
    return key;
  }
}
