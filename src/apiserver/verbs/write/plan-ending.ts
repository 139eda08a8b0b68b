import { cloneJson } from "../../../apimachinery/clone.ts";
import {
  collectorFinalizers,
  foregroundFinalizer,
  orphanFinalizer,
} from "../../../apimachinery/collector-finalizers.ts";
import type { ObjectMeta, UnstructuredObject } from "../../../apimachinery/meta.ts";
import { timestamp } from "../../../apimachinery/time.ts";
import type { Strategy } from "../../registry/strategy.ts";
import { type Call, strategyContext } from "../request/call.ts";
import type { DeleteOptions } from "../request/delete-options.ts";

/** The parts of a call that a deletion needs; the server's own controllers delete, too. */
export type DeletionScope = Pick<Call, "core" | "entry" | "collection" | "changes">;

/** What a deletion does to an object. */
export interface Ending {
  /** The object with the marks of its end; the stored one if it needs none. */
  readonly object: UnstructuredObject;
  /** True if nothing holds the object then. */
  readonly isLast: boolean;
}

/** Reports whether an object ends already, and another deletion, which admission does not see then, changes nothing. */
export function isPending(
  { entry: { strategy } }: DeletionScope,
  live: UnstructuredObject,
  options: DeleteOptions,
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = live.metadata;
  if (!deletionTimestamp) return false;
  if (strategy.isHeldBack) return strategy.isHeldBack(live);
  if (!strategy.gracePeriod || !deletionGracePeriodSeconds) return false;
  return nonNegative(options.gracePeriodSeconds ?? Infinity) >= nonNegative(deletionGracePeriodSeconds);
}

/** Plans what a deletion does to an object that is not pending. */
export function planEnding(scope: DeletionScope, live: UnstructuredObject, options: DeleteOptions): Ending {
  const { strategy } = scope.entry;
  const now = scope.core.clock.now();
  const isNew = live.metadata.deletionTimestamp === undefined;
  if (isNew && strategy.beginDelete) {
    const object = cloneJson(live);
    object.metadata.deletionTimestamp = timestamp(now);
    strategy.beginDelete(object, strategyContext(scope.core));
    return { object, isLast: false };
  }
  const finalizers = markedFinalizers(live.metadata.finalizers ?? [], options);
  const isGraceful = strategy.gracePeriod && (isNew || live.metadata.deletionGracePeriodSeconds);
  if (!isGraceful && finalizers.length === 0) return { object: live, isLast: true };
  const object = { ...live, metadata: { ...live.metadata } };
  if (isNew && object.metadata.generation) object.metadata.generation++;
  if (finalizers.length > 0) object.metadata.finalizers = [...finalizers];
  else delete object.metadata.finalizers;
  if (isGraceful) setGrace(strategy, object, { options, now });
  else endNow(object.metadata, now);
  return { object, isLast: finalizers.length === 0 && object.metadata.deletionGracePeriodSeconds === 0 };
}

function setGrace(
  strategy: Strategy,
  object: UnstructuredObject,
  { options: { gracePeriodSeconds }, now }: { readonly options: DeleteOptions; readonly now: number },
): void {
  const { metadata } = object;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  const isNew = deletionTimestamp === undefined;
  const begun = isNew ? now : Date.parse(deletionTimestamp) - nonNegative(deletionGracePeriodSeconds) * 1000;
  const grace = nonNegative(isNew ? strategy.gracePeriod!(object, gracePeriodSeconds) : gracePeriodSeconds!);
  metadata.deletionTimestamp = timestamp(begun + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
}

/** Ends the grace period of an object that finalizers hold. */
function endNow(metadata: ObjectMeta, now: number): void {
  const { deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined || Date.parse(deletionTimestamp) > now)
    metadata.deletionTimestamp = timestamp(now);
  metadata.deletionGracePeriodSeconds = 0;
}

/** Returns a grace period; a negative one counts as a second. */
function nonNegative(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

type MarkWish = Omit<DeleteOptions, "dryRun">;

/** Returns the finalizers with those of the garbage collector as the propagation policy wants them, at the end if new. */
function markedFinalizers(finalizers: readonly string[], options: MarkWish): readonly string[] {
  const marks = finalizers.filter((name) => collectorFinalizers.has(name));
  const wanted = wantedMark(marks, options);
  const isSame = wanted === undefined ? marks.length === 0 : marks.length > 0 && marks.every((name) => name === wanted);
  if (isSame) return finalizers;
  const others = finalizers.filter((name) => !collectorFinalizers.has(name));
  return wanted === undefined ? others : [...others, wanted];
}

function wantedMark(
  marks: readonly string[],
  { propagationPolicy, orphanDependents, orphansUnlessMarked }: MarkWish,
): string | undefined {
  if (orphanDependents !== undefined) return orphanDependents ? orphanFinalizer : undefined;
  if (propagationPolicy === undefined) return marks[0] ?? (orphansUnlessMarked ? orphanFinalizer : undefined);
  if (propagationPolicy === "Background") return undefined;
  return propagationPolicy === "Orphan" ? orphanFinalizer : foregroundFinalizer;
}
