import { equalJson } from "../equal.ts";
import { compareSchemas, formatSchemaChange, type SchemaChange, type Verdict } from "./compare-schemas.ts";
import type { CrdVersion, CustomResourceDefinition } from "./crd-types.ts";

/** A change of a CRD, or of one of its versions. */
export interface CrdChange {
  /** The name of the CRD. */
  readonly crd: string;
  /** The version that changes; absent if the CRD as a whole does. */
  readonly version?: string;
  /** The change, as in `spec.size: maximum none → 3`. */
  readonly change: string;
  readonly verdict: Verdict;
  /** One sentence. */
  readonly reason: string;
}

/** A change without the names of its CRD and version. */
type Change = Pick<CrdChange, "change" | "verdict" | "reason">;

/** Compares the CRDs of two releases by name. A CRD that only one release has was added or removed. */
export function compareCrds(
  before: readonly CustomResourceDefinition[],
  after: readonly CustomResourceDefinition[],
): CrdChange[] {
  const names = [...new Set([...before, ...after].map(({ metadata }) => metadata.name))].sort();
  return names.flatMap((crd) => {
    const [old, now] = [before, after].map((crds) => crds.find(({ metadata }) => metadata.name === crd));
    if (!old) return [{ crd, ...added, reason: "A new kind changes no other." }];
    if (!now) return [{ crd, ...removed("Whoever deletes the CRD deletes all of its objects.") }];
    return [
      ...changesOfCrd(old, now).map((change) => ({ crd, ...change })),
      ...changesOfVersions(old, now).map((change) => ({ crd, ...change })),
    ];
  });
}

const added = { change: "added", verdict: "safe" } as const;

function removed(reason: string): Change {
  return { change: "removed", verdict: "loses stored data", reason };
}

/** Compares what all versions have in common. */
function changesOfCrd({ spec: old }: CustomResourceDefinition, { spec: now }: CustomResourceDefinition): Change[] {
  const changes: (Change | undefined)[] = [
    differs("scope", [old.scope, now.scope], {
      verdict: "loses stored data",
      reason: "The server refuses it: the CRD must be deleted, with all of its objects, and created again.",
    }),
    differs("names.kind", [old.names.kind, now.names.kind], {
      verdict: "breaks writers",
      reason: "Manifests name the kind.",
    }),
    ...(["shortNames", "categories"] as const).flatMap((key) =>
      (old.names[key] ?? [])
        .filter((name) => !now.names[key]?.includes(name))
        .map((name): Change => ({
          change: `names.${key}: ${name} removed`,
          verdict: "breaks readers",
          reason: "Scripts with kubectl may use the name.",
        })),
    ),
    differs("the version that is stored", [storedIn(old.versions), storedIn(now.versions)], {
      verdict: "safe",
      reason: "Objects stay as they are stored until they are written again.",
    }),
    differs("conversion.strategy", [old.conversion?.strategy ?? "None", now.conversion?.strategy ?? "None"], {
      verdict: now.conversion?.strategy === "Webhook" ? "safe" : "loses stored data",
      reason:
        now.conversion?.strategy === "Webhook"
          ? "The webhook must answer before the CRD changes."
          : "Without the webhook, a field that another version names differently is dropped.",
    }),
  ];
  return changes.filter((change) => change !== undefined);
}

function storedIn(versions: readonly CrdVersion[]): string {
  return versions.find(({ storage }) => storage)?.name ?? "none";
}

function differs(
  what: string,
  [before, after]: readonly [string, string],
  meaning: Pick<Change, "verdict" | "reason">,
): Change | undefined {
  return before === after ? undefined : { change: `${what}: ${before} → ${after}`, ...meaning };
}

function changesOfVersions(old: CustomResourceDefinition, now: CustomResourceDefinition): Omit<CrdChange, "crd">[] {
  const names = [...new Set([...old.spec.versions, ...now.spec.versions].map(({ name }) => name))];
  return names.flatMap((version) => {
    const [was, is] = [old, now].map(({ spec }) => spec.versions.find(({ name }) => name === version));
    if (!was) return [{ version, ...added, reason: "Users of the other versions see no difference." }];
    const changes = is ? changesOfVersion(was, is) : [removalOf(was, old.status?.storedVersions)];
    return changes.map((change) => ({ version, ...change }));
  });
}

/** Judges the removal of a version. Without a cluster, only the version that is stored is known to have objects. */
function removalOf({ name, storage, served }: CrdVersion, storedVersions: readonly string[] | undefined): Change {
  if (storedVersions?.includes(name) ?? storage)
    return removed(
      "Objects are stored in it. The server refuses the change as long as status.storedVersions names it: rewrite the objects first.",
    );
  if (served) return { change: "removed", verdict: "breaks writers", reason: "Clients of the version get 404." };
  return { change: "removed", verdict: "safe", reason: "It is not served." };
}

function changesOfVersion(was: CrdVersion, is: CrdVersion): Change[] {
  const changes: Change[] = [];
  if (was.served && !is.served)
    changes.push({ change: "no longer served", verdict: "breaks writers", reason: "Clients of the version get 404." });
  if (!was.served && is.served) changes.push({ change: "served", verdict: "safe", reason: "More clients can use it." });
  if (is.deprecated && !was.deprecated)
    changes.push({ change: "deprecated", verdict: "safe", reason: "Clients get a warning." });
  if (is.served) changes.push(...changesOfUse(was, is));
  if (!was.served && !was.storage) return changes;
  const [old, now] = [was, is].map(({ schema }) => schema?.openAPIV3Schema ?? {});
  return [...changes, ...compareSchemas(old!, now!).map(explain)];
}

/** Compares what a version offers apart from its schema. */
function changesOfUse(was: CrdVersion, is: CrdVersion): Change[] {
  const changes: Change[] = [];
  const [hadStatus, hasStatus] = [was, is].map(({ subresources }) => subresources?.status !== undefined);
  if (hadStatus !== hasStatus)
    changes.push({
      change: `subresources.status: ${hasStatus ? "added" : "removed"}`,
      verdict: "breaks writers",
      reason: hasStatus
        ? "A write to the object ignores the status, so that an older operator reports nothing."
        : "Writes to the status get 404.",
    });
  const [hadScale, hasScale] = [was, is].map(({ subresources }) => subresources?.scale);
  if (hadScale && !equalJson(hadScale, hasScale))
    changes.push({
      change: `subresources.scale: ${hasScale ? "changed" : "removed"}`,
      verdict: "breaks writers",
      reason: "Autoscalers and kubectl scale use it.",
    });
  const selectable = new Set(is.selectableFields?.map(({ jsonPath }) => jsonPath));
  for (const { jsonPath } of was.selectableFields ?? [])
    if (!selectable.has(jsonPath))
      changes.push({
        change: `selectableFields: ${jsonPath} removed`,
        verdict: "breaks readers",
        reason: "Lists with this field selector are refused.",
      });
  return changes;
}

/** Returns a change of a schema with the reason of its verdict. */
function explain(change: SchemaChange): Change {
  return { change: formatSchemaChange(change), verdict: change.verdict, reason: reasonFor(change) };
}

function reasonFor({ what, verdict }: SchemaChange): string {
  if (verdict === "loses stored data")
    return what === "removed"
      ? "The server drops the field when an object is read or written."
      : "The server drops fields that the schema does not name.";
  if (verdict === "breaks writers")
    return what === "added" || what === "required"
      ? "Objects without the field are refused, also those that exist when they are written again."
      : "Objects with values that were valid are refused, also those that exist when the value changes.";
  if (what === "default") return "An object that does not name the field gets another value.";
  if (verdict === "breaks readers") return "Programs meet a value that they do not know.";
  return what === "added" ? "Clients that do not know the field leave it alone." : "All objects stay valid.";
}
