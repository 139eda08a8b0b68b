import { kubernetesRelease } from "../../apimachinery/kubernetes-version.ts";

const reference = "https://kubernetes.io/docs/reference";

/** Returns the address of a type in the API reference of Kubernetes, by its OpenAPI name. */
export function builtinLink(openApiName: string): string | undefined {
  const [, place = "", version = "", name = ""] = /([\w-]+)\.(v\d\w*)\.(\w+)$/.exec(openApiName) ?? [];
  if (!name) return undefined;
  const anchor = `${name}-${version}-${fullGroup(place)}`.toLowerCase().replaceAll(".", "-");
  return `${reference}/generated/kubernetes-api/v${kubernetesRelease}/#${anchor}`;
}

/** The types of `tsop` that have no OpenAPI name: a page of their own, or words. */
export const knownTypeWords: Readonly<Record<string, string>> = {
  Quantity: `[Quantity](${reference}/kubernetes-api/common-definitions/quantity/)`,
  ObjectMeta: `[ObjectMeta](${reference}/generated/kubernetes-api/v${kubernetesRelease}/#objectmeta-v1-meta)`,
  IntOrString: "integer or string",
  Time: "string (time)",
  MicroTime: "string (time)",
  Duration: "string (duration such as `1h30m`)",
  RawExtension: "object with any fields",
  EmbeddedObject: "any Kubernetes object",
  JSONValue: "any JSON value",
};

/** Groups of which the Go package has another name than the group's first part, or the group has only one part. */
function fullGroup(place: string): string {
  if (["core", "apps", "batch", "autoscaling", "policy", "meta"].includes(place)) return place;
  const prefix = {
    rbac: "rbac.authorization",
    flowcontrol: "flowcontrol.apiserver",
    apiserverinternal: "internal.apiserver",
  };
  return `${(prefix as Record<string, string>)[place] ?? place}.k8s.io`;
}
