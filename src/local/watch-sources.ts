import { watch, existsSync, type FSWatcher } from "node:fs";
import { readdir, stat, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import { createRequire } from "node:module";
import { parseJsonObject } from "../apimachinery/parse-json-object.ts";

/** Delay that turns the events of one save, perhaps of several files, into one change. */
const settleMs = 20;

/**
 * Watches the TypeScript and configuration of a project and of the packages that its workspace links into it, and other
 * files or folders. Resolves when the watch has begun, with a generator that yields after each change until the signal
 * aborts.
 */
export async function watchSources(
  root: string,
  signal: AbortSignal,
  others: readonly string[] = [],
): Promise<AsyncGenerator<void>> {
  const roots = [root, ...(await linkedPackages(root))];
  const folders = new Map<string, FSWatcher>();
  let wake = (): void => {};
  let changed = false;
  let timer: NodeJS.Timeout | undefined;
  const notice = (name: string | null): void => {
    // Each command that writes makes .tsop and removes it again.
    if (name !== null && isSkipped(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      changed = true;
      wake();
    }, settleMs);
  };
  const align = async (): Promise<void> => {
    const present = new Set((await Promise.all([...roots.map(sourceFolders), ...others.map(folderOf)])).flat());
    for (const [folder, watcher] of folders) {
      if (present.has(folder)) continue;
      watcher.close();
      folders.delete(folder);
    }
    for (const folder of present) {
      if (folders.has(folder)) continue;
      folders.set(folder, watchFolder(folder, notice));
    }
  };
  const changes = async function* (): AsyncGenerator<void> {
    const stop = () => wake();
    signal.addEventListener("abort", stop, { once: true });
    try {
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
  };
  await align();
  return changes();
}

/** The codes of the system's limits: of programs that watch, and of folders that are watched. */
const limits: readonly unknown[] = ["EMFILE", "ENOSPC"];

function watchFolder(folder: string, notice: (name: string | null) => void): FSWatcher {
  try {
    // The watcher of its parent reports a folder that was deleted.
    return watch(folder, (_, name) => notice(name)).on("error", () => notice(null));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw limits.includes(code) ? new TsopError("TSOP_WATCH_LIMIT", { reason: message }, { cause: error }) : error;
  }
}

/** Returns the folder to watch for a file or a folder; none if neither exists. */
async function folderOf(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  return found ? [found.isDirectory() ? path : dirname(path)] : [];
}

/** Lists a project's folders except packages, hidden ones and build output. */
export async function sourceFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const inner = entries.filter((entry) => entry.isDirectory() && !isSkipped(entry.name));
  const deeper = await Promise.all(inner.map(({ name }) => sourceFolders(join(root, name))));
  return [root, ...deeper.flat()];
}

function isSkipped(name: string): boolean {
  return name.startsWith(".") || ["node_modules", "dist", "coverage", "bin"].includes(name);
}

/** Returns the folders of the packages that package.json names and a workspace links into the project, but tsop itself. */
async function linkedPackages(root: string): Promise<string[]> {
  const file = join(root, "package.json");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const { dependencies, devDependencies } = parseJsonObject(text, file);
  const names = Object.keys({ ...(dependencies as object), ...(devDependencies as object) });
  const { resolve } = createRequire(file);
  const folders = names
    .filter((name) => name !== "tsop")
    .flatMap(
      (name) =>
        resolve
          .paths(name)
          ?.map((folder) => join(folder, name))
          .find(existsSync) ?? [],
    );
  const real = await Promise.all(folders.map((folder) => realpath(folder)));
  return real.filter((folder) => !/[/\\]node_modules[/\\]/.test(folder));
}
