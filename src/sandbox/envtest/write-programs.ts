import { homedir } from "node:os";
import { join } from "node:path";
import { kubernetesVersion, releaseOf } from "../../apimachinery/kubernetes-version.ts";
import { packageFile } from "../../apimachinery/package-file.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { diskReason } from "../../files/disk-reason.ts";
import { hashText } from "../../files/edited.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { realDisk } from "../../files/real-disk.ts";
import { quoteWord } from "../disk/write-kubeconfig.ts";
import { requireSignals } from "../require-signals.ts";
import { readKnownFlags } from "./server-settings.ts";
import { existsSync } from "node:fs";

/** The file by which the folder of `tsop envtest` is recognized. */
const programsMark = "tsop-envtest.txt";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder of the programs that stand for etcd, kube-apiserver and kubectl. Writes it if it is not there yet:
 * its name is a checksum of its content, so that another version of tsop or of Node has another one.
 */
export async function writePrograms(env: Environment, version: string = kubernetesVersion): Promise<string> {
  requireSignals("envtest");
  const files = programFiles(version);
  const folder = join(cacheFolder(env), "envtest", `${version}-${hashText(JSON.stringify(files)).slice(0, 12)}`);
  await makeFolder(folder);
  const disk = realDisk();
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      if ((await disk.read(path)) === text) continue;
      // Other processes write the same files now: each file is replaced as a whole.
      const own = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
      await disk.write(own, text, { executable: true });
      await disk.rename(own, path);
    }
  } catch (cause) {
    throw new TsopError("TSOP_FOLDER_UNUSABLE", { folder, reason: diskReason(cause) }, { cause });
  }
  return folder;
}

function cacheFolder({ XDG_CACHE_HOME: cache, HOME: home }: Environment): string {
  if (cache) return join(cache, "tsop");
  return join(home || homedir(), process.platform === "darwin" ? "Library/Caches/tsop" : ".cache/tsop");
}

/** Returns the files by their names. */
function programFiles(version: string): Record<string, string> {
  const { flags } = readKnownFlags();
  const script = packageFile("bin/envtest.js");
  const node = `${quoteWord(process.execPath)} ${quoteWord(script)}`;
  const start = (program: string, flags = ""): string => `exec ${node} ${program}${flags} "$@"`;
  const advice = quoteWord(`${script} is gone: run npx tsop envtest again`);
  const gone = `[ -f ${quoteWord(script)} ] || { echo ${advice} >&2; exit 1; }`;
  const lines = Object.entries(flags).map(([name, type]) => `      --${name}${type === "bool" ? "" : ` ${type}`}`);
  const apiServerHelp = ["The embedded API server of tsop, started as kube-apiserver.", "", "Flags:", "", ...lines];
  const etcdHelp = ["Answers the health checks of envtest.", "", "Flags:", "", "      --listen-client-urls strings"];
  return {
    etcd: shellScript([helpOf(etcdHelp), gone, start("etcd")]),
    "kube-apiserver": shellScript([
      helpOf(apiServerHelp),
      `[ "$*" != --version ] || { echo "Kubernetes v${version}"; exit; }`,
      gone,
      start("kube-apiserver", version === kubernetesVersion ? "" : ` --emulated-version=${releaseOf(version)}`),
    ]),
    kubectl: shellScript([findKubectl]),
    [programsMark]: `These programs were written by "tsop envtest". KUBEBUILDER_ASSETS may name this folder.\n`,
  };
}

/** envtest asks for the help before each start: the shell answers it faster than Node would. */
function helpOf(lines: readonly string[]): string {
  return `case " $* " in *" --help "*) cat <<'END'\n${lines.join("\n")}\nEND\nexit;; esac`;
}

function shellScript(parts: readonly string[]): string {
  return `#!/bin/sh\n# Written by "tsop envtest".\n${parts.join("\n")}\n`;
}

const findKubectl = `IFS=:
for folder in $PATH; do
  if [ -x "$folder/kubectl" ] && [ ! -f "$folder/${programsMark}" ]; then exec "$folder/kubectl" "$@"; fi
done
echo "tsop brings no kubectl, and the PATH has none: see https://kubernetes.io/docs/tasks/tools/" >&2
exit 127`;

/** Reports whether `tsop envtest` wrote a folder for KUBEBUILDER_ASSETS. */
export function isProgramsFolder(folder: string): boolean {
  return existsSync(join(folder, programsMark));
}
