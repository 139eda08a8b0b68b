import type { ResourceDefinition } from "../model.ts";
import type { Report } from "../report.ts";

const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const domain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;

/** Names must be what DNS and URLs allow. */
export function lintNames(resource: ResourceDefinition, report: Report): void {
  const { kind, group, plural, singular, shortNames, categories, versions } = resource;
  const place = versions[0]?.source.place;
  if (!place) return;
  const refuse = (reason: string, advice: string): void =>
    report.error(place, "TSOP_KIND_INVALID", { kind, reason, advice });
  if (!domain.test(group)) {
    refuse(`"${group}" is no group a server accepts`, "write a domain with a dot: +groupName=cache.example.com");
  }
  const approval = "api-approved.kubernetes.io";
  if (/\.(k8s|kubernetes)\.io$/.test(group) && resource.annotations[approval] === undefined) {
    refuse(
      `${group} belongs to the Kubernetes project`,
      `use a domain of your own, or set +kubebuilder:metadata:annotations="${approval}=<URL of the approval>"`,
    );
  }
  for (const version of versions.filter(({ name }) => !label.test(name))) {
    refuse(`"${version.name}" is no version a server accepts`, "name it v1alpha1, v1beta1 or v1, or set +versionName");
  }
  const names = { path: [plural], singular: [singular], shortName: shortNames, categories };
  for (const [argument, values] of Object.entries(names)) {
    for (const value of values.filter((name) => !label.test(name))) {
      refuse(
        `"${value}" is no name a server accepts`,
        `set ${argument} in +kubebuilder:resource to lower-case letters, digits and dashes`,
      );
    }
  }
}
