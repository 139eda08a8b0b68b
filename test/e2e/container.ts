import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Image } from "./dockerfile.ts";
import { LongRunning } from "./shell.ts";

export interface ContainerOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Mounted files by their absolute path in the container. */
  readonly files: Readonly<Record<string, string>>;
}

/** True if this user may create namespaces, which a container needs. */
export const hasContainers: boolean =
  process.platform === "linux" && spawnSync("unshare", ["-Urm", "true"]).status === 0;

/**
 * Runs an image as a container: its root folder, read-only, with this machine's system libraries and Node in place of
 * those of the base image. It uses the network of the machine.
 */
export function startContainer({ root, entrypoint }: Image, options: ContainerOptions): LongRunning {
  for (const [path, text] of Object.entries(options.files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const variables = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
  const command = [...variables, "/usr/sbin/chroot", ".", ...entrypoint.filter(isKnown), ...options.args];
  const args = ["-Urm", "sh", "-euc", enter, "sh", root, process.execPath, ...command];
  return new LongRunning("unshare", args, { cwd: root });
}

/** Versions of Node older than the base image's lack some of its flags. */
function isKnown(argument: string): boolean {
  const [flag = ""] = argument.split("=");
  return !flag.startsWith("--") || process.allowedNodeEnvironmentFlags.has(flag);
}

const enter = `
root=$1 node=$2
shift 2
mount --bind "$root" "$root"
for folder in usr lib lib64 proc dev; do
  [ -d "/$folder" ] || continue
  mkdir -p "$root/$folder"
  mount --rbind "/$folder" "$root/$folder"
done
mkdir -p "$root/nodejs/bin"
touch "$root/nodejs/bin/node"
mount --bind "$node" "$root/nodejs/bin/node"
mount -o remount,bind,ro "$root"
cd "$root"
exec env -i "$@"
`;
