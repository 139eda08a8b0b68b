import { isObject } from "../../apimachinery/is-object.ts";
/** The type of a field in a kubeconfig; an object has fields of its own. */
type FieldType = "text" | "base64" | "boolean" | "texts" | "mapping" | { readonly [field: string]: FieldType };

const exec: FieldType = {
  apiVersion: "text",
  command: "text",
  args: "texts",
  interactiveMode: "text",
  installHint: "text",
  provideClusterInfo: "boolean",
};

/** By the name of an entry: `cluster`, `user`, `context`. Other fields belong to other programs. */
const fieldTypes: Readonly<Record<string, { readonly [field: string]: FieldType }>> = {
  cluster: {
    server: "text",
    "certificate-authority": "text",
    "certificate-authority-data": "base64",
    "insecure-skip-tls-verify": "boolean",
    "tls-server-name": "text",
    "proxy-url": "text",
  },
  user: {
    "client-certificate": "text",
    "client-certificate-data": "base64",
    "client-key": "text",
    "client-key-data": "base64",
    token: "text",
    tokenFile: "text",
    username: "text",
    password: "text",
    as: "text",
    "as-uid": "text",
    "as-groups": "texts",
    "as-user-extra": "mapping",
    "auth-provider": { name: "text", config: "mapping" },
    exec,
  },
  context: { cluster: "text", user: "text", namespace: "text" },
};

const expected = {
  text: "a string; quote numbers and booleans",
  base64: "base64",
  boolean: "true or false",
  texts: "a list of strings",
  mapping: "a mapping",
} as const;

/** Returns the error in the fields of an entry, such as a token that is a number; `undefined` if there is none. */
export function fieldError(item: string, fields: unknown): string | undefined {
  return wrong(fieldTypes[item] ?? {}, fields, item);
}

function wrong(type: FieldType, value: unknown, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof type === "string") return fits(type, value) ? undefined : `${path} is not ${expected[type]}`;
  if (!isObject(value)) return `${path} is not ${expected.mapping}`;
  for (const [name, each] of Object.entries(type)) {
    const error = wrong(each, value[name], `${path}.${name}`);
    if (error) return error;
  }
  return undefined;
}

function fits(type: Exclude<FieldType, object>, value: unknown): boolean {
  switch (type) {
    case "text":
      return typeof value === "string";
    case "base64":
      return typeof value === "string" && /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value);
    case "boolean":
      return typeof value === "boolean";
    case "texts":
      return Array.isArray(value) && value.every((each) => typeof each === "string");
    case "mapping":
      return isObject(value);
  }
}
