import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, isDigest } from "../manifest.ts";

/** Blobs and manifests of base images, by their digests. */
export interface BlobCache {
  read(digest: string): Buffer | undefined;
  write(digest: string, body: Uint8Array): void;
}

/** A base image that no build has used for this time is removed. */
const keptMs = 60 * 24 * 3600 * 1000;

/** Returns the folder for caches of this user. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "/";
  const folder = process.platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"];
  return join(folder || join(home, process.platform === "darwin" ? "Library/Caches" : ".cache"), "tsop", "images");
}

/** Opens the cache in a folder. Without access to the folder, it stays empty: all is then read from registries. */
export function openBlobCache(folder: string): BlobCache {
  const fileOf = (digest: string): string | undefined =>
    isDigest(digest) ? join(folder, digest.replace(":", "-")) : undefined;
  return {
    read(digest) {
      const file = fileOf(digest);
      const body = file && attempt(() => readFileSync(file));
      if (!file || !body) return undefined;
      if (digestOf(body) !== digest) return undefined; // the next write replaces it
      attempt(() => utimesSync(file, new Date(), new Date()));
      return body;
    },
    write(digest, body) {
      const file = fileOf(digest);
      if (!file) return;
      attempt(() => {
        mkdirSync(folder, { recursive: true });
        // Another build may read the file meanwhile.
        const draft = `${file}.${randomUUID()}`;
        writeFileSync(draft, body);
        renameSync(draft, file);
        removeUnused(folder);
      });
    },
  };
}

function removeUnused(folder: string): void {
  const oldest = Date.now() - keptMs;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (statSync(file).mtimeMs < oldest) rmSync(file);
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined; // a cache is not needed
  }
}
