import { cloneJson } from "../../../apimachinery/clone.ts";
import { type Fields, child } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { CertificateSigningRequestStatus } from "../../../k8s/certificates/v1.ts";
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

/** Returns the live request with the metadata and the conditions of a body sent to `/approval`. */
export function withApproval(sent: UnstructuredObject, live: UnstructuredObject, now: string): UnstructuredObject {
  const conditionsOf = ({ status }: UnstructuredObject) =>
    (status as Partial<CertificateSigningRequestStatus> | undefined)?.conditions ?? [];
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
