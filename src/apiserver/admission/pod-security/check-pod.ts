import { type Fields, child, childIf, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden } from "../../refusals.ts";
import { checkedPod, type CheckedPod } from "./checks/pod-check.ts";
import { findViolations, formatViolations } from "./find-violations.ts";
import { formatLevel, hasLevels, isPrivileged, readLevels, type LevelVersion, type NamespaceLevels } from "./levels.ts";
import type { PodSecurityScope, SecuredWrite } from "./secured-write.ts";

/** Subresources that do not change the privileges of a pod. */
const harmless: ReadonlySet<string | undefined> = new Set(["binding", "eviction", "status"]);

/** Rejects a pod that violates the level of its namespace; warns if it violates only the level to warn of. */
export function checkPod(scope: PodSecurityScope, { resource, subresource, object, oldObject }: SecuredWrite): void {
  if (harmless.has(subresource)) return;
  const levels = levelsFor(scope, object);
  if (levels && oldObject && !changesImages(object, oldObject)) return;
  annotate(scope, "enforce-policy", () => (levels ? formatLevel(levels.enforce) : "privileged:latest"));
  if (!levels) return;
  const pod = checkedPod(object.metadata.annotations, child(object, "spec"));
  auditPod(scope, pod, levels.audit);
  const text = violationText(pod, levels.enforce);
  if (text !== undefined) throw forbidden(resource, object.metadata.name ?? "", `violates ${text}`);
  warnOfPod(scope, pod, levels.warn);
}

/** Warns of a controller whose pods violate the level to warn of. */
export function checkTemplate(scope: PodSecurityScope, write: SecuredWrite, path: readonly string[]): void {
  if (write.subresource !== undefined) return;
  const levels = levelsFor(scope, write.object);
  const template = levels && path.reduce<Fields | undefined>(childIf, write.object);
  if (!levels || !template) return;
  const annotations = childIf(template, "metadata")?.["annotations"] as Record<string, string> | undefined;
  const pod = checkedPod(annotations, child(template, "spec"));
  auditPod(scope, pod, levels.audit);
  warnOfPod(scope, pod, levels.warn);
}

const namespaces = { group: "", plural: "namespaces" };

/** Returns the levels of an object's namespace; `undefined` if it forbids nothing. */
function levelsFor(scope: PodSecurityScope, { metadata }: UnstructuredObject): NamespaceLevels | undefined {
  const labels = scope.store.collection(namespaces).get(metadata.namespace ?? "")?.metadata.labels;
  if (!hasLevels(labels)) return undefined;
  const { levels, errors } = readLevels(labels);
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  if (texts.length > 0)
    annotate(
      scope,
      "error",
      () => `Failed to parse policy: ${texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`}`,
    );
  return isPrivileged(levels) ? undefined : levels;
}

/**
 * Reports whether a pod has other containers or images than before: of the rest, an update changes nothing that counts.
 */
function changesImages(pod: UnstructuredObject, old: UnstructuredObject): boolean {
  const [spec, before] = [childIf(pod, "spec"), childIf(old, "spec")];
  const images = (of: Fields | undefined, list: string): string =>
    JSON.stringify(items(of, list).map(({ image }) => image));
  const known = new Map(items(before, "ephemeralContainers").map(({ name, image }) => [name, image]));
  return (
    ["initContainers", "containers"].some((list) => images(spec, list) !== images(before, list)) ||
    items(spec, "ephemeralContainers").some(({ name, image }) => !known.has(name) || known.get(name) !== image)
  );
}

function auditPod(scope: PodSecurityScope, pod: CheckedPod, level: LevelVersion): void {
  if (!scope.annotations) return;
  const text = violationText(pod, level);
  if (text !== undefined) annotate(scope, "audit-violations", () => `would violate ${text}`);
}

function warnOfPod({ warnings }: PodSecurityScope, pod: CheckedPod, level: LevelVersion): void {
  const text = violationText(pod, level);
  if (text !== undefined) warnings.push(`would violate ${text}`);
}

function violationText(pod: CheckedPod, level: LevelVersion): string | undefined {
  const violations = findViolations(pod, level);
  return violations.length === 0 ? undefined : `PodSecurity "${formatLevel(level)}": ${formatViolations(violations)}`;
}

function annotate({ annotations }: PodSecurityScope, name: string, text: () => string): void {
  if (annotations) annotations[`pod-security.kubernetes.io/${name}`] = text();
}
