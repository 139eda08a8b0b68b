import { type Fields, childIf, items } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid } from "../../../../apimachinery/field-error.ts";
import { listAt, textAt } from "../../printing/field-access.ts";
import { addressErrors, haveOtherFamilies } from "../../rules/address-errors.ts";
import { fieldRules, minimum, must } from "../../rules/field-rules.ts";
import { immutable } from "../../rules/immutable.ts";
import { dnsSubdomainErrors, labelKeyErrors } from "../../rules/name-errors.ts";

/** Keeps the field of one address, which is older, and the list of addresses the same. If they differ, the older one counts. */
export function nameAddressTwice(status: Fields | undefined): void {
  const [ip, first] = [status?.["podIP"], items(status, "podIPs")[0]?.["ip"]];
  if (!status || ip === first) return;
  if (ip) status["podIPs"] = [{ ip }];
  else status["podIP"] = first;
}

const ipOf = (entry: unknown): string => textAt(entry, "ip");

const fieldErrors = fieldRules({
  status: {
    observedGeneration: minimum(0),
    "conditions[].observedGeneration": minimum(0),
    // The error names the field as Go does.
    "conditions[]": (condition, at) => labelKeyErrors(`${at}.Type`, textAt(condition, "type")),
    "(podIPs|hostIPs)": must((list: Fields[]) => haveOtherFamilies(list.map(ipOf)), "must be of other families"),
    "(podIPs|hostIPs)[]": (entry, at) => addressErrors(at, ipOf(entry)),
    hostIPs: (list, at, { hostIP }) => {
      const first = Array.isArray(list) && list.length > 0 ? ipOf(list[0]) : undefined;
      const isOther = first !== undefined && first !== (hostIP ?? "");
      return isOther ? [invalid(`${at}[0].ip`, first, "must be equal to `hostIP`")] : [];
    },
  },
});

/** Checks a written status of a pod. */
export function statusErrors(pod: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  return [
    ...fieldErrors(pod),
    ...nominationErrors(pod, old),
    ...immutable(pod, old, ["status.qosClass"]),
    ...returnErrors(pod, old, "containerStatuses", "containers"),
    ...returnErrors(pod, old, "initContainerStatuses", "initContainers"),
    ...returnErrors(pod, old, "ephemeralContainerStatuses"),
  ];
}

function nominationErrors(pod: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [field, name] = ["status.nominatedNodeName", textAt(pod, "status", "nominatedNodeName")];
  if (name === "" || name === textAt(old, "status", "nominatedNodeName")) return [];
  const isBound = textAt(old, "spec", "nodeName") !== "";
  return [
    ...dnsSubdomainErrors(field, name),
    ...(isBound ? [forbidden(field, "may not be set on pods that are already bound to a node")] : []),
  ];
}

/** Refuses that a container that has ended comes back, unless it may be restarted. */
function returnErrors(
  pod: UnstructuredObject,
  old: UnstructuredObject,
  list: string,
  containers?: "containers" | "initContainers",
): FieldError[] {
  const spec = childIf(pod, "spec") ?? {};
  if (containers && restartsAll(spec)) return [];
  const after = firstByName(listAt(pod, "status", list));
  const declared = firstByName(containers ? items(spec, containers) : []);
  return listAt(old, "status", list).flatMap((before, index) => {
    const ended = endOf(before);
    const now = after.get(before["name"]);
    if (!ended || !now || endOf(now)) return [];
    const container = declared.get(before["name"]);
    if (container && mayRestart(spec, container, Number(ended["exitCode"] ?? 0))) return [];
    return [forbidden(`status.${list}[${index}].state`, "may not be transitioned to non-terminated state")];
  });
}

function firstByName(list: readonly Fields[]): ReadonlyMap<unknown, Fields> {
  return new Map(list.toReversed().map((item) => [item["name"], item]));
}

function endOf(status: Fields): Fields | undefined {
  return childIf(childIf(status, "state"), "terminated");
}

/** Reports whether the end of one container may restart all of them. */
function restartsAll(spec: Fields): boolean {
  return [...items(spec, "initContainers"), ...items(spec, "containers")].some((container) =>
    items(container, "restartPolicyRules").some(({ action }) => action === "RestartAllContainers"),
  );
}

function mayRestart(spec: Fields, container: Fields, exitCode: number): boolean {
  const rules = items(container, "restartPolicyRules").map((rule) => childIf(rule, "exitCodes") ?? {});
  if (rules.some(({ operator, values }) => (operator === "In") === (values as number[]).includes(exitCode)))
    return true;
  const policy = container["restartPolicy"] ?? spec["restartPolicy"];
  return policy === "OnFailure" ? exitCode !== 0 : policy !== "Never";
}
