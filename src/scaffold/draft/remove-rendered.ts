import { TsopError } from "../../errors/tsop-error.ts";
import type { Draft } from "./draft.ts";
import type { RenderedFile } from "../templates/render-templates.ts";

/**
 * Removes files that a command has written. One that somebody has edited since holds work of theirs: such files are
 * listed, and nothing goes, unless forced.
 */
export async function removeRendered(draft: Draft, files: readonly RenderedFile[], force: boolean): Promise<void> {
  const found = await Promise.all(files.map(async (file) => ({ ...file, now: await draft.read(file.path) })));
  const edited = found.filter(({ now, text }) => now !== undefined && essence(now) !== essence(text));
  if (edited.length > 0 && !force) {
    throw new TsopError("TSOP_EDITED_FILES", { files: edited.map(({ path }) => `  ${path}`).join("\n") });
  }
  for (const { path } of files) await draft.remove(path);
}

/** What tsop itself writes into a file later is no edit, nor is another licence. */
function essence(text: string): string {
  return text.replace(/^\/\*[^]*?\*\/\n\n/, "").replace(/^.*\+kubebuilder:storageversion.*\n/gm, "");
}
