import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden } from "../../../apimachinery/field-error.ts";
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
  const why = `user ${JSON.stringify(access.user.username)} must have "get" permission on all objects of the paramKind`;
  return [forbidden("spec.paramKind", why)];
}

/** Returns the error of a binding whose author may not read the parameters that it chooses. */
export function paramRefAccessErrors(binding: UnstructuredObject, policies: string, access: WriteAccess): FieldError[] {
  const spec = childIf(binding, "spec");
  const paramRef = childIf(spec, "paramRef");
  if (!paramRef) return [];
  const [name, namespace] = [textOf(paramRef["name"]), textOf(paramRef["namespace"])];
  const verb = name ? "get" : "list";
  const resource = resourceOf(paramKindOf(access.find(policies, textOf(spec?.["policyName"]))), access);
  if (access.refusalOf({ verb, name, ...(namespace && { namespace }), ...resource }) === undefined) return [];
  const user = JSON.stringify(access.user.username);
  return [forbidden("spec.paramRef", `user ${user} does not have "${verb}" permission on the object of paramRef`)];
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
