import { equalJson } from "../../../apimachinery/equal.ts";
import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden } from "../../../apimachinery/field-error.ts";
import type { WriteAccess } from "../../registry/strategy.ts";

const adminLabel = "resource.kubernetes.io/admin-access";

/** Returns the error of a request for admin access in a namespace that is not for administrators. */
export function adminRequestErrors(spec: Fields | undefined, access: WriteAccess): FieldError[] {
  const requests = items(childIf(spec, "devices"), "requests").map((request) => childIf(request, "exactly"));
  return adminErrors(requests, "spec.devices.requests", access);
}

function adminErrors(list: readonly (Fields | undefined)[], at: string, access: WriteAccess): FieldError[] {
  const index = list.findIndex((each) => each?.["adminAccess"] === true);
  if (index < 0 || access.namespaceLabels()[adminLabel] === "true") return [];
  const why = `admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`;
  return [forbidden(`${at}[${index}].adminAccess`, why)];
}

/** Returns the errors of changes in the status of a claim that only a scheduler or the driver of a device may make. */
export function statusAccessErrors(
  claim: UnstructuredObject,
  old: UnstructuredObject,
  access: WriteAccess,
): FieldError[] {
  const [status, before] = [childIf(claim, "status") ?? {}, childIf(old, "status") ?? {}];
  const [results, oldResults] = [status, before].map((each) =>
    items(childIf(childIf(each, "allocation"), "devices"), "results"),
  ) as [Fields[], Fields[]];
  const hadAdmin = oldResults.some(({ adminAccess }) => adminAccess === true);
  return [
    ...(hadAdmin ? [] : adminErrors(results, "status.allocation.devices.results", access)),
    ...bindingErrors(status, before, access),
    ...(status["allocation"] ? driverErrors(status, before, access) : []),
  ];
}

function bindingErrors(status: Fields, before: Fields, { verb, refusalOf }: WriteAccess): FieldError[] {
  if (["allocation", "reservedFor"].every((name) => equalJson(status[name], before[name]))) return [];
  const why = refusalOf({ verb, subresource: "binding" });
  const needed = `resource="resourceclaims/binding", verb="${verb}" permission`;
  return why === undefined
    ? []
    : [forbidden("status.allocation", `changing status.allocation or status.reservedFor requires ${needed}: ${why}`)];
}

/** Returns an error for each driver whose devices change, unless the user may write for it on that node or on all. */
function driverErrors(status: Fields, before: Fields, access: WriteAccess): FieldError[] {
  const { namespace, verb, refusalOf } = access;
  const places = isOnNode(status, access) ? ["associated-node", "arbitrary-node"] : ["arbitrary-node"];
  const verbs = places.map((place) => `${place}:${verb}`);
  return changedDrivers(status, before).flatMap((name) => {
    const refusals = verbs.map((verb) => refusalOf({ verb, subresource: "driver", namespace, name }));
    const needed = `resource="resourceclaims/driver", verb="[${verbs.join(" ")}]" permission`;
    return refusals.includes(undefined)
      ? []
      : [forbidden("status.devices", `changing status.devices requires ${needed}: ${refusals[0]}`)];
  });
}

function changedDrivers(status: Fields, before: Fields): string[] {
  const [devices, old] = [items(status, "devices"), items(before, "devices")];
  const isIn = (device: Fields, list: readonly Fields[]): boolean => list.some((other) => equalJson(device, other));
  const changed = [
    ...devices.filter((device) => !isIn(device, old)),
    ...old.filter((device) => !isIn(device, devices)),
  ];
  return [...new Set(changed.map(({ driver }) => textOf(driver)))].sort();
}

/** Reports whether a program runs on the only node of an allocation. */
function isOnNode(status: Fields, { user }: WriteAccess): boolean {
  const terms = items(childIf(childIf(status, "allocation"), "nodeSelector"), "nodeSelectorTerms");
  const fields = items(terms[0], "matchFields");
  const [node, ...others] = user.extra?.["authentication.kubernetes.io/node-name"] ?? [];
  if (!user.username.startsWith("system:serviceaccount:") || node === undefined || others.length > 0) return false;
  return (
    terms.length === 1 &&
    items(terms[0], "matchExpressions").length === 0 &&
    equalJson(fields, [{ key: "metadata.name", operator: "In", values: [node] }])
  );
}
