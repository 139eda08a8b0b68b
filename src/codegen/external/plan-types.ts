import { posix } from "node:path";
import { followLineEnds } from "../../files/line-ends.ts";
import { typesFromCrd } from "../from-crd/types-from-crd.ts";
import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import type { FileChange, Plan } from "../../files/plan.ts";
import type { LoadedProject } from "../../project/load-project.ts";
import { formatProject } from "../../project/parse-project.ts";
import { qualifiedGroup, withResource, type Project, type Resource } from "../../project/project.ts";
import { checkModulePath } from "../../project/value-rules.ts";
import { isEdited, sealText } from "../../files/edited.ts";
import { nameOf, withSource, type Source } from "./source.ts";

/** Definitions, and where they come from. Standard input cannot be read again. */
export interface SourcedCrds {
  readonly source: Source | undefined;
  readonly output?: string | undefined;
  readonly crds: readonly CustomResourceDefinition[];
}

/** Plans the types of foreign definitions, and their records in PROJECT. A file that was edited by hand conflicts. */
export async function planTypes(
  { root, project, text }: LoadedProject,
  sourced: readonly SourcedCrds[],
  disk: Pick<Disk, "read" | "list">,
): Promise<Plan> {
  const files = new Map<string, string>();
  let next = project;
  for (const { crds, source, output } of sourced) {
    checkOutput(output);
    checkGroups(crds, { source, output });
    for (const crd of crds) {
      const folder = output ?? `api/external/${crd.spec.group}`;
      for (const file of typesFromCrd(crd, folder)) files.set(file.path, sealText(file.text));
      for (const resource of resourcesOf(crd, folder, next)) next = withResource(next, resource);
    }
    if (source) next = withSource(next, source);
  }
  const planned = await Promise.all([...files].map(([path, content]) => planFile(path, content, { root, disk })));
  const changes = planned.filter((one) => one !== undefined);
  const after = formatProject(next, text);
  if (after !== text) changes.push({ type: "update", path: "PROJECT", text: after, before: text });
  return { root, changes };
}

interface Place {
  readonly root: string;
  readonly disk: Pick<Disk, "read">;
}

/** Plans a generated file, which conflicts if it was edited by hand. */
export async function planFile(path: string, text: string, { root, disk }: Place): Promise<FileChange | undefined> {
  const before = await disk.read(posix.join(root, path));
  if (before === undefined) return { type: "create", path, text };
  const after = followLineEnds(text, before);
  if (before === after) return undefined;
  // A `create` on an existing file is a conflict, which --force overwrites.
  return isEdited(before) ? { type: "create", path, text } : { type: "update", path, text: after, before };
}

/** PROJECT records the folder as a part of a module's path, so it obeys the rule of one. */
function checkOutput(output: string | undefined): void {
  if (output === undefined || checkModulePath(`./${output}`) === undefined) return;
  throw new TsopError("TSOP_CRD_OUTPUT", { output: JSON.stringify(output) });
}

/** The types of one folder have one group. */
function checkGroups(crds: SourcedCrds["crds"], { source, output }: Omit<SourcedCrds, "crds">): void {
  const groups = [...new Set(crds.map(({ spec }) => spec.group))].sort();
  if (output === undefined || groups.length < 2) return;
  const name = source ? nameOf(source) : "standard input";
  throw new TsopError("TSOP_CRD_GROUPS", { source: name, output, groups: groups.join(", ") });
}

/** Returns the kinds in the form in which kubebuilder records kinds of other projects. */
function resourcesOf({ spec }: CustomResourceDefinition, folder: string, project: Project): Resource[] {
  const [group = "", ...domain] = spec.group.split(".");
  const { kind } = spec.names;
  return spec.versions.map(({ name: version }) => {
    const known = project.resources?.find(
      (other) => other.kind === kind && other.version === version && qualifiedGroup(other) === spec.group,
    );
    if (known?.api) throw new TsopError("TSOP_CRD_OWN", { kind, group: spec.group, version });
    const path = `./${folder}/${version}/zz_generated.kinds.ts`;
    return {
      ...(domain.length > 0 ? { domain: domain.join(".") } : {}),
      external: true,
      group,
      kind,
      ...known,
      path,
      version,
    };
  });
}

export interface RemovalOptions {
  readonly root: string;
  readonly disk: Pick<Disk, "read" | "list">;
  /** Also removes types that were edited by hand. */
  readonly force: boolean;
}

/**
 * Plans the removal of the types of a foreign kind, and of the generated files around them if no other kind needs them.
 */
export async function planTypesRemoval({ kind, path }: Resource, options: RemovalOptions): Promise<Plan> {
  const { root, disk, force } = options;
  const folder = posix.dirname(path ?? "");
  const types = `${kind.toLowerCase()}_types.ts`;
  const files = await disk.list(posix.join(root, folder));
  // The types of a package are not the project's.
  if (path === undefined || !files.includes(types)) return { root, changes: [] };
  const isLast = !files.some((file) => file.endsWith("_types.ts") && file !== types);
  const beside = isLast ? ["groupversion_info.ts", posix.basename(path)] : [];
  const removed = [types, ...beside.filter((file) => files.includes(file))];
  const changes = await Promise.all(
    removed.map(async (file): Promise<FileChange> => {
      const relative = posix.join(folder, file);
      return { type: "remove", path: relative, before: (await disk.read(posix.join(root, relative))) ?? "" };
    }),
  );
  const [first] = changes;
  if (!force && first?.type === "remove" && isEdited(first.before))
    throw new TsopError("TSOP_EDITED_FILES", { files: `  ${first.path}` });
  return { root, changes };
}
