import { readFile } from "node:fs/promises";
import { packageFile } from "../../../apimachinery/package-file.ts";

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** The page's files by path. Only these are served, so that no path leads out of their folder. */
const files: Readonly<Record<string, readonly [name: string, type: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/app.js": ["app.js", "text/javascript; charset=utf-8"],
  "/app.css": ["app.css", "text/css; charset=utf-8"],
  "/icon.svg": ["icon.svg", "image/svg+xml"],
};

/** Reads a file of the built page; returns `undefined` for other paths. */
export async function readPageFile(path: string): Promise<PageFile | undefined> {
  const found = files[path];
  if (!found) return undefined;
  const [name, type] = found;
  return { type, bytes: await readFile(packageFile(`dist/ui/${name}`)) };
}
