import type { DeepReadonly, KubeObject } from "../../apimachinery/meta.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/**
 * Adds a finalizer in place; true if it was not there.
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
 * Removes a finalizer in place; true if it was there.
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
 * True when the object has the finalizer.
 *
 * @example
 * const toCleanUp = memcached.metadata.deletionTimestamp && containsFinalizer(memcached, "example.com/cleanup");
 */
export function containsFinalizer(object: DeepReadonly<KubeObject>, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** What has to be done before an object may go. It changes the object only in place, and may be called again. */
export interface Finalizer<T extends KubeObject = KubeObject> {
  /** True if it changed the status, which has to be written then. */
  finalize(object: T): boolean | void | Promise<boolean | void>;
}

/** What finalizers have changed, and what is therefore to be written. */
export interface FinalizeResult {
  /** The object's metadata changed: update it. */
  readonly updated: boolean;
  /** Its status changed: update that first. */
  readonly statusUpdated: boolean;
}

/**
 * The finalizers of a kind: adds them to living objects, and runs and removes them when an object is being deleted.
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

  /** Throws when the name is taken. */
  register(name: string, finalizer: Finalizer<T>): void {
    if (this.finalizers.has(name)) throw new TsopError("TSOP_FINALIZER_EXISTS", { name });
    this.finalizers.set(name, finalizer);
  }

  /** Changes the object in place. One that fails keeps its finalizer; the others run all the same. */
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
 * Some finalizers failed. What the others changed is in `result`, and should be written before this is thrown on.
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
