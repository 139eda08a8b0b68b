const seal = /^(.*)Checksum: ([0-9a-f]{16}).*\n/m;

/**
 * Adds the checksum by which `isEdited` recognizes a change by hand, as a comment in the second line. `comment` writes
 * it in the language of the file.
 */
export function sealText(text: string, comment = (content: string): string => `// ${content}`): string {
  const [header, ...rest] = text.split("\n");
  const sealed = [header, comment(`Checksum: ${"0".repeat(16)}`), ...rest].join("\n");
  return sealed.replace("0".repeat(16), checksum(sealed));
}

/**
 * Reports whether a file differs from what tsop wrote. Line ends do not count, nor does the layout of TypeScript:
 * editors, git and formatters may change them.
 */
export function isEdited(text: string): boolean {
  const found = sealOf(text);
  return found === undefined || checksum(text) !== found;
}

/** Returns the checksum that a file was written with. Two files that tsop wrote with one checksum were equal. */
export function sealOf(text: string): string | undefined {
  return seal.exec(withLf(text))?.[2];
}

/** Computes the checksum of a text without the line that holds it. */
function checksum(text: string): string {
  const lines = withLf(text);
  const [line = "", comment] = seal.exec(lines) ?? [];
  const content = lines.replace(line, "");
  const compared = comment === "// " ? content.replace(/[\s;,()|'"`]/g, "") : content;
  return hashText(compared).slice(0, 16);
}

function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Returns the SHA-256 of a text. Few commands hash; for the others, `node:crypto` would be a tenth of their time. */
export function hashText(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}
