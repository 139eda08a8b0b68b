import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { memoryDisk } from "../../../../src/files/memory-disk.ts";
import { planBundle, type BundleOptions } from "../../../../src/olm/generate/plan-bundle.ts";
import { parseObjects } from "../../../../src/olm/parse-objects.ts";

const olm = fileURLToPath(new URL("..", import.meta.url));
const cases = JSON.parse(read("cases/bundles.json")) as Record<string, Case>;

/** Findings in operator-sdk's CSV without a base, which its own validators for OperatorHub reject. */
const emptyIcon = '  icon:\n  - base64data: ""\n    mediatype: ""\n';

interface Case {
  readonly parts: readonly string[];
  readonly base?: string;
  readonly flags: readonly string[];
}

describe("planBundle", () => {
  it.each(Object.entries(cases))(
    "writes the output of operator-sdk without the empty icon: %s",
    async (name, bundle) => {
      const expected = readRecorded(join("recorded/bundles", name));
      const { plan } = await planBundle(input(bundle), optionsOf(bundle, createdAt(expected)), memoryDisk());
      const made = Object.fromEntries(
        plan.changes.map((change) => [change.path, change.type === "remove" ? undefined : change.text]),
      );
      expect(Object.keys(made).toSorted()).toEqual(Object.keys(expected).toSorted());
      for (const [path, text] of Object.entries(expected)) expect(made[path], path).toBe(text.replace(emptyIcon, ""));
    },
  );
});

function input({ parts, base }: Case): ReturnType<typeof parseObjects> {
  const files = base ? [...parts, base] : parts;
  return files.flatMap((part) => parseObjects(read(`cases/parts/${part}.yaml`), part));
}

function optionsOf({ flags }: Case, now: Date): BundleOptions {
  const flag = (name: string): string | undefined => flags[flags.indexOf(`--${name}`) + 1 || flags.length];
  return {
    root: "/p",
    folder: flag("output-dir") ?? "bundle",
    manifests: true,
    metadata: true,
    overwrite: true,
    packageName: flag("package") ?? "memcached-operator",
    version: flag("version"),
    channels: flag("channels") ?? "alpha",
    defaultChannel: flag("default-channel"),
    extraServiceAccounts: flag("extra-service-accounts")?.split(",") ?? [],
    builder: "operator-sdk-unknown",
    layout: "go.kubebuilder.io/v4",
    now,
    warn: () => {},
  };
}

function readRecorded(folder: string): Record<string, string> {
  const paths = readdirSync(join(olm, folder), { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => /\.(yaml|Dockerfile)$/.test(path));
  return Object.fromEntries(files.map((path) => [path, read(join(folder, path))]));
}

function createdAt(files: Record<string, string>): Date {
  const csv = Object.entries(files).find(([path]) => path.endsWith(".clusterserviceversion.yaml"))![1];
  return new Date((load(csv) as any).metadata.annotations.createdAt);
}

function read(path: string): string {
  return readFileSync(join(olm, path), "utf8");
}
