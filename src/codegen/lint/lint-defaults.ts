import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { DefinedVersion } from "../model.ts";
import type { Report } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { locate } from "./locate.ts";
import { walkSchema } from "./walk-schema.ts";

/** Reports defaults that never take effect. */
export function lintDefaults({ schema, source }: DefinedVersion, sources: ProjectSources, report: Report): void {
  walkSchema(schema, (node, names) => {
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      const hidden = hiddenDefault(node, name, property);
      // Kubernetes' own types have such defaults by design.
      if (hidden === undefined || !locate(source, [...names, name, hidden], sources).own) continue;
      report.warning(locate(source, [...names, name], sources), "TSOP_CRD_ADVICE", {
        path: [source.kind, ...names, name].join("."),
        reason: "the defaults of its fields do not apply while the object itself is absent",
        advice: "add +kubebuilder:default={} to the field",
      });
    }
  });
}

/**
 * Finds a field with a default inside an optional object, which stays absent. If the object has other fields as well, it
 * may be a feature that is off without it: a default for it would change what its absence means.
 */
function hiddenDefault(parent: JsonSchema, name: string, property: JsonSchema): string | undefined {
  if (property.type !== "object" || property.default !== undefined || parent.required?.includes(name)) return undefined;
  if (property.required?.length) return undefined;
  const fields = Object.entries(property.properties ?? {});
  return fields.every(([, child]) => child.default !== undefined) ? fields[0]?.[0] : undefined;
}
