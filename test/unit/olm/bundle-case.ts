import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BundleContent } from "../../../src/olm/bundle/bundle.ts";

/** A recorded bundle with changes, as in cases/findings.yaml. */
export interface BundleCase {
  readonly of?: string;
  readonly edit?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  readonly write?: Readonly<Record<string, string>>;
  /** Sizes of the ConfigMaps in bytes. */
  readonly fill?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
  readonly flags?: readonly string[];
  /** Reason why tsop rejects a bundle that operator-sdk accepts. */
  readonly stricter?: string;
}

const here = fileURLToPath(new URL(".", import.meta.url));

/** Creates the bundle of a case. */
export function bundleOf({ of = "plain", edit = {}, write = {}, fill = {}, remove = [] }: BundleCase): BundleContent {
  const content = readFolder(join(here, "recorded/bundles", of, "bundle"));
  for (const [file, replacements] of Object.entries(edit)) {
    const path = [...content.keys()].find((path) => path.endsWith(shortNames[file] ?? file))!;
    content.set(
      path,
      replacements.reduce((text, [from, to]) => text.replaceAll(from, to), content.get(path)!),
    );
  }
  for (const [path, text] of Object.entries(write)) content.set(path, text);
  for (const [path, size] of Object.entries(fill)) content.set(path, largeConfigMap(path, size));
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

/** Returns a ConfigMap of the given size that no compression shrinks below three quarters; always the same. */
function largeConfigMap(path: string, size: number): string {
  const name = basename(path).replace(/_.*/, "");
  const count = Math.ceil(size / 64);
  const noise = Array.from({ length: count }, (_, index) =>
    createHash("sha384").update(`${name} ${index}`).digest("base64"),
  );
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  noise: "${noise.join("").slice(0, size)}"\n`;
}
