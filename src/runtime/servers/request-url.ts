import type { IncomingMessage } from "node:http";

const base = "http://localhost";

/** Returns the URL of a request; `undefined` if a client sent an invalid one, such as `GET //`. */
export function requestUrl({ url = "/" }: Pick<IncomingMessage, "url">): URL | undefined {
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}
