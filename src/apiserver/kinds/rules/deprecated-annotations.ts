import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { joinField } from "../../../apimachinery/field-error.ts";

/** The annotations that named profiles of AppArmor and seccomp before fields did; the prefixes precede a container. */
export const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
export const seccompName = "seccomp.security.alpha.kubernetes.io/pod";
export const seccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";
/** Begins the name of a profile that is a file of the node. */
export const onNode = "localhost/";

const sysctls = 'non-functional in v1.11+; use the "sysctls" field instead';
const deprecated: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": sysctls,
  "security.alpha.kubernetes.io/unsafe-sysctls": sysctls,
};

/** Returns warnings about annotations of a pod, or of the template at a path, that fields have replaced. */
export function annotationWarnings(pod: Fields | undefined, at: string): string[] {
  const [metadata, spec] = [childIf(pod, "metadata"), childIf(pod, "spec")];
  const annotations = childIf(metadata, "annotations") as Record<string, string> | undefined;
  if (!annotations) return [];
  const ofPod = childIf(spec, "securityContext");
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => items(spec, list));
  const found = new Map<string, string>(Object.entries(deprecated));
  if (!childIf(ofPod, "seccompProfile")) found.set(seccompName, seccompText);
  for (const container of containers) {
    const [name, context] = [textOf(container["name"]), childIf(container, "securityContext")];
    if (!childIf(context, "seccompProfile")) found.set(seccompPrefix + name, seccompText);
    // Those of a pod become fields, with their own warnings.
    const key = appArmorPrefix + name;
    const inherited = childIf(ofPod, "appArmorProfile");
    const isSame = inherited !== undefined && equalJson(appArmorProfile(annotations[key]), inherited);
    if (at !== "" && !childIf(context, "appArmorProfile") && !isSame) found.set(key, appArmorText);
  }
  const field = joinField(at, "metadata.annotations");
  return [...found].filter(([key]) => annotations[key] !== undefined).map(([key, text]) => `${field}[${key}]: ${text}`);
}

const seccompText = 'non-functional in v1.27+; use the "seccompProfile" field instead';
export const appArmorText = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/** Returns the field for an annotation; `undefined` if it names no profile. */
export function appArmorProfile(annotation: string | undefined): Fields | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  if (!annotation?.startsWith(onNode)) return undefined;
  const localhostProfile = annotation.slice(onNode.length);
  return localhostProfile === "" ? undefined : { type: "Localhost", localhostProfile };
}
