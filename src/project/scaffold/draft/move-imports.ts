import { dirname, join } from "node:path/posix";
import { relativeImport } from "./relative-import.ts";

/** Rewrites the imports of a TypeScript file after it or its imports have moved. Paths are relative to the project. */
export function moveImports(text: string, file: string, newPath: (file: string) => string): string {
  return text.replace(specifiers, (whole, before: string, specifier: string) => {
    const target = join(dirname(file), specifier);
    const isAffected = newPath(target) !== target || newPath(file) !== file;
    return isAffected ? `${before}"${relativeImport(dirname(newPath(file)), newPath(target))}"` : whole;
  });
}

/** `from "./x.ts"`, `import "./x.ts"`, `import("./x.ts")`. */
const specifiers = /(\bfrom\s*|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g;
