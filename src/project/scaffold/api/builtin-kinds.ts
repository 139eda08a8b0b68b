import { loadBuiltins } from "../../../apimachinery/builtin/load-builtins.ts";

/** The built-in groups by their short name, and the domain that completes them. */
const builtinGroups: Readonly<Record<string, string>> = {
  admission: "k8s.io",
  admissionregistration: "k8s.io",
  apiextensions: "k8s.io",
  apps: "",
  authentication: "k8s.io",
  authorization: "k8s.io",
  autoscaling: "",
  batch: "",
  certificates: "k8s.io",
  coordination: "k8s.io",
  core: "",
  discovery: "k8s.io",
  events: "k8s.io",
  flowcontrol: "apiserver.k8s.io",
  networking: "k8s.io",
  node: "k8s.io",
  policy: "",
  "rbac.authorization": "k8s.io",
  resource: "k8s.io",
  scheduling: "k8s.io",
  storage: "k8s.io",
};

/** Reports whether Kubernetes has a group of this short name. */
export function isBuiltinGroup(group: string): boolean {
  return Object.hasOwn(builtinGroups, group);
}

/** Returns the domain of a built-in group; undefined for other groups. */
export function builtinDomain(group: string): string | undefined {
  return isBuiltinGroup(group) ? builtinGroups[group] : undefined;
}

/** A kind by the names that flags give it. */
export interface NamedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns the built-in kinds, with the short names of their groups. */
export function builtinKinds(): NamedKind[] {
  const shortNames = new Map(
    Object.entries(builtinGroups).map(([name, domain]) => [domain ? `${name}.${domain}` : name, name]),
  );
  return loadBuiltins().resources.flatMap(({ group, version, kind }) => {
    const shortName = shortNames.get(group || "core");
    return shortName === undefined ? [] : [{ group: shortName, version, kind }];
  });
}
