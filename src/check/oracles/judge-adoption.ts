import { diffStates, type Difference, type Mask, type ObjectState } from "../world/object-state.ts";
import { aboutDifference, describeDifference } from "./judge-run.ts";
import type { Violation } from "./violation.ts";

/** The states of one custom resource: as it is usually, after a change, and if it is created with that change. */
export interface Adoption {
  readonly field: string;
  readonly usual: ObjectState;
  readonly changed: ObjectState;
  readonly born: ObjectState;
  /** True if the change leads to something: it is likely to lead to all of it, but for what it turns off. */
  readonly isAdopted: boolean;
  /** The group of the custom resources, whose own fields say nothing. */
  readonly isCustom: (id: string) => boolean;
}

/**
 * Fields that the server does not let anybody change: an operator may have to leave them as they are. Of a pod, only the
 * image could be changed, which helps none that has ended.
 */
const immutable =
  /^(apps\/statefulsets \S+ spec\.(?!replicas|template|updateStrategy|minReadySeconds)|\S+ \S+ spec\.(selector|clusterIP|claimRef)|\/pods \S+ spec\.|batch\/jobs )/;
/** Data stays: whoever turns a feature off may want it again. */
const kept = /^\/(persistentvolumeclaims|secrets|persistentvolumes) /;

/** Finds effects that a value has if a custom resource is created with it, and lacks if it is set later. */
export function unadopted(adoption: Adoption, mask: Mask): Violation[] {
  const { field, usual, changed, born } = adoption;
  const differences = diffStates(born, changed, mask).filter((difference) => isForgotten(difference, adoption));
  const [first] = differences;
  if (!first) return [];
  return [
    {
      oracle: "wrong-state",
      about: `${aboutDifference(first)} not adopted`,
      sentence: `After ${field} is changed, ${describeDifference(first)}: the custom resource that is created with that value differs from one that gets it later.`,
      differences,
    },
  ];

  function isForgotten({ id, path }: Difference, { isAdopted, isCustom }: Adoption): boolean {
    if (isAdopted && (path !== "" || born.has(id))) return false;
    if (isCustom(id) || kept.test(id) || path.startsWith("status.") || immutable.test(`${id} ${path}`)) return false;
    // Only a state as before the change counts: any other may have to do with the history.
    if (path === "") return usual.has(id) === changed.has(id);
    return usual.get(id)?.get(path) === changed.get(id)?.get(path);
  }
}
