import type { KubeObject } from "../apimachinery/meta.ts";

export interface CreateEvent<T extends KubeObject = KubeObject> {
  readonly object: T;
  /** Part of the state at start, rather than new. */
  readonly isInInitialList: boolean;
}

export interface UpdateEvent<T extends KubeObject = KubeObject> {
  readonly objectOld: T;
  readonly objectNew: T;
}

export interface DeleteEvent<T extends KubeObject = KubeObject> {
  readonly object: T;
  /** The deletion was missed; the object is the last state that was seen. */
  readonly deleteStateUnknown: boolean;
}

/** From outside the cluster: something about this object should be looked at. */
export interface GenericEvent<T extends KubeObject = KubeObject> {
  readonly object: T;
}
