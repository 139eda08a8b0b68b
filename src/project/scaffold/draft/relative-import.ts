import { relative } from "node:path/posix";

/** Returns the import specifier of a file as seen from a folder: `./x.ts` or `../x.ts`. */
export function relativeImport(folder: string, file: string): string {
  const way = relative(folder, file);
  return way.startsWith(".") ? way : `./${way}`;
}
