import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid } from "../../../apimachinery/field-error.ts";
import { appArmorPrefix, onNode, seccompName, seccompPrefix } from "./deprecated-annotations.ts";
import { localPathErrors } from "./path-errors.ts";

/** Returns the errors in the annotations of a pod or template that name profiles; `at` is the path of annotations. */
export function profileNameErrors(pod: Fields | undefined, at: string): FieldError[] {
  const names = new Set(containersOf(pod, "").map(({ container }) => textOf(container["name"])));
  return Object.entries(annotationsOf(pod)).flatMap(([key, profile]) => {
    if (key === seccompName || key.startsWith(seccompPrefix)) return seccompErrors(`${at}.${key}`, profile);
    if (!key.startsWith(appArmorPrefix)) return [];
    const [field, container] = [`${at}[${key}]`, key.slice(appArmorPrefix.length)];
    const isKnown = ["", "runtime/default", "unconfined"].includes(profile) || profile.startsWith(onNode);
    return [
      ...(names.has(container) ? [] : [invalid(field, container, "container not found")]),
      ...(isKnown ? [] : [invalid(field, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)]),
    ];
  });
}

function seccompErrors(field: string, profile: string): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  if (profile.startsWith(onNode)) return localPathErrors(field, profile.slice(onNode.length));
  return [invalid(field, profile, "must be a valid seccomp profile")];
}

/** Returns an error for each field that names another profile than its annotation; `at` is the path of the spec. */
export function profileMatchErrors(pod: Fields | undefined, at: string): FieldError[] {
  const annotations = annotationsOf(pod);
  const ofPod = childIf(childIf(pod, "spec"), "securityContext");
  const own = annotations[seccompName];
  return [
    ...seccompMatchErrors(own, childIf(ofPod, "seccompProfile"), `${at}.securityContext.seccompProfile`),
    ...containersOf(pod, at).flatMap(({ container, path }) => {
      const [name, context] = [textOf(container["name"]), childIf(container, "securityContext")];
      const profile = childIf(context, "appArmorProfile") ?? childIf(ofPod, "appArmorProfile");
      return [
        ...seccompMatchErrors(
          annotations[seccompPrefix + name],
          childIf(context, "seccompProfile"),
          `${path}.securityContext.seccompProfile`,
        ),
        ...(isForWindows(pod)
          ? []
          : matchErrors(annotations[appArmorPrefix + name], profile, {
              at: `${path}.securityContext.appArmorProfile`,
              kind: "apparmor",
              defaults: ["runtime/default"],
            })),
      ];
    }),
  ];
}

function seccompMatchErrors(annotation: string | undefined, profile: Fields | undefined, at: string): FieldError[] {
  return matchErrors(annotation, profile, { at, kind: "seccomp", defaults: ["runtime/default", "docker/default"] });
}

interface ProfileField {
  readonly at: string;
  readonly kind: "apparmor" | "seccomp";
  /** The names of the default profile. */
  readonly defaults: readonly string[];
}

function matchErrors(
  annotation: string | undefined,
  profile: Fields | undefined,
  { at, kind, defaults }: ProfileField,
): FieldError[] {
  if (annotation === undefined || !profile) return [];
  const { type, localhostProfile } = profile;
  const isSameType =
    (type === "Unconfined" && annotation === "unconfined") ||
    (type === "RuntimeDefault" && defaults.includes(annotation)) ||
    (type === "Localhost" && annotation.startsWith(onNode));
  if (!isSameType) return [forbidden(`${at}.type`, `${kind} type in annotation and field must match`)];
  if (type !== "Localhost" || annotation.slice(onNode.length) === localhostProfile) return [];
  return [forbidden(`${at}.localhostProfile`, `${kind} profile in annotation and field must match`)];
}

function isForWindows(pod: Fields | undefined): boolean {
  return childIf(childIf(pod, "spec"), "os")?.["name"] === "windows";
}

function annotationsOf(pod: Fields | undefined): Readonly<Record<string, string>> {
  return (childIf(childIf(pod, "metadata"), "annotations") ?? {}) as Record<string, string>;
}

function containersOf(pod: Fields | undefined, at: string): { container: Fields; path: string }[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    items(childIf(pod, "spec"), list).map((container, index) => ({ container, path: `${at}.${list}[${index}]` })),
  );
}
