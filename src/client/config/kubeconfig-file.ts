import { readFile } from "node:fs/promises";
import { load } from "js-yaml";
import { TsopError } from "../../errors/tsop-error.ts";
import type { ClientConfig } from "./config.ts";
import { mergeKubeconfigs, readKubeconfig, resolveContext, type Kubeconfig } from "./kubeconfig.ts";

export interface LoadKubeconfigOptions {
  readonly context?: string | undefined;
  /** Files of KUBECONFIG may be missing if at least one exists; a single named file may not. */
  readonly required: boolean;
}

/** Reads and merges kubeconfig files, and resolves a context of the result. */
export async function loadKubeconfig(files: readonly string[], options: LoadKubeconfigOptions): Promise<ClientConfig> {
  const configs: Kubeconfig[] = [];
  for (const file of files) {
    const text = await readConfigFile(file, options.required || files.length === 1);
    if (text !== undefined) configs.push(parseKubeconfig(text, file));
  }
  if (configs.length === 0) {
    throw new TsopError("TSOP_KUBECONFIG_NOT_FOUND", { file: files.join(", "), reason: "none of the files exists" });
  }
  return resolveContext(mergeKubeconfigs(configs), files.join(", "), options.context);
}

/** Parses a kubeconfig; `file` is used in messages and to resolve relative paths. */
function parseKubeconfig(text: string, file: string): Kubeconfig {
  let document: unknown;
  try {
    document = load(text);
  } catch (error) {
    throw new TsopError("TSOP_KUBECONFIG_INVALID", { file, reason: (error as Error).message }, { cause: error });
  }
  return readKubeconfig(document, file);
}

async function readConfigFile(file: string, required: boolean): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !required) return undefined;
    throw new TsopError("TSOP_KUBECONFIG_NOT_FOUND", { file, reason: code ?? message }, { cause: error });
  }
}
