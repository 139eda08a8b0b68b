import { TsopError } from "../../../errors/tsop-error.ts";
import type { Project, Resource } from "../../project.ts";
import { apiContext } from "./api-context.ts";
import type { Draft } from "../draft/draft.ts";

const marker = "+kubebuilder:storageversion";

/**
 * Marks the stored version. A CRD with several versions needs one; when a kind gets its second version and none is
 * marked, the first one stays stored.
 */
export async function markStorageVersion(draft: Draft, project: Project, versions: readonly Resource[]): Promise<void> {
  const files = versions.filter(({ api }) => api).map((resource) => typesFile(project, resource));
  const texts = await Promise.all(files.map(async ({ path }) => (await draft.read(path)) ?? ""));
  const [first] = files;
  if (!first || texts.some((text) => text.includes(marker))) return;
  await draft.change(first.path, (text) => insertMarker(text, first));
}

/** Marks this version as stored, and no other. */
export async function moveStorageVersion(
  draft: Draft,
  project: Project,
  versions: readonly Resource[],
  stored: string,
): Promise<void> {
  for (const resource of versions.filter(({ api }) => api)) {
    const file = typesFile(project, resource);
    const isStored = resource.version === stored;
    await draft.change(file.path, (text) => {
      if (text.includes(marker) === isStored) return text;
      return isStored ? insertMarker(text, file) : text.replace(/^.*\+kubebuilder:storageversion.*\n/m, "");
    });
  }
}

interface TypesFile {
  readonly path: string;
  readonly kind: string;
}

function typesFile(project: Project, resource: Resource): TypesFile {
  const { apiFolder, lowerKind } = apiContext(project, resource);
  return { path: `api/${apiFolder}/${lowerKind}_types.ts`, kind: resource.kind };
}

/** Inserts the marker below the one that makes the interface a kind, or at the top of its comment. */
function insertMarker(text: string, { path, kind }: TypesFile): string {
  const lines = text.split("\n");
  const declared = lines.findIndex((line) => new RegExp(`^export (interface|type) ${kind}\\b`).test(line));
  const at = lines.findLastIndex((line, index) => index < declared && line.includes("+kubebuilder:object:root=true"));
  if (at < 0) throw new TsopError("TSOP_ROOT_MARKER_MISSING", { path, kind, marker });
  lines.splice(at + 1, 0, lines[at]!.replace("+kubebuilder:object:root=true", marker));
  return lines.join("\n");
}
