import { isMarkerLine } from "./parse-markers.ts";
import type { CommentBlock } from "./comments.ts";

/** Returns the documentation before a declaration: its JSDoc, or the `//` lines that touch it. */
export function describe(blocks: readonly CommentBlock[] | undefined): string {
  const candidates = (blocks ?? []).filter(({ trailing }) => !trailing);
  const jsdoc = candidates.findLast(({ style }) => style === "jsdoc");
  if (jsdoc) return tidy(beforeTags(linesOf(jsdoc)));
  const touching = candidates.filter(({ style, touching }) => style === "line" && touching);
  return tidy(touching.flatMap(linesOf));
}

/** Removes the first blank after `//` or `*`; further ones are the author's indentation. */
function linesOf(block: CommentBlock): string[] {
  return block.lines.map(({ text }) => text.replace(/^ /, "")).filter((line) => !isMarkerLine(line));
}

function beforeTags(lines: string[]): string[] {
  const tag = lines.findIndex((line) => /^\s*@\w/.test(line));
  return tag < 0 ? lines : lines.slice(0, tag);
}

/**
 * Applies Go's rules: removes TODO lines and everything after `---` outside fenced code; keeps one blank line at most,
 * and none at the edges.
 */
function tidy(lines: string[]): string {
  const kept: string[] = [];
  let fence = "";
  for (const line of lines) {
    const opens = /^\s*(```|~~~)/.exec(line)?.[1] ?? "";
    if (!fence && line.startsWith("---")) break;
    if (!fence && line.startsWith("TODO")) continue;
    if (opens && (!fence || fence === opens)) fence = fence ? "" : opens;
    if (line !== "" || (kept.length > 0 && kept.at(-1) !== "")) kept.push(line);
  }
  while (kept.at(-1) === "") kept.pop();
  return kept.join("\n");
}
