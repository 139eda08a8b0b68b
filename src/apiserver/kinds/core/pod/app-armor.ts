import { child, childIf, items, textOf } from "../../../../apimachinery/fields.ts";
import { equalJson } from "../../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { appArmorPrefix, appArmorProfile, appArmorText } from "../../rules/deprecated-annotations.ts";

/** Gives the containers of a new pod the profiles of AppArmor that annotations name. Returns warnings about them. */
export function adoptAppArmorProfiles(pod: UnstructuredObject): string[] {
  const spec = childIf(pod, "spec");
  if (childIf(spec, "os")?.["name"] === "windows") return [];
  const ofPod = childIf(childIf(spec, "securityContext"), "appArmorProfile");
  return [...items(spec, "initContainers"), ...items(spec, "containers")].flatMap((container) => {
    const key = appArmorPrefix + textOf(container["name"]);
    const annotation = pod.metadata.annotations?.[key];
    if (annotation === undefined || childIf(childIf(container, "securityContext"), "appArmorProfile")) return [];
    const profile = appArmorProfile(annotation);
    if (profile && equalJson(profile, ofPod)) return [];
    // A file name with blanks around it is no profile.
    const isValid = profile && textOf(profile["localhostProfile"]).trim() === textOf(profile["localhostProfile"]);
    if (isValid) child(container, "securityContext")["appArmorProfile"] = profile;
    return [`metadata.annotations[${key}]: ${appArmorText}`];
  });
}
