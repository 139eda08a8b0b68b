import type { ResourceDefinition } from "../model.ts";
import type { Report } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { lintDefaults } from "./lint-defaults.ts";
import { lintEmbeddedMetadata } from "./lint-embedded-metadata.ts";
import { lintMetadata } from "./lint-metadata.ts";
import { lintPaths } from "./lint-paths.ts";
import { lintRefusals } from "./lint-refusals.ts";
import { lintSize } from "./lint-size.ts";

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
