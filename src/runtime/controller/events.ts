import type { KubeObject, Named } from "../../apimachinery/meta.ts";

/** An object was created, or existed when the watch started. */
export interface CreateEvent<T extends KubeObject = KubeObject> {
  readonly object: Named<T>;
  /** True for an object of the initial state. */
  readonly isInInitialList: boolean;
}

/** An object has changed, or is repeated by a resync. */
export interface UpdateEvent<T extends KubeObject = KubeObject> {
  readonly objectOld: Named<T>;
  readonly objectNew: Named<T>;
}

/** An object was deleted. */
export interface DeleteEvent<T extends KubeObject = KubeObject> {
  readonly object: Named<T>;
  /** True if the deletion was missed; the object is the last known state. */
  readonly deleteStateUnknown: boolean;
}

/** An event from outside the cluster that concerns an object. */
export interface GenericEvent<T extends KubeObject = KubeObject> {
  readonly object: Named<T>;
}
