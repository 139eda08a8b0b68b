import { badRequest, notFound, notImplemented } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import { keyOf, type Call } from "./call.ts";
import { isTrue } from "./watch-options.ts";

/** GET of a pod's log, from whoever runs the pods. */
export function podLog(call: Call): Answer {
  const pod = call.collection.get(keyOf(call));
  if (!pod) throw notFound(call.entry.resource, call.name);
  const { query, core } = call;
  const containers = ((pod["spec"] as { containers?: { name: string }[] } | undefined)?.containers ?? []).map(
    ({ name }) => name,
  );
  const container = query.get("container") ?? containers[0] ?? "";
  if (!containers.includes(container)) throw badRequest(`container ${container} is not valid for pod ${call.name}`);
  const tail = query.get("tailLines");
  const body = core.podLog?.({
    namespace: call.namespace ?? "",
    name: call.name,
    container,
    follow: isTrue(query.get("follow")),
    previous: isTrue(query.get("previous")),
    timestamps: isTrue(query.get("timestamps")),
    tailLines: tail === null ? undefined : Number(tail),
    signal: call.request.signal,
  });
  if (body === undefined) throw notImplemented(`no log of container ${container}: containers do not run here`);
  return { type: "text", code: 200, body };
}
