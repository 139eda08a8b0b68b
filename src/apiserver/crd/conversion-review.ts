import type { UnstructuredObject } from "../../apimachinery/meta.ts";

const reviewVersion = "apiextensions.k8s.io/v1";

/** Returns the request to a conversion webhook. Stored objects have no resourceVersion yet. */
export function conversionReview(
  objects: readonly UnstructuredObject[],
  { uid, desiredAPIVersion }: { uid: string; desiredAPIVersion: string },
): Record<string, unknown> {
  return {
    kind: "ConversionReview",
    apiVersion: reviewVersion,
    request: { uid, desiredAPIVersion, objects: objects.map(withoutVersion) },
  };
}

/** Returns the objects of a response; throws an Error with a real server's text for an invalid one. */
export function readConverted(text: string, uid: string): readonly unknown[] {
  const { kind, apiVersion, response } = parse(text);
  if (kind !== "ConversionReview" || apiVersion !== reviewVersion)
    throw new Error(
      `expected webhook response of ${reviewVersion}, Kind=ConversionReview, got ${apiVersion ?? ""}, Kind=${kind ?? ""}`,
    );
  if (!response) throw new Error("no response provided");
  if (response.uid !== uid) throw new Error(`expected response.uid="${uid}", got "${response.uid ?? ""}"`);
  const { status = "", message } = response.result ?? {};
  if (status !== "Success") throw new Error(message || `response.result.status was '${status}', not 'Success'`);
  return response.convertedObjects ?? [];
}

function withoutVersion(object: UnstructuredObject): UnstructuredObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

interface Review {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly response?: {
    readonly uid?: string;
    readonly result?: { readonly status?: string; readonly message?: string };
    readonly convertedObjects?: readonly unknown[];
  };
}

function parse(text: string): Review {
  try {
    return (JSON.parse(text) as Review | null) ?? {};
  } catch (error) {
    throw new Error("couldn't get version/kind; json parse error: not a JSON object", { cause: error });
  }
}
