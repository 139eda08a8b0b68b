import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

/** The flags that name a cluster. */
export interface NamedCluster {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/**
 * Reports whether the flags name a cluster. Only they make a command that can work without a cluster use one: many
 * users export the KUBECONFIG of a cluster that an operator under development must not touch.
 */
export function namesCluster({ kubeconfig, context }: NamedCluster): boolean {
  return Boolean(kubeconfig ?? context);
}

/** Returns the value of KUBECONFIG that a command without a cluster ignores, unless the project's own runs wrote its files. */
export function ignoredKubeconfig(
  { root, cwd }: { readonly root: string; readonly cwd: string },
  { KUBECONFIG }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const own = realPath(join(root, ".tsop"));
  const isOwn = (file: string): boolean => realPath(dirname(resolve(cwd, file))) === own;
  const files = (KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  return files.every(isOwn) ? undefined : KUBECONFIG;
}

function realPath(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}
