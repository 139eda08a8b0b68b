import type { ReconcileContext } from "../runtime/controller/reconciler.ts";
import { discardLogger } from "../runtime/log/logger.ts";

/**
 * Returns the context for a direct call of a reconciler: a signal that does not abort, a logger that writes nothing, and
 * the first attempt. Each can be given.
 *
 * @example
 * const lines: string[] = [];
 * const log = zapLogger({ write: (line) => lines.push(line) });
 * await reconciler.reconcile(request, reconcileContext({ log }));
 */
export function reconcileContext(given: Partial<ReconcileContext> = {}): ReconcileContext {
  return { signal: new AbortController().signal, log: discardLogger, reconcileID: "test", attempt: 1, ...given };
}
