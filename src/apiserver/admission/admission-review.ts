import type { AdmissionAttributes } from "./admission-attributes.ts";

export const reviewVersion = "admission.k8s.io/v1";

/** What a webhook is asked. */
export function admissionReview(attributes: AdmissionAttributes, uid: string): Record<string, unknown> {
  const { resource, subresource, operation, namespace, name, object, oldObject, dryRun, options, user } = attributes;
  const { group, version, plural } = resource;
  const part = subresource === "scale" ? { group: "autoscaling", version: "v1", kind: "Scale" } : undefined;
  const kind = part ?? { group, version, kind: resource.kind };
  const which = { group, version, resource: plural };
  return {
    kind: "AdmissionReview",
    apiVersion: reviewVersion,
    request: {
      uid,
      kind,
      resource: which,
      ...(subresource && { subResource: subresource }),
      requestKind: kind,
      requestResource: which,
      ...(subresource && { requestSubResource: subresource }),
      ...(name && { name }),
      ...(namespace && { namespace }),
      operation,
      userInfo: user,
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun,
      options,
    },
  };
}

/** A webhook's answer, as far as it is read. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

/** The response in a review; throws an Error that says what is wrong with it, in a real server's words. */
export function readReview(text: string, uid: string): AdmissionResponse {
  const { kind, apiVersion, response } = parse(text);
  if (kind !== "AdmissionReview" || apiVersion !== reviewVersion)
    throw new Error(
      `expected webhook response of ${reviewVersion}, Kind=AdmissionReview, got ${apiVersion}, Kind=${kind}`,
    );
  if (!response) throw new Error("webhook response was absent");
  if (response.uid !== uid) throw new Error(`expected response.uid="${uid}", got "${response.uid}"`);
  if (response.patch !== undefined && response.patchType !== "JSONPatch")
    throw new Error(`webhook returned response.patch but not response.patchType="JSONPatch"`);
  return response;
}

function parse(text: string): { kind?: string; apiVersion?: string; response?: AdmissionResponse } {
  try {
    return JSON.parse(text) as ReturnType<typeof parse>;
  } catch (error) {
    throw new Error("couldn't get version/kind; json parse error: not a JSON object", { cause: error });
  }
}
