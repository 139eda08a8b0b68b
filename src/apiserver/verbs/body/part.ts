import { formatTime } from "../../../apimachinery/time.ts";
import { apiVersionOf } from "../../../apimachinery/kind.ts";
import { cloneJson } from "../../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import type { Call } from "../call/call.ts";
import { approved } from "../../registry/strategies/certificate-request.ts";
import { scaleOf, withScale } from "./scale.ts";
import { onlyStatus } from "./status-subresource.ts";

/** What a path shows of an object, and what a write to that path changes: the whole, or a subresource. */
export interface Part {
  readonly kind: string;
  readonly apiVersion: string;
  show(object: UnstructuredObject): UnstructuredObject;
  /** The object with what was sent, which may be kept. */
  write(sent: UnstructuredObject, live: UnstructuredObject): UnstructuredObject;
}

/** The part that the URL names. */
export function partOf(call: Call): Part {
  const { resource } = call.entry;
  let whole = wholes.get(resource);
  if (!whole)
    wholes.set(
      resource,
      (whole = { kind: resource.kind, apiVersion: apiVersionOf(resource), show: same, write: same }),
    );
  switch (call.subresource ?? "") {
    case "scale":
      return {
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        show: (object) => scaleOf(resource, object),
        write: (sent, live) => withScale(call, live, sent),
      };
    case "status":
      return { ...whole, write: (sent, live) => onlyStatus(call, sent, live) };
    case "approval":
      return { ...whole, write: (sent, live) => approved(sent, live, formatTime(new Date(call.core.clock.now()))) };
    case "finalize":
      return { ...whole, write: withoutStatus };
    default:
      return whole;
  }
}

/** Most requests are about whole objects, and ask more than once. */
const wholes = new WeakMap<ServedResource, Part>();

function same(object: UnstructuredObject): UnstructuredObject {
  return object;
}

/** `/finalize` of a namespace takes all but the status; only there finalizers of its spec can be changed. */
function withoutStatus(sent: UnstructuredObject, live: UnstructuredObject): UnstructuredObject {
  const wanted = { ...sent, spec: sent["spec"] ?? {}, status: cloneJson(live["status"]) };
  const { finalizers = [] } = wanted.spec as { finalizers?: string[] };
  if (finalizers.length === 0) wanted.spec = {};
  return wanted;
}
