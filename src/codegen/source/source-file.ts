import { parseSync, type Program } from "oxc-parser";
import { readComments, type CommentBlock } from "./comments.ts";

/**
 * A parsed file. Adapts the parser: other code sees the TS-ESTree shape, which other parsers produce as well. A file
 * that does not parse has an empty program and its errors.
 */
export class SourceFile {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly syntaxErrors: readonly { readonly message: string; readonly offset: number }[];
  /** Comments by the offset of the token that follows them. */
  readonly comments: ReadonlyMap<number, readonly CommentBlock[]>;
  private lineStarts: number[] | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
    const result = parseSync(path, text);
    this.program = result.program;
    this.syntaxErrors = result.errors
      .filter(({ severity }: { severity: string }) => severity === "Error")
      .map(({ message, labels }) => ({ message, offset: labels[0]?.start ?? 0 }));
    this.comments = readComments(text, result.comments);
  }

  /** Line and column, counted from 1. */
  position(offset: number): { line: number; column: number } {
    this.lineStarts ??= lineStarts(this.text);
    let line = 0;
    let end = this.lineStarts.length;
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) line = middle;
      else end = middle;
    }
    return { line: line + 1, column: offset - (this.lineStarts[line] ?? 0) + 1 };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
