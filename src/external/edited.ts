import { createHash } from "node:crypto";

const seal = /^\/\/ Checksum: ([0-9a-f]{16})\n/m;

/** Adds the checksum by which `isEdited` recognizes a change by hand. */
export function sealText(text: string): string {
  const [header, ...rest] = text.split("\n");
  return [header, `// Checksum: ${checksum(text)}`, ...rest].join("\n");
}

/** Reports whether a file differs from what tsop wrote, other than by its layout: formatters may change that. */
export function isEdited(text: string): boolean {
  const [line, sum] = seal.exec(text) ?? [];
  return line === undefined || checksum(text.replace(line, "")) !== sum;
}

function checksum(text: string): string {
  const letters = text.replace(/[\s;,()|'"`]/g, "");
  return createHash("sha256").update(letters).digest("hex").slice(0, 16);
}
