import { createAuthority } from "../../../apimachinery/certificates/issue-certificates.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import {
  forbidden,
  invalid,
  tooLong,
  type FieldError,
  required as missing,
} from "../../../apimachinery/field-error.ts";
import { configKeyProblems } from "../../../apimachinery/label-syntax.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldRule, fieldRules } from "../rules/field-rules.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, textAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { textOf } from "../../../apimachinery/fields.ts";
import { parseJsonObjectOrUndefined } from "../../../apimachinery/parse-json-object.ts";
import { immutable } from "../rules/immutable.ts";

/** The rule of the keys of a map, which become file names. */
const fileNames: FieldRule = (map, at) =>
  Object.keys(map ?? {}).flatMap((key) =>
    configKeyProblems(key).map((problem) => invalid(`${at}[${key}]`, key, problem)),
  );

/** The most bytes of all values together. */
const largest = 1024 * 1024;

/** Returns the rule of an object with texts in these maps: each in an encoding. */
function dataSize(field: string, encodings: Readonly<Record<string, BufferEncoding>>): FieldRule {
  return (value) => {
    const sizes = Object.entries(encodings).flatMap(([name, encoding]) => {
      const map = ((value as UnstructuredObject)[name] ?? {}) as Record<string, string>;
      return Object.values(map).map((text) => Buffer.byteLength(text, encoding));
    });
    return sizes.reduce((sum, size) => sum + size, 0) > largest ? [tooLong(field, largest)] : [];
  };
}

/** Refuses changes of the data and of `immutable: true`. */
function immutableData(
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
  ...fields: readonly string[]
): FieldError[] {
  if (old?.["immutable"] !== true) return [];
  return ["immutable", ...fields]
    .filter((field) => !equalJson(object[field], old[field]))
    .map((field) => forbidden(field, "field is immutable when `immutable` is set"));
}

const dataErrors = fieldRules({
  ".": dataSize("[]", { data: "utf8", binaryData: "base64" }),
  "(data|binaryData)": fileNames,
  data: (data, at, { binaryData }) =>
    Object.keys(data ?? {})
      .filter((key) => Object.hasOwn(binaryData ?? {}, key))
      .map((key) => invalid(`${at}[${key}]`, key, "duplicate of key present in binaryData")),
});

/** Returns the ConfigMap from which a server behind an APIService reads whose requests it may trust. */
function frontProxyTrust(): UnstructuredObject {
  const data = {
    "requestheader-allowed-names": '["front-proxy-client"]',
    "requestheader-client-ca-file": createAuthority(Date.now()).cert,
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-uid-headers": '["X-Remote-Uid"]',
    "requestheader-username-headers": '["X-Remote-User"]',
  };
  const metadata = { name: "extension-apiserver-authentication", namespace: "kube-system" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}

/** ConfigMap. */
export const configMap: BuiltinKind = {
  seeds: () => [frontProxyTrust()],
  validate: (object, old) => [...dataErrors(object), ...immutableData(object, old, "data", "binaryData")],
  printer: printer("Data|Age", (object) => [
    Object.keys({ ...mapAt(object, "data"), ...mapAt(object, "binaryData") }).length,
  ]),
};

/** The keys that a type of secrets needs. */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
};
const account = "kubernetes.io/service-account.name";

/** Checks what the type of a secret needs. */
const ofType: FieldRule = (secret) => {
  const type = textAt(secret, "type");
  const data = mapAt(secret, "data");
  const absent = (...keys: readonly string[]) => keys.filter((key) => data[key] === undefined);
  const errorsOf = (keys: readonly string[]) => keys.map((key) => missing(`data[${key}]`));
  switch (type) {
    case "kubernetes.io/basic-auth": {
      // One of them is enough.
      const keys = absent("username", "password");
      return keys.length === 2 ? errorsOf(keys) : [];
    }
    case "kubernetes.io/service-account-token":
      return textAt(secret, "metadata", "annotations", account) ? [] : [missing(`metadata.annotations[${account}]`)];
    case "kubernetes.io/ssh-auth":
      return data["ssh-privatekey"] ? [] : errorsOf(["ssh-privatekey"]);
    default: {
      const keys = Object.hasOwn(neededKeys, type) ? neededKeys[type]! : [];
      const unread = keys.filter((key) => key.startsWith(".docker") && !isJson(data[key]));
      return [
        ...errorsOf(absent(...keys)),
        ...unread.map((key) => invalid(`data[${key}]`, "<secret contents redacted>", "must be a JSON object")),
      ];
    }
  }
};

function isJson(base64: unknown): boolean {
  return parseJsonObjectOrUndefined(Buffer.from(textOf(base64), "base64").toString()) !== undefined;
}

const secretErrors = fieldRules({ ".": [dataSize("data", { data: "base64" }), ofType], data: fileNames });

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
  validate: (secret, old) => [
    ...secretErrors(secret),
    ...immutableData(secret, old, "data"),
    ...immutable(secret, old, ["type"]),
  ],
  printer: printer("Type|Data|Age", (object) => [textAt(object, "type"), Object.keys(mapAt(object, "data")).length]),
};
