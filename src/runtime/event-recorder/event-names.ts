import type { DeepReadonly, KubeObject, ObjectMeta } from "../../apimachinery/meta.ts";

/** The names of a manager's events: two events of an object in the same nanosecond would have the same one. */
export class EventNames {
  private lastStamp = 0n;

  /** Returns the name and namespace of a new event about an object. */
  next({ metadata }: DeepReadonly<KubeObject>): ObjectMeta {
    const now = BigInt(Date.now()) * 1_000_000n;
    this.lastStamp = now > this.lastStamp ? now : this.lastStamp + 1n;
    return {
      name: `${metadata.name ?? ""}.${this.lastStamp.toString(16)}`,
      namespace: metadata.namespace ?? "default",
    };
  }
}
