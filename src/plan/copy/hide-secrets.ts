import { createHmac } from "node:crypto";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";

/** Types of Secrets whose content a server parses, with what it accepts as content. */
const parsed: Readonly<Record<string, string>> = {
  ".dockerconfigjson": '{"auths":{}}',
  ".dockercfg": "{}",
};

/** The copy that `kubectl apply` keeps of a manifest. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Replaces the values of a Secret by others of the same length: equal values stay equal, and nobody without the key can
 * find them by trying.
 */
export function hideSecret(secret: UnstructuredObject, key: Uint8Array): UnstructuredObject {
  const { [lastApplied]: _applied, ...annotations } = secret.metadata.annotations ?? {};
  const data = Object.entries((secret["data"] ?? {}) as Record<string, unknown>).map(([name, value]) => {
    const bytes = Buffer.from(typeof value === "string" ? value : "", "base64");
    return [name, standIn(bytes, key, parsed[name]).toString("base64")] as const;
  });
  return {
    ...secret,
    metadata: { ...secret.metadata, ...(secret.metadata.annotations && { annotations }) },
    ...(secret["data"] !== undefined && { data: Object.fromEntries(data) }),
  };
}

/** The length from which a stand-in belongs to one value only. */
const telling = 16;

/** Puts back the stand-ins of a copy for the values that they stand for: a cluster that has these does not change. */
export function hideUnchanged(
  before: UnstructuredObject,
  after: UnstructuredObject,
  hide: (secret: UnstructuredObject) => UnstructuredObject,
): UnstructuredObject {
  const valuesIn = (secret: UnstructuredObject) => (secret["data"] ?? {}) as Readonly<Record<string, unknown>>;
  const [copied, hidden] = [valuesIn(before), valuesIn(hide(after))];
  const data = Object.entries(valuesIn(after)).map(([name, value]) => {
    const isTelling = !(name in parsed) && Buffer.from(String(value), "base64").length >= telling;
    return [name, isTelling && hidden[name] === copied[name] ? copied[name] : value];
  });
  return { ...after, data: Object.fromEntries(data) };
}

/** Returns letters and digits of the same length. */
function standIn(value: Buffer, key: Uint8Array, content?: string): Buffer {
  if (content !== undefined && value.length >= content.length) return Buffer.from(content.padEnd(value.length));
  const text = createHmac("sha256", key).update(value).digest("hex");
  return Buffer.from(text.repeat(Math.ceil(value.length / text.length)).slice(0, value.length));
}
