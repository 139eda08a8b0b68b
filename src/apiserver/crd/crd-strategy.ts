import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { childIf, fill, items, type Fields } from "../registry/defaults/fields.ts";
import type { Strategy } from "../registry/strategy.ts";

/** Held until the last instance is gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** CustomResourceDefinition: names and conditions come later, from the CRD controller. */
export const crdStrategy: Strategy = {
  unconditionalUpdate: true,
  generationOf: ({ spec }) => spec,
  applyDefaults: defaultCrd,
  prepareCreate(crd) {
    const storage = items(childIf(crd, "spec"), "versions").filter((version) => version["storage"] === true);
    crd["status"] = {
      conditions: null,
      acceptedNames: { plural: "", kind: "" },
      storedVersions: storage.map((version) => version["name"]),
    };
  },
  prepareUpdate(crd) {
    const status = childIf(crd, "status");
    if (!status) return;
    const stored = new Set((status["storedVersions"] ?? []) as string[]);
    for (const version of items(childIf(crd, "spec"), "versions"))
      if (version["storage"] === true) stored.add(String(version["name"]));
    status["storedVersions"] = [...stored];
  },
  prepareDelete(crd) {
    const { metadata } = crd;
    if (!metadata.finalizers?.includes(cleanupFinalizer))
      metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer];
  },
};

function defaultCrd(crd: UnstructuredObject): void {
  const spec = childIf(crd, "spec");
  if (!spec) return;
  fill(spec, { conversion: { strategy: "None" } });
  const service = childIf(childIf(childIf(childIf(spec, "conversion"), "webhook"), "clientConfig"), "service");
  if (service) fill(service, { port: 443 });
  const names = childIf(spec, "names");
  if (!names || typeof names["kind"] !== "string") return;
  fill(names, { singular: names["kind"].toLowerCase(), listKind: `${names["kind"]}List` } satisfies Fields);
}
