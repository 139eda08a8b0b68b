import { formatMicroTime } from "../../apimachinery/time.ts";
import type { User } from "../api-server.ts";
import type { AuditEvent } from "./audit-event.ts";
import { requestText, responseText } from "./request-text.ts";

/** Formats an event in the form of `audit.k8s.io/v1` at level RequestResponse, as a real server logs it. */
export function formatAuditEvent(event: AuditEvent): object {
  const { request, response, user, target, verb, received, answered, annotations } = event;
  const impersonated = user.username !== request.user.username;
  const sent = jsonOf(requestText(request));
  const answer = responseText(response);
  const returned = answer === undefined ? undefined : jsonOf(answer);
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "RequestResponse",
    auditID: event.id,
    stage: answer === undefined ? "ResponseStarted" : "ResponseComplete",
    requestURI: request.url,
    verb,
    user: userOf(request.user),
    ...(impersonated && { impersonatedUser: userOf(user) }),
    sourceIPs: ["127.0.0.1"],
    ...(request.headers["user-agent"] && { userAgent: request.headers["user-agent"] }),
    ...(target && { objectRef: objectRefOf(target) }),
    responseStatus: { metadata: {}, ...statusOf(returned), code: response.status },
    ...(sent !== undefined && { requestObject: sent }),
    ...(returned !== undefined && { responseObject: returned }),
    requestReceivedTimestamp: formatMicroTime(new Date(received)),
    stageTimestamp: formatMicroTime(new Date(answered)),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

function userOf({ username, uid, groups, extra }: User): object {
  return { username, ...(uid && { uid }), groups, ...(extra && { extra }) };
}

function objectRefOf({
  group,
  version,
  resource,
  subresource,
  namespace,
  name,
}: NonNullable<AuditEvent["target"]>): object {
  return {
    resource,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(group && { apiGroup: group }),
    apiVersion: version,
    ...(subresource && { subresource }),
  };
}

function statusOf(returned: unknown): object {
  const { kind, status, message, reason } = (returned ?? {}) as Record<string, unknown>;
  return kind === "Status" ? { status, message, reason } : {};
}

/** Returns a value; `undefined` for a text in another format. */
function jsonOf(text: string): unknown {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A body that is not JSON was refused, and the refusal is in the event.
    return undefined;
  }
}
