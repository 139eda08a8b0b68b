import type { Client } from "../../../client/client.ts";
import { ConfigMapKind, SecretKind } from "./simulated-kinds.ts";

/** A Secret or a ConfigMap. */
export interface DataObject {
  readonly kind: "Secret" | "ConfigMap";
  readonly name: string;
}

/** The data of a Secret or a ConfigMap, as texts, and the keys of all of its data. */
export interface ObjectData {
  readonly texts: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
}

/** Reads an object of a pod's namespace; undefined if it does not exist. */
export type ReadData = (object: DataObject) => Promise<ObjectData | undefined>;

/** Returns the function with which the containers of a namespace read Secrets and ConfigMaps. */
export function dataReader(client: Client, namespace: string | undefined): ReadData {
  return async ({ kind, name }) => {
    if (kind === "ConfigMap") {
      const map = await client.getOrUndefined(ConfigMapKind, { namespace, name });
      return map && { texts: map.data ?? {}, keys: Object.keys({ ...map.data, ...map.binaryData }) };
    }
    const secret = await client.getOrUndefined(SecretKind, { namespace, name });
    if (!secret) return undefined;
    const texts = Object.entries(secret.data ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]);
    return { texts: Object.fromEntries(texts), keys: Object.keys(secret.data ?? {}) };
  };
}

/** Something that a container needs and that does not exist. */
export class Missing extends Error {}

/** Reads an object; undefined if it is absent and optional. */
export async function readNeeded(
  read: ReadData,
  { optional = false, ...object }: DataObject & { readonly optional?: boolean | undefined },
): Promise<ObjectData | undefined> {
  const data = await read(object);
  if (!data && !optional) throw new Missing(`${object.kind.toLowerCase()} ${JSON.stringify(object.name)} not found`);
  return data;
}
