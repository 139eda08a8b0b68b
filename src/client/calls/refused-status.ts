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

/** Creates a Status for a response that no API server wrote, such as that of a load balancer. */
export function foreignStatus(code: number, text: string): Status {
  const reasons = Object.entries(statusCodes) as [StatusReason, number][];
  const reason = reasons.find(([, known]) => known === code)?.[0] ?? "Unknown";
  const words = isPage(text) ? pageMessage(code, text) : text.trim().slice(0, 300);
  const message = words || `the server responded with ${code}`;
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
}

function isPage(text: string): boolean {
  return text.trimStart().startsWith("<");
}

/** Keeps the words of a page: its first ones are the title. */
function pageMessage(code: number, text: string): string {
  const words = text.slice(0, 3000).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim(); // prettier-ignore
  return `the server responded with ${code} and a page, as proxies do: ${words.slice(0, 300)}`;
}
