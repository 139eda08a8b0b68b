import { randomUUID } from "node:crypto";
import { apiVersionOf, parseApiVersion } from "../../apimachinery/kind.ts";
import type { UnstructuredObject, ObjectMeta } from "../../apimachinery/meta.ts";
import { pruneUnknown } from "../../apimachinery/schema/prune.ts";
import { callWebhook, type ServiceResolver } from "../call-webhook.ts";
import type { WebhookClientConfig } from "../../k8s/admissionregistration/v1.ts";
import { bareError, internalError } from "../refusals.ts";
import type { CrdSpec, CrdVersion } from "../../apimachinery/crd/crd-types.ts";
import { memoize } from "../registry/memoize.ts";
import { freezeJson } from "../../apimachinery/freeze.ts";
import { messageOf } from "../../errors/message-of.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { cloneJson } from "../../apimachinery/clone.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { applyDefaults } from "../../apimachinery/schema/apply-defaults.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";

/** Timeout of a conversion webhook; no CRD can change it. */
const timeoutSeconds = 30;

export interface WebhookConversionOptions {
  readonly spec: CrdSpec;
  /** The version that clients see. */
  readonly version: CrdVersion;
  readonly storageVersion: CrdVersion | undefined;
  readonly resolveService: ServiceResolver;
}

/** Converts between one version of a kind and the stored one with the CRD's webhook; each stored object once. */
export class WebhookConversion {
  private readonly options: WebhookConversionOptions;
  private readonly apiVersion: string;
  /** Stored objects in the shape of the version in which they are stored: the webhook sees them as a read would. */
  private readonly shaped = memoize((stored) => {
    const { version } = parseApiVersion(stored.apiVersion ?? "");
    const own = this.options.spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
    return inShape(stored, { stored: own, shown: own });
  });
  private readonly known = new WeakMap<UnstructuredObject, UnstructuredObject>();
  /** Running conversions, so that fifty watchers make one call. */
  private readonly pending = new WeakMap<UnstructuredObject, Promise<void>>();

  constructor(options: WebhookConversionOptions) {
    this.options = options;
    this.apiVersion = this.named(options.version);
  }

  /** Converts stored objects, so that `read` can return them. */
  async load(stored: Iterable<UnstructuredObject>): Promise<void> {
    const wanted = [...stored].filter((object) => object.apiVersion !== this.apiVersion && !this.known.has(object));
    const missing = wanted.filter((object) => !this.pending.has(object));
    if (missing.length > 0) {
      const call = this.learn(missing);
      for (const object of missing) this.pending.set(object, call);
    }
    await Promise.all(wanted.map((object) => this.pending.get(object) ?? Promise.resolve()));
  }

  read(stored: UnstructuredObject): UnstructuredObject {
    if (stored.apiVersion === this.apiVersion) return this.shaped(stored);
    const converted = this.known.get(stored);
    if (!converted) throw internalError(`${stored.metadata.name} has not been converted to ${this.apiVersion}`);
    return converted;
  }

  async write(object: UnstructuredObject): Promise<UnstructuredObject> {
    const { storageVersion } = this.options;
    if (!storageVersion) return object;
    if (storageVersion === this.options.version) return prune(object, storageVersion);
    const [converted] = await this.convertAll([object], storageVersion);
    return converted!;
  }

  /** Returns an object of a request in this version, as the webhook answers it. */
  async convert(object: UnstructuredObject): Promise<UnstructuredObject> {
    if (object.apiVersion === this.apiVersion) return object;
    const [converted] = await this.call([object], this.options.version);
    return converted!;
  }

  private async learn(objects: readonly UnstructuredObject[]): Promise<void> {
    try {
      const converted = await this.convertAll(objects.map(this.shaped), this.options.version);
      objects.forEach((object, index) => this.known.set(object, freezeJson(converted[index]!)));
    } finally {
      for (const object of objects) this.pending.delete(object);
    }
  }

  private async convertAll(objects: readonly UnstructuredObject[], to: CrdVersion): Promise<UnstructuredObject[]> {
    return (await this.call(objects, to)).map((object) => prune(object, to));
  }

  private async call(objects: readonly UnstructuredObject[], to: CrdVersion): Promise<UnstructuredObject[]> {
    const apiVersion = this.named(to);
    try {
      const answers = await this.ask(objects, apiVersion);
      if (answers.length !== objects.length)
        throw new Error(`returned ${answers.length} objects, expected ${objects.length}`);
      return objects.map((object, index) => checkConverted(object, answers[index], apiVersion));
    } catch (error) {
      const [first] = objects;
      const { group, version } = parseApiVersion(first!.apiVersion!);
      const type = `${group}/${version}, Kind=${this.options.spec.names.kind}`;
      throw bareError(`conversion webhook for ${type} ${messageOf(error)}`);
    }
  }

  private async ask(objects: readonly UnstructuredObject[], desiredAPIVersion: string): Promise<readonly unknown[]> {
    const { spec, resolveService } = this.options;
    const uid = randomUUID();
    const config: WebhookClientConfig = spec.conversion?.webhook?.clientConfig ?? {};
    const body = conversionReview(objects, { uid, desiredAPIVersion });
    try {
      return readConverted(await callWebhook({ config, timeoutSeconds, body, resolveService }), uid);
    } catch (error) {
      throw new Error(`failed: ${messageOf(error)}`, { cause: error });
    }
  }

  private named({ name }: CrdVersion): string {
    return apiVersionOf({ group: this.options.spec.group, version: name });
  }
}

function prune(object: UnstructuredObject, { schema }: CrdVersion): UnstructuredObject {
  if (schema?.openAPIV3Schema) pruneUnknown(schema.openAPIV3Schema, object);
  return object;
}

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

/**
 * Returns a converted object with the metadata of the original: only labels and annotations may differ. Throws an
 * Error with a real server's text if the webhook returned something else.
 */
function checkConverted(original: UnstructuredObject, converted: unknown, apiVersion: string): UnstructuredObject {
  if (!isObject(converted)) throw new Error("returned invalid object at index 0: not an object");
  const object = converted as UnstructuredObject;
  for (const [field, wanted] of [["apiVersion", apiVersion] as const, ["kind", original.kind] as const])
    if (object[field] !== wanted)
      throw new Error(`returned invalid object: invalid ${field} (expected ${wanted}, received ${object[field]})`);
  return { ...object, metadata: convertedMeta(original.metadata, metaOf(object)) };
}

function metaOf({ metadata }: UnstructuredObject): Partial<ObjectMeta> {
  return typeof metadata === "object" && metadata !== null ? metadata : {};
}

function convertedMeta(original: ObjectMeta, converted: Partial<ObjectMeta>): ObjectMeta {
  for (const field of ["name", "namespace", "uid"] as const) {
    const [before = "", after = ""] = [original[field], converted[field]];
    if (before !== after)
      throw new Error(`returned invalid object: must have the same ${field}: ${before} != ${after}`);
  }
  const { labels: _labels, annotations: _annotations, ...kept } = original;
  return { ...kept, ...texts(converted, "labels"), ...texts(converted, "annotations") };
}

function texts(metadata: Partial<ObjectMeta>, field: "labels" | "annotations"): Partial<ObjectMeta> {
  const found: unknown = metadata[field];
  if (found === undefined || found === null) return {};
  const isMap = isObject(found) && Object.values(found).every((value) => typeof value === "string");
  if (!isMap) throw new Error(`returned invalid metadata: metadata.${field} must be a map of strings`);
  return Object.keys(found).length > 0 ? { [field]: found } : {};
}

interface Schemas {
  /** Schema of the version in which the object was stored: defaults may have been added later. */
  readonly stored: JsonSchema | undefined;
  /** Schema of the requested version, which may have fewer fields. */
  readonly shown: JsonSchema | undefined;
}

/**
 * Returns a stored object in the shape of a version: with defaults and without unknown fields. Defaults that were added
 * later and are too large for the object are incomplete, so that it can still be read, changed and deleted.
 */
export function inShape(object: UnstructuredObject, { stored, shown }: Schemas): UnstructuredObject {
  const shaped = cloneJson(object);
  if (stored) applyDefaults(stored, shaped);
  if (shown) pruneUnknown(shown, shaped);
  return equalJson(shaped, object) ? object : freezeJson(shaped);
}
