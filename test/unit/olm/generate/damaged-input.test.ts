import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { TsopError } from "../../../../src/errors/tsop-error.ts";
import { memoryDisk } from "../../../../src/files/memory-disk.ts";
import { planBundle } from "../../../../src/olm/generate/plan-bundle.ts";
import { isKubeObject, parseObjects } from "../../../../src/olm/parse-objects.ts";
import { pathsOf, replaceValue } from "../damaged-values.ts";

const values = [null, 3, ["text"], [null], { a: null }];
const parts = ["base", "crd-conversion", "deployment", "rbac", "webhooks", "scorecard", "related-images"];
const objects = parts.flatMap((part) =>
  parseObjects(readFileSync(new URL(`../cases/parts/${part}.yaml`, import.meta.url), "utf8"), part),
);

/**
 * Replaces every value of every manifest by one of another type, one at a time: the result is a plan or a clear error,
 * never a crash.
 */
describe("a bundle from values of other types", () => {
  it("is created from the original values", async () => {
    expect(await failureOf(objects)).toBeUndefined();
  });

  it.each(objects.map((object, index) => [`${object.kind} ${object.metadata.name}`, index] as const))(
    "is created or rejected: %s",
    async (_, index) => {
      const crashes: string[] = [];
      for (const path of pathsOf(objects[index])) {
        for (const value of values) {
          const damaged = replaceValue(objects[index], path, value);
          // A document that is not an object is never read as one.
          if (!isKubeObject(damaged)) continue;
          const read = { ...damaged, metadata: damaged.metadata ?? {} };
          const failure = await failureOf(objects.with(index, read));
          if (failure === undefined || failure instanceof TsopError) continue;
          crashes.push(`${path.join(".")} = ${JSON.stringify(value)}: ${failure.message}`);
        }
      }
      expect(crashes).toEqual([]);
    },
  );
});

async function failureOf(input: readonly UnstructuredObject[]): Promise<Error | undefined> {
  const options = {
    root: "/p",
    folder: "bundle",
    manifests: true,
    metadata: true,
    overwrite: true,
    packageName: "memcached-operator",
    version: "0.0.1",
    channels: "alpha",
    extraServiceAccounts: [],
    builder: "tsop-v0.1.0",
    layout: "typescript.tsop.dev/v1",
    now: new Date("2026-01-02T03:04:05Z"),
    warn: () => {},
  };
  try {
    await planBundle(input, options, memoryDisk());
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
