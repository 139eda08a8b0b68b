import { isSince } from "../../../apimachinery/kubernetes-version.ts";
import { invalidError } from "../../../apimachinery/invalid-error.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { decodeBody, type DecodedBody } from "../../codec/decode-body.ts";
import { mostFindings, unknownField } from "../../codec/json.ts";
import { decodeError, metaDecodeError } from "../../registry/decode-error.ts";
import { badRequest, bareError, tooLarge } from "../../refusals.ts";
import type { Call } from "../request/call.ts";
import { fieldValidation, reportFields } from "../request/write-options.ts";
import { settleNamespace, tidyMeta } from "./prepare-object.ts";
import { partOf } from "./part.ts";
import { embeddedDecodeError, tidyEmbedded } from "./meta-errors.ts";
import { builtinSchema } from "../../../apimachinery/builtin/builtin-schema.ts";
import { pruneUnknown } from "../../../apimachinery/schema/prune.ts";
import { invalid as invalidField } from "../../../apimachinery/field-error.ts";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { tooManyValues } from "../../codec/json.ts";

/** Reads the object in the request's body, and checks that it has the kind of the URL. */
export function readObject(call: Call): UnstructuredObject {
  const { kind, apiVersion } = partOf(call);
  const findDuplicates = fieldValidation(call) !== "Ignore";
  const { headers, body } = call.request;
  const { value, ...found } = decodeBody(headers["content-type"], body, { kind, findDuplicates });
  const object = (
    "kind" in value && "apiVersion" in value ? value : { kind: undefined, apiVersion: undefined, ...value }
  ) as UnstructuredObject;
  const isCustom = isOfCustomKind(call);
  // The URL gives the type of a built-in object.
  if (isCustom ? !object.kind || object.apiVersion !== apiVersion : typeErrorOf(call, object) !== undefined)
    throw badRequest(`the object provided is unrecognized: must be of type ${kind} in ${apiVersion}`);
  object.kind ||= kind;
  object.apiVersion ||= apiVersion;
  checkCounts(call, object);
  checkTypes(call, object);
  object.metadata ??= {};
  tidyMeta(object.metadata, isCustom);
  // The fields of another kind are not known.
  if (isCustom) checkCustomKind(call, object);
  if (call.subresource !== "scale") pruneObject(call, object, found);
  return object;
}

/** Reads a body of another kind than the URL's resource, which some subresources take. */
export function readRaw(call: Call, kind: string): Record<string, unknown> {
  const { headers, body } = call.request;
  return decodeBody(headers["content-type"], body, { kind, findDuplicates: false }).value;
}

/** Refuses values of the wrong JSON type. */
function checkTypes(call: Call, object: UnstructuredObject): void {
  const error = decodeErrorOf(call, object);
  if (error === undefined) return;
  const { version, kind } = call.entry.resource;
  throw badRequest(`${object.kind ?? kind} in version "${version}" cannot be handled as a ${kind}: ${error}`);
}

/** Returns the error of a typed decoder about the object; for a custom one, only about its metadata. */
export function decodeErrorOf(call: Call, object: UnstructuredObject): string | undefined {
  const { entry, subresource } = call;
  if (subresource === "scale" || entry.type) return typedErrorOf(call, object);
  return metaDecodeError(object.metadata) ?? embeddedDecodeError(entry.resource.schema() ?? {}, object);
}

/** Returns the error of a typed decoder about the object of a built-in kind. */
export function typedErrorOf({ core, entry, subresource }: Call, object: UnstructuredObject): string | undefined {
  const type = subresource === "scale" ? "io.k8s.api.autoscaling.v1.Scale" : entry.type;
  return type && decodeError(type, object, core);
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/**
 * Drops fields that the kind's schema does not declare, and reports them together with the earlier findings.
 */
export function pruneObject(
  call: Call,
  object: UnstructuredObject,
  { duplicates }: Pick<DecodedBody, "duplicates">,
  refuse?: (why: string) => Error,
): void {
  const unknown: string[] = [];
  const ofMetadata: string[] = [];
  const note = (list: string[], path: string): void => {
    if (list.length < mostFindings) list.push(unknownField(path));
  };
  const { resource } = call.entry;
  const schema = resource.schema();
  pruneUnknown(builtinSchema(objectMeta)!, object.metadata, (path) => note(ofMetadata, `metadata.${path}`));
  if (schema && resource.custom) tidyEmbedded(schema, object);
  if (schema) pruneUnknown(schema, object, (path) => note(unknown, path));
  reportFields(call, object, [...duplicates, ...ofMetadata.sort(), ...unknown.sort()], refuse);
}

/** Reports whether the object of a request is of a custom kind, as its Scale is not. */
export function isOfCustomKind({ entry, subresource }: Call): boolean {
  return entry.resource.custom !== undefined && subresource !== "scale";
}

/** Returns the error about the type of an object; an absent part is that of the URL. */
export function typeErrorOf(call: Call, { kind, apiVersion }: UnstructuredObject): string | undefined {
  const expected = partOf(call);
  const isRight =
    (kind || expected.kind) === expected.kind && (apiVersion || expected.apiVersion) === expected.apiVersion;
  return isRight ? undefined : `${kind ?? ""} in ${apiVersion ?? ""} is not ${expected.kind} in ${expected.apiVersion}`;
}

/** Refuses a custom object of another kind or version, as a validation error. */
export function checkCustomKind(call: Call, object: UnstructuredObject): void {
  const { kind, apiVersion } = partOf(call);
  const { group } = parseApiVersion(object.apiVersion ?? "");
  const refuse = (field: string, value: unknown, must: string): never => {
    const cause = invalidField(field, value, `must be ${must}`);
    throw invalidError({ group, kind: object.kind ?? "" }, object.metadata.name ?? "", [cause]);
  };
  if (object.kind !== kind) refuse("kind", object.kind, kind);
  if (object.apiVersion !== apiVersion) refuse("apiVersion", object.apiVersion, apiVersion);
}

/**
 * Checks an object that admission has changed, as it is decoded from a webhook: the type and the namespace stay, and a
 * custom object loses the wrong parts of its metadata.
 */
export function settleAdmitted(call: Call, object: UnstructuredObject): void {
  const { kind, apiVersion } = partOf(call);
  object.kind ||= kind;
  object.apiVersion ||= apiVersion;
  const metadata = (object.metadata ??= {});
  if (isOfCustomKind(call)) {
    if (object.apiVersion !== apiVersion)
      throw bareError(`request to convert CR from an invalid group/version: ${object.apiVersion}`);
    checkCustomKind(call, object);
    const error = isSince(call.core.builtins.version, "1.37") ? metaDecodeError(metadata) : undefined;
    if (error !== undefined)
      throw invalidError(call.entry.resource, metadata.name ?? "", [invalidField("metadata", metadata, error)]);
    for (const [name, value] of Object.entries(metadata))
      if (metaDecodeError({ [name]: value }) !== undefined) delete (metadata as Record<string, unknown>)[name];
    pruneUnknown(builtinSchema(objectMeta)!, metadata);
  }
  tidyMeta(metadata);
  settleNamespace(call, metadata);
}

/**
 * The most values of an object without its managed fields. The largest CRDs have 20,000, and one that has 1.5 MB without
 * any description 100,000.
 */
const mostValues = 100_000;
/** The most levels of all values together: the owners of fields are found by paths, and the paths of deep values are long. */
const mostLevels = 2_000_000;
/** The most objects in the lists of a built-in kind, of which each is validated by many rules. */
const mostListed = 10_000;
/** The most entries of a list or map of metadata and of a built-in kind. */
const mostEntries = 20_000;

/** Refuses an object with too many values, before work that is far more for each of them than decoding. */
export function checkCounts({ entry }: Pick<Call, "entry">, object: UnstructuredObject): void {
  const metadata = withoutManagers(object.metadata);
  const ofMetadata = countValues({ metadata });
  const { values, levels, listed, entries } = countValues({ ...object, metadata });
  if (values > mostValues) throw tooManyValues(values, mostValues);
  if (levels > mostLevels) throw tooLarge(`its values are at ${levels} levels together, the limit is ${mostLevels}`);
  const isCustom = entry.resource.custom !== undefined;
  const most = isCustom ? ofMetadata.entries : entries;
  if (most > mostEntries)
    throw tooLarge(`a list or map of the object has ${most} entries, the limit is ${mostEntries}`);
  if (listed > mostListed && !isCustom)
    throw tooLarge(`the lists of the object have ${listed} objects, the limit is ${mostListed}`);
}

/** Returns metadata without what the server writes. A value of a wrong type is refused later. */
function withoutManagers(metadata: unknown): unknown {
  if (!isObject(metadata)) return metadata;
  const { managedFields: _, ...own } = metadata;
  return own;
}

interface Counts {
  readonly values: number;
  /** The sum of the levels at which the values are. */
  readonly levels: number;
  /** The objects and lists that are items of lists. */
  readonly listed: number;
  /** The entries of the longest list or map. */
  readonly entries: number;
}

function countValues(object: object): Counts {
  // Level by level, as deep objects would exhaust the stack.
  let level: object[] = [object];
  let [values, levels, listed, longest] = [1, 0, 0, 0];
  for (let depth = 1; level.length > 0; depth++) {
    const below: object[] = [];
    for (const each of level) {
      const entries: readonly unknown[] = Array.isArray(each) ? each : Object.values(each);
      for (const value of entries) {
        if (typeof value !== "object" || value === null) continue;
        if (entries === each) listed++;
        below.push(value);
      }
      values += entries.length;
      levels += entries.length * depth;
      longest = Math.max(longest, entries.length);
    }
    level = below;
  }
  return { values, levels, listed, entries: longest };
}
