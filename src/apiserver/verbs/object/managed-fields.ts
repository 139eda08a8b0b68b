import { cloneJson } from "../../../apimachinery/clone.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import { isSince } from "../../../apimachinery/kubernetes-version.ts";
import { apiVersionOf, parseApiVersion } from "../../../apimachinery/kind.ts";
import type { ManagedFieldsEntry, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { emptyMessage, messageNameOf } from "../../codec/protobuf/message-fields.ts";
import { bare, type KindVersion } from "../../ssa/kind-versions.ts";
import { trackUpdate } from "../../ssa/managers.ts";
import { liveProblems } from "../../ssa/check-applied.ts";
import { typedObject } from "../../ssa/typed-node.ts";
import type { Call } from "../request/call.ts";

/** Returns the manager of a write: `?fieldManager=`, or the name of the client's program. */
export function fieldManager({ query, request }: Call): string {
  const named = query.get("fieldManager");
  if (named) return named;
  const [program = ""] = (request.headers["user-agent"] ?? "").split("/");
  return program.slice(0, 128) || "unknown";
}

/** Returns the content of a new, empty object of the call's kind. */
export function emptyOf({ entry: { resource } }: Call): Readonly<Record<string, unknown>> | undefined {
  return resource.custom ? undefined : emptyMessage(messageNameOf(apiVersionOf(resource), resource.kind));
}

/** Returns the time of a new entry. Like those of a real server, entries of scales have none. */
export function timeOfEntry({ subresource, core }: Call): string | undefined {
  return subresource === "scale" ? undefined : timestamp(core.clock.now());
}

/** Records a create, update or patch for its manager in the object's managedFields. */
export async function trackFields(call: Call, after: UnstructuredObject, before?: UnstructuredObject): Promise<void> {
  const entries = (await entriesAfter(call, after, before)) ?? undividedEntries(call, before);
  if (entries.length) after.metadata.managedFields = entries;
  else delete after.metadata.managedFields;
}

/** Returns the entries of an object that the version of a manager cannot divide: those before, since Kubernetes 1.37. */
function undividedEntries({ core }: Call, before: UnstructuredObject | undefined): ManagedFieldsEntry[] {
  return (isSince(core.builtins.version, "1.37") && before?.metadata.managedFields) || [];
}

async function entriesAfter(
  call: Call,
  after: UnstructuredObject,
  before: UnstructuredObject | undefined,
): Promise<ManagedFieldsEntry[] | undefined> {
  const { resource } = call.entry;
  const empty = emptyOf(call);
  // The schema of a custom kind may have changed since the object was stored.
  if (before && resource.custom && liveProblems(bare(before), typedObject(resource.schema())).length > 0)
    return undefined;
  if (!before && dropForeign(call, after) && resource.custom) return [];
  return trackUpdate({
    schema: resource.schema(),
    findVersion: (apiVersion) => findVersion(call, apiVersion),
    before,
    after,
    // No manager owns the default status of a new object.
    empty: empty || resource.custom?.hasStatus ? { ...empty, status: after["status"] } : undefined,
    manager: fieldManager(call),
    apiVersion: apiVersionOf(resource),
    subresource: call.subresource,
    now: timeOfEntry(call),
  });
}

/** Drops managers that a new object brings if the server does not serve their version; returns whether there are some. */
function dropForeign(call: Call, { metadata }: UnstructuredObject): boolean {
  const sent = metadata.managedFields ?? [];
  const own = apiVersionOf(call.entry.resource);
  const isServed = ({ apiVersion = own }: ManagedFieldsEntry): boolean =>
    apiVersion === own || findVersion(call, apiVersion)?.schema !== undefined;
  const served = sent.filter(isServed);
  if (served.length === sent.length) return false;
  metadata.managedFields = served;
  return true;
}

/** Returns a version of a custom kind that the server serves, or one that the kind no longer has. */
export function findVersion({ core, entry }: Call, apiVersion: string): KindVersion | undefined {
  const { group, version } = parseApiVersion(apiVersion);
  const { resource } = entry;
  if (!resource.custom || group !== resource.group) return undefined;
  const found = core.registry.find(group, version, resource.plural);
  if (!found)
    return resource.custom.versions.includes(version)
      ? undefined
      : { schema: undefined, problem: `request to convert CR to an invalid group/version: ${apiVersion}` };
  const convert = async (object: UnstructuredObject): Promise<UnstructuredObject> => found.convert!(object);
  return { schema: found.resource.schema(), ...(found.load && { convert }) };
}

/**
 * An apply that replaces a list as a whole drops the defaults in it, which come back: if only the times of the managers
 * differ in the end, nothing is written.
 */
export function keepTimes(wanted: UnstructuredObject, live: UnstructuredObject): void {
  const { managedFields = [], ...metadata } = wanted.metadata;
  const { managedFields: before = [], ...others } = live.metadata;
  if (managedFields.every(({ time }, index) => time === before[index]?.time)) return;
  const timeless = (entries: readonly ManagedFieldsEntry[]): object[] =>
    entries.map((entry) => ({ ...entry, time: undefined }));
  if (!equalJson(timeless(managedFields), timeless(before))) return;
  if (equalJson({ ...wanted, metadata }, { ...live, metadata: others }))
    wanted.metadata.managedFields = cloneJson(before);
}
