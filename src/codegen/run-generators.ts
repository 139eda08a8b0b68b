import { DiagnosticsError, sortDiagnostics, type Diagnostic } from "../errors/diagnostic.ts";
import type { Disk } from "../files/disk.ts";
import { boilerplateFile, fileHeader } from "../files/file-header.ts";
import type { Plan } from "../files/plan.ts";
import { generateDocs } from "./docs/generate-docs.ts";
import { readSamples, type Sample } from "./docs/read-samples.ts";
import { defineResources, reportSharedPlurals, reportVersions } from "./define-resources.ts";
import { findKinds } from "./find-kinds.ts";
import { findKindCalls, type KindCall } from "./find-kind-calls.ts";
import { generateCrds, type OutputFile } from "./generate-crds.ts";
import { generateKinds } from "./generate-kinds.ts";
import { generateRbac, rolesFrom } from "./generate-rbac.ts";
import { generateWebhooks } from "./generate-webhooks.ts";
import { lintCaches } from "./lint/lint-caches.ts";
import { lintPermissions } from "./lint/lint-permissions.ts";
import { lintResources } from "./lint/lint-resources.ts";
import { lintRoles } from "./lint/lint-roles.ts";
import { lintWebhooks } from "./lint/lint-webhooks.ts";
import type { KindVersion, ProjectTypes, ResourceDefinition } from "./model.ts";
import { planOutput } from "./plan-output.ts";
import { Report } from "./report.ts";
import { reportLostKinds, type RequiredKind } from "./report-lost-kinds.ts";
import { loadForeignTypes } from "./source/foreign-types.ts";
import { loadPathAliases } from "./source/path-aliases.ts";
import { listTypeScript, ProjectSources, readSources } from "./source/project-sources.ts";

/**
 * CRDs, the operator's roles, webhook configurations, `zz_generated.kinds.ts` next to the types, and reference pages.
 */
export type Output = "crd" | "rbac" | "webhook" | "kinds" | "docs";

/** Options of `generate`. */
export interface GenerateOptions {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The disk with the project; `memoryDisk` holds one that was never written. */
  readonly disk: Pick<Disk, "list" | "read">;
  readonly outputs: readonly Output[];
  /** The version of tsop, for the annotation of CRDs. */
  readonly version: string;
  /** Name of the (Cluster)Role; `manager-role` unless set. */
  readonly roleName?: string;
  readonly crdFolder?: string;
  readonly rbacFile?: string;
  readonly webhookFile?: string;
  readonly docsFolder?: string;
  /** Kinds that the project must have, as its PROJECT file says; one without a type is an error. */
  readonly kinds?: readonly RequiredKind[];
}

/** The result of `generate`. Nothing is written yet. */
export interface Generated {
  /** The files whose bytes change; `applyPlan` writes them. */
  readonly plan: Plan;
  /** Warnings about the generated manifests, which a server accepts. */
  readonly warnings: readonly Diagnostic[];
  /** The kinds of the sources, including kinds of other projects. */
  readonly kinds: readonly KindVersion[];
}

/**
 * Generates manifests and code from the sources of a project. Throws a DiagnosticsError with all errors, and generates
 * nothing then.
 *
 * @example
 * const disk = realDisk();
 * try {
 *   const { plan } = await generate({ root: process.cwd(), disk, outputs: ["crd", "kinds"], version: "1.0.0" });
 *   await applyPlan(plan, disk);
 * } catch (error) {
 *   if (!(error instanceof DiagnosticsError)) throw error;
 *   for (const { file, line, column, message, hint } of error.diagnostics)
 *     console.error(`${file}:${line}:${column} ${message} (${hint})`);
 * }
 */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { root, disk } = options;
  const loaded = await load(options);
  const { report, paths } = loaded;
  // Findings in the types are about their CustomResourceDefinitions.
  const ofTypes = options.outputs.includes("crd") ? [] : report.warnings;
  const samples = options.outputs.includes("docs") ? await readSamples(root, disk) : [];
  const files = outputFiles(options, loaded, samples);
  if (report.errors.length > 0) throw new DiagnosticsError(sortDiagnostics(report.errors));
  return {
    plan: await planOutput(files, { ...folders(options), root, disk, outputs: options.outputs, paths }),
    warnings: sortDiagnostics(report.warnings.filter((warning) => !ofTypes.includes(warning))),
    kinds: loaded.types.kinds,
  };
}

/**
 * Returns the kinds, schemas and markers of a project as data. Throws a DiagnosticsError as `generate` does.
 *
 * @example
 * const { resources } = await loadProjectTypes({ root: process.cwd(), disk: realDisk() });
 * for (const { kind, versions } of resources)
 *   for (const { name, schema } of versions) console.log(kind, name, Object.keys(schema.properties ?? {}));
 */
export async function loadProjectTypes(options: LoadOptions): Promise<LoadedProject> {
  const { types, resources, report } = await load(options);
  if (report.errors.length > 0) throw new DiagnosticsError(sortDiagnostics(report.errors));
  return { ...types, resources, warnings: sortDiagnostics(report.warnings) };
}

/** Loads the markers of a project's packages, and the calls that name a Kind, such as `client.get(Secret, key)`. */
export async function loadCalls(
  options: LoadOptions,
): Promise<Pick<ProjectTypes, "packageMarkers"> & { readonly calls: readonly KindCall[] }> {
  const { types, report, findCalls } = await load(options);
  if (report.errors.length > 0) throw new DiagnosticsError(sortDiagnostics(report.errors));
  return { packageMarkers: types.packageMarkers, calls: findCalls() };
}

/** Options of `loadProjectTypes`. */
export interface LoadOptions extends Pick<GenerateOptions, "root" | "disk"> {
  /** If false, the needs of a CustomResourceDefinition are not checked: a storage version, and the server's rules. */
  readonly forCrds?: boolean;
}

/** The result of `loadProjectTypes`. */
export interface LoadedProject extends ProjectTypes {
  readonly resources: readonly ResourceDefinition[];
  readonly warnings: readonly Diagnostic[];
}

interface Loaded {
  readonly types: ProjectTypes;
  readonly resources: readonly ResourceDefinition[];
  readonly report: Report;
  readonly paths: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  /** Parses all sources, which most outputs do not need. */
  readonly findCalls: () => readonly KindCall[];
  readonly header: string;
}

async function load({
  root,
  disk,
  kinds = [],
  forCrds = true,
}: LoadOptions & Pick<GenerateOptions, "kinds">): Promise<Loaded> {
  const report = new Report();
  const paths = await listTypeScript(root, disk);
  const [texts, aliases, boilerplate] = await Promise.all([
    readSources(root, paths, disk),
    loadPathAliases(root, disk),
    disk.read(`${root}/${boilerplateFile}`),
  ]);
  const sources = new ProjectSources(texts, report, aliases);
  await loadForeignTypes(sources, root, disk);
  const types = findKinds(sources, report);
  const own = types.kinds.filter(({ external }) => !external);
  const resources = defineResources(own, report);
  if (forCrds) for (const resource of resources) reportVersions(resource, report);
  reportSharedPlurals(resources, report);
  if (report.errors.length === 0) reportLostKinds(kinds, types.kinds, { sources, paths }, report);
  // An invalid schema would be reported again for the same reason.
  if (forCrds && report.errors.length === 0) await lintResources(resources, sources, report);
  const findCalls = () => (report.errors.length === 0 ? findKindCalls(texts, sources, types.kinds) : []);
  return { types, resources, report, paths, texts, findCalls, header: fileHeader(boilerplate) };
}

function folders({
  crdFolder = "config/crd/bases",
  rbacFile = "config/rbac/role.yaml",
  webhookFile = "config/webhook/manifests.yaml",
  docsFolder = "docs/api",
}: GenerateOptions): Required<Pick<GenerateOptions, "crdFolder" | "rbacFile" | "webhookFile" | "docsFolder">> {
  return { crdFolder, rbacFile, webhookFile, docsFolder };
}

function outputFiles(
  options: GenerateOptions,
  { types, resources, report, header, findCalls, texts }: Loaded,
  samples: readonly Sample[],
): OutputFile[] {
  const { version, roleName = "manager-role" } = options;
  const { crdFolder, rbacFile, webhookFile, docsFolder } = folders(options);
  const generators: Record<Output, () => OutputFile[]> = {
    crd: () => generateCrds(resources, { folder: crdFolder, version }),
    rbac: () => {
      lintPermissions(types.packageMarkers, types.kinds, report);
      lintRoles(types.packageMarkers, types.kinds, { roleName, report });
      lintCaches(findCalls(), types.packageMarkers, { texts: texts.values(), report });
      return generateRbac(rolesFrom(types.packageMarkers, roleName), rbacFile);
    },
    webhook: () => {
      lintWebhooks(types.packageMarkers, types.kinds, report);
      return generateWebhooks(types.packageMarkers, webhookFile, report);
    },
    kinds: () => generateKinds(types.kinds, resources, header),
    docs: () => generateDocs(resources, { folder: docsFolder, samples }),
  };
  return [...new Set(options.outputs)].flatMap((output) => generators[output]());
}
