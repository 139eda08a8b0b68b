import type { DeepReadonly, KubeObject } from "../../apimachinery/meta.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/**
 * Adds a finalizer in place; returns true if it was missing.
 *
 * @example
 * if (addFinalizer(memcached, "example.com/cleanup")) await client.update(Memcached, memcached);
 */
export function addFinalizer(object: KubeObject, finalizer: string): boolean {
  if (containsFinalizer(object, finalizer)) return false;
  (object.metadata.finalizers ??= []).push(finalizer);
  return true;
}

/**
 * Removes a finalizer in place; returns true if it existed.
 *
 * @example
 * if (memcached.metadata.deletionTimestamp && removeFinalizer(memcached, "example.com/cleanup")) {
 *   await client.update(Memcached, memcached);
 * }
 */
export function removeFinalizer(object: KubeObject, finalizer: string): boolean {
  if (!containsFinalizer(object, finalizer)) return false;
  object.metadata.finalizers = object.metadata.finalizers!.filter((each) => each !== finalizer);
  return true;
}

/**
 * Reports whether the object has the finalizer.
 *
 * @example
 * const toCleanUp = memcached.metadata.deletionTimestamp && containsFinalizer(memcached, "example.com/cleanup");
 */
export function containsFinalizer(object: DeepReadonly<KubeObject>, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** The clean-up before an object is deleted. It changes the object only in place, and can be called again. */
export interface Finalizer<T extends KubeObject = KubeObject> {
  /** Returns true if it changed the status, which must be written then. */
  finalize(object: T): boolean | void | Promise<boolean | void>;
}

/** The changes of finalizers, which must be written. */
export interface FinalizeResult {
  /** The metadata changed: update the object. */
  readonly updated: boolean;
  /** The status changed: update it first. */
  readonly statusUpdated: boolean;
}

/**
 * The finalizers of a kind: adds them to objects, and runs and removes them when an object is deleted.
 *
 * @example
 * const finalizers = new Finalizers<Memcached>();
 * finalizers.register("example.com/dns", { finalize: ({ metadata }) => ctx.log.info("Removing", { name: metadata.name }) });
 * const { updated, statusUpdated } = await finalizers.finalize(memcached);
 * if (statusUpdated) await client.status.update(Memcached, memcached);
 * if (updated) await client.update(Memcached, memcached);
 */
export class Finalizers<T extends KubeObject> {
  private readonly finalizers = new Map<string, Finalizer<T>>();

  /** Registers a finalizer; throws if the name is taken. */
  register(name: string, finalizer: Finalizer<T>): void {
    if (this.finalizers.has(name)) throw new TsopError("TSOP_FINALIZER_EXISTS", { name });
    this.finalizers.set(name, finalizer);
  }

  /** Changes the object in place. A failing finalizer stays; the others still run. */
  async finalize(object: T): Promise<FinalizeResult> {
    let updated = false;
    let statusUpdated = false;
    const errors: unknown[] = [];
    for (const [name, finalizer] of this.finalizers) {
      if (!object.metadata.deletionTimestamp) updated = addFinalizer(object, name) || updated;
      else if (containsFinalizer(object, name)) {
        try {
          statusUpdated = (await finalizer.finalize(object)) === true || statusUpdated;
          updated = removeFinalizer(object, name) || updated;
        } catch (error) {
          errors.push(error);
        }
      }
    }
    if (errors.length > 0) throw new FinalizeError(errors, { updated, statusUpdated });
    return { updated, statusUpdated };
  }
}

/**
 * The error of failed finalizers. The changes of the others are in `result`, and should be written before it is
 * rethrown.
 *
 * @example
 * const finalizers = new Finalizers<Memcached>();
 * try {
 *   await finalizers.finalize(memcached);
 * } catch (error) {
 *   if (error instanceof FinalizeError && error.result.updated) await client.update(Memcached, memcached);
 *   throw error;
 * }
 */
export class FinalizeError extends AggregateError {
  override readonly name: string = "FinalizeError";
  readonly result: FinalizeResult;

  constructor(errors: readonly unknown[], result: FinalizeResult) {
    super(errors, `finalizers failed: ${errors.map(messageOf).join("; ")}`);
    this.result = result;
  }
}
