/** Formats a comment of paragraphs: a description, markers, a tag. Returns nothing for none. */
export function docComment(paragraphs: readonly (readonly string[])[], indent: string): string {
  const lines = paragraphs
    .filter((paragraph) => paragraph.length > 0)
    .flatMap((paragraph, index) => (index > 0 ? ["", ...paragraph] : paragraph));
  const [only] = lines;
  if (only === undefined) return "";
  if (lines.length === 1) return `${indent}/** ${only} */\n`;
  const body = lines.map((line) => `${indent} *${line ? ` ${line}` : ""}\n`).join("");
  return `${indent}/**\n${body}${indent} */\n`;
}

/** Returns the lines of a description, so that none ends the comment or reads as a marker, a tag or a rule. */
export function descriptionLines(description = ""): string[] {
  const text = description.replace(/\r\n?/g, "\n").replaceAll("*/", "*\\/").trim();
  if (text === "") return [];
  return text.split("\n").map((line) =>
    line
      .trimEnd()
      .replace(/^(\s*)(?=[+@](?:[A-Za-z]|\s+[\w-]+\s*:))/, "$1\\")
      .replace(/^---/, "\\---"),
  );
}
