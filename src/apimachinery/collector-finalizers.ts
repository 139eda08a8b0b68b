/** The garbage collector removes it when no dependent has the object as an owner any more. */
export const orphanFinalizer = "orphan";
/** The garbage collector removes it when the dependents that block the deletion are gone. */
export const foregroundFinalizer = "foregroundDeletion";

/** The finalizers that stand for a propagation policy. */
export const collectorFinalizers: ReadonlySet<string> = new Set([orphanFinalizer, foregroundFinalizer]);
