import { merge, type RequestStep } from "./scenario.ts";
import { core } from "./steps.ts";
import { GET, PATCH, POST } from "./requests.ts";

/** Pods with it stay Pending until a step takes it off. */
export const held = { "tsop.dev/keep-pending": "" };

/** The containers of pods with it fail. */
export const failing = { "tsop.dev/exit-code": "1" };

export function create(path: string, body: object): RequestStep {
  return POST(path, body, { until: (_, status) => status === 201, unrecorded: true });
}

export function change(path: string, body: object): RequestStep {
  return PATCH(path, merge, body, { until: (_, status) => status === 200, unrecorded: true });
}

export function remove(path: string, body?: object): RequestStep {
  return { request: `DELETE ${path}`, ...(body && { body }), unrecorded: true };
}

export function gone(path: string): RequestStep {
  return GET(path, { until: (_, status) => status === 404 });
}

/** Waits until an object is so, and compares what controllers decide of it. */
export function settles(
  path: string,
  isSettled: (object: any) => boolean,
  more: Partial<RequestStep> = {},
): RequestStep {
  const until = (object: any, status: number): boolean => status === 200 && isSettled(object);
  return { request: `GET ${path}`, until, pick: brief, ...more };
}

/** As `settles`, for the objects of a list. */
export function settle(
  path: string,
  areSettled: (items: any[]) => boolean,
  { of = brief, ...more }: Partial<RequestStep> & { readonly of?: (object: any) => unknown } = {},
): RequestStep {
  const until = ({ items }: any, status: number): boolean => status === 200 && areSettled(items);
  return { request: `GET ${path}`, until, pick: ({ items }) => ({ items: items.map(of) }), ...more };
}

/** The template of a workload's pods. */
export function templateOf(app: string, { annotations, ...spec }: Record<string, any> = {}): object {
  return {
    metadata: { labels: { app }, ...(annotations && { annotations }) },
    spec: { containers: [{ name: "c", image: "image:1" }], ...spec },
  };
}

/** What was told of the scenario's objects; `counts` says for how many of which reasons to wait. */
export function events(counts: Readonly<Record<string, number>>, query = ""): RequestStep {
  const told = ({ items }: any): any[] => items.filter(({ source }: any) => !played.has(source.component));
  const countOf = (items: any[], reason: string): number =>
    items.filter((event) => event.reason === reason).reduce((sum, { count }) => sum + (count ?? 1), 0);
  return GET(`${core}/events${query}`, {
    until: (body) => Object.entries(counts).every(([reason, count]) => countOf(told(body), reason) >= count),
    pick: (body) => ({ items: told(body).map(textOf) }),
  });
}

/** Both servers have the same scheduler and kubelet. */
const played = new Set(["default-scheduler", "kubelet"]);

const insistent = new Set(["persistentvolume-controller", "taint-eviction-controller"]);

function textOf({ involvedObject, type, reason, message, count, source, reportingComponent }: any): object {
  const { kind, apiVersion, name, fieldPath } = involvedObject;
  // Those who try again and again are heard more or less often.
  const times = insistent.has(source.component) ? undefined : count;
  const about = { apiVersion, kind, name, fieldPath };
  return { about, type, reason, message, count: times, source, reportingComponent };
}

/** What a controller decides about an object: all but its identity and what the user has said anyway. */
export function brief({ metadata = {}, spec, status, code, reason, message }: any): object {
  if (code) return { code, reason, message };
  const { labels, annotations, ownerReferences, finalizers, generateName, generation, name, uid, deletionTimestamp } =
    metadata;
  return {
    metadata: {
      name,
      uid,
      generateName,
      generation,
      labels,
      annotations,
      ownerReferences,
      finalizers,
      deletionTimestamp,
    },
    replicas: spec?.replicas,
    status,
  };
}

/** As `brief`, without the status. */
export function identity(object: any): object {
  const { status: _, ...rest } = brief(object) as Record<string, unknown>;
  return rest;
}

export function condition(object: any, type: string): any {
  return object.status?.conditions?.find((each: any) => each.type === type);
}
