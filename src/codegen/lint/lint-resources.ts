import type { ResourceDefinition } from "../model.ts";
import type { Report } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { lintNames } from "./lint-names.ts";
import { lintPaths } from "./lint-paths.ts";
import { lintSchema } from "./lint-schema.ts";
import { lintSize } from "./lint-size.ts";

/** Finds before deployment what an API server would refuse, or what would surprise later. */
export function lintResources(resources: readonly ResourceDefinition[], sources: ProjectSources, report: Report): void {
  for (const resource of resources) {
    lintNames(resource, report);
    for (const version of resource.versions) {
      lintSchema(version, sources, report);
      lintPaths(version, report);
    }
    lintSize(resource, report);
  }
}
