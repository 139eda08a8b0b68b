import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Plan } from "../plans/plan.ts";
import { diffStates, type Difference, type Mask, type ObjectState } from "../world/object-state.ts";
import type { LoggedError, RunRecord } from "../world/run-record.ts";
import { aboutDifference, describeDifference } from "./describe-difference.ts";
import type { Violation } from "./violation.ts";

/** A change, and the states before and after it. */
export interface Adoption {
  readonly plan: Plan;
  readonly usual: ObjectState;
  readonly changed: ObjectState;
  /** The group of the custom resources, whose own fields say nothing. */
  readonly isCustom: (id: string) => boolean;
}

/**
 * Fields that the server does not let anybody change: an operator may have to leave them as they are. Of a pod, only the
 * image could be changed, which helps none that has ended; a job that waits can be let go.
 */
const immutable =
  /^(apps\/statefulsets \S+ spec\.(?!replicas|template|updateStrategy|minReadySeconds)|\S+ \S+ spec\.(selector|clusterIP|claimRef)|\/pods \S+ spec\.|batch\/jobs \S+ (?!spec\.suspend$))/;
/** Data stays: whoever turns a feature off may want it again. */
const kept = /^\/(persistentvolumeclaims|secrets|persistentvolumes) /;

/** Reports whether a change leads to something: then it is likely to lead to all of it, but for what it turns off. */
export function isAdopted(adoption: Adoption, mask: Mask): boolean {
  const { usual, changed } = adoption;
  return diffStates(usual, changed, mask).some(({ id }) => !saysNothing(id, adoption));
}

/** Finds effects that a value has if an object is created with it, and lacks if it is set later. */
export function unadopted(adoption: Adoption, born: ObjectState, mask: Mask): Violation[] {
  const { plan, usual, changed } = adoption;
  const isAdoptedInPart = isAdopted(adoption, mask);
  const differences = diffStates(born, changed, mask).filter(isForgotten);
  const [first] = differences;
  if (!first) return [];
  const field = plan.id.split(":")[2] ?? "";
  return [
    {
      oracle: "wrong-state",
      about: `${aboutDifference(first)} not adopted`,
      sentence: `After ${field} is changed, ${describeDifference(first)}: an object that is created with that value leads to another state than one that gets it later.`,
      hint: hintAbout(adoption),
      differences,
    },
  ];

  function isForgotten({ id, path }: Difference): boolean {
    if (isAdoptedInPart && (path !== "" || born.has(id))) return false;
    if (saysNothing(id, adoption) || isKept(id, path) || path.startsWith("status.") || immutable.test(`${id} ${path}`))
      return false;
    // An object that was made before may be meant to stay, such as the pod of a task, unless the change turns it off.
    if (path === "" && !born.has(id) && !plan.turnsOff) return false;
    // Only a state as before the change counts: any other may have to do with the history.
    if (path === "") return usual.has(id) === changed.has(id);
    return usual.get(id)?.get(path) === changed.get(id)?.get(path);
  }

  // A copy of a ConfigMap or a Secret does not count as the operator's own data.
  function isKept(id: string, path: string): boolean {
    return kept.test(id) && (path === "" || isOfCustom(adoption));
  }
}

/** Reports whether a run has met an error that neither a race nor the usual run explains. */
export function hasFailed({ errors, unreached, requests, breakdowns }: RunRecord, usual: RunRecord): boolean {
  const isRefused = requests.some(
    ({ by, status }) => by === "operator" && status >= 400 && ![404, 409].includes(status),
  );
  const isUsual = ({ message }: LoggedError): boolean => usual.errors.some((error) => error.message === message);
  const isReported = errors.some(
    (error) => !/the object has been modified|already exists/.test(error.message) && !isUsual(error),
  );
  return isRefused || isReported || unreached.size > 0 || breakdowns.length > 0;
}

/** Reports whether the changed object is a custom resource: otherwise, the operator may read it. */
function isOfCustom(adoption: Adoption): boolean {
  return [...adoption.changed.keys()].some((id) => adoption.isCustom(id) && isChanged(id, adoption));
}

function hintAbout(adoption: Adoption): string | undefined {
  if (isOfCustom(adoption)) return undefined;
  return "the operator reads the object, and a watch that maps it to the custom resources is missing";
}

function saysNothing(id: string, adoption: Adoption): boolean {
  return adoption.isCustom(id) || isChanged(id, adoption);
}

function isChanged(id: string, { plan, changed }: Adoption): boolean {
  const action = plan.steps[1]?.action;
  const object = changed.get(id);
  if (action?.type !== "patch" || !object) return false;
  const { kind, name } = action.target;
  return object.get("kind") === kind && object.get("metadata.name") === name;
}

/**
 * Returns the state at the end of the second step, in which a plan of exploration changes a field and no fault occurs.
 */
export function stateAfterChange({ steps, breakdowns }: RunRecord): ObjectState | undefined {
  return steps[1]?.quiet && breakdowns.length === 0 ? steps[1].state : undefined;
}

/** Returns a function that reports whether an object is of a group of the CRDs. */
export function isOfGroups(crds: readonly UnstructuredObject[]): (id: string) => boolean {
  const groups = crds.map(({ spec }) => (spec as { group: string }).group);
  return (id) => groups.some((group) => id.startsWith(`${group}/`));
}
