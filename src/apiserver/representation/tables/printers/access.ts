import { type Fields, conditionOf, listAt, numberAt, textAt, valueAt } from "../field-access.ts";
import { creationAge, humanDuration } from "../human-duration.ts";
import { printer, type Printer } from "../printer.ts";

const binding = printer("Role|Age|Users*|Groups*|ServiceAccounts*", (object, now) => [
  `${textAt(object, "roleRef", "kind")}/${textAt(object, "roleRef", "name")}`,
  creationAge(object, now),
  subjects(object, "User"),
  subjects(object, "Group"),
  subjects(object, "ServiceAccount"),
]);

const signingRequest = printer("Age|SignerName|Requestor|RequestedDuration|Condition", (object, now) => {
  const seconds = valueAt(object, "spec", "expirationSeconds");
  return [
    creationAge(object, now),
    textAt(object, "spec", "signerName"),
    textAt(object, "spec", "username"),
    typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>",
    signingStatus(object),
  ];
});

const webhooks = printer("Webhooks:integer|Age", (object, now) => [
  listAt(object, "webhooks").length,
  creationAge(object, now),
]);

const policyOf = (column: string, field: string): Printer =>
  printer(`${column}:integer|ParamKind|Age`, (object, now) => {
    const kind = valueAt(object, "spec", "paramKind");
    const shown = kind === undefined ? "<unset>" : `${textAt(kind, "apiVersion")}/${textAt(kind, "kind")}`;
    return [listAt(object, "spec", field).length, shown, creationAge(object, now)];
  });

const policyBinding = printer("PolicyName|ParamRef|Age", (object, now) => {
  const reference = valueAt(object, "spec", "paramRef");
  const name = `${textAt(reference, "namespace") || "*"}/${textAt(reference, "name")}`;
  return [textAt(object, "spec", "policyName"), reference === undefined ? "<unset>" : name, creationAge(object, now)];
});

const apiService = printer("Service|Available|Age", (object, now) => {
  const service = valueAt(object, "spec", "service");
  const available = conditionOf(object, "Available");
  const status = textAt(available, "status") || "Unknown";
  return [
    service ? `${textAt(service, "namespace")}/${textAt(service, "name")}` : "Local",
    status === "True" || !available ? status : `${status} (${textAt(available, "reason")})`,
    creationAge(object, now),
  ];
});

const flowSchema = printer("PriorityLevel|MatchingPrecedence|DistinguisherMethod|Age|MissingPL", (object, now) => [
  textAt(object, "spec", "priorityLevelConfiguration", "name"),
  numberAt(object, "spec", "matchingPrecedence"),
  textAt(object, "spec", "distinguisherMethod", "type") || "<none>",
  creationAge(object, now),
  textAt(conditionOf(object, "Dangling"), "status") || "?",
]);

const priorityLevel = printer("Type|NominalConcurrencyShares|Queues|HandSize|QueueLengthLimit|Age", (object, now) => {
  const limited = valueAt(object, "spec", "limited");
  const queuing = valueAt(limited, "limitResponse", "queuing");
  return [
    textAt(object, "spec", "type"),
    numberOrNone(limited, "nominalConcurrencyShares"),
    numberOrNone(queuing, "queues"),
    numberOrNone(queuing, "handSize"),
    numberOrNone(queuing, "queueLengthLimit"),
    creationAge(object, now),
  ];
});

/** Who may do what, and what stands between: by group and kind. */
export const accessPrinters: Readonly<Record<string, Printer>> = {
  "rbac.authorization.k8s.io/RoleBinding": binding,
  "rbac.authorization.k8s.io/ClusterRoleBinding": binding,
  "certificates.k8s.io/CertificateSigningRequest": signingRequest,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": policyOf("Mutations", "mutations"),
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": policyBinding,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": policyOf("Validations", "validations"),
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": policyBinding,
  "apiregistration.k8s.io/APIService": apiService,
  "flowcontrol.apiserver.k8s.io/FlowSchema": flowSchema,
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": priorityLevel,
};

function subjects(object: Fields, kind: string): string {
  return listAt(object, "subjects")
    .filter((subject) => subject["kind"] === kind)
    .map((subject) => (kind === "ServiceAccount" ? `${textAt(subject, "namespace")}/` : "") + textAt(subject, "name"))
    .join(", ");
}

function signingStatus(object: Fields): string {
  const has = (type: string): boolean => conditionOf(object, type) !== undefined;
  const parts = [has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending"];
  if (has("Failed")) parts.push("Failed");
  if (textAt(object, "status", "certificate") !== "") parts.push("Issued");
  return parts.join(",");
}

function numberOrNone(object: unknown, field: string): number | string {
  const value = valueAt(object, field);
  return typeof value === "number" ? value : "<none>";
}
