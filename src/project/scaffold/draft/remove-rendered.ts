import { TsopError } from "../../../errors/tsop-error.ts";
import type { Draft } from "./draft.ts";
import type { RenderedFile } from "../templates/render-templates.ts";

/** A text in rendered files, and its counterpart in a project of the other layout. */
export type FormerName = readonly [now: string, before: string];

/**
 * Removes files that a command wrote. Files that were edited since hold somebody's work: they are reported, and nothing
 * is removed unless forced. An older `tsop edit --multigroup` moved files and left the former names in them.
 */
export async function removeRendered(
  draft: Draft,
  files: readonly RenderedFile[],
  { force, formerNames = [] }: { readonly force: boolean; readonly formerNames?: readonly FormerName[] },
): Promise<void> {
  const rename = (text: string): string =>
    formerNames.reduce((renamed, [now, before]) => renamed.replaceAll(now, before), text);
  const found = await Promise.all(files.map(async (file) => ({ ...file, now: await draft.read(file.path) })));
  const edited = found.filter(
    ({ now, text }) => now !== undefined && ![text, rename(text)].map(essence).includes(essence(now)),
  );
  if (edited.length > 0 && !force) {
    throw new TsopError("TSOP_EDITED_FILES", { files: edited.map(({ path }) => `  ${path}`).join("\n") });
  }
  for (const { path } of files) await draft.remove(path);
}

/** Lines that tsop itself inserts later, another licence, and other line ends do not count as edits. */
function essence(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  return lines.replace(/^\/\*[^]*?\*\/\n\n/, "").replace(/^.*\+kubebuilder:storageversion.*\n/gm, "");
}
