import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { Client } from "../../client/client.ts";
import type { ReadData } from "./pod-environment.ts";

type Data = UnstructuredObject & { data?: Record<string, string> };
const core = (kind: string, plural: string): Kind<Data> => defineKind<Data>({ group: "", version: "v1", kind, plural });
const kinds = { Secret: core("Secret", "secrets"), ConfigMap: core("ConfigMap", "configmaps") };

/** Returns the function with which a container's environment reads the Secrets and ConfigMaps of a namespace. */
export function dataReader(client: Client, namespace: string | undefined): ReadData {
  return async (kind, name) => {
    const object = await client.getOrUndefined(kinds[kind], { namespace, name });
    if (!object || kind === "ConfigMap") return object && (object.data ?? {});
    const entries = Object.entries(object.data ?? {});
    return Object.fromEntries(entries.map(([key, text]) => [key, Buffer.from(text, "base64").toString("utf8")]));
  };
}
