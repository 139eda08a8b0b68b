import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { bareError, conflict } from "../../refusals.ts";
import { checkName, versionOf } from "../object/prepare-object.ts";
import type { Call } from "../request/call.ts";

/** Refuses a change of another object than the live one, or of another version of it. */
export function checkVersion(call: Call, wanted: UnstructuredObject, live: UnstructuredObject): void {
  checkName(call, wanted);
  const { resourceVersion } = wanted.metadata;
  checkVersionText(resourceVersion);
  if (resourceVersion === undefined) return;
  if (versionOf(wanted) === 0) requireVersion(call, wanted);
  else if (resourceVersion !== live.metadata.resourceVersion) throw conflict(call.entry.resource, call.name);
}

/** Refuses a uid of a PUT that is not that of the object. A patched uid is a change of an immutable field. */
export function requireUid(call: Call, { metadata: { uid } }: UnstructuredObject, live: UnstructuredObject): void {
  if (uid !== undefined && uid !== live.metadata.uid) throw foreignUid(call, uid, live.metadata.uid);
}

/** Refuses a version that is no number. */
export function checkVersionText(resourceVersion: string | undefined): void {
  if (resourceVersion && !/^\d+$/.test(resourceVersion))
    throw bareError(`strconv.ParseUint: parsing "${resourceVersion}": invalid syntax`);
}

/** Requires a version for kinds that are never overwritten blindly. */
export function requireVersion({ entry, name, subresource }: Call, sent: UnstructuredObject): void {
  if (versionOf(sent) !== 0 || !entry.strategy.requiresVersion || subresource === "scale") return;
  const { group, plural } = entry.resource;
  const cause = invalidField("metadata.resourceVersion", 0, "must be specified for an update");
  throw invalidError({ group, kind: plural }, name, [cause]);
}

/** The object of a request, or one of its objects. */
type Target = Pick<Call, "entry" | "namespace" | "name">;

/** Returns the 409 for an object with another uid. */
export function foreignUid(target: Target, sent: string, live = ""): Error {
  return foreign(target, "UID", [sent, live]);
}

/** Returns the 409 for an object with another version than the client requires. */
export function foreignVersion(target: Target, sent: string, live = ""): Error {
  return foreign(target, "ResourceVersion", [sent, live]);
}

function foreign(target: Target, what: string, [sent, live]: readonly [string, string]): Error {
  const why = `Precondition failed: ${what} in precondition: ${sent}, ${what} in object meta: ${live}`;
  return conflict(target.entry.resource, target.name, why);
}
