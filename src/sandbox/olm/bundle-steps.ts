import type { KubeObject, UnstructuredObject } from "../../apimachinery/meta.ts";
import { parseApiVersion } from "../../apimachinery/kind.ts";
import type { CatalogSource, CsvObject, InstallStep, PolicyRule } from "../../client/manifests/olm-kinds.ts";
import { bundleObjects, type CatalogBundle } from "./catalog-source-controller.ts";
import { accountNames, hashedName, ownerLabels, ownerReference } from "./owned-names.ts";

/**
 * Returns the steps that install a bundle: its CSV, its CRDs, its other objects, and the roles and accounts that its
 * CSV asks for.
 */
export function bundleSteps(
  bundle: CatalogBundle,
  { metadata }: CatalogSource,
  { namespace, replaces }: { readonly namespace: string; readonly replaces: string | undefined },
): InstallStep[] {
  const { csv: found, others } = bundleObjects(bundle);
  if (!found) return [];
  const properties = bundle.properties.filter(({ type }) => type !== "olm.bundle.object");
  const annotations = {
    ...found.metadata.annotations,
    "operatorframework.io/properties": JSON.stringify({ properties }),
  };
  const spec = { ...found.spec, ...(replaces !== undefined && { replaces }) };
  const csv = { ...found, metadata: { ...found.metadata, namespace, annotations }, spec };
  const isCrd = ({ kind }: UnstructuredObject): boolean => kind === "CustomResourceDefinition";
  const objects: KubeObject[] = [
    csv,
    ...others.filter(isCrd),
    ...others.filter((object) => !isCrd(object)),
    ...accountsOf(csv),
    ...rolesOf(csv),
  ];
  return objects.map((object) => stepOf(object, bundle.name, metadata));
}

function stepOf(object: KubeObject, resolving: string, catalog: CatalogSource["metadata"]): InstallStep {
  const { apiVersion = "", kind = "", metadata } = object;
  const { group, version } = parseApiVersion(apiVersion);
  return {
    resolving,
    status: "Unknown",
    resource: {
      group,
      version,
      kind,
      name: metadata.name ?? "",
      sourceName: catalog.name ?? "",
      sourceNamespace: catalog.namespace ?? "",
      manifest: JSON.stringify(object),
    },
  };
}

function accountsOf(csv: CsvObject): UnstructuredObject[] {
  return accountNames(csv)
    .filter((name) => name !== "default")
    .map((name) => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, ...place(csv) } }));
}

function rolesOf(csv: CsvObject): UnstructuredObject[] {
  const { permissions = [], clusterPermissions = [] } = csv.spec.install?.spec ?? {};
  const { name = "", namespace = "" } = csv.metadata;
  return [
    ...permissions.flatMap(({ serviceAccountName, rules }) => {
      const role = hashedName(`${name}-${serviceAccountName}`, [name, serviceAccountName, rules]);
      return pair(csv, { kind: "Role", role, serviceAccountName, rules, namespace });
    }),
    ...clusterPermissions.flatMap(({ serviceAccountName, rules }) => {
      const role = hashedName(name, [name, serviceAccountName, rules]);
      return pair(csv, { kind: "ClusterRole", role, serviceAccountName, rules });
    }),
  ];
}

interface RolePair {
  readonly kind: "Role" | "ClusterRole";
  readonly role: string;
  readonly serviceAccountName: string;
  readonly rules: PolicyRule[];
  /** The namespace of both; undefined for cluster-wide ones. */
  readonly namespace?: string;
}

/** Returns a role and its binding to a service account of the CSV's namespace. */
export function pair(
  csv: CsvObject,
  { kind, role, serviceAccountName, rules, namespace }: RolePair,
): UnstructuredObject[] {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const metadata = {
    name: role,
    ...(namespace !== undefined && { namespace }),
    labels: ownerLabels(csv),
    ...(namespace === csv.metadata.namespace && { ownerReferences: [ownerReference(csv)] }),
  };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind, name: role };
  const subjects = [{ kind: "ServiceAccount", name: serviceAccountName, namespace: csv.metadata.namespace }];
  return [
    { apiVersion, kind, metadata, rules },
    { apiVersion, kind: `${kind}Binding`, metadata, roleRef, subjects },
  ];
}

/** The namespace and the owner of a namespaced object of a CSV, which gets its uid when it is created. */
function place(csv: CsvObject): Pick<UnstructuredObject["metadata"], "namespace" | "labels" | "ownerReferences"> {
  const { namespace } = csv.metadata;
  return {
    ...(namespace !== undefined && { namespace }),
    labels: { "olm.managed": "true" },
    ownerReferences: [ownerReference(csv)],
  };
}
