import { type Fields, childIf, items, textOf } from "../../../../apimachinery/fields.ts";

/** A pod, or the template of one, as the checks see it. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Fields;
  /** The initial, the usual and the ephemeral containers. */
  readonly containers: readonly Fields[];
}

export interface Violation {
  /** The feature that the level forbids: `hostPort`. */
  readonly reason: string;
  /** Where the pod has it: `container "c" uses hostPort 80`. */
  readonly detail: string;
}

/** Returns how a pod violates a rule as the minor version defines it. */
export type PodCheck = (pod: CheckedPod, version: number) => Violation | undefined;

/** Returns a pod as the checks see it. */
export function checkedPod(annotations: Readonly<Record<string, string>> | undefined, spec: Fields): CheckedPod {
  const lists = ["initContainers", "containers", "ephemeralContainers"];
  return { annotations: annotations ?? {}, spec, containers: lists.flatMap((list) => items(spec, list)) };
}

/** Returns the security context of a pod's spec or of a container. */
export function contextOf(specOrContainer: Fields): Fields {
  return childIf(specOrContainer, "securityContext") ?? {};
}

/** Returns the names of the containers that a test selects. */
export function namesWhere({ containers }: CheckedPod, test: (container: Fields) => boolean): string[] {
  return containers.filter(test).map(({ name }) => textOf(name));
}

/** Reports whether the pod is for Windows nodes, which some rules do not concern. */
export function isForWindows({ spec }: CheckedPod): boolean {
  return childIf(spec, "os")?.["name"] === "windows";
}

/** Reports whether the pod has users of its own, not the node's. Some rules are relaxed for such pods since 1.35. */
export function hasOwnUsers({ spec }: CheckedPod): boolean {
  return spec["hostUsers"] === false;
}
