import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clock } from "../../apimachinery/clock.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { monotonicClock, wait } from "../monotonic-clock.ts";
import type { ClusterProvider, FleetChange } from "./cluster-provider.ts";
import { Roster, type Listing } from "./roster.ts";

/** Options of `kubeconfigFiles`. */
export interface KubeconfigFilesOptions {
  /**
   * `file`: each file is one cluster, the one of its current context, and has the name of the file without its
   * extension. This is the default for a folder. `context`: each context is a cluster; in a folder it is named
   * `<file>/<context>`.
   */
  readonly clusters?: "file" | "context";
  /** Milliseconds between two looks at the files; the default is 2 seconds. */
  readonly interval?: number;
  readonly clock?: Clock;
}

/**
 * Finds clusters in a kubeconfig, whose contexts they are, or in a folder of kubeconfigs, one cluster a file. Files are
 * read again when they change, however they are replaced: written in place, renamed, or by the symlinks of a mounted
 * Secret. Hidden files are ignored. A file that can't be used is reported once, and its clusters stay as they were.
 *
 * @example
 * const fleet = createFleet(mgr, kubeconfigFiles("/etc/clusters"));
 */
export function kubeconfigFiles(path: string, options: KubeconfigFilesOptions = {}): ClusterProvider {
  // Notifications of file systems miss the swap of a symlink, so that the files are looked at in intervals.
  const { interval = 2_000, clock = monotonicClock } = options;
  return {
    async *watch(signal) {
      const files = new KubeconfigFiles(path, options.clusters);
      yield* await files.look();
      yield { type: "listed" };
      while (!signal.aborted) {
        await wait(clock, interval, signal);
        if (!signal.aborted) yield* await files.look();
      }
    },
  };
}

class KubeconfigFiles {
  private readonly path: string;
  private readonly clusters: KubeconfigFilesOptions["clusters"];
  private readonly roster = new Roster();
  /** The last text of each file. */
  private readonly texts = new Map<string, string>();

  constructor(path: string, clusters: KubeconfigFilesOptions["clusters"]) {
    this.path = path;
    this.clusters = clusters;
  }

  /** Returns the changes since the last call. */
  async look(): Promise<FleetChange[]> {
    const { files, isFolder } = await this.list();
    const gone = this.roster.names.filter((file) => !files.includes(file));
    const changes = gone.flatMap((file) => this.roster.update(file, undefined));
    for (const file of gone) this.texts.delete(file);
    for (const file of files) changes.push(...(await this.read(file, isFolder)));
    return changes;
  }

  private async list(): Promise<{ files: string[]; isFolder: boolean }> {
    try {
      const isFolder = (await stat(this.path)).isDirectory();
      if (!isFolder) return { files: [this.path], isFolder };
      const names = (await readdir(this.path)).filter((name) => !name.startsWith(".")).toSorted();
      return { files: names.map((name) => join(this.path, name)), isFolder };
    } catch (error) {
      throw new TsopError("TSOP_FLEET_PATH", { path: this.path, reason: codeOf(error) }, { cause: error });
    }
  }

  private async read(file: string, isFolder: boolean): Promise<FleetChange[]> {
    let listing: Listing;
    try {
      const text = await readFile(file, "utf8");
      if (text === this.texts.get(file)) return [];
      this.texts.set(file, text);
      listing = { clusters: await this.configsIn(text, file, isFolder) };
    } catch (error) {
      // A file may vanish between the two looks at it, and a folder may have folders.
      if (["ENOENT", "EISDIR"].includes(codeOf(error))) return [];
      listing = { error };
    }
    return this.roster.update(file, listing);
  }

  private async configsIn(text: string, file: string, isFolder: boolean): Promise<Map<string, ClientConfig>> {
    // Few operators have a fleet, so that the parser is loaded on demand.
    const { readConfigs } = await import("../../client/config/read-configs.ts");
    const name = basename(file).replace(/\.(ya?ml|conf|config|kubeconfig)$/, "");
    if ((this.clusters ?? (isFolder ? "file" : "context")) === "file") {
      return new Map([[name, readConfigs(text, file).current()]]);
    }
    const all = readConfigs(text, file).byContext();
    return isFolder ? new Map([...all].map(([context, config]) => [`${name}/${context}`, config])) : all;
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
