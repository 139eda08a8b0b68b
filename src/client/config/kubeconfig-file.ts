import { readFile } from "node:fs/promises";
import { parseYamlDocuments, YamlError } from "../../apimachinery/yaml/parse.ts";
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
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  try {
    // kubectl reads the first document, too.
    const [document] = parseYamlDocuments(text);
    return readKubeconfig(document, file);
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    const { reason, line, column } = cause;
    throw new TsopError("TSOP_KUBECONFIG_INVALID", { file, reason: `${line}:${column}: ${reason}` }, { cause });
  }
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
