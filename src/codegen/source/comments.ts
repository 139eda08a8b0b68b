import type { Comment } from "oxc-parser";

/** A block comment, or a run of `//` comments on consecutive lines. */
export interface CommentBlock {
  readonly style: "line" | "jsdoc" | "block";
  readonly lines: readonly CommentLine[];
  /** True for a comment behind code on the same line, which documents nothing. */
  readonly trailing: boolean;
  /** True if only whitespace precedes it in the file. */
  readonly leading: boolean;
  /** True if a blank line (or the file's edge) precedes and follows it. */
  readonly detached: boolean;
  /** True if no blank line separates it from the next token or comment. */
  readonly touching: boolean;
}

export interface CommentLine {
  readonly text: string;
  /** The offset of `text` in the file. */
  readonly offset: number;
}

/** Groups comments by the token that follows them, in source order. */
export function readComments(text: string, comments: readonly Comment[]): Map<number, CommentBlock[]> {
  const byToken = new Map<number, CommentBlock[]>();
  const runs = joinLines(text, comments);
  let touching = false;
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index] as Run;
    const following = runs[index + 1];
    const after = skipBlank(text, run.end);
    const beforeComment = following?.start === after;
    const token = following && beforeComment ? following.token : after;
    run.token = token;
    const gap = text.slice(run.end, after);
    const blankAfter = isBlankLine(gap) || after >= text.length;
    touching = !isBlankLine(gap) && (!beforeComment || touching);
    const block = describe(text, run, { blankAfter, touching, token });
    const group = byToken.get(token);
    if (group) group.unshift(block);
    else byToken.set(token, [block]);
  }
  return byToken;
}

interface Run {
  readonly style: CommentBlock["style"];
  readonly comments: Comment[];
  readonly start: number;
  end: number;
  token: number;
}

function joinLines(text: string, comments: readonly Comment[]): Run[] {
  const runs: Run[] = [];
  for (const comment of comments) {
    const style = comment.type === "Line" ? "line" : comment.value.startsWith("*") ? "jsdoc" : "block";
    const last = runs.at(-1);
    const joins =
      last?.style === "line" && style === "line" && /^[ \t]*\r?\n[ \t]*$/.test(text.slice(last.end, comment.start));
    if (last && joins && startsLine(text, last.start)) {
      last.comments.push(comment);
      last.end = comment.end;
    } else {
      runs.push({ style, comments: [comment], start: comment.start, end: comment.end, token: 0 });
    }
  }
  return runs;
}

function describe(
  text: string,
  run: Run,
  { blankAfter, touching, token }: { blankAfter: boolean; touching: boolean; token: number },
): CommentBlock {
  const codeEnd = text.slice(0, run.start).trimEnd().length;
  const leading = codeEnd === 0;
  const blankBefore = leading || isBlankLine(text.slice(codeEnd, run.start));
  return {
    style: run.style,
    lines: run.comments.flatMap((comment) => linesOf(comment)),
    trailing: !startsLine(text, run.start) && text.slice(run.end, token).includes("\n"),
    leading,
    detached: blankBefore && blankAfter,
    touching,
  };
}

function linesOf(comment: Comment): CommentLine[] {
  const start = comment.start + 2;
  if (comment.type === "Line") return [{ text: comment.value.trimEnd(), offset: start }];
  const jsdoc = comment.value.startsWith("*");
  const lines: CommentLine[] = [];
  let offset = start;
  for (const [index, raw] of comment.value.split("\n").entries()) {
    const border = index === 0 ? (jsdoc ? 1 : 0) : (/^[ \t]*\*(?!\/)|^[ \t]*/.exec(raw)?.[0].length ?? 0);
    lines.push({ text: raw.slice(border).trimEnd(), offset: offset + border });
    offset += raw.length + 1;
  }
  return lines;
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() === "";
}

function skipBlank(text: string, offset: number): number {
  const blank = /\s*/y;
  blank.lastIndex = offset;
  return offset + (blank.exec(text)?.[0].length ?? 0);
}

function isBlankLine(gap: string): boolean {
  return (gap.match(/\n/g)?.length ?? 0) > 1;
}
