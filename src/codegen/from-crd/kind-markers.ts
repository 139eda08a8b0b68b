import type { CrdColumn, CrdVersion, CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import { formatArguments } from "./marker-lines.ts";

/** Returns the markers of a root type that make its CustomResourceDefinition again. */
export function kindMarkers({ spec }: CustomResourceDefinition, version: CrdVersion): string[] {
  const { plural, singular, shortNames, categories } = spec.names;
  const names = {
    path: plural,
    singular: singular === spec.names.kind.toLowerCase() ? "" : singular,
    scope: spec.scope,
    ...(shortNames?.length ? { shortName: shortNames } : {}),
    ...(categories?.length ? { categories } : {}),
  };
  const { subresources: { status, scale } = {}, deprecated, deprecationWarning } = version;
  const scalePaths = scale && {
    specpath: scale.specReplicasPath,
    statuspath: scale.statusReplicasPath,
    selectorpath: scale.labelSelectorPath,
  };
  const flag = (given: unknown, marker: string): string[] => (given ? [marker] : []);
  return [
    "+kubebuilder:object:root=true",
    `+kubebuilder:resource:${formatArguments(names)}`,
    ...flag(status, "+kubebuilder:subresource:status"),
    ...(scalePaths ? [`+kubebuilder:subresource:scale:${formatArguments(scalePaths)}`] : []),
    ...flag(version.storage && spec.versions.length > 1, "+kubebuilder:storageversion"),
    ...flag(!version.served, "+kubebuilder:unservedversion"),
    ...flag(deprecated && !deprecationWarning, "+kubebuilder:deprecatedversion"),
    ...flag(
      deprecated && deprecationWarning,
      `+kubebuilder:deprecatedversion:${formatArguments({ warning: deprecationWarning })}`,
    ),
    ...(version.additionalPrinterColumns ?? []).map(columnMarker),
    ...(version.selectableFields ?? []).map(
      ({ jsonPath }) => `+kubebuilder:selectablefield:${formatArguments({ JSONPath: jsonPath })}`,
    ),
  ];
}

function columnMarker({ jsonPath, name, type, ...more }: CrdColumn): string {
  return `+kubebuilder:printcolumn:${formatArguments({ name, type, JSONPath: jsonPath, ...more })}`;
}
