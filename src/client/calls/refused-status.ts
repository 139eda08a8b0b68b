import type { Kind } from "../../apimachinery/kind.ts";
import { statusCodes, type Status, type StatusReason } from "../../apimachinery/status.ts";

/** Parses the Status of an API server; returns `undefined` for any other text. */
export function parseStatus(text: string): Status | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const status = JSON.parse(text) as Partial<Status>;
    return status.kind === "Status" ? (status as Status) : undefined;
  } catch {
    return undefined; // not JSON: the page of a proxy, which foreignStatus quotes
  }
}

/**
 * Creates a Status for a response without one, such as the page of a load balancer, or an API server's text for an
 * APIService that is unavailable. The message names the request.
 */
export function foreignStatus(
  code: number,
  text: string,
  { method, path }: { readonly method: string; readonly path: string },
): Status {
  const reasons = Object.entries(statusCodes) as [StatusReason, number][];
  const reason = reasons.find(([, known]) => known === code)?.[0] ?? "Unknown";
  const words = isPage(text) ? wordsOf(text) : text.trim();
  const page = isPage(text) ? " and a page, as proxies do" : "";
  const asked = `${method} ${path.split("?")[0]}`;
  const message = `the server responded with ${code} to ${asked}${page}${words && `: ${words.slice(0, 300)}`}`;
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
}

/**
 * Explains a refusal of a field that the server cannot select by. An index is the usual reason, which only the cache of a
 * manager has.
 */
export function withIndexHint(status: Status, { path, kind }: { readonly path: string; readonly kind: Kind }): Status {
  const selector = new URLSearchParams(path.split("?")[1]).get("fieldSelector");
  const { code, message = "" } = status;
  if (code !== 400 || !selector || !/field label .*not supported|not a known field selector/.test(message))
    return status;
  const fields = selector.split(",").map((term) => term.split(/!?=/)[0]!);
  const field = fields.find((each) => message.includes(each)) ?? fields[0];
  const hint =
    `this client reads from the server, not from a cache with an index of the field; ` +
    `use mgr.client of a manager, also in tests, and call mgr.indexField(${kind.kind}, "${field}", …) before it starts`;
  return { ...status, message: `${message}: ${hint}` };
}

function isPage(text: string): boolean {
  return text.trimStart().startsWith("<");
}

/** Returns the words of a page: its first ones are the title. */
function wordsOf(page: string): string {
  return page.slice(0, 3000).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim(); // prettier-ignore
}
