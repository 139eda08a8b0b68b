import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { isAlive } from "../files/is-alive.ts";
import { makeFolder } from "../files/make-folder.ts";
import { realDisk } from "../files/real-disk.ts";
import { takeLock } from "../files/take-lock.ts";
import { writeWhole } from "../sandbox/disk/write-whole.ts";

/** The folder of a run, apart from those of other runs of the same project. */
export interface RunFolder {
  /** Path of the bundled operator. */
  readonly bundle: string;
  /** Folder of the webhooks' certificate. */
  readonly certificates: string;
  /** The operator's kubeconfig, for the server of this run. */
  readonly kubeconfig: string;
  /** The user's kubeconfig: `.tsop/kubeconfig`, or a file of this run if another run of the project has that. */
  readonly userKubeconfig: string;
  /** Writes both kubeconfigs. */
  write(kubeconfigs: Kubeconfigs): Promise<void>;
  remove(): Promise<void>;
}

/** The texts of both kubeconfigs, which may have different users. */
export interface Kubeconfigs {
  readonly people: string;
  readonly operator: string;
}

/** Creates a folder in `.tsop` for a run, and removes those of killed runs. */
export async function makeRunFolder(root: string): Promise<RunFolder> {
  const shared = join(root, ".tsop");
  await makeFolder(shared);
  const folder = await mkdtemp(join(shared, `run-${process.pid}-`));
  await removeAbandoned(shared);
  await writeFile(join(shared, ".gitignore"), "*\n");
  const kubeconfig = join(folder, "kubeconfig");
  const lock = join(shared, "kubeconfig.lock");
  const isFirst = (await takeLock(lock, realDisk(), "tsop run --local")) === undefined;
  const userKubeconfig = join(shared, isFirst ? "kubeconfig" : basename(folder).replace(/^run/, "kubeconfig"));
  return {
    bundle: join(folder, "main.mjs"),
    certificates: join(folder, "certificates"),
    kubeconfig,
    userKubeconfig,
    async write({ people, operator }) {
      await writeWhole(kubeconfig, operator);
      // A program that waits for the file must not find half of it.
      await writeWhole(userKubeconfig, people);
    },
    async remove() {
      await rm(folder, { recursive: true, force: true });
      await rm(userKubeconfig, { force: true });
      if (isFirst) await rm(lock, { force: true });
    },
  };
}

async function removeAbandoned(shared: string): Promise<void> {
  for (const name of await readdir(shared)) {
    const pid = /^(?:run|kubeconfig)-(\d+)-/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(shared, name), { recursive: true, force: true });
  }
}
