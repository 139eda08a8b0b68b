import { parseApiVersion, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { labelSelectorMatcher, type LabelMatcher } from "../../apimachinery/selectors.ts";
import { controllerOf } from "../../runtime/objects/owner-references.ts";
import type { LabelSelector } from "../../apimachinery/meta.ts";
import type { ControllerRing, GroupResource } from "../../runtime/sharding/controller-ring.ts";

/** A kind of a ring. A controlled one follows the object that controls it. */
export interface RingMember extends GroupResource {
  readonly isControlled: boolean;
}

/** Returns the resources of a ring: the main ones, and those that they control. */
export function membersOf({ spec }: ControllerRing): RingMember[] {
  return (spec?.resources ?? []).flatMap(({ group = "", resource, controlledResources = [] }) => [
    { group, resource, isControlled: false },
    ...controlledResources.map((controlled) => ({ group: "", ...controlled, isControlled: true })),
  ]);
}

/** Finds a resource in a ring. One that is listed twice is a main resource. */
export function memberOf(ring: ControllerRing, { group = "", resource }: GroupResource): RingMember | undefined {
  const found = membersOf(ring).filter((member) => member.group === group && member.resource === resource);
  return found.find(({ isControlled }) => !isControlled) ?? found[0];
}

/**
 * Returns the text that places an object on the hash ring: its own identity, or its controller's. Returns `undefined`
 * for an object without a place: a child without controller, or a name that the server has yet to generate.
 */
export function hashKeyOf(
  { isControlled }: RingMember,
  { group, kind }: Pick<Kind, "group" | "kind">,
  object: KubeObject,
): string | undefined {
  const { namespace = "", name } = object.metadata;
  if (!isControlled) return name ? [group, kind, namespace, name].join("/") : undefined;
  const owner = controllerOf(object);
  if (!owner) return undefined;
  return [parseApiVersion(owner.apiVersion).group, owner.kind, namespace, owner.name].join("/");
}

const everyNamespaceButSystem: LabelSelector = {
  matchExpressions: [
    { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["kube-system", "sharding-system"] },
  ],
};

/** Returns the selector of the namespaces whose objects a ring distributes. */
export function namespaceSelectorOf({ spec }: ControllerRing): LabelSelector {
  return spec?.namespaceSelector ?? everyNamespaceButSystem;
}

export function namespaceMatcherOf(ring: ControllerRing): LabelMatcher {
  return labelSelectorMatcher(namespaceSelectorOf(ring));
}
