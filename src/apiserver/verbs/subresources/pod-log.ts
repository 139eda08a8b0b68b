import type { Pod } from "../../../k8s/core/v1.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { badRequest, notFound, notImplemented } from "../../refusals.ts";
import { type Answer, keyOf, type Call, type PodLogRequest } from "../request/call.ts";
import { isTrue, parseInteger } from "../request/selection.ts";

/** Reads a pod's log from the source of logs. */
export function podLog(call: Call): Answer {
  const found = call.collection.get(keyOf(call));
  if (!found) throw notFound(call.entry.resource, call.name);
  const pod = found as unknown as Pod;
  const container = chosenContainer(call.name, call.query.get("container"), pod);
  const request = readOptions(call, container);
  if (!pod.spec?.nodeName) return { type: "text", code: 204, body: "" };
  if (!call.core.host.podLog) throw notImplemented(`no log of container ${container}: containers do not run here`);
  requireLog(call, pod, request);
  return { type: "text", code: 200, body: call.core.host.podLog(request) };
}

function readOptions(call: Call, container: string): PodLogRequest {
  const { query, core } = call;
  const wholeNumber = (option: string, least: 0 | 1): number | undefined => {
    const text = query.get(option);
    if (text === null) return undefined;
    const number = parseInteger(text);
    if (number >= least) return number;
    const limit = least === 0 ? "greater than or equal to 0" : "greater than 0";
    throw invalidError({ group: "", kind: "PodLogOptions" }, call.name, [
      invalidField(option, number, `must be ${limit}`),
    ]);
  };
  const seconds = wholeNumber("sinceSeconds", 1);
  const time = query.get("sinceTime");
  return {
    namespace: call.namespace ?? "",
    name: call.name,
    container,
    follow: isTrue(query.get("follow")),
    previous: isTrue(query.get("previous")),
    timestamps: isTrue(query.get("timestamps")),
    tailLines: wholeNumber("tailLines", 0),
    limitBytes: wholeNumber("limitBytes", 1),
    since: seconds === undefined ? (time === null ? undefined : Date.parse(time)) : core.clock.now() - seconds * 1_000,
    signal: call.request.signal,
  };
}

/** Refuses a container without a log, with the messages of a kubelet. */
function requireLog({ name }: Call, { status }: Pod, { container, previous }: PodLogRequest): void {
  const statuses = [status?.containerStatuses, status?.initContainerStatuses, status?.ephemeralContainerStatuses];
  const found = statuses.flatMap((each) => each ?? []).find((each) => each.name === container);
  const which = `container "${container}" in pod "${name}"`;
  if (!found) throw badRequest(`${which} is not available`);
  if (previous && !found.lastState?.terminated) throw badRequest(`previous terminated ${which} not found`);
  const { waiting } = found.state ?? {};
  // A container that waits for its restart still has the log of its last run.
  if (!waiting || found.lastState?.terminated) return;
  const reason = waiting.reason === "ImagePullBackOff" ? "trying and failing to pull image" : (waiting.reason ?? "");
  throw badRequest(`${which} is waiting to start: ${reason}`);
}

/** Returns the container that a request wants, or the only one of the pod. */
export function chosenContainer(name: string, wanted: string | null | undefined, { spec }: Pod): string {
  const names = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((container) => container.name);
  if (wanted) {
    const added = spec?.ephemeralContainers ?? [];
    if (names.includes(wanted) || added.some((container) => container.name === wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  if (names.length === 1) return names[0]!;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(" ")}]`);
}
