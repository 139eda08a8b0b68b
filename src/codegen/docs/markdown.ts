/** Escapes prose for Markdown outside of a table. Text between backticks stays as it is. */
export function escapeText(text: string): string {
  return text.replace(
    /(`[^`\n]+`)|([<>])/g,
    (_all, code: string | undefined, sign: string) => code ?? (sign === "<" ? "&lt;" : "&gt;"),
  );
}

/** Escapes prose for a cell or an item: it becomes one line. */
export function escapeLine(text: string): string {
  return escapeText(text)
    .trim()
    .replace(/\s*\n\s*\n\s*/g, "<br /><br />")
    .replace(/\s*\n\s*/g, " ");
}

/** Formats code as one line, in a fence longer than the backticks inside. */
export function codeLine(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ");
  const fence = fenceOf(line, 1);
  const edge = /^`|`$/.test(line) ? " " : "";
  return `${fence}${edge}${line}${edge}${fence}`;
}

/** Formats a text as a block of YAML. */
export function yamlBlock(text: string): string {
  const fence = fenceOf(text, 3);
  return `${fence}yaml\n${text.trim()}\n${fence}\n`;
}

/** Returns more backticks than the text has in a row. */
function fenceOf(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return "`".repeat(Math.max(least, longest + 1));
}

/** Formats rows as a table. A bar would end a cell even between backticks. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

/** Gives each heading of a page the anchor that renderers derive from it: a repeated one gets a number. */
export class Anchors {
  private readonly taken = new Map<string, number>();

  add(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, "")
      .replace(/ /g, "-");
    const count = this.taken.get(slug) ?? 0;
    this.taken.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }
}
