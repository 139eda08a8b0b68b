import { statusCodes, type Status, type StatusReason } from "../../apimachinery/status.ts";

/** Parses the Status of an API server; `undefined` if the text is none. */
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
 * Creates a Status for a response that is none, such as that of a load balancer, or the text of an API server for an
 * APIService that is away. The message names the request.
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

function isPage(text: string): boolean {
  return text.trimStart().startsWith("<");
}

/** Returns the words of a page: its first ones are the title. */
function wordsOf(page: string): string {
  return page.slice(0, 3000).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim(); // prettier-ignore
}
