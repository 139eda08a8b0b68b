import { join } from "node:path";
import type { LoadedProject } from "../../load-project.ts";
import type { Project, Resource } from "../../project.ts";
import { boilerplateFile } from "../../../files/file-header.ts";
import type { Disk } from "../../../files/disk.ts";
import { deployImageOf } from "../api/deploy-image.ts";
import { packageManagerWords, type PackageManager } from "../init/package-manager.ts";
import { findCertificates } from "../webhook/webhook-certificates.ts";
import type { CertificateSource } from "../webhook/webhook-options.ts";

/** The facts of a project that PROJECT does not record. */
interface Surroundings {
  /** The file with the comment above new files; absent if the project has none. */
  readonly licenseFile?: string;
  readonly packageManager: PackageManager;
  readonly certificates: CertificateSource | undefined;
}

/** The words of a command line of tsop, from `init` or `create` on. */
export type CommandLine = readonly string[];

/**
 * Returns the commands that create the project that PROJECT records, in an empty folder. They generate nothing and
 * install nothing. Every version of tsop understands them.
 */
export async function projectCommands(
  { root, project }: Pick<LoadedProject, "root" | "project">,
  disk: Pick<Disk, "list" | "read">,
): Promise<CommandLine[]> {
  const read = readerOf(root, disk);
  const surroundings: Surroundings = {
    ...((await read(boilerplateFile)) === undefined ? {} : { licenseFile: join(root, boilerplateFile) }),
    packageManager: await findPackageManager(root, disk),
    certificates: await findCertificates({ read }),
  };
  const resources = project.resources ?? [];
  return [
    initCommand(project, surroundings),
    ...resources.flatMap((resource) => apiCommands(project, resource)),
    ...resources.flatMap((resource) => webhookCommand(resource, surroundings)),
  ];
}

/** Returns the package manager whose lock file or settings the project has. */
export async function findPackageManager(root: string, disk: Pick<Disk, "read">): Promise<PackageManager> {
  const read = readerOf(root, disk);
  for (const name of ["pnpm", "yarn"] as const) {
    const { lockFile, settingsFile } = packageManagerWords[name];
    for (const path of [lockFile, settingsFile]) if ((await read(path)) !== undefined) return name;
  }
  return "npm";
}

function readerOf(root: string, disk: Pick<Disk, "read">): (path: string) => Promise<string | undefined> {
  return (path) => disk.read(join(root, path));
}

function initCommand(project: Project, { licenseFile, packageManager }: Surroundings): CommandLine {
  const { domain, projectName, repo, multigroup, namespaced } = project;
  return [
    "init",
    ...flag("domain", domain),
    ...flag("project-name", projectName),
    ...flag("repo", repo),
    ...(licenseFile === undefined ? ["--license", "none"] : ["--license-file", licenseFile]),
    ...(multigroup ? ["--multigroup"] : []),
    ...(namespaced ? ["--namespaced"] : []),
    ...flag("package-manager", packageManager),
    "--skip-install",
  ];
}

/** Returns a command for the types with the first controller, and one for each further controller. */
function apiCommands(project: Project, resource: Resource): CommandLine[] {
  const { api, controller, controllers = [], kind } = resource;
  const [first, ...others] = controller ? [{ name: kind.toLowerCase() }, ...controllers] : controllers;
  if (!api && !first) return [];
  const image = deployImageOf(project, resource);
  const name = first && first.name !== kind.toLowerCase() ? first.name : undefined;
  const command = (...flags: readonly string[]): CommandLine => {
    return ["create", "api", ...names(resource), "--make=false", ...flags];
  };
  return [
    command(
      `--resource=${api !== undefined}`,
      `--controller=${first !== undefined}`,
      ...flag("controller-name", name),
      ...(api && !api.namespaced ? ["--namespaced=false"] : []),
      ...flag("image", image?.image),
      ...flag("image-container-command", image?.containerCommand),
      ...flag("image-container-port", image?.containerPort),
      ...flag("run-as-user", image?.runAsUser),
    ),
    ...others.map((other) => command("--resource=false", "--controller=true", ...flag("controller-name", other.name))),
  ];
}

function webhookCommand(resource: Resource, { certificates }: Surroundings): CommandLine[] {
  const { defaulting, validation, conversion, spoke = [], ...paths } = resource.webhooks ?? {};
  if (!defaulting && !validation && !conversion) return [];
  return [
    [
      "create",
      "webhook",
      ...names(resource),
      "--make=false",
      ...(defaulting ? ["--defaulting"] : []),
      ...(validation ? ["--programmatic-validation"] : []),
      ...(conversion ? ["--conversion"] : []),
      ...flag("spoke", spoke.join(",") || undefined),
      ...flag("defaulting-path", paths.defaultingPath),
      ...flag("validation-path", paths.validationPath),
      ...flag("cert", certificates),
    ],
  ];
}

function names({ group = "", version, kind, plural, external, path, domain, module }: Resource): string[] {
  return [
    `--group=${group}`,
    ...flag("version", version),
    ...flag("kind", kind),
    ...flag("plural", plural),
    ...(external ? [...flag("external-api-path", path), ...flag("external-api-domain", domain)] : []),
    ...(external ? flag("external-api-module", module) : []),
  ];
}

function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
