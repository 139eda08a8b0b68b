import { notRegistered } from "../refusals.ts";
import { parseJson } from "../codec/json.ts";
import type { AdmissionAttributes } from "./admission-attributes.ts";

const reviewVersion = "admission.k8s.io/v1";

/** Creates the request to a webhook. */
export function admissionReview(attributes: AdmissionAttributes, uid: string): Record<string, unknown> {
  const { resource, subresource, operation, namespace, name, object, oldObject, dryRun, options, user } = attributes;
  const { group, version, plural } = resource;
  const part = subresource === "scale" ? { group: "autoscaling", version: "v1", kind: "Scale" } : undefined;
  const kind = part ?? { group, version, kind: resource.kind };
  const which = { group, version, resource: plural };
  const requested = attributes.requested?.version ?? version;
  return {
    kind: "AdmissionReview",
    apiVersion: reviewVersion,
    request: {
      uid,
      kind,
      resource: which,
      ...(subresource && { subResource: subresource }),
      requestKind: part ?? { ...kind, version: requested },
      requestResource: { ...which, version: requested },
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

/** The part of a webhook's response that is read. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

/** A webhook's response before it is known to match the request. */
export interface AdmissionAnswer {
  readonly response?: AdmissionResponse;
}

/** Decodes a review. Throws an Error with the message of a real server's decoder. */
export function decodeReview(text: string): AdmissionAnswer {
  let review: { kind?: string; apiVersion?: string } & AdmissionAnswer;
  try {
    review = parseJson(text) as typeof review;
  } catch (error) {
    throw new Error(`couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : ""}`, {
      cause: error,
    });
  }
  const { kind, apiVersion } = review;
  if (kind !== "AdmissionReview" || apiVersion !== reviewVersion) throw new Error(notRegistered(kind, apiVersion));
  return review;
}

/** Returns the response of a review. Throws an Error if it has none that matches the request. */
export function checkReview({ response }: AdmissionAnswer, uid: string): AdmissionResponse {
  if (!response) throw new Error("webhook response was absent");
  if (response.uid !== uid) throw new Error(`expected response.uid="${uid}", got "${response.uid}"`);
  if (response.patch !== undefined && response.patchType !== "JSONPatch")
    throw new Error("webhook returned response.patch but not response.patchType");
  return response;
}
