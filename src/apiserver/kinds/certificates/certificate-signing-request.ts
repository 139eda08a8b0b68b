import { cloneJson } from "../../../apimachinery/clone.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { type FieldError, forbidden, invalid } from "../../../apimachinery/field-error.ts";
import { type Fields, child, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { WriteAccess } from "../../registry/served-resource.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { conditionOf, textAt, valueAt } from "../printing/field-access.ts";
import { humanDuration, printer } from "../printing/printer.ts";

/** CertificateSigningRequest. The requestor is the user whom the server saw; the spec never changes. */
export const certificateSigningRequest: BuiltinKind = {
  prepareCreate(request, { user }) {
    const spec = child(request, "spec");
    for (const field of ["username", "uid", "groups", "extra"]) delete spec[field];
    Object.assign(spec, cloneJson(user ?? {}));
    request["status"] = {};
  },
  prepareUpdate(request, old) {
    request["spec"] = cloneJson(old["spec"]);
  },
  validate: signingErrors,
  writerRefusal: signingRefusal,
  printer: printer("Age|SignerName|Requestor|RequestedDuration|Condition", (object) => {
    const seconds = valueAt(object, "spec", "expirationSeconds");
    return [
      textAt(object, "spec", "signerName"),
      textAt(object, "spec", "username"),
      typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>",
      signingStatus(object),
    ];
  }),
};

interface Condition {
  readonly type: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
}

/** Returns the live request with the metadata and the conditions of a body sent to `/approval`. */
export function withApproval(sent: UnstructuredObject, live: UnstructuredObject, now: string): UnstructuredObject {
  const conditionsOf = ({ status }: UnstructuredObject) =>
    (status as { conditions?: Condition[] } | undefined)?.conditions ?? [];
  const before = conditionsOf(live);
  const conditions = conditionsOf(sent).map((condition) => {
    const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
    return { lastUpdateTime: now, ...condition, lastTransitionTime: same?.lastTransitionTime ?? now };
  });
  return {
    ...cloneJson(live),
    metadata: sent.metadata,
    status: { ...cloneJson(live["status"] as object), conditions },
  };
}

function signingStatus(object: Fields): string {
  const has = (type: string): boolean => conditionOf(object, type) !== undefined;
  const parts = [has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending"];
  if (has("Failed")) parts.push("Failed");
  if (textAt(object, "status", "certificate") !== "") parts.push("Issued");
  return parts.join(",");
}

const verdicts = ["Approved", "Denied"];

/** Returns the errors of a changed status: a verdict comes by `/approval` only, and neither it nor a certificate goes. */
function signingErrors(
  request: UnstructuredObject,
  old: UnstructuredObject | undefined,
  subresource: string | undefined,
): FieldError[] {
  if (!old) return [];
  const [status, before] = [statusOf(request), statusOf(old)];
  const growth = (type: string): number => ofType(status, type).length - ofType(before, type).length;
  const refuse = (what: string) => (type: string) =>
    forbidden("status.conditions", `updates may not ${what} a condition of type "${type}"`);
  return [
    ...(isCertificate(textOf(status["certificate"]))
      ? []
      : [invalid("status.certificate", "<certificate data>", "must contain at least one CERTIFICATE PEM block")]),
    ...[...verdicts, "Failed"].filter((type) => growth(type) < 0).map(refuse("remove")),
    ...(subresource === "approval" ? [] : verdicts.filter((type) => growth(type) > 0).map(refuse("add"))),
    ...(before["certificate"] && !equalJson(status["certificate"], before["certificate"])
      ? [forbidden("status.certificate", "updates may not modify existing certificate content")]
      : []),
  ];
}

/** Returns why a user may not approve or sign a certificate. */
function signingRefusal(
  request: UnstructuredObject,
  old: UnstructuredObject | undefined,
  access: WriteAccess,
): string | undefined {
  const name = textOf(childIf(old ?? request, "spec")?.["signerName"]);
  const { subresource } = access;
  if (subresource === "approval" && !mayUse(name, "approve", access))
    return `user not permitted to approve requests with signerName "${name}"`;
  const isSigned = old && !equalJson(statusOf(request), statusOf(old));
  if (subresource === "status" && isSigned && !mayUse(name, "sign", access))
    return `user not permitted to sign requests with signerName "${name}"`;
  return undefined;
}

/** Reports whether a user has a permission for a signer: by its name, or for all of its domain. */
function mayUse(signer: string, verb: string, { may }: WriteAccess): boolean {
  return may(verb, "signers", signer) || may(verb, "signers", `${signer.split("/")[0]}/*`);
}

function isCertificate(base64: string): boolean {
  return base64 === "" || Buffer.from(base64, "base64").includes("-----BEGIN CERTIFICATE-----");
}

function statusOf(request: UnstructuredObject): Fields {
  return childIf(request, "status") ?? {};
}

function ofType(status: Fields, type: string): Fields[] {
  return items(status, "conditions").filter((condition) => condition["type"] === type);
}
