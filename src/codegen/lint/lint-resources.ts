import type { ResourceDefinition } from "../model.ts";
import type { Report } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { lintDefaults } from "./lint-defaults.ts";
import { lintEmbeddedMetadata } from "./lint-embedded-metadata.ts";
import { lintMetadata } from "./lint-metadata.ts";
import { lintPaths } from "./lint-paths.ts";
import { lintRefusals } from "./lint-refusals.ts";
import { customResourceDefinition } from "../generate-crds.ts";

/** Reports, before deployment, kinds that an API server would reject or that would not work as expected. */
export async function lintResources(
  resources: readonly ResourceDefinition[],
  sources: ProjectSources,
  report: Report,
): Promise<void> {
  for (const resource of resources) {
    await lintRefusals(resource, sources, report);
    lintMetadata(resource, report);
    for (const version of resource.versions) {
      lintDefaults(version, sources, report);
      lintEmbeddedMetadata(version, sources, report);
      lintPaths(version, report);
    }
    lintSize(resource, report);
  }
}

/**
 * Checks the size: `kubectl apply` keeps a copy in an annotation of at most 256 KiB, and etcd stores at most 1.5 MiB.
 */
function lintSize(resource: ResourceDefinition, report: Report): void {
  const place = resource.versions[0]?.source.place;
  const bytes = Buffer.byteLength(JSON.stringify(customResourceDefinition(resource, "")));
  if (!place || bytes <= 262_144) return;
  const facts = { path: resource.kind, reason: `its CustomResourceDefinition is ${Math.ceil(bytes / 1024)} KiB large` };
  if (bytes > 1_572_864) {
    report.error(place, "TSOP_CRD_REFUSED", {
      ...facts,
      advice: "etcd accepts at most 1.5 MiB: use Schemaless for fields that need no validation",
    });
  } else {
    report.warning(place, "TSOP_CRD_ADVICE", {
      ...facts,
      advice:
        "leave descriptions out, so that make install and make deploy work: write // +tsop:maxDescLen=0 next to +groupName; or apply the whole CRD with: kubectl kustomize config/crd | kubectl apply --server-side -f -",
    });
  }
}
