import { isObject } from "../../apimachinery/is-object.ts";
import type { Status } from "../../apimachinery/status.ts";
import { messageOf } from "../../errors/message-of.ts";
import { jsonType, withoutType } from "../codec/decode-body.ts";
import { parseJson } from "../codec/json.ts";
import { decodeError } from "../registry/decode-error.ts";
import { notRegistered } from "../refusals.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import type { AdmissionAttributes } from "./admission-attributes.ts";

const reviewVersion = "admission.k8s.io/v1";

/** Creates the request to a webhook. */
export function admissionReview(attributes: AdmissionAttributes, uid: string): Record<string, unknown> {
  const { resource, subresource, operation, namespace, name, object, oldObject, dryRun, options, user } = attributes;
  const { group, version, plural } = resource;
  const requested = attributes.requested ?? resource;
  const requestedVersion = { group: requested.group, version: requested.version };
  return {
    kind: "AdmissionReview",
    apiVersion: reviewVersion,
    request: {
      uid,
      kind: kindOf(resource, subresource),
      resource: { group, version, resource: plural },
      ...(subresource && { subResource: subresource }),
      requestKind: kindOf(requested, subresource),
      requestResource: { ...requestedVersion, resource: requested.plural },
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

/** Returns the kind of a resource or of its subresource: an Eviction is created at `pods/eviction`. */
function kindOf({ subresources, ...whole }: ServedResource, subresource: string | undefined): Record<string, string> {
  const part = subresources.find(({ name }) => name === subresource);
  const { group = whole.group, version = whole.version, kind } = part ?? whole;
  return { group, version, kind };
}

/** The part of a webhook's response that is read. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Partial<Status> | null;
  readonly patch?: string | null;
  readonly patchType?: string | null;
  readonly warnings?: readonly (string | null)[] | null;
}

/** A webhook's response before it is known to match the request. */
export interface AdmissionAnswer {
  readonly response?: AdmissionResponse;
}

/** Decodes a review. Throws an Error with the message of a real server's decoder. */
export function decodeReview(text: string): AdmissionAnswer {
  let review: unknown;
  try {
    review = parseJson(text);
  } catch (error) {
    throw new Error(`couldn't get version/kind; json parse error: ${messageOf(error)}`, { cause: error });
  }
  if (review === null) return {};
  if (!isObject(review)) throw new Error(withoutType(review));
  const { kind, apiVersion } = review as { kind?: string; apiVersion?: string };
  if (kind !== "AdmissionReview" || apiVersion !== reviewVersion) throw new Error(notRegistered(kind, apiVersion));
  const wrong = wrongField(review["response"]);
  if (wrong !== undefined) throw new Error(wrong);
  return review;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const statusType = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";

const isText = (value: unknown): boolean => typeof value === "string";

/** Reports for each field of a response whether a value fits. */
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  uid: isText,
  allowed: (value) => typeof value === "boolean",
  patch: (value) => typeof value === "string" && base64.test(value),
  patchType: isText,
  warnings: (value) => Array.isArray(value) && value.every((text) => isText(text ?? "")),
  auditAnnotations: (value) => isObject(value) && Object.values(value).every((text) => isText(text ?? "")),
  status: isObject,
};

/** Returns the error about a field of a response that has a wrong type. */
function wrongField(response: unknown): string | undefined {
  if (response === undefined || response === null) return undefined;
  if (!isObject(response)) return `json: cannot unmarshal ${jsonType(response)} into AdmissionReview.response`;
  const wrong = Object.keys(fits).find(
    (name) => response[name] !== undefined && response[name] !== null && !fits[name]!(response[name]),
  );
  if (wrong !== undefined) return `json: cannot unmarshal ${jsonType(response[wrong])} into response.${wrong}`;
  return decodeError(statusType, (response["status"] ?? {}) as Record<string, unknown>, { at: "response.status." });
}

/** Returns the response of a review. Throws an Error unless one matches the request. */
export function checkReview(
  { response }: AdmissionAnswer,
  { uid, mutating }: { uid: string; mutating: boolean },
): AdmissionResponse {
  if (!response) throw new Error("webhook response was absent");
  const patch = response.patch ?? "";
  const patchType = response.patchType ?? undefined;
  if (response.uid !== uid) throw new Error(`expected response.uid="${uid}", got "${response.uid}"`);
  const without = (field: string): Error => new Error(`validating webhook may not return response.${field}`);
  if (!mutating && patch !== "") throw without("patch");
  if (!mutating && patchType !== undefined) throw without("patchType");
  if (patch !== "" && patchType === undefined)
    throw new Error("webhook returned response.patch but not response.patchType");
  if (patch === "" && patchType !== undefined)
    throw new Error("webhook returned response.patchType but not response.patch");
  return response;
}
