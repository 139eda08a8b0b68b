import { invalid as invalidField } from "../../../apimachinery/schema/field-error.ts";
import { parseApiVersion } from "../../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { summarize } from "../../codec/decode-body.ts";
import { badRequest, invalid, notRegistered } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import { partOf } from "./part.ts";

/** Refuses a body of a built-in resource that says it is something else. */
export function checkBuiltinType(call: Call, { kind = "", apiVersion = "" }: UnstructuredObject): void {
  const expected = partOf(call);
  if (kind === expected.kind && apiVersion === expected.apiVersion) return;
  const version = parseVersion(apiVersion);
  if (version === undefined)
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ` +
        `unexpected GroupVersion string: ${apiVersion} (${summarize(call.request.body)})`,
    );
  const subject = `${kind} in version "${version}" cannot be handled as a ${expected.kind}`;
  throw badRequest(`${subject}: ${wrongType(call, kind, apiVersion)}`);
}

/** The same of a patched object, for a text that blames the patch; no kind is the URL's. */
export function typeErrorOf(call: Call, { kind, apiVersion }: UnstructuredObject): string | undefined {
  const expected = partOf(call);
  if (!apiVersion || ((kind || expected.kind) === expected.kind && apiVersion === expected.apiVersion))
    return undefined;
  return parseVersion(apiVersion) === undefined
    ? `unexpected GroupVersion string: ${apiVersion}`
    : wrongType(call, kind || expected.kind, apiVersion);
}

/** Custom resources come to their kind's rules with any kind and version; it is those rules that refuse others. */
export function checkCustomKind(call: Call, object: UnstructuredObject): void {
  const { kind, apiVersion } = partOf(call);
  const { group } = parseApiVersion(object.apiVersion ?? "");
  const refuse = (field: string, value: unknown, must: string): never => {
    const cause = invalidField(field, value, `must be ${must}`);
    throw invalid({ group, kind: object.kind ?? "" }, object.metadata.name ?? "", [cause]);
  };
  if (object.kind !== kind) refuse("kind", object.kind, kind);
  if (object.apiVersion !== apiVersion) refuse("apiVersion", object.apiVersion, apiVersion);
}

/** What a client leaves out is known from the URL for built-in kinds, but not for custom ones. */
export function requireType(
  { request }: Call,
  { kind, apiVersion = "" }: UnstructuredObject,
  expected: Expected,
): void {
  if (!kind) {
    const text = new TextDecoder().decode(request.body);
    const start = summarize(request.body);
    const why = `Object 'Kind' is missing in '${text}'`;
    throw badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${start})`);
  }
  if (apiVersion !== expected.apiVersion)
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
    );
}

interface Expected {
  readonly kind: string;
  readonly apiVersion: string;
}

/** A kind that there is can't become another one; one that there isn't is told so. */
function wrongType(call: Call, kind: string, apiVersion: string): string {
  const { group, version } = parseApiVersion(apiVersion);
  const expected = partOf(call);
  const { group: own } = parseApiVersion(expected.apiVersion);
  if (!isRegistered(call, { group, version, kind })) return notRegistered(kind, apiVersion);
  return `converting (${version}.${kind}) to (${own.split(".")[0] || "core"}.${expected.kind}): unknown conversion`;
}

/** Each version of a built-in group also knows these. */
const metaKinds = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "List",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
]);

function isRegistered({ core }: Call, { group, version, kind }: { group: string; version: string; kind: string }) {
  for (const { resource } of core.registry.entries()) {
    if (resource.custom || resource.group !== group || resource.version !== version) continue;
    if (kind === resource.kind || kind === resource.listKind || metaKinds.has(kind)) return true;
  }
  return false;
}

/** `undefined` for what can't be a group and a version. */
function parseVersion(apiVersion: string): string | undefined {
  const parts = apiVersion.split("/");
  return parts.length > 2 ? undefined : parts.at(-1);
}
