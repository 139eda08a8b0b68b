import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden, invalid, tooLong } from "../../../apimachinery/schema/field-error.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { secretTypeErrors } from "../rules/secret-type-errors.ts";
import type { Strategy } from "../strategy.ts";

export const configMapStrategy: Strategy = {
  unconditionalUpdate: true,
  validate: (object, old) => [
    ...keyErrors(object),
    ...keyErrors(object, "binaryData"),
    ...sharedKeys(object),
    ...configMapSize(object),
    ...immutableData(object, old, ["data", "binaryData"]),
  ],
};

/** `stringData` is a write-only way to give `data`. */
export const secretStrategy: Strategy = {
  unconditionalUpdate: true,
  applyDefaults(secret) {
    secret["type"] ||= "Opaque";
    const text = secret["stringData"] as Record<string, string> | undefined;
    delete secret["stringData"];
    if (!text) return;
    const encoded = Object.entries(text).map(([name, value]) => [name, Buffer.from(value).toString("base64")]);
    secret["data"] = { ...(secret["data"] as object), ...Object.fromEntries(encoded) };
  },
  validate(secret, old) {
    const errors = [
      ...keyErrors(secret),
      ...secretTypeErrors(secret),
      ...secretSize(secret),
      ...immutableData(secret, old, ["data"]),
    ];
    if (!old || old["type"] === secret["type"]) return errors;
    return [invalid("type", secret["type"], "field is immutable"), ...errors];
  },
  warn({ type, data }) {
    if (type !== "kubernetes.io/tls") return [];
    const { "tls.crt": certificate = "", "tls.key": key = "" } = data as Record<string, string>;
    const none = (what: string) => [`tls: failed to find any PEM data in ${what} input`];
    return !isPem(certificate) ? none("certificate") : !isPem(key) ? none("key") : [];
  },
};

function isPem(base64: string): boolean {
  return Buffer.from(base64, "base64").includes("-----BEGIN ");
}

const keyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Keys become file names. */
function keyErrors(object: UnstructuredObject, at = "data"): StatusCause[] {
  return Object.keys(object[at] ?? {}).flatMap((key) =>
    keyProblems(key).map((problem) => invalid(`${at}[${key}]`, key, problem)),
  );
}

function keyProblems(key: string): string[] {
  const problems = key.length > 253 ? ["must be no more than 253 characters"] : [];
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) problems.push(keyText);
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

const largest = 1024 * 1024;

function configMapSize({ data, binaryData }: UnstructuredObject): StatusCause[] {
  const size = textSize(data) + bytesSize(binaryData);
  return size > largest ? [tooLong("[]", largest)] : [];
}

function secretSize({ data }: UnstructuredObject): StatusCause[] {
  return bytesSize(data) > largest ? [tooLong("data", largest)] : [];
}

function textSize(values: unknown): number {
  return sum(values, (text) => Buffer.byteLength(text));
}

function bytesSize(values: unknown): number {
  return sum(values, (text) => Buffer.byteLength(text, "base64"));
}

function sum(values: unknown, sizeOf: (text: string) => number): number {
  return Object.values((values ?? {}) as Record<string, string>).reduce((size, text) => size + sizeOf(text), 0);
}

function sharedKeys({ data, binaryData }: UnstructuredObject): StatusCause[] {
  const both = Object.keys(data ?? {}).filter((key) => Object.hasOwn(binaryData ?? {}, key));
  return both.map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
}

/** `immutable: true` can't be taken back, and the data stays as it is. */
function immutableData(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  fields: readonly string[],
): StatusCause[] {
  if (old?.["immutable"] !== true) return [];
  const changed = fields.filter((field) => !equalJson(object[field], old[field]));
  const refused = [...(object["immutable"] === true ? [] : ["immutable"]), ...changed];
  return refused.map((field) => forbidden(field, "field is immutable when `immutable` is set"));
}
