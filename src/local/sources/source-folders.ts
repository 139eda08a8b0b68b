import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A project's folders but packages, hidden ones and build output. */
export async function sourceFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const inner = entries.filter((entry) => entry.isDirectory() && !isSkipped(entry.name));
  const deeper = await Promise.all(inner.map(({ name }) => sourceFolders(join(root, name))));
  return [root, ...deeper.flat()];
}

function isSkipped(name: string): boolean {
  return name.startsWith(".") || ["node_modules", "dist", "coverage", "bin"].includes(name);
}
