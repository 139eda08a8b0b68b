import { join } from "node:path";
import type { LoadedProject } from "../../load-project.ts";
import { boilerplateFile } from "../../../files/file-header.ts";
import type { Disk } from "../../../files/disk.ts";
import { apiFlags, apiValues } from "../api/api-flags.ts";
import { initFlags, initValues } from "../init/init-flags.ts";
import { controllersOf } from "../api/controllers.ts";
import { deployImageOf } from "../api/deploy-image.ts";
import { findPackageManager } from "../init/package-manager.ts";
import { findCertificates } from "../webhook/webhook-certificates.ts";
import { webhookFlags, webhookValues } from "../webhook/webhook-flags.ts";
import { flagWords } from "../scaffold-flag.ts";

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
  const read = (path: string): Promise<string | undefined> => disk.read(join(root, path));
  const licenseFile = (await read(boilerplateFile)) === undefined ? undefined : join(root, boilerplateFile);
  const packageManager = await findPackageManager(root, disk);
  const certificates = await findCertificates({ read });
  const resources = project.resources ?? [];
  const apis = resources.flatMap((each) => apiValues(each, controllersOf(each), deployImageOf(project, each)));
  const webhooks = resources.flatMap((resource) => webhookValues(resource, certificates));
  return [
    ["init", ...flagWords(initFlags, initValues(project, { licenseFile, packageManager }))],
    ...apis.map((values) => ["create", "api", ...flagWords(apiFlags, values)]),
    ...webhooks.map((values) => ["create", "webhook", ...flagWords(webhookFlags, values)]),
  ];
}
