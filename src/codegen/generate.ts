import { posix } from "node:path";
import { DiagnosticsError, sortDiagnostics, type Diagnostic } from "../errors/diagnostic.ts";
import type { Disk } from "../files/disk.ts";
import type { FileChange, Plan } from "../files/plan.ts";
import { defineResources } from "./define-resources.ts";
import { findKinds } from "./find-kinds.ts";
import { generateCrds, type OutputFile } from "./generate-crds.ts";
import { generateKinds } from "./generate-kinds.ts";
import { generateRbac, rolesFrom } from "./generate-rbac.ts";
import { generateWebhooks } from "./generate-webhooks.ts";
import { lintResources } from "./lint/lint-resources.ts";
import type { ProjectTypes, ResourceDefinition } from "./model.ts";
import { Report } from "./report.ts";
import { ProjectSources, readSources } from "./source/project-sources.ts";

export type Output = "crd" | "rbac" | "webhook" | "kinds";

export interface GenerateOptions {
  /** The project's folder, absolute. */
  readonly root: string;
  readonly disk: Pick<Disk, "list" | "read">;
  readonly outputs: readonly Output[];
  /** The version of this tool, for the annotation of CRDs. */
  readonly version: string;
  /** Name of the (Cluster)Role; `manager-role` unless set. */
  readonly roleName?: string;
  readonly crdFolder?: string;
  readonly rbacFile?: string;
  readonly webhookFile?: string;
}

export interface Generated {
  /** Only files whose bytes change. */
  readonly plan: Plan;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Generates manifests and code from the sources of a project. Throws a DiagnosticsError with everything that is wrong;
 * then nothing is generated.
 */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { root, disk } = options;
  const { types, resources, report } = await load(options);
  const files = outputFiles(options, { types, resources, report });
  if (report.errors.length > 0) throw new DiagnosticsError(sortDiagnostics(report.errors));
  const changes = await Promise.all(files.map((file) => changeOf(file, root, disk)));
  return {
    plan: { root, changes: changes.filter((change) => change !== undefined) },
    warnings: sortDiagnostics(report.warnings),
  };
}

/** The kinds, roles and markers of a project as data. Throws a DiagnosticsError as `generate` does. */
export async function loadProjectTypes(
  options: Pick<GenerateOptions, "root" | "disk">,
): Promise<ProjectTypes & { resources: readonly ResourceDefinition[] }> {
  const { types, resources, report } = await load(options);
  if (report.errors.length > 0) throw new DiagnosticsError(sortDiagnostics(report.errors));
  return { ...types, resources };
}

interface Loaded {
  readonly types: ProjectTypes;
  readonly resources: readonly ResourceDefinition[];
  readonly report: Report;
}

async function load({ root, disk }: Pick<GenerateOptions, "root" | "disk">): Promise<Loaded> {
  const report = new Report();
  const sources = new ProjectSources(await readSources(root, disk), report);
  const types = findKinds(sources, report);
  const resources = defineResources(types.kinds, report);
  // A schema that is wrong already would be refused for the same reason again.
  if (report.errors.length === 0) lintResources(resources, sources, report);
  return { types, resources, report };
}

function outputFiles(options: GenerateOptions, { types, resources, report }: Loaded): OutputFile[] {
  const { version, roleName = "manager-role", crdFolder = "config/crd/bases" } = options;
  const { rbacFile = "config/rbac/role.yaml", webhookFile = "config/webhook/manifests.yaml" } = options;
  const generators: Record<Output, () => OutputFile[]> = {
    crd: () => generateCrds(resources, { folder: crdFolder, version }),
    rbac: () => generateRbac(rolesFrom(types.packageMarkers, roleName), rbacFile),
    webhook: () => generateWebhooks(types.packageMarkers, webhookFile, report),
    kinds: () => generateKinds(types.kinds, resources),
  };
  return [...new Set(options.outputs)].flatMap((output) => generators[output]());
}

async function changeOf(file: OutputFile, root: string, disk: Pick<Disk, "read">): Promise<FileChange | undefined> {
  const before = await disk.read(posix.join(root, file.path));
  if (before === file.text) return undefined;
  return before === undefined ? { type: "create", ...file } : { type: "update", ...file, before };
}
