import type { ServedResource } from "../../registry/served-resource.ts";

/** The key of a kind under components.schemas: `io.k8s.api.apps.v1.Deployment`, or `com.example.v1.Widget`. */
export function definitionName(resource: ServedResource, kind: string = resource.kind): string {
  const { group, version, custom } = resource;
  if (custom) return [...group.split(".").reverse(), version, kind].join(".");
  if (group === "apiextensions.k8s.io")
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${kind}`;
  if (group === "apiregistration.k8s.io") return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}.${kind}`;
  return `io.k8s.api.${group === "" ? "core" : group.split(".")[0]}.${version}.${kind}`;
}

/** A `$ref` to a definition. */
export function definitionReference(name: string): string {
  return `#/components/schemas/${name}`;
}
