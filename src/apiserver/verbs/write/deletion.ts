import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Strategy } from "../../registry/strategy.ts";

/** A terminating object that nothing holds back any more: the next write removes it. */
export function isFinished(strategy: Strategy, object: UnstructuredObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (!deletionTimestamp || finalizers?.length || strategy.isHeldBack?.(object)) return false;
  return (deletionGracePeriodSeconds ?? 0) === 0;
}
