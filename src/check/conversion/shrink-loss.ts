import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { escapeKey, type JsonPatchOperation } from "../../apimachinery/patch/json-patch.ts";
import { isApiError } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { causeOfLoss, edited, valueAt, type Conversion, type Loss } from "./conversion.ts";
import { judgeConversions, type Judging } from "./judge-conversions.ts";
import { inShapeOf, isValid, type Version } from "./version.ts";

/** Reports whether a server takes an object that its schema accepts. */
export type Accepts = (object: UnstructuredObject) => Promise<boolean>;

/** Returns a function that asks a server, and so its webhooks, whether it would create an object. */
export function acceptedBy(client: Client): Accepts {
  return async (object) => {
    const kind = await client.kindFor(object.apiVersion ?? "", object.kind ?? "");
    try {
      const namespace = kind.scope === "Namespaced" ? { namespace: "default" } : {};
      await client.create(kind, { ...object, metadata: { ...object.metadata, ...namespace } }, { dryRun: true });
      return true;
    } catch (error) {
      if (!isApiError(error)) throw error;
      // A conversion that fails is what is being looked for.
      return (error.status.code ?? 500) >= 500;
    }
  };
}

/** The objects that are tried at the same time. */
const atOnce = 16;

/** Looks for the smallest object that is accepted and still shows a loss. */
export async function shrinkLoss(loss: Loss, judging: Judging, accepts: Accepts): Promise<Loss> {
  const from = judging.versions.find(({ apiVersion }) => apiVersion === loss.conversion.object.apiVersion)!;
  const firstOf = async (candidates: readonly Conversion[]): Promise<[Loss, index: number] | undefined> => {
    for (const [index, found] of (await judgeConversions(candidates, judging)).entries()) {
      const same = found.find((each) => causeOfLoss(each) === causeOfLoss(loss));
      if (same && (await accepts(same.conversion.object))) return [same, index];
    }
    return undefined;
  };
  const unchanged = loss.conversion.change && (await firstOf([{ ...loss.conversion, change: undefined }]));
  let smallest = unchanged?.[0] ?? loss;
  for (let size = Infinity; sizeOf(smallest.conversion.object) < size;) {
    size = sizeOf(smallest.conversion.object);
    let operations = reductionsOf(smallest.conversion.object);
    while (operations.length > 0) {
      const candidates: Conversion[] = [];
      const ends: number[] = [];
      for (let at = 0; at < operations.length && candidates.length < atOnce; at++) {
        const smaller = reduce(smallest.conversion, from, operations[at]!);
        if (smaller) candidates.push(smaller);
        if (smaller) ends.push(at + 1);
      }
      const found = await firstOf(candidates);
      if (found) smallest = found[0];
      operations = operations.slice(found ? ends[found[1]] : candidates.length < atOnce ? Infinity : ends.at(-1));
    }
  }
  return smallest;
}

/** Returns a conversion of less, if the object is still valid, or has its mistake. */
function reduce(conversion: Conversion, from: Version, operation: JsonPatchOperation): Conversion | undefined {
  const { object, mistake } = conversion;
  const less = edited(object, operation);
  const smaller = less && (mistake ? less : inShapeOf(from, less));
  if (!smaller || sizeOf(smaller) >= sizeOf(object)) return undefined;
  const isFit = mistake ? equalJson(valueAt(smaller, mistake.path), mistake.value) : isValid(from, smaller);
  return isFit ? { ...conversion, object: smaller } : undefined;
}

function sizeOf(object: UnstructuredObject): number {
  return JSON.stringify(object).length;
}

/** Lists the removals of fields and items, and the replacements of scalars by simple ones. */
function reductionsOf(object: UnstructuredObject): JsonPatchOperation[] {
  const reduce = (value: unknown, path: string): JsonPatchOperation[] => {
    const replace = (simple: unknown): JsonPatchOperation => ({ op: "replace", path, value: simple });
    const removal = /^(\/metadata(\/name)?)?$/.test(path) ? [] : [{ op: "remove", path }];
    if (path === "/metadata/name") return [replace("sample")];
    if (typeof value === "number") return [...removal, replace(0), replace(1)];
    if (typeof value === "string") return [...removal, replace("a")];
    if (typeof value !== "object" || value === null) return removal;
    const members = Object.entries(value).flatMap(([key, member]) => reduce(member, `${path}/${escapeKey(key)}`));
    return [...removal, ...(removal.length > 0 ? [replace(Array.isArray(value) ? [] : {})] : []), ...members];
  };
  const { apiVersion: _version, kind: _kind, ...fields } = object;
  return reduce(fields, "");
}
