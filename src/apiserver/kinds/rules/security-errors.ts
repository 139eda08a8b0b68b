import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, duplicate, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import { localPathErrors } from "./path-errors.ts";
import { repeatedIndexes } from "./value-errors.ts";

const identityText = "must be between 0 and 2147483647, inclusive";
const sysctlText =
  "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const escalation = "cannot set `allowPrivilegeEscalation` to false and";

/** Returns the errors in the security context of a pod and in the namespaces that it shares with its node. */
export function podSecurityErrors(spec: Fields, at: string): FieldError[] {
  const context = childIf(spec, "securityContext") ?? {};
  const field = `${at}.securityContext`;
  const groups = (context["supplementalGroups"] ?? []) as unknown[];
  const isShared = spec["shareProcessNamespace"] === true && spec["hostPID"] === true;
  const isLinux = childIf(spec, "os")?.["name"] === "linux";
  return [
    ...identityErrors(context, field, ["runAsUser", "runAsGroup", "fsGroup"]),
    ...groups.flatMap((group, index) => rangeErrors(`${field}.supplementalGroups[${index}]`, group)),
    ...sysctlErrors(
      items(context, "sysctls").map(({ name }) => textOf(name)),
      `${field}.sysctls`,
    ),
    ...profileErrors(context, field),
    ...(isShared
      ? [invalid(`${field}.shareProcessNamespace`, true, "ShareProcessNamespace and HostPID cannot both be enabled")]
      : []),
    ...(isLinux && context["windowsOptions"]
      ? [forbidden(`${field}.windowsOptions`, "windows options cannot be set for a linux pod")]
      : []),
    ...Object.entries({ hostNetwork: "hostNetwork", hostPID: "HostPID", hostIPC: "HostIPC" })
      .filter(([name]) => spec["hostUsers"] === false && spec[name] === true)
      .map(([, name]) => forbidden(`${at}.${name}`, "when `hostUsers` is false")),
  ];
}

/** Returns the errors in the security context of a container. */
export function containerSecurityErrors(context: Fields | undefined, field: string): FieldError[] {
  if (!context) return [];
  const added = (childIf(context, "capabilities")?.["add"] ?? []) as unknown[];
  const isFixed = context["allowPrivilegeEscalation"] === false;
  return [
    ...identityErrors(context, field, ["runAsUser", "runAsGroup"]),
    ...profileErrors(context, field),
    ...(isFixed && context["privileged"] === true
      ? [invalid(field, context, `${escalation} \`privileged\` to true`)]
      : []),
    ...(isFixed && added.includes("CAP_SYS_ADMIN")
      ? [invalid(field, context, `${escalation} \`capabilities.Add\` CAP_SYS_ADMIN`)]
      : []),
  ];
}

function identityErrors(context: Fields, field: string, names: readonly string[]): FieldError[] {
  return names.flatMap((name) => rangeErrors(`${field}.${name}`, context[name]));
}

function rangeErrors(field: string, value: unknown): FieldError[] {
  return typeof value === "number" && (value < 0 || value > 2_147_483_647) ? [invalid(field, value, identityText)] : [];
}

function sysctlErrors(names: readonly string[], at: string): FieldError[] {
  const repeated = repeatedIndexes(names);
  return names.flatMap((name, index) => {
    // The schema requires a name.
    if (name === "") return [];
    const isKnown =
      name.length <= 253 && /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/.test(name);
    if (!isKnown) return [invalid(`${at}[${index}].name`, name, sysctlText)];
    return repeated.has(index) ? [duplicate(`${at}[${index}].name`, name)] : [];
  });
}

/** Checks the profiles of seccomp and AppArmor: one on the node has a path, and the others have none. */
function profileErrors(context: Fields, at: string): FieldError[] {
  const kinds = { seccompProfile: "seccomp", appArmorProfile: "AppArmor" };
  return Object.entries(kinds).flatMap(([name, kind]) => {
    const profile = childIf(context, name);
    if (!profile) return [];
    const [field, path] = [`${at}.${name}.localhostProfile`, profile["localhostProfile"]];
    if (profile["type"] !== "Localhost")
      return path === undefined
        ? []
        : [invalid(field, kind === "AppArmor" ? path : profile, `can only be set when ${kind} type is Localhost`)];
    if (!path) return [required(field, `must be set when ${kind} type is Localhost`)];
    return name === "seccompProfile" ? localPathErrors(field, textOf(path)) : [];
  });
}
