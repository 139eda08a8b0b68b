import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

interface Entry {
  readonly integrity?: string;
  readonly link?: boolean;
}

const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8"));

/** npm verifies only what has a checksum, and drops those of installed packages in some installations. */
it.each([
  ["package-lock.json", (readJson("package-lock.json") as { packages: Record<string, Entry> }).packages],
  [
    "build/site/package-lock.json",
    (readJson("build/site/package-lock.json") as { packages: Record<string, Entry> }).packages,
  ],
  ["the lock file that init writes", readJson("src/cli/package/tested-packages.json") as Record<string, Entry>],
])("%s has a checksum of each package", (_, packages) => {
  const entries = Object.entries(packages).filter(([path, { link }]) => path !== "" && !link);
  expect(entries.length).toBeGreaterThan(10);
  expect(entries.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
});
