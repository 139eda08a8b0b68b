import { join } from "node:path";
import type { Disk } from "../../../files/disk.ts";
import type { InitFlags } from "./init-flags.ts";

export type PackageManager = InitFlags["packageManager"];

/** How the files of a project call its package manager. */
export interface PackageManagerWords {
  readonly lockFile: string;
  /** A file beside package.json that an installation reads; empty if there is none. */
  readonly settingsFile: string;
  /** The command that installs the packages of the lock file. */
  readonly installLocked: string;
  /** Runs a program of the project's packages; never downloads one, as anyone could publish a package of that name. */
  readonly exec: string;
  /** True if Node's images have no such program, but corepack, which provides it. */
  readonly usesCorepack: boolean;
}

export const packageManagerWords: Readonly<Record<PackageManager, PackageManagerWords>> = {
  npm: {
    lockFile: "package-lock.json",
    settingsFile: "",
    installLocked: "npm ci",
    exec: "npx --no-install",
    usesCorepack: false,
  },
  pnpm: {
    lockFile: "pnpm-lock.yaml",
    settingsFile: "pnpm-workspace.yaml",
    installLocked: "pnpm install --frozen-lockfile",
    exec: "pnpm exec",
    usesCorepack: true,
  },
  yarn: {
    lockFile: "yarn.lock",
    settingsFile: ".yarnrc.yml",
    installLocked: "yarn install --immutable",
    exec: "yarn run",
    usesCorepack: true,
  },
};

/** Returns the package manager whose lock file or settings the project has. */
export async function findPackageManager(root: string, disk: Pick<Disk, "read">): Promise<PackageManager> {
  for (const name of ["pnpm", "yarn"] as const) {
    const { lockFile, settingsFile } = packageManagerWords[name];
    for (const path of [lockFile, settingsFile]) if ((await disk.read(join(root, path))) !== undefined) return name;
  }
  return "npm";
}
