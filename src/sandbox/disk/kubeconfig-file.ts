import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { diskReason } from "./disk-reason.ts";
import { makeFolder } from "./make-folder.ts";

/** Where a sandbox leaves the kubeconfig that lets others in. */
export interface KubeconfigFile {
  write(text: string): Promise<void>;
  /** Takes the file away, unless that of another server is in its place by now. */
  remove(url: string): Promise<void>;
}

/** Finds out whether a kubeconfig can be written there; one that a sandbox has not made is never replaced. */
export async function openKubeconfigFile(file: string): Promise<KubeconfigFile> {
  await makeFolder(dirname(file));
  const text = await readIfThere(file);
  if (text.trim() !== "" && !isOfSandbox(text)) throw new TsopError("TSOP_KUBECONFIG_FOREIGN", { file });
  return {
    async write(kubeconfig) {
      try {
        // It holds a token: others may not read it, not even for a moment.
        await rm(file, { force: true });
        await writeFile(file, kubeconfig, { mode: 0o600 });
      } catch (cause) {
        throw unusable(file, cause);
      }
    },
    async remove(url) {
      // kubectl may have changed it, as `kubectl config set-context` does.
      if ((await readIfThere(file)).includes(url)) await rm(file, { force: true });
    },
  };
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw unusable(file, cause);
  }
}

/** All that is named in it is named `tsop`, in YAML or JSON. */
function isOfSandbox(text: string): boolean {
  const names = [...text.matchAll(/"?\bname"?: *"?([^",\n]*)/g)].map(([, name]) => name);
  return names.length >= 3 && names.every((name) => name === "tsop");
}

function unusable(file: string, cause: unknown): TsopError {
  return new TsopError("TSOP_FILE_UNUSABLE", { file, reason: diskReason(cause) }, { cause });
}
