import type { DeepReadonly, KubeObject, ObjectMeta } from "../../apimachinery/meta.ts";

let lastStamp = 0n;

/** Returns the name and namespace of a new event about an object. */
export function eventMetadata({ metadata }: DeepReadonly<KubeObject>): ObjectMeta {
  // Two events of an object in the same nanosecond would have the same name.
  const now = BigInt(Date.now()) * 1_000_000n;
  lastStamp = now > lastStamp ? now : lastStamp + 1n;
  return { name: `${metadata.name ?? ""}.${lastStamp.toString(16)}`, namespace: metadata.namespace ?? "default" };
}
