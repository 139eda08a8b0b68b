import { isAbsolute, relative, resolve } from "node:path";
import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import type { Reader } from "../../client/client.ts";
import { CustomResourceDefinition as CrdKind } from "../../client/manifests/install-crds.ts";
import { readCrd } from "../../codegen/external/parse-crds.ts";
import { readFileCrds } from "../../codegen/external/read-source.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";

/** Runs git in a folder. */
type RunGit = (
  args: readonly string[],
  cwd: string,
) => Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;

export interface SideHost {
  readonly cwd: string;
  readonly disk: Pick<Disk, "read" | "list">;
  /** The folder of the project with its CRDs, which a revision without a path means. */
  readonly crdFolder: string | undefined;
  readonly git: RunGit;
  readonly connect: () => Promise<Pick<Reader, "list">>;
}

/** The side of a comparison that is on the cluster. */
const cluster = "cluster";

/**
 * Reads the CRDs that a word of the command line names: those of a file or a folder, of the cluster for `cluster`, and
 * otherwise of a git revision, as `v1.2.0` or `v1.2.0:config/crd/bases`.
 */
export async function readSide(side: string, host: SideHost): Promise<CustomResourceDefinition[]> {
  if (side === cluster) {
    const { items } = await (await host.connect()).list(CrdKind);
    return items.map((crd) => readCrd(crd, "the cluster"));
  }
  const path = resolve(host.cwd, side);
  if (await isOnDisk(path, host.disk)) return readFileCrds(path, side, host.disk);
  const [revision = "", named] = side.split(/:(.*)/s);
  const folder = named === undefined ? host.crdFolder : resolve(host.cwd, named);
  if (folder === undefined) throw new TsopError("TSOP_CRD_SIDE", { side });
  return readFileCrds("", side, await openRevision({ revision, folder, side }, host));
}

async function isOnDisk(path: string, disk: SideHost["disk"]): Promise<boolean> {
  return (await disk.read(path)) !== undefined || (await disk.list(path)).length > 0;
}

/** Keeps of the CRDs of a cluster those that the other side has, too. */
export function sharedWith(
  crds: readonly CustomResourceDefinition[],
  others: readonly CustomResourceDefinition[],
): CustomResourceDefinition[] {
  const names = new Set(others.map(({ metadata }) => metadata.name));
  return crds.filter(({ metadata }) => names.has(metadata.name));
}

interface Revision {
  readonly revision: string;
  readonly folder: string;
  readonly side: string;
}

/** Opens a file or a folder of a revision as a disk whose root it is. */
async function openRevision(
  { revision, folder, side }: Revision,
  { cwd, git }: SideHost,
): Promise<Pick<Disk, "read" | "list">> {
  const path = relative(cwd, folder);
  const at = `${revision}:./${isAbsolute(path) ? "" : path}`;
  const found = await git(["rev-parse", "--verify", "--quiet", "--end-of-options", at], cwd);
  if (found.exitCode !== 0) throw new TsopError("TSOP_CRD_SIDE", { side });
  const tree = found.stdout.trim();
  const show = async (object: string): Promise<string | undefined> => {
    const { exitCode, stdout } = await git(["cat-file", "blob", object], cwd);
    return exitCode === 0 ? stdout : undefined;
  };
  return {
    read: (file) => show(file === "" ? tree : `${tree}:${file}`),
    async list() {
      const { stdout } = await git(["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree], cwd);
      return stdout.split("\0").filter((name) => name !== "");
    },
  };
}
