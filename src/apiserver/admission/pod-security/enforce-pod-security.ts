import { equalJson } from "../../../apimachinery/equal.ts";
import { child, childIf, items, type Fields } from "../../../apimachinery/fields.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden } from "../../refusals.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import type { Store } from "../../storage/store.ts";
import { findViolations, levels, type Level } from "./find-violations.ts";
import { invalid, type FieldError } from "../../../apimachinery/field-error.ts";

/** A write that Pod Security checks: the creation of an object, or an update if there is an old one. */
interface SecuredWrite {
  readonly store: Store;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  readonly resource: ServedResource;
  readonly subresource: string | undefined;
  readonly object: UnstructuredObject;
  readonly oldObject: UnstructuredObject | undefined;
}

const template = ["spec", "template"];

/** The paths of the pods that controllers make. */
const templates: ReadonlyMap<string, readonly string[]> = new Map([
  ["apps/daemonsets", template],
  ["apps/deployments", template],
  ["apps/replicasets", template],
  ["apps/statefulsets", template],
  ["batch/cronjobs", ["spec", "jobTemplate", ...template]],
  ["batch/jobs", template],
]);

/**
 * Rejects pods that violate the level of their namespace, and wrong labels of namespaces; warns of controllers whose
 * pods would be rejected. It is the admission plugin PodSecurity, as it is configured by default.
 */
export function enforcePodSecurity(write: SecuredWrite): void {
  const key = `${write.resource.group}/${write.resource.plural}`;
  if (key === "/pods") return checkPod(write);
  if (key === "/namespaces") return checkNamespace(write);
  const path = templates.get(key);
  if (path && write.subresource === undefined) checkTemplate(write, path);
}

/** Rejects wrong labels of a namespace, unless they were wrong before. Pods that it has already are not looked at. */
function checkNamespace({ resource, subresource, object, oldObject }: SecuredWrite): void {
  const { labels, name = "" } = object.metadata;
  if (subresource !== undefined || !hasLevels(labels)) return;
  const errors = labelErrors(labels);
  if (errors.length > 0 && !equalJson(errors, labelErrors(oldObject?.metadata.labels)))
    throw invalidError(resource, name, errors);
}

/** Subresources that do not change the privileges of a pod. */
const harmless: ReadonlySet<string | undefined> = new Set(["binding", "eviction", "status"]);

/** Rejects a pod that violates the level of its namespace; warns if it violates only the level to warn of. */
function checkPod(write: SecuredWrite): void {
  const { resource, subresource, object, oldObject } = write;
  const levels = harmless.has(subresource) ? undefined : levelsFor(write);
  if (!levels || (oldObject && !changesImages(object, oldObject))) return;
  const spec = child(object, "spec");
  const text = violationText(spec, levels.enforce);
  if (text !== undefined) throw forbidden(resource, object.metadata.name ?? "", `violates ${text}`);
  warn(write, spec, levels.warn);
}

/** Warns of a controller whose pods violate the level to warn of. */
function checkTemplate(write: SecuredWrite, path: readonly string[]): void {
  const levels = levelsFor(write);
  const found = levels && path.reduce<Fields | undefined>(childIf, write.object);
  if (found) warn(write, child(found, "spec"), levels.warn);
}

/** Returns the levels of an object's namespace; `undefined` if it has none. */
function levelsFor({ store, object: { metadata } }: SecuredWrite): NamespaceLevels | undefined {
  const namespace = store.collection({ group: "", plural: "namespaces" }).get(metadata.namespace ?? "");
  return hasLevels(namespace?.metadata.labels) ? readLevels(namespace?.metadata.labels) : undefined;
}

/**
 * Reports whether a pod has other containers or images than before: of the rest, an update changes nothing that counts.
 */
function changesImages(pod: UnstructuredObject, old: UnstructuredObject): boolean {
  const imagesOf = (of: UnstructuredObject): unknown =>
    ["initContainers", "containers", "ephemeralContainers"].map((list) =>
      items(childIf(of, "spec"), list).map(({ name, image }) => [name, image]),
    );
  return !equalJson(imagesOf(pod), imagesOf(old));
}

function warn({ warnings }: SecuredWrite, spec: Fields, level: Level): void {
  const text = violationText(spec, level);
  if (text !== undefined) warnings.push(`would violate ${text}`);
}

function violationText(spec: Fields, level: Level): string | undefined {
  const violations = findViolations(spec, level);
  if (violations.length === 0) return undefined;
  return `PodSecurity "${level}:latest": ${violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ")}`;
}

/** The levels of the Pod Security Standards that a namespace has. */
interface NamespaceLevels {
  /** Pods that violate it are rejected. */
  readonly enforce: Level;
  /** Violations lead to warnings. */
  readonly warn: Level;
}

const prefix = "pod-security.kubernetes.io/";

/** Reports whether a namespace has labels of Pod Security. This is the whole work for most namespaces. */
function hasLevels(labels: Readonly<Record<string, string>> | undefined): boolean {
  for (const name in labels) if (name.startsWith(prefix)) return true;
  return false;
}

/**
 * Reads the levels from the labels of a namespace. A wrong level to enforce is the strictest one, and a wrong level to
 * warn of has no effect. Without a level to warn of, the warnings are about violations of the enforced one.
 */
function readLevels(labels: Readonly<Record<string, string>> = {}): NamespaceLevels {
  const [enforce, warn] = [labels[`${prefix}enforce`], labels[`${prefix}warn`]];
  const known = (text: string | undefined): Level | undefined => levels.find((level) => level === text);
  return {
    enforce: known(enforce) ?? (enforce === undefined ? "privileged" : "restricted"),
    warn: known(warn ?? enforce) ?? "privileged",
  };
}

/** Returns the errors in the labels of a namespace. The rules are those of the server's version, whatever they name. */
function labelErrors(labels: Readonly<Record<string, string>> = {}): FieldError[] {
  return ["enforce", "audit", "warn"].flatMap((mode) => {
    const check = (name: string, isRight: (text: string) => boolean, wish: string): FieldError[] => {
      const text = labels[prefix + name];
      const isWrong = text !== undefined && !isRight(text);
      return isWrong ? [invalid(`metadata.labels[${prefix}${name}]`, text, wish)] : [];
    };
    return [
      ...check(mode, (text) => (levels as readonly string[]).includes(text), `must be one of ${levels.join(", ")}`),
      ...check(`${mode}-version`, (text) => version.test(text), 'must be "latest" or "v1.x"'),
    ];
  });
}

const version = /^(latest|v1\.(0|[1-9]\d{0,17}))$/;
