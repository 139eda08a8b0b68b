import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BundleContent } from "../../../src/olm/bundle/bundle.ts";

/** A recorded bundle with changes, as cases/findings.yaml tells of them. */
export interface BundleCase {
  readonly of?: string;
  readonly edit?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  readonly write?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly flags?: readonly string[];
}

const here = fileURLToPath(new URL(".", import.meta.url));

/** Makes the bundle of a case. */
export function bundleOf({ of = "plain", edit = {}, write = {}, remove = [] }: BundleCase): BundleContent {
  const content = readFolder(join(here, "recorded/bundles", of, "bundle"));
  for (const [file, replacements] of Object.entries(edit)) {
    const path = [...content.keys()].find((path) => path.endsWith(shortNames[file] ?? file))!;
    content.set(
      path,
      replacements.reduce((text, [from, to]) => text.replaceAll(from, to), content.get(path)!),
    );
  }
  for (const [path, text] of Object.entries(write)) content.set(path, text);
  for (const path of remove) content.delete(path);
  return new Map([...content].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const shortNames: Readonly<Record<string, string>> = {
  csv: ".clusterserviceversion.yaml",
  crd: "cache.example.com_memcacheds.yaml",
  annotations: "annotations.yaml",
};

function readFolder(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
