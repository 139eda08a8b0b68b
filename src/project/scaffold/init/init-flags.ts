import type { Project } from "../../project.ts";
import type { FlagsOf, FlagValues } from "../scaffold-flag.ts";

/** The flags of `tsop init`. */
export const initFlags = {
  domain: { flag: "--domain <domain>", help: "suffix of the API groups", byDefault: "my.domain" },
  projectName: { flag: "--project-name <name>", help: "prefix of deployed names (default: the folder's name)" },
  repo: {
    flag: "--repo <name>",
    help: "package name of the project, recorded in PROJECT (default: the project's name)",
  },
  owner: { flag: "--owner <owner>", help: "copyright holder in the licence header" },
  license: {
    flag: "--license <license>",
    help: "licence header of code files",
    choices: ["apache2", "none"],
    byDefault: "apache2",
  },
  licenseFile: { flag: "--license-file <path>", help: "file with your own licence header: one block comment" },
  multigroup: { flag: "--multigroup", help: "lay out the project for several API groups: api/<group>/<version>" },
  namespaced: { flag: "--namespaced", help: "watch only the operator's own namespace" },
  packageManager: {
    flag: "--package-manager <name>",
    help: "package manager",
    choices: ["npm", "pnpm", "yarn"],
    byDefault: "npm",
  },
  skipInstall: { flag: "--skip-install", help: "do not install dependencies" },
  tsop: {
    flag: "--tsop <spec>",
    help: "tsop dependency in package.json: a version, file:… or URL (default: the running tsop)",
  },
  projectVersion: { flag: "--project-version <version>", help: "schema of PROJECT", choices: ["3"], byDefault: "3" },
  plugins: { flag: "--plugins <keys>", type: "list" },
  force: { flag: "--force", help: "overwrite existing files" },
} as const;

export type InitFlags = FlagsOf<typeof initFlags>;

/** Returns the flags of the command that recreates a project; `files` is what PROJECT does not record. */
export function initValues(
  { domain, projectName, repo, multigroup, namespaced }: Project,
  files: { readonly licenseFile: string | undefined; readonly packageManager: InitFlags["packageManager"] },
): FlagValues<typeof initFlags> {
  const license = files.licenseFile === undefined ? "none" : undefined;
  return { domain, projectName, repo, multigroup, namespaced, license, ...files, skipInstall: true };
}
