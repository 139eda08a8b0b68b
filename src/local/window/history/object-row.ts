import { parseApiVersion } from "../../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ObjectRow } from "../contract.ts";
import { conditionsOf, describeStatus } from "./object-status.ts";

/** Returns the line of an object in the tree. */
export function objectRow(id: string, object: UnstructuredObject): ObjectRow {
  const { kind = "", apiVersion = "", metadata } = object;
  const owners = metadata.ownerReferences ?? [];
  return {
    id,
    ...parseApiVersion(apiVersion),
    kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    owners: owners
      .toSorted((a, b) => Number(b.controller ?? false) - Number(a.controller ?? false))
      .map(({ uid }) => uid),
    created: Date.parse(metadata.creationTimestamp ?? "") || 0,
    status: describeStatus(object),
    conditions: conditionsOf(object).map(({ type, status }) => ({ type, status })),
    labels: metadata.labels ?? {},
    system: isSystem(object),
    resourceVersion: metadata.resourceVersion ?? "",
  };
}

/** Kinds that come and go without meaning, or describe the server itself. */
const systemKinds = new Set([
  "Event",
  "Lease",
  "EndpointSlice",
  "Endpoints",
  "FlowSchema",
  "PriorityLevelConfiguration",
  "APIService",
  "PriorityClass",
  "CSINode",
  "ControllerRevision",
  "ServiceCIDR",
  "IPAddress",
  "RuntimeClass",
]);

const systemNames = /^(kube-|system:|default$|kubernetes$)/;
/** Kinds of which every cluster has some. */
const sharedKinds = new Set(["Namespace", "ServiceAccount", "ConfigMap", "Service"]);

function isSystem({ kind = "", metadata }: UnstructuredObject): boolean {
  const { namespace = "", name = "", labels = {} } = metadata;
  if (systemKinds.has(kind) || namespace.startsWith("kube-")) return true;
  if (labels["kubernetes.io/bootstrapping"] !== undefined) return true;
  return systemNames.test(name) && (sharedKinds.has(kind) || name.startsWith("system:"));
}
