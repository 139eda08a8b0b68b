import type { IncomingMessage } from "node:http";
import { groupKindOf, parseApiVersion } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import type { Converter } from "./converter.ts";
import type { EndpointOptions } from "./admission-endpoint.ts";
import { isPanic } from "../panic.ts";
import { readBody } from "./body-room.ts";

interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly KubeObject[];
  };
}

/** A list can be long: etcd's page of 500 objects, each of the maximum size. */
const bodyLimit = 512 * 1024 * 1024;

/** Answers a ConversionReview; returns `undefined` for any other body, which leads to a status of 400. */
export async function answerConversion(
  request: IncomingMessage,
  converters: ReadonlyMap<string, Converter>,
  options: EndpointOptions,
): Promise<object | undefined> {
  const review = parseReview(await readBody(request, bodyLimit, options.room));
  if (!review) {
    options.log.error(new Error("the body is not a ConversionReview"), "failed to read conversion request");
    return undefined;
  }
  const { uid, desiredAPIVersion, objects } = review.request;
  const { apiVersion, kind } = review;
  try {
    const convertedObjects: KubeObject[] = [];
    for (const object of objects) {
      convertedObjects.push(await converterOf(converters, object).convert(object, desiredAPIVersion));
    }
    const result = { metadata: {}, status: "Success" };
    return { apiVersion, kind, response: { uid, convertedObjects, result } };
  } catch (error) {
    const slip = isPanic(error);
    if (slip) options.onPanic();
    options.log.error(error, "failed to convert", { request: uid });
    // Details of an unexpected error go to the program's log, not to the reader of the object.
    const message = slip ? "internal error occurred during conversion" : (error as Error).message;
    const result = { metadata: {}, status: "Failure", message };
    return { apiVersion, kind, response: { uid, convertedObjects: null, result } };
  }
}

function converterOf(converters: ReadonlyMap<string, Converter>, object: KubeObject): Converter {
  const { group } = parseApiVersion(object.apiVersion ?? "");
  const groupKind = groupKindOf({ group, kind: object.kind ?? "" });
  const converter = converters.get(groupKind);
  if (!converter) throw new Error(`no converter is registered for ${groupKind}`);
  return converter;
}

function parseReview(body: string | undefined): ConversionReview | undefined {
  try {
    const review = JSON.parse(body ?? "") as Partial<ConversionReview> | null;
    const complete = review?.kind === "ConversionReview" && Array.isArray(review.request?.objects);
    return complete ? (review as ConversionReview) : undefined;
  } catch {
    return undefined; // not JSON: the caller responds with 400, as for other bodies without a review
  }
}
