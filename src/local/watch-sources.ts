import { watch, type FSWatcher } from "node:fs";
import { sourceFolders } from "./source-folders.ts";

/** A save is several events, and an editor may write several files: one change. */
const settleMs = 20;

/** Yields after each change of a project's TypeScript and configuration, until the signal aborts. */
export async function* watchSources(root: string, signal: AbortSignal): AsyncGenerator<void> {
  const folders = new Map<string, FSWatcher>();
  let wake = (): void => {};
  let changed = false;
  let timer: NodeJS.Timeout | undefined;
  const notice = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      changed = true;
      wake();
    }, settleMs);
  };
  const align = async (): Promise<void> => {
    const present = new Set(await sourceFolders(root));
    for (const [folder, watcher] of folders) {
      if (present.has(folder)) continue;
      watcher.close();
      folders.delete(folder);
    }
    for (const folder of present) {
      if (folders.has(folder)) continue;
      // A folder that has gone since is told by its parent's watcher.
      folders.set(folder, watch(folder, notice).on("error", notice));
    }
  };
  const stop = () => wake();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await align();
    while (!signal.aborted) {
      if (!changed) await new Promise<void>((resolve) => (wake = resolve));
      if (signal.aborted) return;
      changed = false;
      await align();
      yield;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    for (const watcher of folders.values()) watcher.close();
  }
}
