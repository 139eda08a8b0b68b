import type { UnstructuredObject } from "../apimachinery/meta.ts";
import type { Status } from "../apimachinery/status.ts";
import type { ServerResponse } from "./api-server.ts";
import type { Answer } from "./verbs/answer.ts";
import type { Call } from "./verbs/call.ts";

const json = { "content-type": "application/json" };

/** Puts an answer into the representation that the client accepts. */
export function respond(call: Call, answer: Answer): ServerResponse {
  const headers = call.warnings.length ? { ...json, warning: call.warnings.map(formatWarning) } : json;
  switch (answer.type) {
    case "object":
      return { status: answer.code, headers, body: `${JSON.stringify(answer.object)}\n` };
    case "list":
      return { status: 200, headers, body: `${JSON.stringify(answer.list)}\n` };
    case "watch":
      return { status: 200, headers, body: answer.stream({ name: "full", show: same }) };
    default:
      return { status: 200, headers, body: `${JSON.stringify(answer.body)}\n` };
  }
}

export function respondStatus(status: Status): ServerResponse {
  return { status: status.code, headers: json, body: `${JSON.stringify(status)}\n` };
}

function same(object: UnstructuredObject): unknown {
  return object;
}

/** RFC 7234's Warning header as API servers use it. */
function formatWarning(text: string): string {
  return `299 - "${text.replace(/[\\"]/g, "\\$&")}"`;
}
