import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden } from "../../../apimachinery/field-error.ts";
import type { User } from "../../api-server.ts";
import type { WriteAccess } from "../../registry/strategy.ts";

/** Returns the error of a policy whose author may not read all possible parameters: its messages could show them. */
export function paramAccessErrors(
  policy: UnstructuredObject,
  old: UnstructuredObject | undefined,
  access: WriteAccess,
): FieldError[] {
  const paramKind = paramKindOf(policy);
  if (!paramKind || equalJson(paramKind, paramKindOf(old))) return [];
  const action = { verb: "get", namespace: "*", name: "*", ...resourceOf(paramKind, access) };
  if (access.refusalOf(action) === undefined) return [];
  const shown = `kind=${textOf(paramKind["kind"])}, apiVersion=${textOf(paramKind["apiVersion"])}`;
  const needed = `must have "get" permission on all objects of the referenced paramKind (${shown})`;
  return [forbidden("spec.paramKind", `user ${goUser(access.user)} ${needed}`)];
}

/** Returns the error of a binding whose author may not read the parameters that it chooses. */
export function paramRefAccessErrors(binding: UnstructuredObject, policies: string, access: WriteAccess): FieldError[] {
  const spec = childIf(binding, "spec");
  const paramRef = childIf(spec, "paramRef");
  if (!paramRef) return [];
  const [name, namespace] = [textOf(paramRef["name"]), textOf(paramRef["namespace"])];
  const verb = name ? "get" : "list";
  const policyName = textOf(spec?.["policyName"]);
  const policy = access.find(policies, policyName);
  const resource = resourceOf(paramKindOf(policy), access);
  if (access.refusalOf({ verb, name, ...(namespace && { namespace }), ...resource }) === undefined) return [];
  const user = goUser(access.user);
  // A real server mixes up the user and the verb for one of the kinds.
  const [who, what] = policies === "mutatingadmissionpolicies" ? [verb, user] : [user, verb];
  const why = policy
    ? `user ${who} does not have "${what}" permission on the object referenced by paramRef`
    : `unable to get policy ${policyName} to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`;
  return [forbidden("spec.paramRef", why)];
}

function paramKindOf(policy: UnstructuredObject | undefined): Fields | undefined {
  return childIf(childIf(policy, "spec"), "paramKind");
}

/** Returns the resource of a kind; all resources if it is unknown. */
function resourceOf(
  paramKind: Fields | undefined,
  { pluralOf }: WriteAccess,
): { readonly group: string; readonly resource: string } {
  if (!paramKind) return { group: "*", resource: "*" };
  const apiVersion = textOf(paramKind["apiVersion"]);
  return { group: parseApiVersion(apiVersion).group, resource: pluralOf(apiVersion, textOf(paramKind["kind"])) ?? "*" };
}

/** Formats a user as Go's `%v`. */
function goUser({ username, uid = "", groups, extra = {} }: User): string {
  const members = Object.keys(extra).sort();
  const map = members.map((key) => `${key}:[${extra[key]!.join(" ")}]`).join(" ");
  return `&{${username} ${uid} [${groups.join(" ")}] map[${map}]}`;
}
