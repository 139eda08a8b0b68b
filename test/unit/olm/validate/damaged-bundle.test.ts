import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { TsopError } from "../../../../src/errors/tsop-error.ts";
import type { BundleContent } from "../../../../src/olm/bundle/bundle.ts";
import { loadBundle } from "../../../../src/olm/bundle/load-bundle.ts";
import { renderBundle } from "../../../../src/olm/catalog/render-bundle.ts";
import { builtInTests } from "../../../../src/olm/scorecard/built-in-tests.ts";
import { optionalValidators } from "../../../../src/olm/validate/optional-validators.ts";
import { validateBundle } from "../../../../src/olm/validate/validate-bundle.ts";
import { bundleOf } from "../bundle-case.ts";
import { pathsOf, replaceValue } from "../damaged-values.ts";

const values = [null, 3, ["text"], [null], { a: null }];

/**
 * Replaces every value of a file by one of another type, one at a time: the result is findings or a clear error, never
 * a crash.
 */
describe("a bundle with values of other types", () => {
  it.each([
    ["manifests/memcached-operator.clusterserviceversion.yaml", "webhooks"],
    ["manifests/cache.example.com_memcacheds.yaml", "conversion"],
    ["manifests/app.example.com_dummies.yaml", "crd-versions"],
    ["manifests/memcached-operator-metrics-reader_rbac.authorization.k8s.io_v1_clusterrole.yaml", "plain"],
    ["metadata/annotations.yaml", "plain"],
    ["metadata/dependencies.yaml", "plain"],
    ["metadata/properties.yaml", "plain"],
  ])(
    "reports the problems in %s of %s",
    async (file, of) => {
      const content = withMetadata(bundleOf({ of }));
      const object = load(content.get(file)!);
      const crashes: string[] = [];
      for (const path of pathsOf(object)) {
        for (const value of values) {
          const damaged = new Map([...content, [file, JSON.stringify(replaceValue(object, path, value))]]);
          const crash = await crashOf(damaged);
          if (crash) crashes.push(`${path.join(".")} = ${JSON.stringify(value)}: ${crash}`);
        }
      }
      expect(crashes).toEqual([]);
    },
    60_000,
  );
});

function withMetadata(content: BundleContent): BundleContent {
  return new Map([
    ...content,
    [
      "metadata/dependencies.yaml",
      "dependencies:\n- {type: olm.package, value: {packageName: a, version: '>=1.0.0'}}\n- {type: olm.gvk, value: {group: a, version: v1, kind: A}}\n- {type: olm.constraint, value: {failureMessage: no way, cel: {rule: 'true'}}}\n",
    ],
    ["metadata/properties.yaml", "properties:\n- {type: olm.maxOpenShiftVersion, value: '4.9'}\n"],
  ]);
}

async function crashOf(content: BundleContent): Promise<string | undefined> {
  try {
    const bundle = loadBundle(content);
    await validateBundle(bundle, optionalValidators, { "k8s-version": "1.25" });
    for (const test of Object.values(builtInTests)) await test(bundle);
    renderBundle(bundle, "registry.example.com/bundle:v1");
    return undefined;
  } catch (error) {
    return error instanceof TsopError ? undefined : ((error as Error).stack?.split("\n").slice(0, 2).join(" ") ?? "");
  }
}
