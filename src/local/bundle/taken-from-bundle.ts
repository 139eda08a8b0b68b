import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readRegularFile } from "../../files/read-regular-file.ts";

type Variables = Readonly<Record<string, string>>;

/** What an operator on this machine takes from its pod, and the names of what it does not. */
export interface TakenFromBundle {
  readonly variables: Variables;
  readonly args: readonly string[];
  readonly ignored: readonly string[];
}

/** What a kubelet and OLM set, and what names images. */
const usualVariable = /^(HOSTNAME|WATCH_NAMESPACE|POD_NAME|POD_NAMESPACE|NAMESPACE|OPERATOR_\w+|RELATED_IMAGE_\w+)$/;
/**
 * Variables by which a program loads code or trusts a server, even if the project names them: Node finds modules in the
 * home folder, too.
 */
const loadsCode = /^(NODE_|LD_|DYLD_|OPENSSL_|SSL_|KUBE|TSOP_|(PATH|HOME|USERPROFILE)$)/i;
const usualFlag = /^(leader-elect.*|leader-election-.*|zap-.*)$/;
/** Flags that choose the cluster. */
const choosesCluster = new Set(["kubeconfig", "context"]);
/** Flags with addresses and files, which differ on this machine from those in a container. */
const ofContainer =
  /^(health-probe-bind-address|metrics-bind-address|metrics-secure|metrics-cert-path|pprof-bind-address|webhook-port|webhook-cert-path)$/;

/**
 * Returns the variables and arguments of a pod that the project's own manifests name: a bundle may be somebody else's,
 * and its operator runs on this machine, with the rights of the user.
 */
export async function takeFromBundle(
  root: string,
  variables: Variables,
  args: readonly string[],
): Promise<TakenFromBundle> {
  const own = await ownNames(root);
  const isTaken = (name: string): boolean => !loadsCode.test(name) && (usualVariable.test(name) || own.has(name));
  const isTakenFlag = (flag: string): boolean => !choosesCluster.has(flag) && (usualFlag.test(flag) || own.has(flag));
  const taken: string[] = [];
  const ignored: string[] = [];
  let target: string[] = ignored;
  for (const argument of args) {
    const flag = /^--?([\w-]+)/.exec(argument)?.[1];
    // An argument without a name is the value of the flag before it.
    if (flag !== undefined) target = ofContainer.test(flag) ? [] : isTakenFlag(flag) ? taken : ignored;
    target.push(target === ignored ? argument.split("=")[0]! : argument);
  }
  const names = Object.keys(variables);
  return {
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => isTaken(name))),
    args: taken,
    ignored: [...names.filter((name) => !isTaken(name)), ...ignored],
  };
}

/** Returns the names of variables and flags in the project's manifests of its manager. */
async function ownNames(root: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const folder of ["config/manager", "config/default"]) {
    const files = await readdir(join(root, folder)).catch(() => []);
    for (const file of files.filter((name) => /\.ya?ml$/.test(name))) {
      const text = readRegularFile(join(root, folder, file)).toString();
      for (const [, variable, flag] of text.matchAll(/\bname: *["']?([A-Za-z_]\w*)|(?<![\w-])--([\w-]+)/g))
        names.add((variable ?? flag)!);
    }
  }
  return names;
}
