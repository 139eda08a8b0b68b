import { invalid, required as missing } from "../../../apimachinery/field-error.ts";
import { textOf } from "../../../apimachinery/fields.ts";
import { parseJsonObjectOrUndefined } from "../../../apimachinery/parse-json-object.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, textAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { type FieldRule, fieldRules } from "../rules/field-rules.ts";
import { immutable } from "../rules/immutable.ts";
import { dataSize, fileNames, immutableData } from "./config-data.ts";

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
