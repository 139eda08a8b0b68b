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
