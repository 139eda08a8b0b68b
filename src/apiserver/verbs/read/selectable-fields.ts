import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { badRequest } from "../../refusals.ts";
import { valueAt } from "../../registry/simple-path.ts";
import type { ServedResource } from "../../registry/served-resource.ts";

const eventFields = [
  "involvedObject.kind",
  "involvedObject.namespace",
  "involvedObject.name",
  "involvedObject.uid",
  "involvedObject.apiVersion",
  "involvedObject.resourceVersion",
  "involvedObject.fieldPath",
  "reason",
  "reportingComponent",
  "source",
  "type",
];

/** What built-in kinds can be selected by, besides name and namespace. */
const builtinFields: Readonly<Record<string, readonly string[]>> = {
  CertificateSigningRequest: ["spec.signerName"],
  Event: eventFields,
  Job: ["status.successful"],
  Namespace: ["status.phase"],
  Node: ["spec.unschedulable"],
  Pod: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
  ReplicationController: ["status.replicas"],
  Secret: ["type"],
  Service: ["spec.clusterIP", "spec.type"],
};

/** Reads a field as a selector compares it: as text, empty when absent. Refuses fields that can't be selected by. */
export function selectableField(resource: ServedResource, field: string): (object: UnstructuredObject) => string {
  if (field === "metadata.name") return ({ metadata }) => metadata.name ?? "";
  if (field === "metadata.namespace") return ({ metadata }) => metadata.namespace ?? "";
  if (!isSelectable(resource, field)) throw refusal(resource, field);
  if (resource.kind === "Job" && !resource.custom) return (object) => textAt(object, "status.succeeded") || "0";
  if (field === "source") return (object) => textAt(object, "source.component") || textAt(object, "reportingComponent");
  const flag = booleanFields.has(field);
  return (object) => textAt(object, field) || (flag ? "false" : "");
}

/** These are false when they are absent. */
const booleanFields = new Set(["spec.hostNetwork", "spec.unschedulable"]);

function isSelectable(resource: ServedResource, field: string): boolean {
  if (resource.custom) return resource.custom.selectableFields.includes(`.${field}`);
  return builtinFields[resource.kind]?.includes(field) ?? false;
}

function refusal(resource: ServedResource, field: string): Error {
  if (resource.custom || builtinFields[resource.kind]) return badRequest(`field label not supported: ${field}`);
  return badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function textAt(object: UnstructuredObject, path: string): string {
  const value = valueAt(object, path);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
