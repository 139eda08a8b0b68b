import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { isObject } from "../../apimachinery/is-object.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { writeWhole } from "../../sandbox/disk/write-whole.ts";
import { checkCopied, type ClusterCopy, type CopiedObject, type CopyHeader } from "./cluster-copy.ts";
import { groupBy } from "../../apimachinery/group-by.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { storageKey, type Snapshot } from "../../apiserver/storage/store.ts";

/** The first member of a file. A change of the format changes the number. */
const format = { tsopPlan: 1 };

/** Writes a copy to a file: a header, and an object in each further line. */
export async function saveCopy(file: string, { objects, hide: _hide, ...header }: ClusterCopy): Promise<void> {
  const lines = [{ ...format, ...header }, ...objects].map((line) => JSON.stringify(line));
  try {
    await writeWhole(file, `${lines.join("\n")}\n`);
  } catch (cause) {
    throw new TsopError("TSOP_PLAN_NOT_SAVED", { file, reason: messageOf(cause) }, { cause });
  }
}

/** Reads the copy that a file has. */
export async function readCopy(file: string): Promise<ClusterCopy> {
  const input = createReadStream(file, "utf8");
  const objects: CopiedObject[] = [];
  let header: CopyHeader | undefined;
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number++;
      if (header) objects.push(objectIn(line));
      else header = headerIn(line);
    }
  } catch (cause) {
    const reason = number === 0 ? messageOf(cause) : `line ${number}: ${messageOf(cause)}`;
    throw new TsopError("TSOP_PLAN_COPY_UNREADABLE", { file, reason }, { cause });
  } finally {
    input.destroy();
  }
  if (!header) throw new TsopError("TSOP_PLAN_COPY_UNREADABLE", { file, reason: "it is empty" });
  return { ...header, objects };
}

function headerIn(line: string): CopyHeader {
  const header: unknown = JSON.parse(line);
  const isHeader = isObject(header) && Array.isArray(header["missing"]) && Array.isArray(header["resources"]);
  if (!isHeader || header["tsopPlan"] !== format.tsopPlan) throw new Error("not a copy of this version of tsop");
  const { tsopPlan: _format, ...rest } = header;
  return rest as unknown as CopyHeader;
}

function objectIn(line: string): CopiedObject {
  const copied: unknown = JSON.parse(line);
  if (!isObject(copied) || typeof copied["resource"] !== "string") throw new Error("not an object of a copy");
  if (!isObject(copied["object"]) || !isObject(copied["object"]["metadata"]))
    throw new Error("an object without metadata");
  checkCopied(copied["object"] as CopiedObject["object"]);
  return copied as unknown as CopiedObject;
}

/** The state of a server that serves a copy. */
interface LoadedCopy {
  readonly snapshot: Snapshot;
  /** The webhooks of others, which are not called. */
  readonly uncalled: readonly string[];
}

/**
 * Returns a copy as the state of a server. Webhooks that the manifests do not have belong to other programs: nobody
 * serves them here, so that they are left out.
 */
export function loadCopy({ objects }: ClusterCopy, manifests: readonly UnstructuredObject[]): LoadedCopy {
  const own = new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const uncalled: string[] = [];
  const loaded = objects.flatMap((copied): CopiedObject[] => {
    const { object, resource } = copied;
    const { kind, metadata, spec } = object;
    if (own.has(`${kind} ${metadata.name}`)) return [copied];
    if (kind === "MutatingWebhookConfiguration" || kind === "ValidatingWebhookConfiguration") {
      uncalled.push(`${kind} ${metadata.name}`);
      return [];
    }
    const { conversion } = (spec ?? {}) as { readonly conversion?: { readonly strategy?: string } };
    if (kind !== "CustomResourceDefinition" || conversion?.strategy !== "Webhook") return [copied];
    uncalled.push(`the conversion of ${metadata.name}`);
    return [{ resource, object: { ...object, spec: { ...(spec as object), conversion: { strategy: "None" } } } }];
  });
  const versions = objects.map(({ object }) => Number(object.metadata.resourceVersion));
  const revision = versions.filter(Number.isSafeInteger).reduce((a, b) => Math.max(a, b), 1);
  const entryOf = ({ object }: CopiedObject) =>
    [storageKey(object.metadata.namespace, object.metadata.name!), object] as const;
  const collections = [...groupBy(loaded, ({ resource }) => resource)].map(
    ([resource, members]) => [resource, Object.fromEntries(members.map(entryOf))] as const,
  );
  return { snapshot: { revision: revision + 1, objects: Object.fromEntries(collections) }, uncalled };
}
