import { relative, dirname, join } from "node:path/posix";

/** Returns the import specifier of a file as seen from a folder: `./x.ts` or `../x.ts`. */
export function relativeImport(folder: string, file: string): string {
  const way = relative(folder, file);
  return way.startsWith(".") ? way : `./${way}`;
}

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
