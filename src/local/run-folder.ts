import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "../sandbox/disk/is-alive.ts";

/** The folder of a run, apart from those of other runs of the same project. */
export interface RunFolder {
  /** Path of the bundled operator. */
  readonly bundle: string;
  /** Folder of the webhooks' certificate. */
  readonly certificates: string;
  /** The operator's kubeconfig, for the server of this run. */
  readonly kubeconfig: string;
  /** The user's kubeconfig, for the server of the run that started last. */
  readonly sharedKubeconfig: string;
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
  await mkdir(shared, { recursive: true });
  const folder = await mkdtemp(join(shared, `run-${process.pid}-`));
  await removeAbandoned(shared);
  await writeFile(join(shared, ".gitignore"), "*\n");
  const sharedKubeconfig = join(shared, "kubeconfig");
  const kubeconfig = join(folder, "kubeconfig");
  let written: string | undefined;
  return {
    bundle: join(folder, "main.mjs"),
    certificates: join(folder, "certificates"),
    kubeconfig,
    sharedKubeconfig,
    async write({ people, operator }) {
      written = people;
      await writePrivate(kubeconfig, operator);
      await writePrivate(sharedKubeconfig, people);
    },
    async remove() {
      await rm(folder, { recursive: true, force: true });
      const current = await readFile(sharedKubeconfig, "utf8").catch(() => undefined);
      if (current !== undefined && current === written) await rm(sharedKubeconfig, { force: true });
    },
  };
}

/** Writes a file that holds a token, and that is never readable by others. */
async function writePrivate(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode: 0o600 });
}

async function removeAbandoned(shared: string): Promise<void> {
  for (const name of await readdir(shared)) {
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(shared, name), { recursive: true, force: true });
  }
}
