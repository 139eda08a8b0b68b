import { followLineEnds } from "../../../files/line-ends.ts";
import { mergeLines, type MergeOptions } from "../../../files/merge-lines.ts";
import type { FileChange } from "../../../files/plan.ts";
import { isScaffoldPoint } from "../draft/scaffold-points.ts";
import { mergePackage } from "./merge-package.ts";

/** A file in its three versions; an absent one is `undefined`. */
export interface FileVersions {
  readonly path: string;
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

/** The labels of conflict markers. */
export type MergeFileOptions = Pick<MergeOptions, "labels">;

/** Something about a file that its author decides. */
export interface FileNote {
  readonly path: string;
  /** The lines of conflict markers; empty for a note without conflicts. */
  readonly conflicts: readonly number[];
  readonly text: string;
}

export interface MergedFile {
  readonly change?: FileChange;
  readonly note?: FileNote;
}

/** Merges a file. A file of the project is never removed or overwritten if its author has changed it. */
export function mergeFile({ path, base, ours, theirs }: FileVersions, options: MergeFileOptions): MergedFile {
  const note = (text: string): MergedFile => ({ note: { path, conflicts: [], text } });
  if (ours === theirs || base === theirs) return {};
  if (ours === undefined) {
    if (base === undefined) return { change: { type: "create", path, text: theirs! } };
    return theirs === undefined ? {} : note("you deleted this file, and its template has changed: it stays deleted");
  }
  if (theirs === undefined) {
    if (ours === followLineEnds(base!, ours)) return { change: { type: "remove", path, before: ours } };
    return note("the templates no longer have this file, and you have changed it: it stays");
  }
  if (ours.includes("\0")) return note("it is not a text: it stays as it is");
  return mergeTexts({ path, base: base ?? "", ours, theirs }, options);
}

function mergeTexts(
  { path, ours, ...others }: { readonly [Key in keyof FileVersions]: string },
  { labels }: MergeFileOptions,
): MergedFile {
  const follow = (text: string): string => followLineEnds(text, ours);
  const texts = { base: follow(others.base), ours, theirs: follow(others.theirs) };
  const updated = (text: string): MergedFile =>
    text === ours ? {} : { change: { type: "update", path, text, before: ours } };
  const byKeys = path === "package.json" ? mergePackage(texts) : undefined;
  if (byKeys) {
    const kept = byKeys.kept.map((value) => `${value.path} stays ${value.ours}; the template has ${value.theirs}`);
    const note = kept.length > 0 ? { note: { path, conflicts: [], text: kept.join("; ") } } : {};
    return { ...updated(byKeys.text), ...note };
  }
  const { text, conflicts } = mergeLines(texts, { labels, collects: (line) => isScaffoldPoint(line) });
  const note = conflicts.length > 0 ? { note: { path, conflicts, text: "both changed the same lines" } } : {};
  return { ...updated(follow(text)), ...note };
}
