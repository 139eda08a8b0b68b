import { dirname, join } from "node:path/posix";
import { relativeImport } from "./relative-import.ts";

/** The text of a TypeScript file after files have moved, itself or those it imports. Paths are relative to the project. */
export function moveImports(text: string, file: string, newPath: (file: string) => string): string {
  return text.replace(specifiers, (whole, before: string, specifier: string) => {
    const target = join(dirname(file), specifier);
    const isAffected = newPath(target) !== target || newPath(file) !== file;
    return isAffected ? `${before}"${relativeImport(dirname(newPath(file)), newPath(target))}"` : whole;
  });
}

/** `from "./x.ts"`, `import "./x.ts"`, `import("./x.ts")`. */
const specifiers = /(\bfrom\s*|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g;
