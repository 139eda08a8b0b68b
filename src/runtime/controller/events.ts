import type { KubeObject, Named } from "../../apimachinery/meta.ts";

/** An object has come into being, or was there when the watch began. */
export interface CreateEvent<T extends KubeObject = KubeObject> {
  readonly object: Named<T>;
  /** Part of the state at start, rather than new. */
  readonly isInInitialList: boolean;
}

/** An object has changed, or is told again by a resync. */
export interface UpdateEvent<T extends KubeObject = KubeObject> {
  readonly objectOld: Named<T>;
  readonly objectNew: Named<T>;
}

/** An object is gone. */
export interface DeleteEvent<T extends KubeObject = KubeObject> {
  readonly object: Named<T>;
  /** The deletion was missed; the object is the last state that was seen. */
  readonly deleteStateUnknown: boolean;
}

/** From outside the cluster: something about this object should be looked at. */
export interface GenericEvent<T extends KubeObject = KubeObject> {
  readonly object: Named<T>;
}
