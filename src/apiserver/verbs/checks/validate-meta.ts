import { isSubdomain } from "../../../apimachinery/label-syntax.ts";
import { forbidden, invalid, required, tooLong } from "../../../apimachinery/schema/field-error.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Strategy } from "../../registry/strategy.ts";
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelKeyErrors,
  labelsErrors,
  notSubdomain,
} from "../../kinds/rules/name-errors.ts";
import type { Call } from "../call/call.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";

const largestAnnotations = 256 * 1024;

/** What is wrong with an object's metadata, in the server's words. */
export function metaErrors(call: Call, object: UnstructuredObject, old: UnstructuredObject | undefined): StatusCause[] {
  const { metadata } = object;
  const { strategy, resource } = call.entry;
  const { custom, kind } = resource;
  const texts = [
    ...labelsErrors("metadata.labels", metadata.labels),
    ...annotationErrors(metadata.annotations),
    ...ownerErrors(metadata),
  ];
  const finalizers = [
    ...finalizerErrors(metadata),
    ...(custom || strategy.takesAnyFinalizer ? [] : unqualifiedFinalizers(metadata)),
  ];
  const names = (): StatusCause[] => nameErrors(metadata, strategy.nameRule);
  if (!old) return [...names(), ...texts, ...finalizers];
  // A real server checks most of an update twice or more, and says so.
  const isWhole = strategy.checksUpdateAsNew;
  const changes = changeErrors(metadata, old.metadata);
  return [
    ...(isWhole ? [...names(), ...texts, ...finalizers] : []),
    ...(kind === "PodDisruptionBudget" ? [] : texts),
    ...texts,
    ...texts,
    ...finalizers,
    ...changes,
    ...changes,
  ];
}

function nameErrors({ name = "", generateName }: ObjectMeta, rule?: Strategy["nameRule"]): StatusCause[] {
  if (name === "") return [required("metadata.name", "name or generateName is required")];
  if (rule === "path") return /[/%]/.test(name) ? [invalid("metadata.name", name, "may not contain '/'")] : [];
  if (rule === "label") return dnsLabelErrors("metadata.name", name);
  const isBad = generateName !== undefined && !isSubdomain(`${generateName.replace(/[-.]$/, "")}a`);
  return [
    ...(isBad ? [notSubdomain("metadata.generateName", generateName)] : []),
    ...dnsSubdomainErrors("metadata.name", name),
  ];
}

function annotationErrors(annotations: Record<string, string> | undefined): StatusCause[] {
  const entries = Object.entries(annotations ?? {});
  const size = entries.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(value), 0);
  const errors = entries.flatMap(([key]) => labelKeyErrors("metadata.annotations", key.toLowerCase()));
  if (size <= largestAnnotations) return errors;
  return [...errors, tooLong("metadata.annotations", largestAnnotations)];
}

function ownerErrors({ ownerReferences = [] }: ObjectMeta): StatusCause[] {
  const errors = ownerReferences.flatMap((owner) =>
    (["apiVersion", "kind", "name", "uid"] as const)
      .filter((name) => !owner[name])
      .map((name) => {
        const field = `metadata.ownerReferences.${name}`;
        if (name === "apiVersion") return invalid(field, "", "version must not be empty");
        return invalid(field, "", `must not be empty`);
      }),
  );
  const controllers = ownerReferences.filter((owner) => owner.controller === true);
  if (controllers.length > 1) {
    const [first, second] = controllers.map(({ kind, name }) => `${kind}/${name}`);
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
    errors.push(invalid("metadata.ownerReferences", ownerReferences, why));
  }
  return errors;
}

function finalizerErrors({ finalizers = [] }: ObjectMeta): StatusCause[] {
  const errors = finalizers.flatMap((name) => labelKeyErrors("metadata.finalizers", name));
  if (!finalizers.includes("orphan") || !finalizers.includes("foregroundDeletion")) return errors;
  const why = "finalizer orphan and foregroundDeletion cannot be both set";
  return [...errors, invalid("metadata.finalizers", finalizers, why)];
}

/** Those that need no domain. */
export const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

function unqualifiedFinalizers({ finalizers = [] }: ObjectMeta): StatusCause[] {
  const why = "name is neither a standard finalizer name nor is it fully qualified";
  return finalizers.flatMap((name, index) =>
    name.includes("/") || standardFinalizers.has(name) ? [] : [invalid(`metadata.finalizers[${index}]`, name, why)],
  );
}

function changeErrors(metadata: ObjectMeta, old: ObjectMeta): StatusCause[] {
  const fixed = ["uid", "deletionTimestamp", "deletionGracePeriodSeconds"] as const;
  const changed = fixed.filter((field) => !equalJson(metadata[field], old[field]));
  const errors = changed.map((field) => invalid(`metadata.${field}`, metadata[field] ?? null, "field is immutable"));
  if (!old.deletionTimestamp) return errors;
  const added = (metadata.finalizers ?? []).filter((name) => !old.finalizers?.includes(name));
  if (added.length === 0) return errors;
  const list = `[]string{${added.map((name) => JSON.stringify(name)).join(", ")}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [...errors, forbidden("metadata.finalizers", why)];
}
