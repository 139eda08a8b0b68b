import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseJsonObjectOrUndefined } from "../../../apimachinery/parse-json-object.ts";
import { type FieldError, invalid, required, tooLong } from "../../../apimachinery/field-error.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { bytesSize, immutableData, keyErrors, largest, membersIn } from "./config-data.ts";

/** Secret. `stringData` is a write-only form of `data`. */
export const secret: BuiltinKind = {
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
  printer: printer("Type|Data|Age", (object, now) => [
    textAt(object, "type"),
    membersIn(object, "data"),
    creationAge(object, now),
  ]),
};

function secretSize({ data }: UnstructuredObject): StatusCause[] {
  return bytesSize(data) > largest ? [tooLong("data", largest)] : [];
}

/** Returns errors for the fields that the type of a secret requires. */
function secretTypeErrors(secret: UnstructuredObject): FieldError[] {
  return checks.get(String(secret["type"]))?.(secret) ?? [];
}

const checks = new Map<string, (secret: UnstructuredObject) => FieldError[]>([
  ["kubernetes.io/tls", (secret) => missing(secret, ["tls.crt", "tls.key"])],
  [
    "kubernetes.io/basic-auth",
    (secret) => {
      const errors = missing(secret, ["username", "password"]);
      // One of them is enough.
      return errors.length === 2 ? errors : [];
    },
  ],
  ["kubernetes.io/ssh-auth", (secret) => (dataOf(secret)["ssh-privatekey"] ? [] : [required("data[ssh-privatekey]")])],
  ["kubernetes.io/dockercfg", (secret) => jsonErrors(secret, ".dockercfg")],
  ["kubernetes.io/dockerconfigjson", (secret) => jsonErrors(secret, ".dockerconfigjson")],
  [
    "kubernetes.io/service-account-token",
    ({ metadata }) => {
      const name = "kubernetes.io/service-account.name";
      return metadata.annotations?.[name] ? [] : [required(`metadata.annotations[${name}]`)];
    },
  ],
]);

function dataOf(secret: UnstructuredObject): Readonly<Record<string, string>> {
  return (secret["data"] ?? {}) as Record<string, string>;
}

function missing(secret: UnstructuredObject, keys: readonly string[]): FieldError[] {
  return keys.filter((key) => dataOf(secret)[key] === undefined).map((key) => required(`data[${key}]`));
}

function jsonErrors(secret: UnstructuredObject, key: string): FieldError[] {
  const absent = missing(secret, [key]);
  if (absent.length > 0) return absent;
  const found = parseJsonObjectOrUndefined(Buffer.from(dataOf(secret)[key] ?? "", "base64").toString());
  return found ? [] : [invalid(`data[${key}]`, "<secret contents redacted>", "must be a JSON object")];
}
